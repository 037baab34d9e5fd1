package scenario

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Bounds on the text, so that garbage is refused quickly.
const (
	mostBytes   = 1 << 20
	mostNesting = 100 // the decoder recurses
)

// raw is the text of a scenario as a tree of maps, lists and values, and where each of them stands.
type raw struct {
	tree   map[string]any
	places *positions
}

// decode reads the text. When it is not TOML, the mistake says so; then there is no tree.
func decode(text []byte) (raw, *Mistake) {
	if len(text) > mostBytes {
		return raw{}, &Mistake{Text: fmt.Sprintf("the file has %.1f MB; a scenario has at most %d MB", float64(len(text))/(1<<20), mostBytes>>20)}
	}
	text = trimMark(text)
	places := locate(text)
	bad := func(offset int, message string) *Mistake {
		line, column := places.at(min(max(offset, 0), len(text)))
		return &Mistake{Line: line, Column: column, Text: message}
	}
	if i := invalidUTF8(text); i >= 0 {
		return raw{}, bad(i, "not TOML: the text is not UTF-8")
	}
	if i := tooDeep(text); i >= 0 {
		return raw{}, bad(i, fmt.Sprintf("brackets nest deeper than %d", mostNesting))
	}
	if i := tooDotted(text); i >= 0 {
		return raw{}, bad(i, fmt.Sprintf("a key has more than %d parts", mostNesting))
	}
	var tree map[string]any
	_, err := toml.Decode(string(text), &tree)
	if err != nil {
		var syntax toml.ParseError
		if !errors.As(err, &syntax) {
			return raw{}, bad(0, "not TOML: "+brief(err.Error()))
		}
		return raw{}, bad(syntax.Position.Start, syntaxText(syntax))
	}
	if tree == nil {
		tree = map[string]any{}
	}
	return raw{tree, places}, nil
}

// syntaxText turns the decoder's message into our form, one line in lower case. A key that is there twice,
// or that stands in its own way because it has dots, has a message of its own.
func syntaxText(e toml.ParseError) string {
	text := strings.TrimSuffix(brief(e.Message), ".")
	name, isKey := strings.CutPrefix(text, "Key '")
	name, twice := strings.CutSuffix(name, "' has already been defined")
	switch {
	case !isKey || !twice:
		return "not TOML: " + lowerFirst(text)
	case strings.HasPrefix(e.LastKey, name+"."):
		return fmt.Sprintf("%q is a value and cannot hold %q as well; quote the longer key", lastDotted(name), lastDotted(e.LastKey))
	}
	return fmt.Sprintf("%s is given twice", lastDotted(name))
}

func lowerFirst(s string) string { return strings.ToLower(s[:min(1, len(s))]) + s[min(1, len(s)):] }

// lastDotted drops the names of tables in front of a Kafka key.
func lastDotted(key string) string {
	for _, table := range []string{"fleet.config.", "event.config.", "fleet.", "event.", "topic.", "expect.", "broker."} {
		if rest, ok := strings.CutPrefix(key, table); ok {
			return rest
		}
	}
	return key
}

func invalidUTF8(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// tooDeep returns where brackets nest too deeply, or -1. It counts those in strings and comments too;
// nobody writes a hundred of them that do not close.
func tooDeep(text []byte) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(0, depth-1)
		}
		if depth > mostNesting {
			return i
		}
	}
	return -1
}

// tooDotted returns where a key has too many parts, or -1: each part is a table, and the decoder's work
// grows with the square of them. Dots in strings do not count.
func tooDotted(text []byte) int {
	dots := 0
	var quote byte
	for i, c := range text {
		switch {
		case c == '\n':
			dots, quote = 0, 0
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '.':
			dots++
		case c == '=' || c == ',' || c == '{' || c == '[' || c == '#':
			dots = 0
		}
		if dots >= mostNesting {
			return i
		}
	}
	return -1
}

// flatten joins the keys of nested tables with dots, so that Kafka's names read the same whether they are
// quoted or not: {session: {timeout: {ms: 1}}} becomes {"session.timeout.ms": 1}. twice gets the keys
// that are there in two spellings.
func flatten(table map[string]any, twice func(key string)) map[string]any {
	flat := map[string]any{}
	var walk func(prefix string, t map[string]any)
	walk = func(prefix string, t map[string]any) {
		for _, k := range sortedKeys(t) {
			if sub, ok := t[k].(map[string]any); ok && len(sub) > 0 {
				walk(prefix+k+".", sub)
				continue
			}
			if _, there := flat[prefix+k]; there {
				twice(prefix + k)
			}
			flat[prefix+k] = t[k]
		}
	}
	walk("", table)
	return flat
}

// lost returns the leaves that the decoder dropped because a longer key had made a table of them.
func (r raw) lost() []leaf {
	var all []leaf
	for _, l := range r.places.leaves {
		if _, isTable := follow(r.tree, l.parts).(map[string]any); isTable {
			all = append(all, l)
		}
	}
	return all
}

func follow(v any, way []step) any {
	for _, s := range way {
		t, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = t[s.key]
		if s.index >= 0 {
			v = element(v, s.index)
		}
	}
	return v
}

func element(v any, i int) any {
	switch list := v.(type) {
	case []map[string]any:
		if i < len(list) {
			return list[i]
		}
	case []any:
		if i < len(list) {
			return list[i]
		}
	}
	return nil
}
