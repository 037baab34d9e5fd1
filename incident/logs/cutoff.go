package logs

import (
	"bytes"
	"strings"
)

// clientContexts are how libraries begin to say which client it is that logs; its message comes behind that, and a bracket.
var clientContexts = []struct {
	begin     string
	libraries [2]Library
}{
	{"[Consumer ", [2]Library{Java}},
	{"[Worker ", [2]Library{Connect, Java}},
}

// cutOff reads the last record of a source where that ends in the middle of it, so early in its message that no template finds
// it: when what is left begins only one message that the library has, it is taken for that. It counts as cut, and the source
// says what it was taken for. One of which nobody can tell what it began to say counts as cut where a bracket or a quote is
// open. A line that stands before others is never read so: it says what it says.
func (f *feed) cutOff(r *record, e *Event) bool {
	if !f.lines.torn && !f.openQuote() {
		return false
	}
	rest, as := f.finder.completion(r)
	if as == "" {
		if !balanced(r.text) || f.openQuote() {
			f.lines.cut++
			f.source.CutAt = r.place.Line
		}
		return false
	}
	r.text, r.start = append(bytes.Clone(r.text), rest...), 0
	if !f.event(r, e) || e.Group == "" || e.Client == "" || e.At == NoTime {
		return false
	}
	f.lines.cut++
	f.source.CutAt, f.source.CutAs = r.place.Line, as
	return true
}

// openQuote reports whether the last line of the input has a quote that is not closed.
func (f *feed) openQuote() bool {
	quotes := bytes.Count(f.line, []byte{'"'}) - bytes.Count(f.line, []byte(`\"`))
	return quotes%2 == 1 && !f.source.Reversed
}

// completion returns what a message lacks to be found, and the text of the one message that begins as it does; "" when there
// is none, or several.
func (f *finder) completion(r *record) (rest, as string) {
	said, libraries := r.messageBegun()
	if len(said) < minLiteral {
		return "", ""
	}
	for _, openings := range f.openings {
		for i := range openings {
			o := &openings[i]
			if o.library != libraries[0] && o.library != libraries[1] || len(o.text) <= len(said) || !bytes.HasPrefix(o.text, said) {
				continue
			}
			if as != "" && as != string(o.text) {
				return "", ""
			}
			as = string(o.text)
		}
	}
	if as == "" {
		return "", ""
	}
	return as[len(said):], strings.TrimRight(as, ": ")
}

// messageBegun returns what there is of the message behind the context of a client, and who may have written it.
func (r *record) messageBegun() ([]byte, [2]Library) {
	if r.padded && !bytes.HasSuffix(r.text, []byte(" ")) {
		r.text = append(bytes.Clone(r.text), ' ') // it belongs to the message, which goes on
	}
	for _, c := range clientContexts {
		if begin := bytes.LastIndex(r.text, []byte(c.begin)); begin >= 0 {
			_, said, _ := bytes.Cut(r.text[begin:], []byte("] "))
			return said, c.libraries
		}
	}
	return nil, [2]Library{}
}
