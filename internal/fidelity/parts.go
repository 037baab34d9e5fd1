package fidelity

import (
	"fmt"
	"maps"
	"slices"
)

// part is a kind of recordings whose figures are told apart, and what those must reach.
type part struct {
	name  string
	holds func(*Case) bool
	least least
}

// least has the least figures that kept cases must reach, as shares of the recorded events; and as shares of those and
// the surplus ones together, by which an event that comes at another place counts twice.
type least struct {
	matched, inTime       float64
	matchedAll, inTimeAll float64
	ran                   float64 // client events, surplus ones included
	wrong                 float64 // at most, of the cases
}

// parts are all kinds of recordings; every case belongs to one.
var parts = []part{
	{"Java consumers", func(c *Case) bool { return c.Client == "java" }, least{0.975, 0.95, 0.96, 0.95, 0.94, 0.03}},
	{"other clients", func(c *Case) bool { return c.Client != "java" && c.Client != mixed }, least{0.96, 0.92, 0.96, 0.92, 0.9, 0.02}},
	{"mixed groups", func(c *Case) bool { return c.Client == mixed }, least{0.96, 0.92, 0.96, 0.92, 0.9, 0.02}},
}

// of returns what a report says of some of its cases.
func (r Report) of(holds func(*Case) bool) Report {
	return Report{
		Rows:    slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool { return !holds(row.Case) }),
		Skipped: slices.DeleteFunc(slices.Clone(r.Skipped), func(s Skip) bool { return !holds(s.Case) }),
	}
}

// clients returns the clients that cases of a report are about, in the order of their names.
func (r Report) clients() []string {
	names := map[string]bool{}
	for _, row := range r.Rows {
		names[row.Case.Client] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// summary is the figures of some of the cases.
type summary struct {
	name    string
	inPart  bool // of one client of the part before
	figures Figures
	first   Figures // under the first seed
}

// summarize returns the figures of the cases of a report under a name.
func (r Report) summarize(name string, inPart bool) summary {
	return summary{name, inPart, r.Figures(), r.First()}
}

// summaries returns the figures of each part that has cases, and of each client of the parts that have several.
func (r Report) summaries() []summary {
	var all []summary
	for _, p := range parts {
		within := r.of(p.holds)
		if len(within.Rows) == 0 {
			continue
		}
		all = append(all, within.summarize(p.name, false))
		clients := within.clients()
		if len(clients) == 1 {
			continue
		}
		for _, client := range clients {
			all = append(all, within.of(func(c *Case) bool { return c.Client == client }).summarize(client, true))
		}
	}
	return all
}

// Failures says which of the least figures are not reached, and which cases could not be run.
func (r Report) Failures() []string {
	var all []string
	for _, row := range r.Rows {
		if row.Err != nil {
			all = append(all, fmt.Sprintf("%s: %v", row.Case.ID, row.Err))
		}
	}
	for _, p := range parts {
		for _, failure := range p.least.failures(r.of(p.holds).Figures()) {
			all = append(all, p.name+": "+failure)
		}
	}
	return all
}

func (l least) failures(f Figures) []string {
	var all []string
	for _, share := range []struct {
		what        string
		part, whole int
		least       float64
	}{
		{"of the recorded events matched", f.Matched, f.Recorded(), l.matched},
		{"of the recorded events in time", f.InTime, f.Recorded(), l.inTime},
		{"of all events matched", f.Matched, f.Events, l.matchedAll},
		{"of all events in time", f.InTime, f.Events, l.inTimeAll},
		{"of the client events matched", f.Ran, f.Callbacks, l.ran},
	} {
		if shareOf(share.part, share.whole) < share.least {
			all = append(all, fmt.Sprintf("%s %s; at least %s must be", percent(share.part, share.whole), share.what, bound(share.least)))
		}
	}
	if float64(f.Wrong) > l.wrong*float64(f.Cases) {
		all = append(all, fmt.Sprintf("%d of %d cases have a wrong count; at most %s may", f.Wrong, f.Cases, bound(l.wrong)))
	}
	return all
}
