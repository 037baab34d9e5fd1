package scenario

import (
	"slices"
	"strconv"

	"simulate/sim/random"
)

// Pauses is a kind of pauses that befall each member of a fleet by itself, such as those of a garbage collector. Each
// freezes the whole process.
type Pauses struct {
	Name  string              // "" for a kind that has none; no two kinds of a fleet share theirs
	Every random.Distribution // from the beginning of one to that of the next; never always 0
	For   random.Distribution // how long one lasts
}

// mostKinds bounds the kinds of pauses of a fleet.
const mostKinds = 100

// pauses reads the kinds of pauses of a fleet: one, or a list.
func (l *loader) pauses(t *table) []Pauses {
	const key = "pauses"
	v, given := t.get(key)
	path := t.at(key)
	if !given {
		return nil
	}
	list, isList := v.([]any)
	if tables, ok := v.([]map[string]any); ok {
		list, isList = make([]any, len(tables)), true
		for i := range tables {
			list[i] = tables[i]
		}
	}
	if !isList {
		return l.kinds(path, v)
	}
	if len(list) == 0 || len(list) > mostKinds {
		l.wrong(path, "pauses must be 1 to %d kinds", mostKinds)
		return nil
	}
	var all []Pauses
	for i, v := range list {
		all = append(all, l.kinds(path+"["+strconv.Itoa(i)+"]", v)...)
	}
	l.checkKinds(path, all)
	return all
}

// kinds reads a preset, or a table that describes one kind of pauses.
func (l *loader) kinds(path string, v any) []Pauses {
	switch v := v.(type) {
	case string:
		return l.presetKinds(path, v)
	case map[string]any:
		t := &table{l: l, path: path, label: "pauses", values: v, keys: pausesKeys}
		t.must("every")
		t.must("for")
		p := Pauses{Name: t.text("name", ""), Every: t.distribution("every", none), For: t.distribution("for", none)}
		if t.has("name") && !l.bad[t.at("name")] {
			l.checkName(t.at("name"), "a kind of pauses", p.Name)
		}
		if t.has("every") {
			l.checkPauses(t.at("every"), p)
		}
		t.done()
		return []Pauses{p}
	}
	l.wrong(path, "pauses is %s; write a preset, { every, for }, or a list of these", show(v))
	return nil
}

func (l *loader) presetKinds(path, name string) []Pauses {
	p, ok := preset("pauses", name)
	if !ok {
		names, _ := presetsOf("pauses")
		l.wrong(path, "unknown preset %s of pauses%s", quote(name), meantOrAll(name, names, names))
		return nil
	}
	if p.Kinds == nil {
		return []Pauses{{p.Name, p.Every, p.Time}}
	}
	var all []Pauses
	for _, kind := range p.Kinds {
		all = append(all, l.presetKinds(path, kind)...)
	}
	return all
}

// checkKinds reports kinds that could not be told apart.
func (l *loader) checkKinds(path string, all []Pauses) {
	for i, p := range all {
		same := func(q Pauses) bool { return q.Name == p.Name }
		switch {
		case !slices.ContainsFunc(all[:i], same):
		case p.Name == "":
			l.wrong(path, "two kinds of pauses are without a name; give each one")
			return
		default:
			l.wrong(path, "pauses %s are there twice", quote(p.Name))
		}
	}
}

// checkPauses reports pauses that come too often.
func (l *loader) checkPauses(path string, p Pauses) {
	switch n := l.duration / max(typical(p.Every), 1); {
	case l.bad[path]:
	case neverAdvances(p.Every):
		l.wrong(path, "every is 0s; the member would pause forever")
	case n > mostTimes:
		l.wrong(path, "every is so short that each member pauses about %d times; at most %d are allowed", n, mostTimes)
	}
}

// pauses writes the kinds of pauses of a fleet.
func (w *writer) pauses(all []Pauses) {
	if len(all) == 0 {
		return
	}
	text := ""
	for i, p := range all {
		if i > 0 {
			text += ", "
		}
		text += "{ "
		if p.Name != "" {
			text += "name = " + literal(p.Name) + ", "
		}
		text += "every = " + distribution(p.Every) + ", for = " + distribution(p.For) + " }"
	}
	w.pair("pauses", "["+text+"]")
}
