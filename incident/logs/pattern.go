package logs

import (
	"bytes"
	"strings"
)

// pattern is the text of a message with its fields, such as "Stabilized group {group} generation {generation}".
//
// A text in angle brackets may be missing; it follows a number or another text. A number ends with its last digit, any
// other field where the rest of the message fits, or with the message. Ids may hold anything, so the shortest that fits is taken.
type pattern struct {
	parts  []part
	anchor int // the part by whose text it is found
}

// part is a text and the field that follows it.
type part struct {
	text   []byte
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
	p := &pattern{}
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
	fixed := text[:end]
	rest = text[end:]
	if strings.HasPrefix(rest, "{") {
		name, after, _ := strings.Cut(rest[1:], "}")
		next.field, rest = fieldNamed(name), after
	}
	if next.field == groupField { // "group***" was seen
		fixed = strings.TrimSuffix(fixed, " ")
	}
	next.text = []byte(fixed)
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

// match reads the message and fills in what its fields say.
func (p *pattern) match(m *message, e *Event) bool {
	start := len(m.before)
	if p.anchor > 0 {
		if start = m.start(p.parts[0].text); start < 0 {
			return false
		}
	}
	return p.readAfter(m.text[start:], inEnvelope, m, e)
}

// ending is what is behind a text.
type ending uint8

const (
	bareText   ending = iota // nothing
	inEnvelope               // the end of an envelope, perhaps
	cutText                  // nothing, but there was more: a field that ends with the text is left out
)

// read fills in what the fields of a text say.
func (p *pattern) read(text []byte, end ending, m *message, e *Event) bool {
	return bytes.HasPrefix(text, p.parts[0].text) && p.readAfter(text, end, m, e)
}

// readAfter reads a text of which the beginning is known to be that of the pattern.
func (p *pattern) readAfter(text []byte, end ending, m *message, e *Event) bool {
	f := fit{parts: p.parts, end: end}
	if !f.straight(text) && (!f.open || !f.from(text, 0)) {
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
	open   bool // the text may fit if a field ends later, or a text is left out
	tries  int
}

// straight lets each field end as soon as it can, which nearly always fits.
func (f *fit) straight(rest []byte) bool {
	rest = rest[len(f.parts[0].text):]
	for i := 0; ; {
		n, ok := f.shortest(rest, i)
		if !ok {
			return false
		}
		rest = rest[n:]
		found := f.parts[i].field != noField && f.parts[i].field < numbers // the next text, if there is one: the field ends there
		for i++; i < len(f.parts) && !found && !bytes.HasPrefix(rest, f.parts[i].text); i += f.parts[i].option {
			if f.parts[i].option == 0 {
				return false
			}
		}
		if i >= len(f.parts) {
			return true
		}
		f.open = f.open || f.parts[i].option > 0
		rest = rest[len(f.parts[i].text):]
	}
}

// shortest gives the field of the i-th part its shortest value, and returns how long that is.
func (f *fit) shortest(rest []byte, i int) (n int, ok bool) {
	switch kind := f.parts[i].field; {
	case kind == noField:
		return 0, true
	case kind > numbers:
		n = digits(rest)
		ok = n > 0
	case i == len(f.parts)-1:
		f.values[i] = f.lastField(rest, kind)
		return len(rest), true
	default:
		n = index(rest, f.parts[i+1].text, kind == groupField)
		ok = n >= 0
		f.open = f.open || ok || f.end == cutText
	}
	if ok {
		f.values[i] = rest[:n]
	}
	return n, ok
}

// index is bytes.Index for a text that stands where its first byte first does, mostly: few ids have blanks. A group comes with
// the blank before it.
func index(b, text []byte, blank bool) int {
	from := 0
	if blank && len(b) > 0 && b[0] == ' ' {
		from = 1
	}
	n := bytes.IndexByte(b[from:], text[0])
	if n < 0 {
		return -1
	}
	if n += from; bytes.HasPrefix(b[n:], text) {
		return n
	}
	more := bytes.Index(b[n+1:], text)
	if more < 0 {
		return -1
	}
	return n + 1 + more
}

// lastField is the value of a field at the end of a text.
func (f *fit) lastField(rest []byte, kind fieldKind) []byte {
	switch f.end {
	case cutText:
		return nil
	case inEnvelope:
		rest = withoutTail(rest)
	}
	if kind == clientReasonField { // its full stop is the client's
		return rest
	}
	return bytes.TrimSuffix(rest, []byte("."))
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
	if bytes.HasPrefix(rest, p.text) && f.field(rest[len(p.text):], i) {
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
		f.values[i] = f.lastField(rest, kind)
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

// digits returns the length of the number at the beginning of b.
func digits(b []byte) int {
	n := 0
	if len(b) > 1 && b[0] == '-' && b[1]-'0' < 10 {
		n = 1
	}
	for n < len(b) && b[n]-'0' < 10 {
		n++
	}
	return n
}

// says makes a template of the text of a message; then are called once its fields are filled in.
func says(kind Kind, text string, then ...func(m *message, e *Event) bool) template {
	p := compile(text)
	return template{literal: p.literal(), begin: p.parts[0].text, parse: func(m *message, e *Event) bool {
		if !p.match(m, e) {
			return false
		}
		e.Kind = kind
		for _, f := range then {
			if !f(m, e) {
				return false
			}
		}
		return true
	}}
}

// by makes a table of what a library logs.
func by(l Library, table ...template) []template {
	for i := range table {
		table[i].library = l
	}
	return table
}
