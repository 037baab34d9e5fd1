package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"simulate/sim/metrics"
	"simulate/sim/wire"
)

// TextOptions says how Text writes.
type TextOptions struct {
	Color bool // colour for verdicts; the words say the same
	All   bool // every line of long lists, not only the first and the last ones
}

// Text writes the report for people, at 80 columns.
func Text(w io.Writer, r Report, o TextOptions) error {
	p := page{color: o.Color}
	p.header(&r)
	for i := range r.Summary.Groups {
		t := groupText{page: &p, group: &r.Summary.Groups[i], all: o.All, stuckAfter: metrics.Duration(r.Scenario.StuckAfter)}
		t.write()
	}
	p.expectations(&r)
	p.list("Warnings", r.allWarnings())
	p.list("Not modelled", r.NotModelled)
	_, err := w.Write(p.Bytes())
	return err
}

func (p *page) header(r *Report) {
	s := &r.Scenario
	p.para("", "", fmt.Sprintf("%s  seed %d  Kafka %s  %s  trace %s", clean(s.Name), s.Seed, clean(s.Kafka), metrics.Duration(s.Duration), r.Digest))
	if s.Description != "" {
		p.para("", "", clean(s.Description))
	}
	if n := len(s.Differences); n > 0 {
		p.para("", "", fmt.Sprintf("No recording proves the coordinator of Kafka %s: it is that of Kafka 4 but for %d differences from a written "+
			"specification (listed by --format json).", clean(s.Kafka), n))
	}
	switch r.Outcome {
	case Interrupted:
		p.para("", "", p.bad("INTERRUPTED")+fmt.Sprintf(" at %s of %s: what follows is true up to that instant.", instant(r.At), metrics.Duration(s.Duration)))
	case EventLimit:
		p.para("", "", p.bad("EVENT LIMIT")+fmt.Sprintf(" reached at %s of %s: something spins. What follows is true up to that instant.", instant(r.At), metrics.Duration(s.Duration)))
	}
}

func (p *page) expectations(r *Report) {
	if len(r.Expectations) == 0 {
		return
	}
	p.blank()
	p.para("", "", "Expectations: "+strconv.Itoa(len(r.Expectations)-r.Failed())+" of "+strconv.Itoa(len(r.Expectations))+" hold")
	for _, e := range r.Expectations {
		verdict := p.good("ok") + "    "
		if !e.Pass {
			verdict = p.bad("FAIL") + "  "
		}
		p.pair("  "+verdict, "        ", clean(e.That), gotWords(&e))
	}
}

func (p *page) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	p.blank()
	p.para("", "", title)
	for _, item := range items {
		p.para("  - ", "    ", clean(item))
	}
}

// groupText writes what a report says about one group.
type groupText struct {
	*page
	group      *metrics.Group
	all        bool
	stuckAfter string
}

func (t *groupText) write() {
	t.blank()
	t.para("", "", t.verdict())
	if t.group.State == wire.NoGroup && len(t.group.Transitions) == 0 {
		return
	}
	t.rebalances()
	t.times()
	t.facts()
	t.stuck()
	t.anomalies()
}

// verdict says how the group is at the end.
func (t *groupText) verdict() string {
	g := t.group
	name := "Group " + short(g.Name)
	switch {
	case g.State == wire.NoGroup && len(g.Transitions) == 0:
		return name + " never came to exist"
	case g.State == wire.NoGroup:
		return name + " does not exist any more"
	case g.State == wire.PreparingRebalance || g.State == wire.CompletingRebalance:
		name += " is still in " + g.State.String()
	default:
		name += " is " + g.State.String()
	}
	text := name + " in generation " + generation(g.Generation) + ", " + counted(g.Members, "member")
	if g.Leader.Member == "" {
		return text
	}
	return text + ", led by " + short(g.Leader.String())
}

// How many rebalances and stuck stays a report shows at the beginning and at the end of a long list.
const (
	firstLines = 8
	lastLines  = 4
)

func (t *groupText) rebalances() {
	list := t.group.Rebalances
	if len(list) == 0 {
		t.para("  ", "    ", "No rebalance")
		return
	}
	t.para("  ", "    ", counted(len(list), "rebalance")+", "+strconv.Itoa(t.group.Completed)+" completed")
	t.para("    ", "    ", fmt.Sprintf("%-11s %-9s %s", "at", "took", "why, and whom it stopped"))
	t.long(len(list), "rebalance", func(i int) { t.rebalance(&list[i]) })
}

