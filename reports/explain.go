package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/diff"
	"simulate/explain"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
)

// Chosen says which rebalances a text is about: the one of that number in each group, where it is not 0; the one that
// was going on at an instant, or began last before it; all, when nothing is chosen.
type Chosen struct {
	Number int
	At     *clock.Time
}

// Explanation is why the groups of a run rebalanced: the Chains of its report, and what other runs tell of them.
type Explanation struct {
	Report
	Ablations [][]explain.Ablation // by group, as Chains, and by event; nil when nobody asked
	WhyNot    *diff.Result         // beside the run with a change; nil when nobody asked
}

// MostRebalances returns how often the group rebalanced that did so most.
func (e *Explanation) MostRebalances() int {
	most := 0
	for _, g := range e.Chains {
		most = max(most, len(g.Chains))
	}
	return most
}

// Explain writes an explanation for people, at 80 columns.
func Explain(w io.Writer, e Explanation, chosen Chosen, o TextOptions) error {
	p := page{color: o.Color}
	p.header(&e.Report)
	for i := range e.Chains {
		x := explained{page: &p, group: &e.Chains[i]}
		if e.Ablations != nil {
			x.ablations = e.Ablations[i]
		}
		x.write(chosen)
		x.stuck(&e, chosen, o.All)
		x.effects()
	}
	if len(e.Chains) == 0 {
		p.blank()
		p.para("", "", "No group rebalanced.")
	}
	if e.WhyNot != nil {
		p.blank()
		p.diff(e.WhyNot, o)
	}
	p.list("Warnings", e.allWarnings())
	_, err := w.Write(p.Bytes())
	return err
}

// explained writes what there is to say about one group.
type explained struct {
	*page
	group     *explain.Group
	ablations []explain.Ablation
}

func (x explained) write(chosen Chosen) {
	x.blank()
	x.para("", "  ", "Group "+short(x.group.Name)+": "+metrics.Plural(len(x.group.Chains), "rebalance"))
	chains, none := x.choose(chosen)
	if none != "" {
		x.para("  ", "  ", none)
	}
	for i := 0; i < len(chains); i++ {
		c := &chains[i]
		x.blank()
		x.chain(c)
		if n := x.alike(chains[i+1:], c); n > 1 {
			x.para("  ", "  ", fmt.Sprintf("Rebalances %d to %d came the same way, each from the one before it.", c.Number+1, c.Number+n))
			i += n
		}
	}
}

// choose returns what is to be told, or says why that is nothing.
func (x explained) choose(chosen Chosen) ([]explain.Chain, string) {
	all := x.group.Chains
	switch {
	case chosen.Number > len(all):
		return nil, "There is no rebalance " + strconv.Itoa(chosen.Number) + "."
	case chosen.Number > 0:
		return all[chosen.Number-1 : chosen.Number], ""
	case chosen.At == nil:
		return all, ""
	}
	last := -1
	for i := range all {
		if all[i].Rebalance.At <= *chosen.At {
			last = i
		}
	}
	if last < 0 {
		return nil, "There was no rebalance until " + instant(*chosen.At) + "."
	}
	return all[last : last+1], ""
}

// alike counts how many of the chains that follow are the next turns of the loop that c belongs to.
func (x explained) alike(next []explain.Chain, c *explain.Chain) int {
	n := 0
	for n < len(next) && c.Loop > 0 && next[n].Loop == c.Loop+n+1 {
		n++
	}
	return n
}

func (x explained) chain(c *explain.Chain) {
	x.para("", "  ", chainTitle(c))
	for _, l := range x.lines(c) {
		x.step(l.When, l.What)
	}
}

func chainTitle(c *explain.Chain) string {
	return fmt.Sprintf("Rebalance %d at %s: %s", c.Number, instant(c.Rebalance.At), rebalanceWords(&c.Rebalance))
}

// chainLine is a line of a chain: an instant, or what it tells of besides, and what happened.
type chainLine struct{ When, What string }

// lines tells how the rebalance came about, and what it cost.
func (x explained) lines(c *explain.Chain) []chainLine {
	r := &c.Rebalance
	lines := chainSteps(c)
	add := func(when, what string) { lines = append(lines, chainLine{when, what}) }
	add(instant(r.At), "the group "+endWords(r))
	add("price", priceWords(c))
	if len(c.Children) > 0 {
		add("led to", rebalancesWords(c.Children))
	}
	if x.ablations != nil {
		add("needs", x.needsWords(c.Number))
	}
	if c.Loop > 0 {
		add("loop", fmt.Sprintf("the %s rebalance in a row that came from the one before it the same way", ordinal(c.Loop)))
	}
	return lines
}

func endWords(r *metrics.Rebalance) string {
	from, to := generation(r.Old), generation(r.Generation)
	took := ", " + metrics.Brief(r.For())
	switch r.Ended {
	case metrics.Completed:
		return "rebalanced from generation " + from + " to " + to + took
	case metrics.Emptied:
		return "was left by its last member"
	case metrics.Superseded:
		return "began to rebalance; the next rebalance began before this one was over" + took
	case metrics.Abandoned:
		return "began to rebalance; its coordinator went before it was over" + took
	}
	return "was still rebalancing at the end of the run" + took
}

