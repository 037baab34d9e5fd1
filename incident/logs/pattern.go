package logs

import (
	"bytes"
	"strings"
)

// pattern is the text of a message with its fields, such as "Stabilized group {group} generation {generation}".
//
// A text in angle brackets may be missing; it follows a number or another text. A number ends with its last digit, any
// other field where the rest of the message fits, or with the message. Ids may hold anything, so the shortest that fits
// is taken.
type pattern struct {
	text     string
	parts    []part
	anchor   int    // the part by whose text it is found
	unrolled reader // does what straight does, where the pattern comes often; may be nil
}

// reader reads a text by a pattern, and fills in what its fields say. Where it reports false, the event may be spoilt, and it is
// not said that the pattern does not fit.
type reader func(text []byte, end ending, m *message, e *Event) bool

// part is a text and the field that follows it.
type part struct {
	fixed
	field  fieldKind // noField: none
	option int       // so many parts from this one on may be missing
}

const (
	maxParts  = 9
	goodStart = 12 // a first text of so many bytes is good enough to be found by
	maxTries  = 32 // how often fields are tried to end later
)

// compile panics when the pattern is none.
func compile(text string) *pattern {
	p := &pattern{text: text}
	option := -1
	for text != "" {
		switch {
		case text[0] == '<':
			option, text = len(p.parts), text[1:]
		case text[0] == '>' && option >= 0:
			p.parts[option].option = len(p.parts) - option
			option, text = -1, text[1:]
		default:
			var next part
			next, text = cutPart(text, option >= 0)
			p.parts = append(p.parts, next)
		}
	}
	p.choose()
	return p
}

func cutPart(text string, option bool) (next part, rest string) {
	ends := "{<"
	if option {
		ends = "{>"
	}
	end := strings.IndexAny(text, ends)
	if end < 0 {
		end = len(text)
	}
	text, rest = text[:end], text[end:]
	if strings.HasPrefix(rest, "{") {
		name, after, _ := strings.Cut(rest[1:], "}")
		next.field, rest = fieldNamed(name), after
	}
	if next.field == groupField { // "group***" was seen
		text = strings.TrimSuffix(text, " ")
	}
	next.fixed = newFixed([]byte(text))
	return next, rest
}

// choose takes the first text to find the message by, or the longest of them.
func (p *pattern) choose() {
	if len(p.parts) > maxParts {
		panic("logs: too many fields")
	}
	for i, part := range p.parts {
		if i == 0 && len(part.text) >= goodStart {
			return
		}
		if part.option > 0 { // options are behind all that must be there
			return
		}
		if len(part.text) > len(p.parts[p.anchor].text) {
			p.anchor = i
		}
	}
}

func (p *pattern) literal() string { return string(p.parts[p.anchor].text) }

// match finds the beginning of the message, reads it and fills in what its fields say.
func (p *pattern) match(m *message, e *Event) bool {
	start := len(m.before)
	if p.anchor > 0 {
		if start = m.start(p.parts[0].text); start < 0 {
			return false
		}
	}
	return p.matchAt(start, m, e)
}

// matchAt reads the message that begins at a byte.
func (p *pattern) matchAt(start int, m *message, e *Event) bool {
	text := m.text[start:]
	if p.unrolled != nil {
		if p.unrolled(text, inEnvelope, m, e) {
			return true
		}
		e.again()
	}
	if !p.parts[0].begins(text) {
		return false
	}
	fits, open := p.straight(text, inEnvelope, m, e)
	if !fits && open {
		e.again()
		return p.tries(text, inEnvelope, m, e)
	}
	return fits
}

// ending is what is behind a text.
type ending uint8

const (
	bareText   ending = iota // nothing
	inEnvelope               // the end of an envelope, perhaps
	cutText                  // nothing, but there was more: a field that ends with the text is left out
)

// readPart fills in what the fields of a part of a message say; false: the part says nothing of the kind.
func (p *pattern) readPart(text []byte, end ending, m *message, e *Event) bool {
	if !p.parts[0].begins(text) {
		return false
	}
	before := *e
	if p.unrolled != nil {
		if p.unrolled(text, end, m, e) {
			return true
		}
		*e = before
	}
	fits, open := p.straight(text, end, m, e)
	if fits {
		return true
	}
	*e = before
	return open && p.tries(text, end, m, e)
}

// straight reads a text of which the beginning is known to be that of the pattern. It lets each field end as soon as it
// can, which nearly always fits, and fills it in. Where that does not fit, the event is spoilt; open: it may fit if a
// field ends later, or a text is left out.
func (p *pattern) straight(text []byte, end ending, m *message, e *Event) (fits, open bool) {
	parts := p.parts
	part, next := &parts[0], 1
	for rest := text[len(part.text):]; ; rest = rest[len(part.text):] {
		kind := part.field
		if kind > noField && kind < numbers {
			if next == len(parts) {
				value := lastField(rest, kind, end)
				return value == nil || set(e, kind, value, m), false
			}
			part, next = &parts[next], next+1
			n, ok := part.ends(kind, rest, m, e)
			if n < 0 || !ok {
				return false, n < 0 && (open || end == cutText)
			}
			rest, open = rest[n:], true
			continue
		}
		if kind > numbers {
			n, value, ok := leadingNumber(rest)
			if n == 0 || !ok {
				return false, open && n == 0
			}
			setNumber(e, kind, value)
			rest = rest[n:]
		}
		for { // up to the text that is there
			if next == len(parts) {
				return true, false
			}
			part, next = &parts[next], next+1
			if part.begins(rest) {
				break
			}
			if part.option == 0 {
				return false, open
			}
			next += part.option - 1
		}
		open = open || part.option > 0
	}
}