func (t *groupText) rebalance(r *metrics.Rebalance) {
	t.para(fmt.Sprintf("    %-11s %-9s ", instant(r.At), brief(r.For())), indent(26), rebalanceSentence(r))
}

// long writes a list, without its middle when it is long.
func (t *groupText) long(n int, noun string, line func(int)) {
	for i := range n {
		switch {
		case t.all || n <= firstLines+lastLines+1 || i < firstLines || i >= n-lastLines:
			line(i)
		case i == firstLines:
			t.para("    ", "    ", "... "+counted(n-firstLines-lastLines, "more "+noun)+" left out ...")
		}
	}
}

func (t *groupText) times() {
	t.para("  ", "    ", fmt.Sprintf("%-21s %14s  %8s  %14s", "Time in state", "total", "share", "longest stay"))
	for s := wire.NoGroup; s < wire.NumGroupStates; s++ {
		g := t.group
		if !g.Visited[s] {
			continue
		}
		name := s.String()
		if s == wire.NoGroup {
			name = "no such group"
		}
		share := strconv.FormatFloat(100*g.Share[s], 'f', 1, 64) + " %"
		t.para("    ", "    ", fmt.Sprintf("%-19s %14s  %8s  %14s", name, metrics.Duration(g.TimeIn[s]), share, metrics.Duration(g.Longest[s])))
	}
}

// facts are the lines with one number each; those without anything to say are left out, except those
// whose absence is the good news.
func (t *groupText) facts() {
	g := t.group
	t.fact("Evicted", t.evicted())
	if n := len(g.Leaves); n > 0 {
		t.fact("Left", counted(n, "member")+t.pollTimeouts(n))
	}
	if g.PendingExpired > 0 {
		t.fact("Unused ids", counted(g.PendingExpired, "member id")+" handed out and not used in time")
	}
	if g.Fenced > 0 {
		t.fact("Fenced", counted(g.Fenced, "request")+" of a process whose group.instance.id another one took over")
	}
	if g.Assigned {
		t.fact("Unassigned", metrics.Duration(g.Unassigned)+", summed over the partitions that nobody held, from the first join phase on")
	}
	t.fact("Stopped", metrics.Duration(g.Stopped)+" in which no running consumer held anything, start-up included")
	t.fact("Settled", settledWords(g))
}

func (t *groupText) fact(name, text string) {
	t.para(fmt.Sprintf("  %-12s", name), indent(14), text)
}

// evicted names the members while there are few of them.
func (t *groupText) evicted() string {
	const few = 4
	list := t.group.Evictions
	switch {
	case len(list) == 0:
		return "nobody"
	case len(list) > few:
		return counted(len(list), "member") + ": " + t.evictedByCause()
	}
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = nameOf(e.Who, e.Member) + " at " + instant(e.At) + " (" + causeWords(e.Cause) + ")"
	}
	return strings.Join(names, ", ")
}

func (t *groupText) evictedByCause() string {
	var parts []string
	for _, cause := range metrics.EvictionCauses() {
		if n := t.group.EvictionsBy(cause.String()); n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+causeWords(cause))
		}
	}
	return strings.Join(parts, ", ")
}

func (t *groupText) pollTimeouts(all int) string {
	switch n := t.group.LeftByPollTimeout(); n {
	case 0:
		return ""
	case all:
		return ", because max.poll.interval.ms ran out"
	default:
		return ", " + strconv.Itoa(n) + " because max.poll.interval.ms ran out"
	}
}

func (t *groupText) stuck() {
	list := t.group.Stuck
	if len(list) == 0 {
		t.fact("Stuck", "never longer than "+t.stuckAfter)
		return
	}
	t.fact("Stuck", t.bad(counted(len(list), "stay"))+" longer than "+t.stuckAfter)
	t.long(len(list), "stay", func(i int) {
		for j, line := range stuckLines(t.group.Name, &list[i]) {
			if j == 0 {
				t.para("    ", "      ", line)
				continue
			}
			t.para("      ", "        ", line)
		}
	})
}

func (t *groupText) anomalies() {
	for i := range t.group.Anomalies {
		name := ""
		if i == 0 {
			name = "Anomalies"
		}
		t.fact(name, anomalyWords(&t.group.Anomalies[i]))
	}
}

func generation(g wire.Generation) string { return strconv.Itoa(int(g)) }
