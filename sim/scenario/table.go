package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"simulate/sim/random"
)

// table is a table of the file while it is read.
type table struct {
	l      *loader
	path   string // "" for the whole file
	label  string // as messages name it, "[[fleet]]"
	values map[string]any
	keys   []key // that it may hold
}

func (t *table) at(key string) string {
	if t.path == "" {
		return key
	}
	return t.path + "." + key
}

func (t *table) has(key string) bool {
	_, ok := t.values[key]
	return ok
}

func (t *table) get(key string) (any, bool) {
	v, ok := t.values[key]
	return v, ok
}

// rename lets a value stand under another key, with its place. Where both are given, one by a flag beats one in the
// file; else it is a mistake.
func (t *table) rename(from, to string) {
	value, ok := t.values[from]
	if !ok {
		return
	}
	old, here := t.at(from), t.at(to)
	if t.has(to) {
		byFlag, overridden := t.l.flagOf(old) != "", t.l.flagOf(here) != ""
		if byFlag == overridden {
			t.l.wrongKey(old, "%s and %s are two names of one setting; give one of them", from, to)
			return
		}
		if overridden {
			delete(t.values, from)
			return
		}
	}
	delete(t.values, from)
	t.values[to] = value
	t.l.places.spots[here] = t.l.places.spots[old]
	if flag, ok := t.l.flags[old]; ok {
		t.l.flags[here] = flag
	}
}

// done reports the keys that the table may not hold.
func (t *table) done() {
	for _, key := range sortedKeys(t.values) {
		if !t.knows(key) {
			t.unknown(key, keyNames(t.keys))
		}
	}
}

// knows reports whether the table may hold a key, or the key is one that is refused, which it tells.
func (t *table) knows(key string) bool {
	k := find(t.keys, key)
	if k != nil && k.refused != "" {
		t.l.wrongKey(t.at(key), "%s", k.refused)
	}
	return k != nil
}

// mostHints bounds for how many mistakes a suggestion is looked for.
const mostHints = 1000

func (t *table) unknown(key string, known []string) {
	if len(t.l.mistakes) > mostHints {
		known = nil
	}
	in := ""
	if t.label != "" {
		in = " in " + t.label
	}
	t.l.wrongKey(t.at(key), "unknown key %s%s%s", quote(key), in, didYouMean(key, known))
}

// must reports a key that is missing, with what it is for.
func (t *table) must(key string) bool {
	if t.has(key) {
		return true
	}
	place := t.label
	if place == "" {
		place = "the scenario"
	}
	t.l.wrongKey(t.path, "%s has no %s: %s", place, key, find(t.keys, key).means)
	return false
}

// typed reads a value of one type of TOML; ok reports whether there is one.
func typed[T any](t *table, key, instead string) (value T, ok bool) {
	v, given := t.get(key)
	if !given {
		return value, false
	}
	value, ok = v.(T)
	if !ok {
		t.l.wrong(t.at(key), "%s is %s; write %s", key, show(v), instead)
	}
	return value, ok
}

func (t *table) text(key, absent string) string {
	if s, ok := typed[string](t, key, "a string in quotes"); ok {
		return s
	}
	return absent
}

func (t *table) truth(key string, absent bool) bool {
	if b, ok := typed[bool](t, key, "true or false"); ok {
		return b
	}
	return absent
}

// number reads a whole number within bounds.
func (t *table) number(key string, absent, least, most int64) int64 {
	n, ok := typed[int64](t, key, "a whole number")
	if !ok {
		return absent
	}
	if n < least || n > most {
		t.l.wrong(t.at(key), "%s is %d; it must be between %d and %d", key, n, least, most)
		return absent
	}
	return n
}

func (t *table) duration(key string, absent time.Duration) time.Duration {
	v, ok := t.get(key)
	if !ok {
		return absent
	}
	d, err := asDuration(v)
	if err != nil {
		t.l.wrong(t.at(key), "%v", err)
		return absent
	}
	return d
}