// ends fills in the field before a part, which ends where the text of that stands first, and returns how long it is; -1
// when the text stands nowhere. A group comes with the blank before it, and is mostly the one that was read last.
func (p *part) ends(kind fieldKind, rest []byte, m *message, e *Event) (n int, ok bool) {
	if kind == groupField && len(rest) > 0 && rest[0] == ' ' {
		group := m.names.group
		if n := 1 + len(group); len(rest) > n && group != "" && string(rest[1:n]) == group && p.begins(rest[n:]) {
			e.Group = group
			return n, true
		}
		if n = p.index(rest[1:]); n < 0 {
			return n, false
		}
		n++
	} else if n = p.index(rest); n < 0 {
		return n, false
	}
	if kind == memberField {
		e.Member = m.names.member(rest[:n])
		return n, true
	}
	return n, set(e, kind, rest[:n], m)
}

// tries reads a text whose fields may end later than they could.
func (p *pattern) tries(text []byte, end ending, m *message, e *Event) bool {
	f := fit{parts: p.parts, end: end}
	if !f.from(text, 0) {
		return false
	}
	for i := range p.parts {
		if value := f.values[i]; value != nil && !set(e, p.parts[i].field, value, m) {
			return false
		}
	}
	return true
}

// fit is an attempt to read a text by a pattern.
type fit struct {
	parts  []part
	values [maxParts][]byte
	end    ending
	tries  int
}

// lastField is the value of a field at the end of a text.
func lastField(rest []byte, kind fieldKind, end ending) []byte {
	switch end {
	case cutText:
		return nil
	case inEnvelope:
		rest = withoutTail(rest)
	}
	if n := len(rest); n > 0 && rest[n-1] == '.' && kind != clientReasonField { // its full stop is the client's
		return rest[:n-1]
	}
	return rest
}

// from fits the parts from the i-th on to the beginning of rest.
func (f *fit) from(rest []byte, i int) bool {
	if i == len(f.parts) {
		return true
	}
	if f.tries++; f.tries > maxTries {
		return false
	}
	p := &f.parts[i]
	if p.begins(rest) && f.field(rest[len(p.text):], i) {
		return true
	}
	for j := i; j < i+p.option; j++ {
		f.values[j] = nil
	}
	return p.option > 0 && f.from(rest, i+p.option)
}

// field fits the field of the i-th part, and all that follows.
func (f *fit) field(rest []byte, i int) bool {
	switch kind := f.parts[i].field; {
	case kind == noField:
		return f.from(rest, i+1)
	case kind > numbers:
		n := digits(rest)
		f.values[i] = rest[:n]
		return n > 0 && f.from(rest[n:], i+1)
	case i == len(f.parts)-1:
		f.values[i] = lastField(rest, kind, f.end)
		return true
	}
	next := f.parts[i+1].text
	for end := 0; ; end++ {
		n := bytes.Index(rest[end:], next)
		if n < 0 {
			return f.end == cutText && i+2 == len(f.parts) && f.cutField(rest, i)
		}
		end += n
		if f.values[i] = rest[:end]; f.from(rest[end:], i+1) {
			return true
		}
	}
}

// cutField fits the last field of a text that is cut in what follows the field.
func (f *fit) cutField(rest []byte, i int) bool {
	const enough = 5
	next := f.parts[i+1].text
	for n := len(next) - 1; n >= enough; n-- {
		if bytes.HasSuffix(rest, next[:n]) {
			f.values[i] = rest[:len(rest)-n]
			return true
		}
	}
	return false
}

// wording is a message by its pattern, and what is more to it.
type wording struct {
	pattern
	kind Kind
	then []func(m *message, e *Event) bool
}

// says makes a template of the text of a message; then are called once its fields are filled in.
func says(kind Kind, text string, then ...func(m *message, e *Event) bool) template {
	s := &wording{*compile(text), kind, then}
	s.unrolled = unrolled[text]
	return template{literal: s.literal(), says: s, parse: s.read}
}

func (s *wording) read(m *message, e *Event) bool {
	return s.match(m, e) && s.matched(m, e)
}

// matched completes an event whose fields are filled in.
func (s *wording) matched(m *message, e *Event) bool {
	e.Kind = s.kind
	for _, f := range s.then {
		if !f(m, e) {
			return false
		}
	}
	return true
}

// by makes a table of what a library logs.
func by(l Library, table ...template) []template {
	for i := range table {
		table[i].library = l
	}
	return table
}
