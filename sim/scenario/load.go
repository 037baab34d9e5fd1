package scenario

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Load reads the scenario in text. name is the file it came from, for messages; a scenario without a name
// of its own is called after it. Overrides are applied before anything else is understood. The error is
// an *Errors with all mistakes; there is no scenario then.
func Load(name string, text []byte, overrides ...Override) (*Scenario, []Warning, error) {
	return LoadWith(nil, name, text, overrides...)
}

// Files returns the content of the file at a path.
type Files func(path string) ([]byte, error)

// LoadWith is Load for a scenario that may name another file, which files reads; the path begins with the
// directory of name.
func LoadWith(files Files, name string, text []byte, overrides ...Override) (*Scenario, []Warning, error) {
	file, bad := decode(text)
	if bad != nil {
		return nil, nil, &Errors{Name: name, Mistakes: []Mistake{*bad}}
	}
	l := &loader{name: name, files: files, raw: file, flags: map[string]string{}, bad: map[string]bool{}}
	l.reportLost()
	l.flattenKafka()
	for _, o := range overrides {
		l.override(o)
	}
	s := l.resolve()
	l.validate(s)
	if len(l.mistakes) > 0 {
		return nil, nil, NewErrors(name, l.mistakes)
	}
	return s, l.warnings(), nil
}

// loader carries what the stages share: the text, and what is wrong with it.
type loader struct {
	raw
	name     string
	flags    map[string]string // path -> the flag that gave its value
	mistakes []Mistake
	bad      map[string]bool // paths with a mistake; what was put in their place means nothing
	duration time.Duration   // of the run, as soon as it is read
	cast     *cast
	ignored  []string // Kafka's keys that are not modelled

	files         Files           // nil: the scenario is no file beside others
	startsFromLog bool            // there can be groups that no fleet names
	logged        map[string]bool // these; nil when the log cannot be read
}

// wrong reports a mistake at the value of a path.
func (l *loader) wrong(path, format string, args ...any) {
	l.report(path, l.places.find(path).value, format, args...)
}

// wrongKey reports a mistake at the key of a path.
func (l *loader) wrongKey(path, format string, args ...any) {
	l.report(path, l.places.find(path).key, format, args...)
}

func (l *loader) report(path string, offset int, format string, args ...any) {
	m := l.mistake(path, offset)
	m.Text = fmt.Sprintf(format, args...)
	l.mistakes = append(l.mistakes, m)
	l.bad[path] = true
}

// mistake is one of which only the place is known yet.
func (l *loader) mistake(path string, offset int) (m Mistake) {
	if m.Flag = l.flagOf(path); m.Flag == "" {
		m.Line, m.Column = l.places.at(offset)
	}
	return m
}

// placeOf says where the value of a path stands, as messages do.
func (l *loader) placeOf(path string) string {
	m := l.mistake(path, l.places.find(path).value)
	return m.place(l.name)
}

// flagOf returns the flag that gave a value or the table around it, "" when the file did.
func (l *loader) flagOf(path string) string {
	for ; path != ""; path = parent(path) {
		if f, ok := l.flags[path]; ok {
			return f
		}
	}
	return ""
}

// source says where the value of a path came from, for messages about another one.
func (l *loader) source(path string) string {
	if flag := l.flags[path]; flag != "" {
		name, _, _ := strings.Cut(flag, " ")
		return "from " + name
	}
	if n := l.places.line(path); n > 0 {
		return fmt.Sprintf("line %d", n)
	}
	return "the default"
}

func (l *loader) reportLost() {
	for _, lost := range l.lost() {
		key := lastDotted(unnumbered(lost.path))
		l.wrongKey(lost.path, "%q is a value here and the beginning of a longer key elsewhere; quote the longer key", key)
	}
}

// unnumbered drops the numbers of elements from a path.
func unnumbered(path string) string {
	var b strings.Builder
	inside := false
	for _, c := range path {
		switch {
		case c == '[':
			inside = true
		case c == ']':
			inside = false
		case !inside:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// flattenKafka replaces the tables that hold Kafka's dotted keys by flat ones.
func (l *loader) flattenKafka() {
	flat := func(in map[string]any, key, path string) {
		if t, ok := in[key].(map[string]any); ok {
			in[key] = flatten(t, func(k string) { l.reportTwice(k, path+"."+k) })
		}
	}
	flat(l.tree, "broker", "broker")
	for _, array := range []string{"fleet", "event"} {
		for i, t := range elements(l.tree[array]) {
			flat(t, "config", fmt.Sprintf("%s[%d].config", array, i))
		}
	}
}

func (l *loader) reportTwice(key, path string) {
	spots := l.places.spots[path]
	if len(spots) == 0 {
		spots = []spot{l.places.find(path)}
	}
	first, _ := l.places.at(spots[0].key)
	l.report(path, spots[len(spots)-1].key, "%s is given twice, quoted and as nested tables; the other is in line %d", key, first)
}

// elements returns the tables of an array of tables, however it is written.
func elements(v any) []map[string]any {
	if list, ok := v.([]map[string]any); ok {
		return list
	}
	list, _ := v.([]any)
	all := make([]map[string]any, 0, len(list))
	for _, e := range list {
		if t, ok := e.(map[string]any); ok {
			all = append(all, t)
		}
	}
	return all
}

func (l *loader) warnings() []Warning {
	if len(l.ignored) == 0 {
		return nil
	}
	slices.Sort(l.ignored)
	keys := slices.Compact(l.ignored)
	return []Warning{Warning("not modelled and without effect: " + strings.Join(keys, ", "))}
}

// nameOf makes a scenario's name of its file's.
func nameOf(file string) string {
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
