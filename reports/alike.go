package reports

import (
	"fmt"
	"strings"

	"simulate/sim/metrics"
)

// maxInstants is how many stays a line names that are like another one.
const maxInstants = 8

func (t *groupText) stuck() {
	list := t.group.Stuck
	if len(list) == 0 {
		t.fact("Stuck", "never longer than "+t.stuckAfter)
		return
	}
	t.fact("Stuck", t.bad(counted(len(list), "stay"))+" longer than "+t.stuckAfter)
	groups := t.alikeStays()
	t.long(len(groups), "sort of stay", func(i int) {
		for j, line := range stuckLines(t.group.Name, groups[i][0]) {
			if j == 0 {
				t.para("    ", "      ", line)
				continue
			}
			t.para("      ", "        ", line)
		}
		if more := groups[i][1:]; len(more) > 0 {
			t.para("    ", "      ", alikeWords(more))
		}
	})
}

// alikeStays groups the stays that tell one story, in the order of the first of each. A report of every
// line tells each on its own.
func (t *groupText) alikeStays() [][]*metrics.Stuck {
	var groups [][]*metrics.Stuck
	place := map[string]int{}
	for i := range t.group.Stuck {
		s := &t.group.Stuck[i]
		i, ok := place[story(s)]
		if !ok || t.all {
			i = len(groups)
			groups = append(groups, nil)
			place[story(s)] = i
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}

// story is what alike stays have in common: the state, who held it and why, and what ended it. Instants,
// member ids and generations differ.
func story(s *metrics.Stuck) string {
	var b strings.Builder
	fmt.Fprint(&b, s.State, s.Open)
	for _, blocked := range s.Blocked {
		b.WriteString("|")
		for _, l := range blocked.Chain {
			fmt.Fprintf(&b, "%q %s %s;", l.Who, l.On, l.Because)
		}
	}
	f := &s.Freed
	fmt.Fprintf(&b, "|%v %q %v %v %v", f.Reason, f.Who, f.Pending, f.PollTimeout, f.Ghost)
	return b.String()
}

// alikeWords counts the stays that are like the one before them.
func alikeWords(more []*metrics.Stuck) string {
	least, most := more[0].For(), more[0].For()
	begins := make([]string, len(more))
	for i, s := range more {
		least, most = min(least, s.For()), max(most, s.For())
		begins[i] = instant(s.Since)
	}
	long := metrics.Brief(least)
	if longest := metrics.Brief(most); longest != long {
		long += " to " + longest
	}
	if len(more) > 1 {
		long = "each " + long
	}
	return counted(len(more), "more stay") + " like it, " + long +
		", which began at " + listedTo(maxInstants, begins)
}
