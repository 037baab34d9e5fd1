package logs

import (
	"bytes"
	"time"
)

// record is what was logged at once, with what stood around it: a line without what shipping has put around it, and the
// lines that follow it without a stamp of their own.
type record struct {
	head   []byte // what was taken off before the text, for the stamps in it
	text   []byte
	start  int   // where the message may begin at the earliest; once it is found, where its literal does
	own    stamp // of a field of a record in JSON, with hasOwn
	hasOwn bool
	behind bool   // that one stands behind the text, with which it was logged
	inner  bool   // the text has a stamp at its head
	outer  bool   // the envelope has one
	near   stamp  // the one at the head of the text, or else that of the envelope, unless that is own
	tag    []byte // who wrote it, by what shipping says: a pod, a container, a host
	fields []field
	part   partial
	place  Place

	more      [][]byte
	moreBytes int
	buffer    []byte // that holds tag and text once it is kept
	indent    int    // blanks before that
	padded    bool   // blanks after it
}

// partial says whether a text goes on in the next line, as runtimes of containers cut what is longer than 16 KiB.
type partial uint8

const (
	wholeText partial = iota
	goesOn
	lastPart // also of a text that is whole: where every line says that it is not cut
)

// maxLayers is how many envelopes may be one in another.
const maxLayers = 6

// unwrap takes off what shipping has put around a line, layer after layer. What r keeps is part of the line or new.
func (r *record) unwrap(line []byte, related func([]byte) bool) {
	*r = record{text: line, head: r.head[:0], fields: r.fields[:0], more: r.more[:0], buffer: r.buffer}
	r.noise()
	for range maxLayers {
		if !(r.cri() || r.tagged() || r.table(related) || r.object()) {
			break
		}
		r.noise()
	}
	r.stamps()
}

// headSize is how far from its begin a line may have its stamp.
const headSize = 100

// stamps looks whether the text and the envelope have stamps.
func (r *record) stamps() {
	s, ok := lastStamp(r.text[:min(len(r.text), headSize)])
	r.inner, r.near = ok && s.at <= headSize/2, s
	r.outer = r.hasOwn
	if !r.outer {
		outer, ok := lastStamp(r.head)
		if r.outer = ok; !r.inner {
			r.near = outer
		}
	}
}

// stamp returns the stamp that is the nearest to a message that begins at the given byte of the text: the innermost one. One
// without a date takes it from the next one outside that has one.
func (r *record) stamp(at int) (stamp, bool) {
	if r.behind && r.own.date == fullDate {
		return r.own, true
	}
	s, ok := lastStamp(r.text[:contextBefore(r.text, at)])
	if ok && s.date == fullDate {
		return s, true
	}
	outer, has := r.own, r.hasOwn
	if !has {
		outer, has = lastStamp(r.head)
	}
	if !has && ok && s.at > 0 {
		outer, has = lastStamp(r.text[:s.at])
	}
	switch {
	case !ok:
		return outer, has
	case has && outer.date == fullDate:
		s.dateFrom(outer)
	}
	return s, true
}

// dateFrom gives a stamp without a date, or without a year, the one that brings it next to another stamp.
func (s *stamp) dateFrom(outer stamp) {
	const day = 24 * time.Hour
	if s.date == noDate {
		s.day = outer.day
		switch apart := s.clock - outer.clock; {
		case apart > day/2:
			s.day = s.day.Add(-day)
		case apart < -day/2:
			s.day = s.day.Add(day)
		}
		s.date = fullDate
		if !s.zoned {
			s.zoned, s.zone = outer.zoned, outer.zone
		}
		return
	}
	s.day, s.date = nearestYear(s.day, outer.day), fullDate
}

// nearestYear puts a day without a year into the year that brings it next to another day.
func nearestYear(day, other Instant) Instant {
	d, o := time.Unix(0, int64(day)).UTC(), time.Unix(0, int64(other)).UTC()
	best := day
	for i := -1; i <= 1; i++ {
		t := Instant(time.Date(o.Year()+i, d.Month(), d.Day(), 0, 0, 0, 0, time.UTC).UnixNano())
		if i == -1 || t.Sub(other).Abs() < best.Sub(other).Abs() {
			best = t
		}
	}
	return best
}