// chainSteps tells the steps that are worth a line: those since the rebalance before, if there is one.
func chainSteps(c *explain.Chain) []chainLine {
	var lines []chainLine
	if c.Parent > 0 {
		lines = append(lines, chainLine{"from", fmt.Sprintf("rebalance %d, which goes back to %s", c.Parent, rootWords(c))})
	} else if c.Orphan {
		lines = append(lines, chainLine{"from", "the trace does not say"})
	}
	steps := c.Since()
	for _, s := range steps[:len(steps)-1] {
		if words := stepWords(s); words != "" {
			lines = append(lines, chainLine{instant(s.At), words})
		}
	}
	return lines
}

func rootWords(c *explain.Chain) string {
	first := c.First()
	switch {
	case c.Orphan:
		return "something that the trace does not hold"
	case first.Kind == explain.Scripted:
		return sourceWords(first) + ", " + clean(first.Text) + " at " + instant(first.At)
	}
	return stepWords(first) + " at " + instant(first.At)
}

func (x explained) step(when, what string) {
	const column = 13
	first := "  " + when
	if n := columns(first); n < column {
		first += indent(column - n)
	} else {
		first += " "
	}
	x.para(first, indent(column), what)
}

// needsWords says without which events the rebalance did not happen when the scenario was run again.
func (x explained) needsWords(number int) string {
	var events []string
	for _, a := range x.ablations {
		if slices.Contains(a.Needed, number) {
			events = append(events, ablatedWords(&a))
		}
	}
	if len(events) == 0 {
		return "no event: it happens without any one of them"
	}
	return listedTo(len(events), events)
}

func ablatedWords(a *explain.Ablation) string {
	if a.Source != "" {
		return clean(a.Source)
	}
	return fmt.Sprintf("event %d (%s at %s)", a.Event, a.Verb, instant(a.At))
}

// effects says of each event what becomes of the rebalances without it.
func (x explained) effects() {
	if len(x.ablations) == 0 {
		return
	}
	x.blank()
	x.para("", "  ", "Run again without one event, "+short(x.group.Name)+" differs like this:")
	for i := range x.ablations {
		a := &x.ablations[i]
		x.para("  without ", "    ", ablatedWords(a)+": "+differenceWords(&a.Difference))
	}
}

// differenceWords says what becomes of the rebalances.
func differenceWords(d *explain.Difference) string {
	var words []string
	if n := len(d.Needed); n > 0 {
		words = append(words, metrics.Plural(n, "rebalance")+" less: "+numbers(d.Needed))
	}
	if d.Extra > 0 {
		words = append(words, metrics.Plural(d.Extra, "other")+" instead")
	}
	for i := range d.Changed[:min(few, len(d.Changed))] {
		c := &d.Changed[i]
		words = append(words, fmt.Sprintf("rebalance %d takes %s (%s now)", c.Number, metrics.Brief(c.Then), metrics.Brief(c.Took)))
	}
	if n := len(d.Changed) - few; n > 0 {
		words = append(words, metrics.Plural(n, "more")+" take another time")
	}
	if len(words) == 0 {
		return "the same rebalances"
	}
	return strings.Join(words, "; ")
}

// stuck tells the stories of the stuck stays, or of those that were going on at the chosen instant.
func (x explained) stuck(e *Explanation, chosen Chosen, all bool) {
	g := e.Summary.Group(x.group.Name)
	if len(g.Stuck) == 0 || chosen.Number > len(x.group.Chains) {
		return
	}
	t := groupText{page: x.page, group: g, all: all, stuckAfter: metrics.Duration(e.Scenario.StuckAfter)}
	x.blank()
	from, to, some := x.period(chosen)
	if !some {
		t.stuck()
		return
	}
	for i := range g.Stuck {
		if s := &g.Stuck[i]; s.Since <= to && from <= s.Until {
			t.stay(s)
		}
	}
}

// period returns the time that the choice is about, and false for the whole run.
func (x explained) period(chosen Chosen) (from, to clock.Time, some bool) {
	switch {
	case chosen.At != nil:
		return *chosen.At, *chosen.At, true
	case chosen.Number > 0:
		r := &x.group.Chains[chosen.Number-1].Rebalance
		return r.At, r.Until, true
	}
	return 0, 0, false
}

func priceWords(c *explain.Chain) string {
	var words []string
	if n := len(c.Rebalance.Stopped); n > 0 {
		stops := stopsWords(c.Rebalance.Stopped)
		if n > 1 {
			stops += ", " + metrics.Brief(c.Stopped) + " together"
		}
		words = append(words, stops)
	}
	if c.Idle >= time.Second { // shorter ones come with every eager rebalance
		words = append(words, "no running consumer held anything for "+metrics.Brief(c.Idle))
	}
	if c.Unassigned > 0 {
		words = append(words, "partitions without a consumer for "+metrics.Brief(c.Unassigned)+", summed over them")
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, "; ")
}

