package logs

import (
	"bytes"
	"math"
	"strings"
	"time"
)

// Limits of what is kept of one record.
const (
	maxMore      = 64       // lines that follow its first one
	maxMoreBytes = 64 << 10 // of these
	maxShown     = 400      // bytes of a line that was not understood
	maxParted    = 16       // texts of which the end is yet to come
	maxText      = 4 << 10  // bytes of what a message says in its own words
)

// feed reads the events of one source in the order of its lines.
//
// Most lines take a short way: their head is as that of the line before, with the same day, and so is that of the line
// that follows, which therefore does not belong to them. All others are unwrapped, and kept until the next line shows
// that their record is complete.
type feed struct {
	source   *Source
	index    int32
	lines    *lines
	finder   *finder
	names    *names
	calendar *calendar
	unparsed *Unparsed
	head     head

	line    []byte // that is being looked at
	pending bool   // it is yet to be dealt with
	alike   bool   // it is known to have the head
	current record
	held    record
	single  record // for lines that take the short way
	scratch Event
	holding bool
	parts   map[string][]byte // of lines that go on, by who writes them
	brokers map[string]int32  // by tag, the broker that last said who it is
	tag     string            // of the last one of them
	broker  int32
	stamps  stampNotes
}

// next reads the next event into e. At the end it returns io.EOF, or what went wrong; errIdle when there is nothing for now.
func (f *feed) next(e *Event) error {
	for f.alike {
		line := f.lines.ready()
		if line == nil {
			break
		}
		f.source.Lines++
		at, start, quick := f.head.read(line, true)
		f.line, f.alike = line, quick && bytes.HasPrefix(f.lines.ahead(), f.head.prefix)
		if f.pending = !f.alike; f.alike && f.alone(at, start, e) {
			return nil
		}
	}
	for {
		if !f.pending {
			line, err := f.lines.next()
			if err == errIdle && !f.holding {
				return err
			}
			if err != nil {
				if !f.holding {
					return err
				}
				f.holding = false
				if f.finish(&f.held, e) || f.cutOff(&f.held, e) {
					return nil
				}
				continue
			}
			f.line, f.pending = line, true
			f.source.Lines++
		}
		if f.advance(e) {
			return nil
		}
	}
}

// last is the stamp of the last line, when it has one.
func (f *feed) last() Instant {
	var r record
	r.unwrap(f.line, f.related)
	if s, ok := r.stamp(min(len(r.text), headSize)); ok {
		at, _ := f.calendar.instant(&s)
		return at
	}
	return NoTime
}

// advance deals with the line, or with the record before it; true when that gave an event.
func (f *feed) advance(e *Event) bool {
	at, start, quick := f.head.read(f.line, f.alike)
	if f.holding && quick {
		f.holding = false
		return f.finish(&f.held, e)
	}
	f.alike = quick && bytes.HasPrefix(f.lines.ahead(), f.head.prefix)
	if f.alike {
		f.pending = false
		return f.alone(at, start, e)
	}
	if f.holding && f.belongs() {
		f.pending = false
		return false
	}
	if f.holding {
		f.holding = false
		return f.finish(&f.held, e)
	}
	f.pending = false
	if f.begin() {
		f.holding = true
	}
	return false
}

// alone deals with a line that is a record with a head that is known.
func (f *feed) alone(at Instant, start int, e *Event) bool {
	f.source.Records++
	f.stamps.passed(at, f.source)
	r := &f.single
	r.text, r.start = f.line, start
	r.place = Place{f.index, f.lines.number}
	if !f.find(r, e) {
		return false
	}
	f.calendar.last = at
	e.At, e.Zoned = f.calendar.zone(at, 0, false)
	e.Precision = time.Millisecond
	f.complete(f.head.tag, e)
	return true
}

// find reads what a record says, and counts it when nobody understands that.
func (f *feed) find(r *record, e *Event) bool {
	at, ok := f.finder.find(r, e)
	r.start = at
	if !ok && at >= 0 {
		f.source.Unparsed++
		f.unparsed.add(r.place, r.text)
	}
	e.Place = r.place
	return ok
}

// unwrap makes the line the current record, once.
func (f *feed) unwrap() {
	if f.current.place.Line != f.lines.number {
		f.current.unwrap(f.line, f.related)
		f.current.place = Place{f.index, f.lines.number}
	}
}

// belongs adds the line to the record that is held when it is a part of that: when it has no stamp, or one less than that
// has, and tells nothing of a group by itself. Of java.util.logging and Kibana the stamp stands in a line before.
func (f *feed) belongs() bool {
	f.unwrap()
	c, h := &f.current, &f.held
	if c.part == goesOn || len(f.parts) > 0 {
		return false
	}
	if level := c.level(); level > 0 && level >= h.level() {
		return false
	}
	text := c.text
	related := f.related(text)
	switch headed := h.inner && !c.inner && (h.onlyStamp() || levelOfJUL(text) && !f.related(h.text)); {
	case headed:
		h.text = append(append(h.text, ' '), text...)
	case related:
		return false
	default:
		h.add(text)
	}
	return true
}

// begin makes the line the record that is held, unless it goes on.
func (f *feed) begin() bool {
	f.unwrap()
	c := &f.current
	f.head.learn(f.line, c, f.names)
	if !f.assemble(c) {
		return false
	}
	c.keep()
	c.indent = len(f.line) - len(bytes.TrimLeft(f.line, " "))
	c.padded = bytes.HasSuffix(f.line, []byte(" "))
	f.current, f.held = f.held, f.current
	return true
}

