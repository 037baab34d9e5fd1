package logs

import "bytes"

// template is one message that somebody logs: how it is found, and what it says.
type template struct {
	literal string   // a fixed part of the message, which stands anywhere in a line
	whole   bool     // the literal is all of the text, and there are fields beside it: what a logger of key and value writes
	prefix  bool     // it says who logs; the message comes behind it
	says    *wording // whose pattern the message has; nil when it has none
	library Library
	parse   func(m *message, e *Event) bool // fills in e, Library too where libraries say the same; false: it is another message after all
}

// begin is how the message begins, where that is known.
func (t *template) begin() []byte {
	if t.says == nil {
		return nil
	}
	return t.says.parts[0].text
}

// message is a literal that was found in a record.
type message struct {
	text   []byte   // all of it, as far as it is looked at
	before []byte   // of the line: the envelope, and what the message has before the literal
	after  []byte   // what follows the literal, the tail of the envelope (a logger, a thread) included
	fields []field  // of a record in JSON, beside its text
	more   [][]byte // lines of the same record that follow
	begin  int      // where in before the message begins, when the envelope or a prefix says it
	names  *names
}

// start returns where the message begins that has the literal in it and begins with text; -1 when it does not.
func (m *message) start(text []byte) int {
	if bytes.HasPrefix(m.text[m.begin:], text) {
		return m.begin
	}
	return bytes.LastIndex(m.before, text)
}

// field is a key of a record in JSON and its value as text; nested keys are joined by dots.
type field struct{ key, value string }

// value returns the value of the first of the keys that the record has, "" when it has none.
func (m *message) value(keys ...string) string {
	for _, key := range keys {
		for _, f := range m.fields {
			if f.key == key {
				return f.value
			}
		}
	}
	return ""
}