func (t *table) distribution(key string, absent random.Distribution) random.Distribution {
	v, ok := t.get(key)
	if !ok {
		return absent
	}
	return t.l.distribution(t.at(key), key, v)
}

// texts reads a string or a list of strings; paths has the place of each.
func (t *table) texts(key string) (all, paths []string) {
	v, _ := t.get(key)
	switch v := v.(type) {
	case nil:
	case string:
		return []string{v}, []string{t.at(key)}
	case []any:
		for i, e := range v {
			path := t.at(key) + "[" + strconv.Itoa(i) + "]"
			s, ok := e.(string)
			if !ok {
				t.l.wrong(path, "%s has %s; write strings in quotes", key, show(e))
				continue
			}
			all, paths = append(all, s), append(paths, path)
		}
	default:
		t.l.wrong(t.at(key), "%s is %s; write a string or a list of strings", key, show(v))
	}
	return all, paths
}

// sub returns the table under a key; an empty one when there is none.
func (t *table) sub(name, label string, keys []key) *table {
	v, ok := t.get(name)
	values, isTable := v.(map[string]any)
	if ok && !isTable {
		t.l.wrong(t.at(name), "%s is %s; write it as a table", name, show(v))
	}
	return &table{l: t.l, path: t.at(name), label: label, values: values, keys: keys}
}

// mostTables bounds every array of tables.
const mostTables = 10_000

// tables returns the elements of an array of tables, as long as they are tables.
func (t *table) tables(name string, keys []key) []*table {
	return t.elements(name, "[["+name+"]]", keys)
}

// listed is tables for what stands inside of another table.
func (t *table) listed(name string, keys []key) []*table {
	switch v, _ := t.get(name); v.(type) {
	case nil, []map[string]any, []any:
	default:
		t.l.wrong(t.at(name), "%s is %s; write a list of tables", name, show(v))
		return nil
	}
	all := t.elements(name, name, keys)
	if t.has(name) && len(all) == 0 && !t.l.bad[t.at(name)] {
		t.l.wrong(t.at(name), "%s is empty; write a list of tables", name)
	}
	return all
}

func (t *table) elements(name, label string, keys []key) []*table {
	v, ok := t.get(name)
	if !ok {
		return nil
	}
	var all []*table
	add := func(i int, values map[string]any) {
		all = append(all, &table{l: t.l, path: t.at(name) + "[" + strconv.Itoa(i) + "]", label: label, values: values, keys: keys})
	}
	switch list := v.(type) {
	case []map[string]any:
		for i, e := range list {
			add(i, e)
		}
	case []any:
		for i, e := range list {
			values, ok := e.(map[string]any)
			if !ok {
				t.l.wrong(t.at(name), "%s holds %s; write each as a table under %s", name, show(e), label)
				break
			}
			add(i, values)
		}
	default:
		t.l.wrongKey(t.at(name), "%s is %s; write %s", name, show(v), label)
	}
	if len(all) > mostTables {
		t.l.wrongKey(t.at(name), "there are %d of %s; at most %d are allowed", len(all), label, mostTables)
		all = all[:mostTables]
	}
	return all
}

// asDuration reads a duration that needs a unit.
func asDuration(v any) (time.Duration, error) {
	switch v := v.(type) {
	case string:
		return parseDuration(v)
	case int64:
		return 0, noUnit(show(v), show(v))
	case float64:
		return 0, noUnit(show(v), show(v))
	}
	return 0, fmt.Errorf(`%s is not a duration; write one such as "30s" or "1h30m"`, show(v))
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// indexed is the path of an element of a top-level array.
func indexed(array string, i int) string { return array + "[" + strconv.Itoa(i) + "]" }

// instant reads a duration since the start of the run; nil when it is not given.
func (t *table) instant(key string) *time.Duration {
	d := t.duration(key, 0)
	if !t.has(key) {
		return nil
	}
	return &d
}
