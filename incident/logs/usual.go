package logs

import (
	"bytes"
	"encoding/binary"
)

// heading is what a coordinator puts before its messages, up to where they begin, and what that says.
type heading struct {
	text              []byte
	broker, partition int32
}

// readHeading reads the prefix of a coordinator where the message should begin.
func (f *finder) readHeading(a *attempt, e *Event) {
	const longest = 100
	m, last := &f.message, &f.last
	if !bytes.HasPrefix(a.text[m.begin:], coordinatorSays) {
		return
	}
	f.try(a, &coordinatorPrefix, m.begin, e)
	text := a.text[a.at:m.begin]
	if plain := bytes.HasSuffix(text, []byte("] ")) || bytes.HasSuffix(text, []byte("]: ")); plain && len(text) <= longest {
		last.text, last.broker, last.partition = append(last.text[:0], text...), a.broker, a.partition
	}
}

// usual reads what most records of a coordinator are: a message that begins as a template does, alone or behind the
// heading that the one before had. Where it is none, or the template does not fit, all is to be looked at.
func (f *finder) usual(r *record, e *Event) (at int, ok bool) {
	m, begin := &f.message, r.start
	broker, partition := int32(Unknown), int32(Unknown)
	if last := &f.last; len(last.text) > 0 && bytes.HasPrefix(r.text[begin:], last.text) {
		begin += len(last.text)
		broker, partition = last.broker, last.partition
	}
	if len(r.text) < begin+leastBegin || bytes.HasPrefix(r.text[begin:], coordinatorSays) {
		return -1, false
	}
	said := r.text[begin:]
	opening := f.openings[beginHash(said)]
	for i := range opening {
		o := &opening[i]
		if len(said) < o.at+wordSize || !o.may(said) {
			continue
		}
		e.clear()
		e.Library, e.Broker, e.Partition = o.library, broker, partition
		m.text = r.text[:min(len(r.text), begin+maxMessage)]
		m.before, m.after = m.text[:begin], m.text[min(len(m.text), begin+o.found):]
		m.fields, m.more, m.begin = r.fields, r.more, begin
		if o.says.matchAt(begin, m, e) && o.says.matched(m, e) {
			return begin, true
		}
	}
	return -1, false
}

// opening is how a message begins.
type opening struct {
	fixed
	says    *wording
	library Library
	found   int // length of the text that it is found by elsewhere
}

// Messages are told apart by a hash of their first bytes.
const (
	leastBegin  = 4 // of so many
	openingBits = 8 // of the hash
)

func beginHash(b []byte) uint32 {
	const golden = 0x9E3779B1
	return binary.LittleEndian.Uint32(b) * golden >> (32 - openingBits)
}
