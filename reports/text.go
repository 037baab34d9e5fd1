package reports

import (
	"fmt"
	"io"
	"slices"
	"strconv"

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
		t := groupText{page: &p, group: &r.Summary.Groups[i], all: o.All, advice: r.Advice}
		t.stuckAfter = metrics.Duration(r.Scenario.StuckAfter)
		t.write()
	}
	p.expectations(r.Expectations)
	p.list("Warnings", r.allWarnings())
	p.list("Not modelled", r.NotModelled)
	_, err := w.Write(p.Bytes())
	return err
}

func (p *page) header(r *Report) {
	s := &r.Scenario
	p.para("", "", fmt.Sprintf("%s  seed %d  Kafka %s  %s  trace %s",
		clean(s.Name), s.Seed, clean(s.Kafka), metrics.Duration(s.Duration), r.Digest))
	p.notes(r)
}

// notes tells what a reader has to know of the run before its numbers.
func (p *page) notes(r *Report) {
	s := &r.Scenario
	p.about(s)
	p.options(r.Thresholds, r.ShuffleTies)
	when := " at " + instant(r.At) + " of " + metrics.Duration(s.Duration) + ": "
	switch r.Outcome {
	case Interrupted:
		p.para("", "", p.bad("INTERRUPTED")+when+"what follows is true up to that instant.")
	case EventLimit:
		p.para("", "", p.bad("EVENT LIMIT")+" reached"+when+
			"something spins. What follows is true up to that instant.")
	}
	if r.Advice != nil && r.Advice.Interrupted {
		p.para("", "", p.bad("INTERRUPTED")+" in the search for advice: the run is whole, the advice on stuck stays is not.")
	}
	p.replicated(r)
}

// about tells what the scenario says of itself, and how much of its coordinator is proved.
func (p *page) about(s *Scenario) {
	if s.Description != "" {
		p.para("", "", clean(s.Description))
	}
	if n := len(s.Differences); n > 0 {
		p.para("", "", fmt.Sprintf("No recording proves the coordinator of Kafka %s: it is that of Kafka 4 but for %d differences from a written "+
			"specification (listed by --format json).", clean(s.Kafka), n))
	}
}

// options tells what flags changed of how the scenario is run and judged.
func (p *page) options(t metrics.Thresholds, ties uint64) {
	if text := thresholdsWords(t); text != "" {
		p.para("", "", text)
	}
	if ties != 0 {
		p.para("", "", fmt.Sprintf("What happens in one instant to different actors comes in the order of --shuffle-ties %d.", ties))
	}
}

// replicated tells that the expectations are about more than the run that is shown.
func (p *page) replicated(r *Report) {
	n, first := r.Replicated.Planned, r.Scenario.Seed
	if n == 0 {
		return
	}
	p.para("", "", fmt.Sprintf("The first of %d runs, seeds %d to %d, is shown; the expectations are judged in all of them. "+
		"--seed shows another one, --replications an overview.", n, first, first+uint64(n-1)))
	if r.Replicated.Cut() && r.Replicated.Ended > 0 {
		p.para("", "", p.bad("INTERRUPTED")+fmt.Sprintf(" after %d of %d runs: the expectations are judged in these.", r.Replicated.Ended, n))
	}
	if spins := r.Replicated.Spins; spins != nil {
		p.para("", "", p.bad("EVENT LIMIT")+fmt.Sprintf(" reached at %s with seed %d: something spins.", instant(spins.At), spins.Seed))
	}
}

