package logs

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"

	"simulate/sim/wire"
)

// maxNames is how many bytes of different names are kept; then the table starts anew. It bounds memory, not what can be read.
const maxNames = 8 << 20

// maxName is how many bytes of a name are read: as many as the protocol of Kafka has room for.
const maxName = 32767

// names keeps one string for each name of a group, a member or a client, so that reading them does not allocate.
type names struct {
	recent [1 << recentBits]string // by a hash of a few of their bytes: most names are met again soon
	table  map[string]string
	bytes  int
	group  string // that was read last
}

const (
	recentBits    = 13
	maxRecentName = 512
)

func newNames() *names { return &names{table: map[string]string{}} }

// text returns a name as it can be shown: what is no UTF-8 is replaced.
func (n *names) text(b []byte) string {
	recent := &n.recent[hashOf(b)]
	if *recent == string(b) {
		return *recent
	}
	s := n.look(b[:min(len(b), maxName)])
	if len(s) == len(b) && len(s) <= maxRecentName {
		*recent = s
	}
	return s
}

// groupOf returns the name of a group.
func (n *names) groupOf(b []byte) string {
	if n.group != string(b) {
		n.group = n.text(b)
	}
	return n.group
}

// groupAt returns the group that was read last and how long it is with the blank before it, when b begins so; else 0.
func (n *names) groupAt(b []byte) (size int, group string) {
	if size = 1 + len(n.group); size > 1 && len(b) > size && b[0] == ' ' && string(b[1:size]) == n.group {
		return size, n.group
	}
	return 0, ""
}

// hashOf mixes the length with the first bytes, the last, and some in the middle.
func hashOf(b []byte) uint64 {
	const golden = 0x9E3779B97F4A7C15
	n := len(b)
	if n < 8 {
		h := uint64(n)
		for _, c := range b {
			h = h<<8 | uint64(c)
		}
		return h * golden >> (64 - recentBits)
	}
	first, middle, last := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n/2-4:]), binary.LittleEndian.Uint64(b[n-8:])
	h := (first ^ bits.RotateLeft64(middle, 21) ^ uint64(n)) * golden
	return (h ^ last) * golden >> (64 - recentBits)
}

// look returns a name that was not met lately.
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

func (n *names) member(b []byte) wire.MemberID {
	if len(b) > 0 && b[0] == '*' && len(bytes.Trim(b, "*")) == 0 {
		return Masked // of whatever length: it is no name
	}
	return wire.MemberID(n.text(b))
}

// Masked stands for every member id that was made unreadable before somebody showed the log.
const Masked wire.MemberID = "***"

func (n *names) instance(b []byte) wire.InstanceID { return wire.InstanceID(n.text(b)) }
