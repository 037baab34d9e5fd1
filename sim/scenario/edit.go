package scenario

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Change is another value for one KEY of --set, written as --set takes it.
type Change struct{ Key, Value string }

// WithChanges returns the text of a scenario with other values. Where the text has a key, its value alone changes; else
// the key comes behind those of its table. The error begins with the place that cannot be changed.
func WithChanges(name string, text []byte, changes []Change) ([]byte, error) {
	mark := text[:len(text)-len(trimMark(text))]
	text = text[len(mark):]
	for _, c := range changes {
		file, bad := decode(text)
		if bad != nil {
			return nil, &Errors{Name: name, Mistakes: []Mistake{*bad}}
		}
		l := &loader{name: name, raw: file, flags: map[string]string{}, bad: map[string]bool{}}
		l.flattenKafka()
		path, _, rest, problem := l.target(c.Key)
		if problem != "" {
			return nil, fmt.Errorf("%s: %s", name, problem)
		}
		e := edit{text: text, places: file.places}
		if !e.set(path, rest, tomlOf(c.Value)) {
			line, column := e.places.at(e.places.find(join(path, rest)).key)
			return nil, fmt.Errorf("%s:%d:%d: this is spelled in a way that cannot be changed; write %s = %s by hand", name, line, column, rest, c.Value)
		}
		text = e.text
	}
	return slices.Concat(mark, text), nil
}

// tomlOf writes what --set takes as TOML.
func tomlOf(value string) string {
	if text, ok := overrideValue(value).(string); ok {
		return literal(text)
	}
	return strings.TrimSpace(value)
}

// edit changes one value in a text.
type edit struct {
	text   []byte
	places *positions
}

// set gives the key that is at rest below the path a value. It reports whether it could.
func (e *edit) set(path, rest, value string) bool {
	if spots := e.places.spots[join(path, rest)]; len(spots) > 0 {
		begin := spots[0].value
		end := valueEnd(e.text, begin)
		e.replace(begin, end, value)
		return end > begin
	}
	table, key := path, rest // the innermost table that the text has
	for inner, below := path, rest; ; {
		first, more, nested := strings.Cut(below, ".")
		if !nested {
			break
		}
		if inner, below = join(inner, first), more; len(e.places.spots[inner]) > 0 {
			table, key = inner, below
		}
	}
	return e.add(table, key+" = "+value)
}

// add puts a key and its value behind those of a table; "" is what stands above all tables.
func (e *edit) add(table, pair string) bool {
	if table == "" {
		e.insert(-1, pair)
		return true
	}
	begin := e.places.find(table).value
	switch {
	case e.text[begin] == '{':
		end := valueEnd(e.text, begin) - 1
		inside := bytes.TrimRight(e.text[begin+1:end], " \t\r\n")
		if len(inside) > 0 {
			pair = ", " + pair
		} else {
			pair = " " + pair + " "
		}
		at := begin + 1 + len(inside)
		e.replace(at, at, pair)
		return end > begin
	case slices.Contains(e.places.headers, begin):
		e.insert(begin, pair)
		return true
	}
	return false
}

// insert puts a line behind the last key of the table whose header is at an offset, or -1; comments before the next
// header are that one's.
func (e *edit) insert(header int, line string) {
	end := len(e.text)
	for _, next := range e.places.headers {
		if next > header {
			end = min(end, next)
		}
	}
	for end > 0 {
		before := bytes.LastIndexByte(e.text[:end-1], '\n') + 1
		last := bytes.TrimSpace(e.text[before:end])
		if before < header || len(last) > 0 && last[0] != '#' {
			break
		}
		end = before
	}
	line += "\n"
	if end > 0 && e.text[end-1] != '\n' {
		line = "\n" + line
	}
	if bytes.Contains(e.text, []byte("\r\n")) {
		line = strings.ReplaceAll(line, "\n", "\r\n")
	}
	e.replace(end, end, line)
}

func (e *edit) replace(begin, end int, with string) {
	e.text = slices.Concat(e.text[:begin], []byte(with), e.text[end:])
}

// valueEnd returns where the TOML value that begins at an offset ends.
func valueEnd(text []byte, begin int) int {
	depth := 0
	for i := begin; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\'':
			i = stringEnd(text, i) - 1
			if depth == 0 {
				return i + 1
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		if depth > 0 && text[i] == '#' {
			i += max(0, bytes.IndexByte(text[i:], '\n'))
		}
		if depth < 0 || depth == 0 && bytes.IndexByte([]byte("#,\n"), text[i]) >= 0 {
			return begin + len(bytes.TrimRight(text[begin:i], " \t\r"))
		}
	}
	return begin + len(bytes.TrimRight(text[begin:], " \t\r"))
}

// stringEnd returns where the string that begins at an offset ends.
func stringEnd(text []byte, begin int) int {
	mark := text[begin : begin+1]
	if triple := bytes.Repeat(mark, 3); bytes.HasPrefix(text[begin:], triple) {
		mark = triple
	}
	for i := begin + len(mark); i < len(text); i++ {
		switch {
		case text[i] == '\\' && mark[0] == '"':
			i++
		case bytes.HasPrefix(text[i:], mark):
			return i + len(mark)
		}
	}
	return len(text)
}