// contexts begin messages that say who wrote them; what follows may hold names that look like stamps.
var contexts = [...][]byte{[]byte("[GroupCoordinator "), []byte("[GroupMetadataManager "), []byte("[Consumer "), []byte("[Worker ")}

// contextBefore returns where the message begins whose literal stands at a byte of the text.
func contextBefore(text []byte, at int) int {
	for _, c := range contexts {
		if i := bytes.Index(text[:at], c); i >= 0 {
			at = i
		}
	}
	return at
}

// noise takes off colours, NUL, padding, the frames of boxes, and the marks of quotations where they stand at both ends.
func (r *record) noise() {
	b := r.text
	if bytes.IndexByte(b, 0) >= 0 {
		b = bytes.ReplaceAll(b, []byte{0}, nil)
	}
	if bytes.IndexByte(b, 0x1b) >= 0 || bytes.Contains(b, []byte("^[[")) {
		b = withoutColours(b)
	}
	b = trimFrame(b)
	for {
		shorter := withoutMark(b)
		if len(shorter) == len(b) {
			break
		}
		b = trimFrame(shorter)
	}
	r.text = b
}

// withoutMark takes off one mark of a quotation, of a comment, of a list; one of a style where it stands at the end too.
func withoutMark(b []byte) []byte {
	text := bytes.TrimLeft(b, " \t")
	for _, mark := range []string{">", "# ", "// ", "* "} {
		if bytes.HasPrefix(text, []byte(mark)) {
			return text[len(mark):]
		}
	}
	for _, mark := range []string{"**", "`"} {
		if bytes.HasPrefix(text, []byte(mark)) {
			return bytes.TrimSuffix(text[len(mark):], []byte(mark))
		}
	}
	return b
}

// trimFrame takes off blanks at the end, and the frame of a box. Blanks before a line stay: they say that it continues one.
func trimFrame(b []byte) []byte {
	const bar = "│"
	b = bytes.TrimRight(b, " \t\r")
	if framed := bytes.TrimLeft(b, " "); bytes.HasPrefix(framed, []byte(bar)) {
		b = bytes.TrimPrefix(framed[len(bar):], []byte(" "))
	}
	return bytes.TrimRight(bytes.TrimSuffix(b, []byte(bar)), " \t\r")
}

// withoutColours takes off sequences such as ESC[32m, also where ESC was printed as ^[.
func withoutColours(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		n := 0
		switch {
		case bytes.HasPrefix(b, []byte("\x1b[")):
			n = 2
		case bytes.HasPrefix(b, []byte("^[[")):
			n = 3
		}
		if n > 0 {
			for n < len(b) && (isDigit(b[n]) || b[n] == ';' || b[n] == '?') {
				n++
			}
			b = b[min(n+1, len(b)):]
			continue
		}
		if b[0] != 0x1b {
			out = append(out, b[0])
		}
		b = b[1:]
	}
	return out
}

// take takes n bytes off the text, as part of the head.
func (r *record) take(n int) {
	r.head = append(append(r.head, ' '), r.text[:n]...)
	r.text = r.text[n:]
}

// cri takes off what containerd and CRI-O put before every line: 2021-05-04T16:41:31.006683114Z stdout F.
func (r *record) cri() bool {
	const shortest = len("2021-05-04T16:41:31Z stdout F")
	i := bytes.Index(r.text[:min(len(r.text), 48)], []byte(" std"))
	if len(r.text) < shortest || !isDigit(r.text[0]) || i < 0 {
		return false
	}
	rest := r.text[i+1:]
	if !bytes.HasPrefix(rest, []byte("stdout ")) && !bytes.HasPrefix(rest, []byte("stderr ")) || len(rest) < 8 {
		return false
	}
	switch rest[7] {
	case 'F':
		r.part = lastPart
	case 'P':
		r.part = goesOn
	default:
		return false
	}
	r.take(min(i+1+9, len(r.text)))
	return true
}

