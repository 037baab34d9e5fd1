package logs

import "simulate/sim/wire"

// maxNames is how many bytes of different names are kept; then the table starts anew. It bounds memory, not what can be read.
const maxNames = 8 << 20

// names keeps one string for each name of a group, a member or a client, so that reading them does not allocate.
type names struct {
	table map[string]string
	bytes int
}

func newNames() *names { return &names{table: map[string]string{}} }

func (n *names) text(b []byte) string {
	if s, ok := n.table[string(b)]; ok {
		return s
	}
	const perName = 64 // in the table
	if n.bytes += len(b) + perName; n.bytes > maxNames {
		clear(n.table)
		n.bytes = 0
	}
	s := string(b)
	n.table[s] = s
	return s
}

func (n *names) member(b []byte) wire.MemberID { return wire.MemberID(n.text(b)) }

func (n *names) instance(b []byte) wire.InstanceID { return wire.InstanceID(n.text(b)) }