func (p *page) expectations(all []Expectation) {
	if len(all) == 0 {
		return
	}
	p.blank()
	p.para("", "", fmt.Sprintf("Expectations: %d of %d hold", len(all)-failed(all), len(all)))
	for _, e := range all {
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
	advice     *Advice
}

func (t *groupText) write() {
	t.blank()
	t.para("", "", t.verdict())
	if t.neverExisted() {
		t.facts(failuresOf(t.group))
		return
	}
	t.rebalances()
	t.times()
	t.facts(factsOf(t.group))
	t.stuck()
	t.facts(anomaliesOf(t.group, t.all))
}

func (t *groupText) neverExisted() bool {
	return t.group.State == wire.NoGroup && len(t.group.Transitions) == 0
}

// verdict says how the group is at the end.
func (t *groupText) verdict() string {
	g := t.group
	name := "Group " + short(g.Name)
	switch {
	case t.neverExisted():
		return name + " never came to exist: " + neverWords(g)
	case g.State == wire.NoGroup:
		return name + " does not exist any more"
	case g.State == wire.Dead:
		return name + " has no coordinator; its generation was " + generation(g.Generation)
	case g.State == wire.PreparingRebalance || g.State == wire.CompletingRebalance:
		name += " is still in " + g.State.String()
	default:
		name += " is " + g.State.String()
	}
	text := name + " in generation " + generation(g.Generation) + ", " + metrics.Plural(g.Members, "member")
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
	t.para("  ", "    ", metrics.Plural(len(list), "rebalance")+", "+strconv.Itoa(t.group.Completed)+" completed"+followUpWords(list))
	t.para("    ", "    ", fmt.Sprintf("%-11s %-9s %s", "at", "took", "why, and whom it stopped"))
	rows := t.alikeRebalances()
	size := func(i int) int { return len(rows[i]) }
	t.long(len(rows), "rebalance", size, func(i int) {
		t.rebalance(&rows[i][0])
		if more := rows[i][1:]; len(more) > 0 {
			t.para(indent(26), indent(26), moreWords(more))
		}
	})
}

func (t *groupText) rebalance(r *metrics.Rebalance) {
	t.para(fmt.Sprintf("    %-11s %-9s ", instant(r.At), metrics.Brief(r.For())), indent(26), rebalanceSentence(r))
}

// long writes a list, without its middle when it is long. An entry may stand for several of what noun says.
func (t *groupText) long(n int, noun string, size func(int) int, line func(int)) {
	left := 0
	for i := firstLines; i < n-lastLines; i++ {
		left += size(i)
	}
	for i := range n {
		switch {
		case t.all || n <= firstLines+lastLines+1 || i < firstLines || i >= n-lastLines:
			line(i)
		case i == firstLines:
			t.para("    ", "    ", "... "+metrics.Plural(left, "more "+noun)+" left out ...")
		}
	}
}

func (t *groupText) times() {
	t.para("  ", "    ", fmt.Sprintf("%-21s %14s  %8s  %14s", "Time in state", "total", "share", "longest stay"))
	for _, row := range timesOf(t.group) {
		t.para("    ", "    ", fmt.Sprintf("%-19s %14s  %8s  %14s", row.State, row.Total, row.Share, row.Longest))
	}
}

// timeRow says how long a group was in a state.
type timeRow struct{ State, Total, Share, Longest string }

// timesOf has a row for each state in which the group was.
func timesOf(g *metrics.Group) []timeRow {
	var rows []timeRow
	for s := wire.NoGroup; s < wire.NumGroupStates; s++ {
		if !g.Visited[s] {
			continue
		}
		name := s.String()
		switch s {
		case wire.NoGroup:
			name = "no such group"
		case wire.Dead: // what Kafka shows of a group that nobody coordinates
			name = "no coordinator"
		}
		share := strconv.FormatFloat(100*g.Share[s], 'f', 1, 64) + " %"
		rows = append(rows, timeRow{name, metrics.Brief(g.TimeIn[s]), share, metrics.Brief(g.Longest[s])})
	}
	return rows
}

// anomaliesOf has a line for those of one kind and one process; of more than a few lines of a kind the first, unless all
// are wanted.
func anomaliesOf(g *metrics.Group, all bool) facts {
	var f facts
	name := "Anomalies"
	add := func(text string) {
		f.add(name, text)
		name = ""
	}
	rows := alikeAnomalies(g.Anomalies)
	for len(rows) > 0 {
		kind := rows[0][0].Kind
		n := slices.IndexFunc(rows, func(row []metrics.Anomaly) bool { return row[0].Kind != kind })
		if n < 0 {
			n = len(rows)
		}
		shown := n
		if n > few+1 && !all {
			shown = few
		}
		for _, row := range rows[:shown] {
			add(anomaliesWords(row))
		}
		if shown < n {
			add("... " + metrics.Plural(n-shown, "more line") + " of " + kind.String() + " left out ...")
		}
		rows = rows[n:]
	}
	return f
}

// alikeAnomalies puts those of one kind and one process together, in the order of the first of each.
func alikeAnomalies(list []metrics.Anomaly) [][]metrics.Anomaly {
	type about struct {
		kind metrics.AnomalyKind
		who  string
	}
	var rows [][]metrics.Anomaly
	place := map[about]int{}
	for _, a := range list {
		key := about{a.Kind, a.Who}
		i, ok := place[key]
		if !ok || a.Who == "" {
			i = len(rows)
			rows = append(rows, nil)
			place[key] = i
		}
		rows[i] = append(rows[i], a)
	}
	return rows
}

func generation(g wire.Generation) string { return strconv.Itoa(int(g)) }
