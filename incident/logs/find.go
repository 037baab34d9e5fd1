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

	maxLiterals = 24       // how many literals of a line are tried: no honest line has so many that are not of its message
	maxMessage  = 64 << 10 // bytes behind a literal that are looked at
)

// finder looks for the literals of templates in lines: for all of them in one pass, wherever they stand (Wu and Manber's
// search for many strings).
type finder struct {
	names    *names
	window   int                    // how much of each literal is looked for
	skips    [1 << skipBits]uint8   // how far a window with this last block is from the next one that may be a literal's
	bucket   [1 << skipBits]uint16  // for a window that is none from it, which of the buckets
	buckets  [][]*template          // by the last block in the window of the literal, in the order of the tables
	wholes   map[string][]*template // those that are all of a text
	loggers  loggers
	openings [1 << openingBits][]opening // by their first four bytes
	message  message                     // that is looked at
	last     heading
	single   []byte // a text with its runs of blanks made single ones
}

// newFinder finds everything that anybody logs.
func newFinder(n *names) *finder { return finderOf(n, append(brokerTables(), clientTables()...)...) }

// finderOf takes tables of templates. Of several that fit at one place, the first one is taken.
func finderOf(n *names, tables ...[]template) *finder {
	f := &finder{
		names: n, message: message{names: n}, window: maxWindow,
		buckets: [][]*template{nil}, wholes: map[string][]*template{},
	}
	for _, table := range tables {
		for i := range table {
			if !table[i].whole {
				f.window = min(f.window, len(table[i].literal))
			}
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
	if t.whole {
		f.wholes[t.literal] = append(f.wholes[t.literal], t)
		return
	}
	if begin := t.begin(); len(begin) >= leastBegin {
		h := beginHash(begin)
		f.openings[h] = append(f.openings[h], opening{t.says.parts[0].fixed, t.says, t.library, len(t.literal)})
	}
	for end := 3; end <= f.window; end++ {
		h := lastBlock([]byte(" "+t.literal), end+1)
		f.skips[h] = min(f.skips[h], uint8(f.window-end))
	}
	last := lastBlock([]byte(" "+t.literal), f.window+1)
	if f.bucket[last] == 0 {
		f.bucket[last] = uint16(len(f.buckets))
		f.buckets = append(f.buckets, nil)
	}
	b := &f.buckets[f.bucket[last]]
	*b = append(*b, t)
}

// lastBlock hashes the three bytes of b before end, which is at least 4.
func lastBlock(b []byte, end int) uint32 {
	const golden = 0x9E3779B1
	return binary.LittleEndian.Uint32(b[end-4:]) >> 8 * golden >> (32 - skipBits)
}

// coordinatorSays begins most messages about groups.
var coordinatorSays = []byte("[GroupCoordinator ")

// find reads what a record says into an event, of which it keeps the place. It returns where the literal stands in r.text
// by which the message was found. At -1 nothing is said about a group. With at >= 0 and not ok a coordinator says
// something that no template knows. Where runs of blanks hide a message, r.text becomes the text with single ones.
func (f *finder) find(r *record, e *Event) (at int, ok bool) {
	if len(r.fields) > 0 {
		if at, ok = f.whole(r, e); ok {
			return at, true
		}
	}
	if at, ok = f.usual(r, e); !ok {
		if !bytes.HasPrefix(r.text[r.start:], coordinatorSays) && f.loggers.silent(r.text) {
			return -1, false
		}
		if at, ok = f.search(r, e); !ok && f.squeeze(r) {
			at, ok = f.search(r, e)
		}
	}
	if ok && e.Kind == NoKind {
		return -1, false
	}
	return at, ok
}

// whole looks whether all of the text, or what is behind its last tab, is the literal of a template.
func (f *finder) whole(r *record, e *Event) (at int, ok bool) {
	at = max(r.start, bytes.LastIndexByte(r.text, '\t')+1)
	for _, t := range f.wholes[string(bytes.TrimSpace(r.text[at:]))] {
		e.clear()
		f.message = message{text: r.text, before: r.text[:at], fields: r.fields, more: r.more, names: f.names}
		if e.Library = t.library; t.parse(&f.message, e) {
			return at, true
		}
	}
	return -1, false
}

// attempt is a search in a text, and what it found out so far.
type attempt struct {
	text              []byte
	at                int   // of the last prefix; -1
	broker, partition int32 // that it names
	clean             bool  // nothing was read into the event but that prefix
	tries             int
}

// search looks for a message in the text: where it should begin, behind who logs it, or else everywhere.
func (f *finder) search(r *record, e *Event) (at int, ok bool) {
	m := &f.message
	m.begin, m.fields, m.more = r.start, r.fields, r.more
	a := attempt{text: r.text, at: -1, broker: Unknown, partition: Unknown}
	f.readHeading(&a, e)
	for end := max(m.begin+f.window, 4); end <= len(a.text) && a.tries < maxLiterals; {
		h := lastBlock(a.text, end)
		if skip := int(f.skips[h]); skip > 0 {
			end += skip
			continue
		}
		begin := end - f.window
		end++
		for _, t := range f.buckets[f.bucket[h]] {
			if !bytes.HasPrefix(a.text[begin:], []byte(t.literal)) {
				continue
			}
			if f.try(&a, t, begin, e) {
				return begin, true
			}
			if a.clean {
				end = m.begin + f.window
			}
		}
	}
	return a.at, false
}

// try reads a template whose literal, or whose beginning, stands at a byte of the text. Of a prefix it keeps what that
// says, and where the message begins behind it.
func (f *finder) try(a *attempt, t *template, begin int, e *Event) bool {
	m := &f.message
	a.tries++
	if !a.clean {
		e.clear()
		e.Broker, e.Partition = a.broker, a.partition
	}
	e.Library = t.library
	m.text = a.text[:min(len(a.text), begin+maxMessage)]
	m.before, m.after = m.text[:begin], m.text[min(len(m.text), begin+len(t.literal)):]
	if t.parse(m, e) {
		return true
	}
	if a.clean = t.prefix; a.clean {
		a.at, a.broker, a.partition = begin, e.Broker, e.Partition
		m.begin = messageAfter(a.text, begin+len(t.literal))
	}
	return false
}

// messageAfter returns where the message begins behind a prefix in brackets.
func messageAfter(text []byte, i int) int {
	i += bytes.IndexByte(text[i:], ']') + 1
	for i < len(text) && (text[i] == ':' || text[i] == ' ') {
		i++
	}
	return i
}

// squeeze makes runs of blanks in a text single ones. It reports false when there are none near its beginning: who shows
// logs so has them everywhere.
func (f *finder) squeeze(r *record) bool {
	const near = 96
	if !twoBlanks(r.text[r.start:min(len(r.text), r.start+near)]) {
		return false
	}
	f.single = append(f.single[:0], r.text[:r.start]...)
	for i := r.start; i < len(r.text); i++ {
		if c := r.text[i]; c != ' ' || i == 0 || r.text[i-1] != ' ' {
			f.single = append(f.single, c)
		}
	}
	r.text = f.single
	return true
}

// twoBlanks looks for two blanks side by side, eight bytes at a time.
func twoBlanks(b []byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; len(b) >= 9; b = b[8:] {
		x := binary.LittleEndian.Uint64(b) ^ ones*' '
		blanks := (x - ones) &^ x & highs // a byte after a blank may be marked, too, when it is a '!'
		if blanks&(blanks<<8) != 0 || b[7] == ' ' && b[8] == ' ' {
			return true
		}
	}
	return bytes.Contains(b, []byte("  "))
}
