package reports

import (
	"fmt"
	"strconv"
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
	t.fact("Stuck", t.bad(metrics.Plural(len(list), "stay"))+" longer than "+t.stuckAfter)
	groups := t.alikeStays()
	t.long(len(groups), "sort of stay", func(int) int { return 1 }, func(i int) {
		t.stay(groups[i][0])
		if more := groups[i][1:]; len(more) > 0 {
			t.para("    ", "      ", alikeWords(more))
		}
	})
}

// stay tells the story of one stay, and what would have helped.
func (t *groupText) stay(s *metrics.Stuck) {
	for i, line := range stuckLines(t.group.Name, s) {
		if i == 0 {
			t.para("    ", "      ", line)
			continue
		}
		t.para("      ", "        ", line)
	}
	for _, line := range adviceLines(t.adviceOn(s)) {
		t.para("      ", "        ", line.words)
		if line.change != "" {
			t.para("        ", "          ", line.change)
		}
	}
}

// adviceOn returns the advice on one of the group's stays.
func (t *groupText) adviceOn(s *metrics.Stuck) *StayAdvice {
	for i := range t.group.Stuck {
		if &t.group.Stuck[i] == s {
			return t.advice.stay(t.group.Name, i)
		}
	}
	return nil
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

// manyAlike is how many rebalances have to follow each other with the same words to be told once.
const manyAlike = 4

// alikeRebalances cuts the list where what is to be said changes. A few that are alike, and a report of every line,
// tell each on its own.
func (t *groupText) alikeRebalances() [][]metrics.Rebalance {
	list := t.group.Rebalances
	var rows [][]metrics.Rebalance
	for i := 0; i < len(list); {
		n, sentence := i+1, rebalanceSentence(&list[i])
		for n < len(list) && rebalanceSentence(&list[n]) == sentence {
			n++
		}
		if t.all || n-i < manyAlike {
			n = i + 1
		}
		rows = append(rows, list[i:n])
		i = n
	}
	return rows
}

// moreWords counts the rebalances that are like the one before them.
func moreWords(more []metrics.Rebalance) string {
	least, most := more[0].For(), more[0].For()
	for i := range more {
		least, most = min(least, more[i].For()), max(most, more[i].For())
	}
	long := metrics.Brief(least)
	if longest := metrics.Brief(most); longest != long {
		long += " to " + longest
	}
	return "... " + strconv.Itoa(len(more)) + " more like it, each " + long + ", the last at " + instant(more[len(more)-1].At) + " ..."
}

// story is what alike stays have in common: the state, who held it and why, and what ended it. Instants,
// member ids and generations differ.
func story(s *metrics.Stuck) string {
	var b strings.Builder
	fmt.Fprint(&b, s.State, s.Open)
	for _, blocked := range turnsOf(s) {
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
	return metrics.Plural(len(more), "more stay") + " like it, " + long +
		", which began at " + listedTo(maxInstants, begins)
}
