package logs

import (
	"strings"

	"simulate/sim/wire"
)

// maxNames is how many bytes of different names are kept; then the table starts anew. It bounds memory, not what can be read.
const maxNames = 8 << 20

// maxName is how many bytes of a name are read: as many as the protocol of Kafka has room for.
const maxName = 32767

// names keeps one string for each name of a group, a member or a client, so that reading them does not allocate.
type names struct {
	table map[string]string
	bytes int
}

func newNames() *names { return &names{table: map[string]string{}} }

// text returns a name as it can be shown: what is no UTF-8 is replaced.
func (n *names) text(b []byte) string {
	b = b[:min(len(b), maxName)]
	if s, ok := n.table[string(b)]; ok {
		return s
	}
	const perName = 64 // in the table
	if n.bytes += len(b) + perName; n.bytes > maxNames {
		clear(n.table)
		n.bytes = 0
	}
	key := string(b)
	s := strings.ToValidUTF8(key, "\uFFFD")
	n.table[key] = s
	return s
}

func (n *names) member(b []byte) wire.MemberID { return wire.MemberID(n.text(b)) }

func (n *names) instance(b []byte) wire.InstanceID { return wire.InstanceID(n.text(b)) }
