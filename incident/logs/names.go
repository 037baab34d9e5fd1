package logs

import (
	"encoding/binary"
	"strings"

	"simulate/sim/wire"
)

// maxNames is how many bytes of different names are kept; then the table starts anew. It bounds memory, not what can be read.
const maxNames = 8 << 20

// maxName is how many bytes of a name are read: as many as the protocol of Kafka has room for.
const maxName = 32767

// names keeps one string for each name of a group, a member or a client, so that reading them does not allocate.
type names struct {
	table  map[string]string
	bytes  int
	recent [256]string // by length and last bytes: most names come again soon
}

func newNames() *names { return &names{table: map[string]string{}} }

// text returns a name as it can be shown: what is no UTF-8 is replaced.
func (n *names) text(b []byte) string {
	const golden = 0x9E3779B97F4A7C15
	b = b[:min(len(b), maxName)]
	if len(b) < 8 {
		return n.look(b)
	}
	r := &n.recent[(binary.LittleEndian.Uint64(b[len(b)-8:])+uint64(len(b)))*golden>>56]
	if *r != string(b) {
		*r = n.look(b)
	}
	return *r
}

func (n *names) look(b []byte) string {
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