// stopsWords says who stopped for how long, the longest first.
func stopsWords(stops []metrics.Stop) string {
	longest := slices.SortedStableFunc(slices.Values(stops), func(a, b metrics.Stop) int { return cmp.Compare(b.For, a.For) })
	var names []string
	for _, s := range longest {
		open := ""
		if s.Open {
			open = " and on"
		}
		names = append(names, short(s.Who)+" for "+metrics.Brief(s.For)+open)
	}
	return "stopped " + listed(names)
}

func rebalancesWords(list []int) string {
	if len(list) == 1 {
		return "rebalance " + numbers(list)
	}
	return "rebalances " + numbers(list)
}

func numbers(list []int) string {
	var words []string
	for _, n := range list {
		words = append(words, strconv.Itoa(n))
	}
	return listedTo(10, words)
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// stepWords says what happened in a step, as a sentence without a full stop; "" when the next one says it as well.
func stepWords(s *explain.Step) string {
	name := nameOf(s.Who, s.Member)
	switch s.Kind {
	case explain.Scripted:
		return scriptedWords(s)
	case explain.Started:
		return name + " started"
	case explain.Processing:
		if s.Records > 0 {
			return name + " processed a batch of " + metrics.Plural(s.Records, "record") + takingWords(s.For)
		}
		return name + " " + libraryOf(s.Client).tookTime() + takingWords(s.For)
	case explain.InCallback:
		return name + " was inside " + clean(s.Text) + takingWords(s.For)
	case explain.Stalled:
		did, _ := libraryOf(s.Client).stalled()
		return name + " " + did + takingWords(s.For)
	case explain.Ended:
		return name + endedWords(s.Reason)
	case explain.Failed, explain.Threw:
		return name + " got " + clean(s.Text) + " from " + libraryOf(s.Client).call()
	case explain.TimedOut:
		return "max.poll.interval.ms (" + metrics.Brief(s.For) + ") of " + name + " ran out"
	case explain.Subscribed:
		if s.Text == "" {
			return name + " unsubscribed"
		}
		return name + " subscribed to " + listed(strings.Split(clean(s.Text), ","))
	case explain.Lost:
		return name + " lost its coordinator: " + clean(s.Text)
	case explain.Forgot:
		switch {
		case s.Err == 0:
			return ""
		case s.Text == explain.Crash:
			return name + " crashed, as kafkajs calls it, and gave its member id up"
		}
		return name + " learned that it is no member any more (" + s.Err.String() + " for its " + clean(s.Text) + ")"
	case explain.Leaving:
		return name + " sent LeaveGroup" + because(s.Text)
	case explain.Rejoining:
		return name + " wants to join again" + because(s.Text)
	case explain.Joining:
		return name + " sent its JoinGroup"
	case explain.Silent:
		return "the coordinator heard of " + name + " for the last time"
	case explain.Removed, explain.GivenUp:
		return removedWords(s, name)
	case explain.Loaded:
		return "the group got a coordinator"
	case explain.Uncommitted:
		return "the commits of " + name + " were refused (" + s.Err.String() + "), and it commits before it rejoins"
	case explain.Owing:
		return "the group waited for " + s.Text + " from " + name
	case explain.Unserved:
		return "the group lost its coordinator"
	case explain.AppendRefused:
		return "the log did not store what the coordinator wrote (" + s.Err.String() + ")"
	}
	return ""
}

func scriptedWords(s *explain.Step) string {
	words := sourceWords(s) + ": " + clean(s.Text)
	if s.Who != "" {
		words += " of " + short(s.Who)
	}
	if s.Until > s.At && s.Until != clock.Never {
		words += " until " + instant(s.Until)
	}
	return words
}

// sourceWords says where in the scenario a step comes from.
func sourceWords(s *explain.Step) string {
	if s.Source != "" {
		return clean(s.Source)
	}
	return "event " + strconv.Itoa(int(s.Event))
}

func takingWords(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return " for " + metrics.Brief(d)
}

func endedWords(reason trace.Reason) string {
	switch reason {
	case trace.Killed:
		return " was killed"
	case trace.Failed:
		return " ended after the exception"
	}
	return " was stopped"
}

func removedWords(s *explain.Step, name string) string {
	if s.Kind == explain.GivenUp {
		return "the member id given to " + name + " was not waited for any more (" + s.Reason.String() + ")"
	}
	switch s.Reason {
	case trace.Left:
		return ""
	case trace.SessionExpired:
		return "the session of " + name + " expired, so it was removed"
	case trace.NotRejoinedInTime:
		return name + " had not rejoined in time and was removed"
	case trace.SyncExpired:
		return name + " had not sent its SyncGroup in time and was removed"
	case trace.StaticReplaced:
		return name + " took the place of its earlier self"
	}
	return name + " was removed (" + s.Reason.String() + ")"
}