// tagged takes off the name of who wrote a line: of docker-compose ("kafka-1  | "), kubectl ("[pod/kafka-0/kafka] "), grep
// ("server.log:12:", "12:"), syslog ("Nov  3 09:01:00 host kafka[123]: ").
func (r *record) tagged() bool {
	b := r.text
	if bytes.HasPrefix(b, []byte("[pod/")) {
		if end := bytes.Index(b, []byte("] ")); end > 0 {
			r.tag = b[1:end]
			r.take(end + 2)
			return true
		}
	}
	name := 0
	for name < len(b) && name < 128 && isNamed(b[name]) {
		name++
	}
	if name == 0 || name == len(b) {
		return false
	}
	switch {
	case b[name] == ' ':
		return r.composed(name) || r.syslog() || r.stern(name)
	case b[name] == ':':
		return r.syslog() || r.grepped(name)
	}
	return false
}

func isNamed(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '.' || c == '-' || c == '_' || c == '/'
}

func (r *record) composed(name int) bool {
	i := name
	for i < len(r.text) && r.text[i] == ' ' {
		i++
	}
	if i == len(r.text) || r.text[i] != '|' || i+1 < len(r.text) && r.text[i+1] != ' ' || allDigits(r.text[:name]) {
		return false
	}
	r.tag = r.text[:name]
	r.take(min(i+2, len(r.text)))
	return true
}

// syslog: a stamp without a year, or one of RFC 3339, then a host, and a program with or without a number.
func (r *record) syslog() bool {
	b := r.text[:min(len(r.text), 200)]
	s, ok := clockInFront(b)
	if !ok || s.date == noDate || s.end >= len(b) || b[s.end] != ' ' {
		return false
	}
	colon := bytes.Index(b[s.end:], []byte(": "))
	words := bytes.Fields(b[s.end:max(s.end, s.end+colon)])
	if len(words) == 0 || len(words) > 2 || s.date == fullDate && (len(words) != 2 || !bytes.HasSuffix(words[1], []byte("]"))) {
		return false
	}
	r.tag = words[0]
	r.take(s.end + colon + 2)
	return true
}

// clockInFront reads a stamp at the very begin.
func clockInFront(b []byte) (stamp, bool) {
	for i := 4; i < len(b) && i < 40; i++ {
		if b[i] != ':' || i < 5 {
			continue
		}
		if s, ok := clockAt(b, i); ok {
			return s, s.at == 0
		}
	}
	return stamp{}, false
}

// stern puts pod and container before a line that has a stamp.
func (r *record) stern(name int) bool {
	b := r.text
	container := bytes.IndexByte(b[name+1:], ' ')
	if container < 1 || bytes.IndexByte(b[:name], '-') < 0 || bytes.IndexFunc(b[:name+1+container], func(c rune) bool { return c >= 'A' && c <= 'Z' || c == ':' }) >= 0 {
		return false
	}
	rest := b[name+1+container+1:]
	if s, ok := clockInFront(bytes.TrimPrefix(rest, []byte("["))); !ok || s.date != fullDate {
		return false
	}
	r.tag = b[:name]
	r.take(name + 1 + container + 1)
	return true
}

// grepped: a file's name, a line's number, or both, before a line of a log.
func (r *record) grepped(name int) bool {
	b := r.text
	sep := b[name]
	switch {
	case allDigits(b[:name]) && len(b[:name]) > 2: // the number of a line; of two digits it may be an hour
	case bytes.Contains(b[:name], []byte(".log")) || bytes.Contains(b[:name], []byte(".out")):
	default:
		return false
	}
	n := name + 1
	if i := n; isDigitAt(b, i) {
		for isDigitAt(b, i) {
			i++
		}
		if i < len(b) && b[i] == sep {
			n = i + 1
		}
	}
	r.take(n)
	return true
}
