package logs

import (
	"bytes"
	"encoding/binary"
)

// The search looks at blocks of three bytes, of which most are in no literal and let it skip nearly a window.
const (
	minLiteral = 8  // the shortest literal of a template: shorter ones would make every search slow
	maxWindow  = 16 // how much of a literal is looked for; the rest is compared
	skipBits   = 14
)

// finder looks for the literals of templates in lines: for all of them in one pass, wherever they stand (Wu and Manber's
// search for many strings).
type finder struct {
	window  int                    // how much of each literal is looked for
	skips   [1 << skipBits]uint8   // how far a window with this last block is from the next one that may be a literal's
	buckets map[uint32][]*template // by the last block in the window of the literal, in the order of the tables
}

// newFinder takes tables of templates. Of several that fit at one place, the first one is taken.
func newFinder(tables ...[]template) *finder {
	f := &finder{window: maxWindow, buckets: map[uint32][]*template{}}
	for _, table := range tables {
		for _, t := range table {
			f.window = min(f.window, len(t.literal))
		}
	}
	if f.window < minLiteral {
		panic("logs: a literal is too short to be looked for")
	}
	for i := range f.skips {
		f.skips[i] = uint8(f.window - 2)
	}
	for _, table := range tables {
		for i := range table {
			f.add(&table[i])
		}
	}
	return f
}

func (f *finder) add(t *template) {
	for end := 3; end <= f.window; end++ {
		h := lastBlock([]byte(" "+t.literal), end+1)
		f.skips[h] = min(f.skips[h], uint8(f.window-end))
		if end == f.window {
			f.buckets[h] = append(f.buckets[h], t)
		}
	}
}

// lastBlock hashes the three bytes of b before end, which is at least 4.
func lastBlock(b []byte, end int) uint32 {
	const golden = 0x9E3779B1
	return binary.LittleEndian.Uint32(b[end-4:]) >> 8 * golden >> (32 - skipBits)
}

// verdict is what a search found out about a line.
type verdict uint8

const (
	unrelated  verdict = iota
	unknown            // somebody who tells of groups says something that no template knows
	recognized         // the event is filled in; its Kind is NoKind when it means nothing for a group
)

// find looks for a message in line, from the byte from on: where the envelope says that the message begins, or 0. In m are
// the fields, the further lines and the names; find adds the rest. It returns where the literal stands that was
// recognized.
func (f *finder) find(line []byte, from int, m message, e *Event) (verdict, int) {
	found := unrelated
	for end := max(from+f.window, 4); end <= len(line); {
		h := lastBlock(line, end)
		if skip := int(f.skips[h]); skip > 0 {
			end += skip
			continue
		}
		at := end - f.window
		for _, t := range f.buckets[h] {
			if !bytes.HasPrefix(line[at:], []byte(t.literal)) {
				continue
			}
			if found == unrelated {
				found = unknown
				e.clear()
			}
			m.before, m.after = line[:at], line[at+len(t.literal):]
			if t.parse(m, e) {
				e.Library = t.library
				return recognized, at
			}
		}
		end++
	}
	return found, -1
}