// assemble joins the parts of a text that a container's runtime has cut; false when it goes on still.
func (f *feed) assemble(c *record) bool {
	if c.part == wholeText || c.part == lastPart && len(f.parts) == 0 {
		return true
	}
	key := string(c.tag)
	if stream, _ := firstOf(c.fields, []string{"stream"}); stream == "stderr" || bytes.Contains(c.head, []byte(" stderr ")) {
		key += " stderr"
	}
	text := append(f.parts[key], c.text...)
	if len(text) > maxLine {
		text = text[:maxLine]
	}
	if c.part == goesOn && (f.parts[key] != nil || len(f.parts) < maxParted) {
		f.parts[key] = text
		return false
	}
	delete(f.parts, key)
	c.text = text
	c.stamps()
	return true
}

// related reports whether a text tells of a group.
func (f *feed) related(text []byte) bool {
	r := record{text: text, fields: f.current.fields}
	at, ok := f.finder.find(&r, &f.scratch)
	return ok || at >= 0
}

// finish reads the event of a record that is complete.
func (f *feed) finish(r *record, e *Event) bool {
	f.source.Records++
	f.join(r)
	before := f.stamps.before
	f.stamps.passed(r.stamped(), f.source)
	said := f.event(r, e)
	f.stamps.after(r)
	if !said {
		return false
	}
	if e.Kind == SessionLost && before != NoTime && f.stamps.before > before {
		e.Quiet = int32(min(f.stamps.before.Sub(before)/time.Millisecond, math.MaxInt32))
	}
	return true
}

// event reads what a record says, and when.
func (f *feed) event(r *record, e *Event) bool {
	if !f.find(r, e) {
		return false
	}
	if s, ok := r.stamp(r.start); ok {
		e.At, e.Zoned = f.calendar.instant(&s)
		e.Precision = s.precision
		f.stamps.said(r, &s, f.source)
	}
	f.complete(f.names.text(r.tag), e)
	return true
}

// join joins a line with those that follow it when a terminal, or who copied it from there, has wrapped it: it is
// understood only so, or a bracket is open at its end.
func (f *feed) join(r *record) {
	const shortest = 40
	if len(r.more) == 0 || len(r.text) < shortest {
		return
	}
	alone := record{text: r.text, fields: r.fields, more: r.more}
	if _, ok := f.finder.find(&alone, &f.scratch); ok && balanced(r.text) {
		return
	}
	joined, n := bytes.Clone(r.text), 0
	for n == 0 || n < len(r.more) && !balanced(joined) {
		if n > 0 || r.padded {
			joined = append(joined, ' ')
		}
		joined = append(joined, r.unindented(r.more[n])...)
		n++
	}
	whole := record{text: joined, fields: r.fields}
	if _, ok := f.finder.find(&whole, &f.scratch); ok {
		r.text, r.more = joined, r.more[n:]
	}
}

// unindented takes off what a line that follows is indented by: as the first one is, or by more than a blank.
func (r *record) unindented(line []byte) []byte {
	line = bytes.TrimPrefix(line, bytes.Repeat([]byte{' '}, r.indent))
	if bytes.HasPrefix(line, []byte("  ")) {
		line = bytes.TrimLeft(line, " ")
	}
	return line
}

func balanced(text []byte) bool {
	return bytes.Count(text, []byte("(")) <= bytes.Count(text, []byte(")"))
}

// complete adds what the envelope says to what the message says.
func (f *feed) complete(tag string, e *Event) {
	if e.Client == "" && e.Library != Broker {
		e.Client = tag
	}
	if e.Library == Broker && (e.Broker != f.broker || tag != f.tag) {
		f.known(tag, e)
	}
	if e.Count == Unknown && len(e.Partitions) > 0 {
		e.Count = int32(len(e.Partitions))
	}
	if len(e.Text) > maxText {
		e.Text = strings.ToValidUTF8(e.Text[:maxText], "")
	}
	if len(e.ClientReason) > maxText {
		e.ClientReason = strings.ToValidUTF8(e.ClientReason[:maxText], "")
	}
}

// known gives a broker that does not say who it is the number that it said before, by who wrote the line.
func (f *feed) known(tag string, e *Event) {
	const maxBrokers = 1000
	if e.Broker == Unknown {
		if n, ok := f.brokers[tag]; ok {
			e.Broker = n
		}
		return
	}
	if len(f.brokers) < maxBrokers {
		f.brokers[tag] = e.Broker
	}
	f.tag, f.broker = tag, e.Broker
}

// level says how near to a text its stamp is.
func (r *record) level() int {
	switch {
	case r.inner:
		return 2
	case r.outer:
		return 1
	}
	return 0
}

// onlyStamp: it is the line that Kibana puts before a record.
func (r *record) onlyStamp() bool {
	s, ok := lastStamp(r.text)
	return ok && len(bytes.TrimSpace(r.text[:s.at]))+len(bytes.TrimSpace(r.text[s.end:])) <= 2
}

// levelOfJUL: java.util.logging writes a line with the stamp, and then one with the level and the message.
func levelOfJUL(text []byte) bool {
	level, _, ok := bytes.Cut(text, []byte(": "))
	if !ok {
		return false
	}
	switch string(level) {
	case "SEVERE", "WARNING", "INFO", "CONFIG", "FINE", "FINER", "FINEST":
		return true
	}
	return false
}

// keep copies what is part of a line that is about to go.
func (r *record) keep() {
	r.buffer = append(append(r.buffer[:0], r.tag...), r.text...)
	r.tag, r.text = r.buffer[:len(r.tag):len(r.tag)], r.buffer[len(r.tag):]
}

// add appends a line that follows.
func (r *record) add(line []byte) {
	if len(line) > 0 && len(r.more) < maxMore && r.moreBytes+len(line) <= maxMoreBytes {
		r.more = append(r.more, bytes.Clone(line))
		r.moreBytes += len(line)
	}
}
