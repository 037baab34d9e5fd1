package reports

import (
	"fmt"
	"io"
	"strings"

	"simulate/diff"
	"simulate/sim/metrics"
	"simulate/sim/trace"
)

// Diff writes what two runs have in common and in what they differ, for people, at 80 columns.
func Diff(w io.Writer, r diff.Result, o TextOptions) error {
	p := page{color: o.Color}
	p.diff(&r, o)
	_, err := w.Write(p.Bytes())
	return err
}

func (p *page) diff(r *diff.Result, o TextOptions) {
	p.side("A", &r.A)
	p.side("B", &r.B)
	if a, b := r.A.Header.StuckAfter, r.B.Header.StuckAfter; a != b {
		p.para("   ", "   ", "A stay is stuck after "+metrics.Duration(a)+" in A, after "+metrics.Duration(b)+" in B")
	}
	p.blank()
	p.parting(r)
	for i := range r.Groups {
		if !r.Same() {
			d := diffText{groupText{page: p, all: o.All}, &r.Groups[i]}
			d.write()
		}
	}
}

// side says which run a side is.
func (p *page) side(letter string, s *diff.Side) {
	name, first, rest := clean(s.Name), letter+"  ", indent(3)
	if s.Header.Scenario != s.Name {
		name += ": " + clean(s.Header.Scenario)
	}
	p.para(first, rest, fmt.Sprintf("%s  seed %d  Kafka %s  %s  trace %s",
		name, s.Header.Seed, clean(s.Header.Kafka), metrics.Duration(s.Header.Duration), s.Digest))
	if len(s.Changes) > 0 {
		p.para(rest, rest, "with "+clean(strings.Join(s.Changes, ", ")))
	}
	if cut := s.Cut(); cut != "" {
		p.para(rest, rest, p.bad(strings.ToUpper(clean(cut)))+" at "+instant(s.Summary.To)+": its numbers end there")
	}
}

func (p *page) parting(r *diff.Result) {
	part := r.Parting
	switch {
	case r.Same():
		p.para("", "", p.good("The same")+": A and B have the same events and the same numbers.")
		return
	case r.SameEvents():
		p.para("", "", "A and B have the same events; only what is counted differs.")
		return
	case part == nil:
		p.para("", "", "A and B differ only in what is set or drawn, such as timeouts and member ids, or in the order of what happens "+
			"at one instant; nothing happens otherwise.")
		return
	}
	after := "at their first event"
	if part.Alike > 0 {
		after = "after " + metrics.Plural(part.Alike, "event") + " that are alike"
	}
	p.para("", "", "A and B part "+after+":")
	p.para("  A  ", indent(17), happeningLine(part.A))
	p.para("  B  ", indent(17), happeningLine(part.B))
	if sameWords(part) {
		p.para("  ", "  ", "They differ in the trace's "+listedTo(8, part.DifferIn)+".")
	}
}

// happeningLine is when and what, in two columns.
func happeningLine(e *trace.Event) string {
	when := "-"
	if e != nil {
		when = instant(e.At)
	}
	return fmt.Sprintf("%-11s %s", when, eventWords(e))
}

func sameWords(part *diff.Parting) bool { return happeningLine(part.A) == happeningLine(part.B) }

// diffText writes one group of two runs.
type diffText struct {
	groupText
	diff *diff.Group
}

func (t *diffText) write() {
	t.blank()
	name := "Group " + short(t.diff.Name)
	switch {
	case !t.diff.InB:
		name += ", which only A has"
	case !t.diff.InA:
		name += ", which only B has"
	}
	rebalances, stuck, evictions := t.rebalanceRows(), t.stuckRows(), t.evictionRows()
	if len(t.diff.Numbers) == 0 && rebalances.same() && stuck.same() && evictions.same() {
		t.para("", "", name+" is the same in both")
		return
	}
	t.para("", "", name)
	t.numbers()
	t.section("Rebalances", "rebalance", fmt.Sprintf("%-11s %-9s %-11s %-9s %s", "at in A", "took", "at in B", "took", "why"), rebalances)
	t.section("Stuck", "stay", fmt.Sprintf("%-11s %-9s %-11s %-9s %s", "at in A", "took", "at in B", "took", "where, for whom"), stuck)
	t.section("Evicted", "eviction", fmt.Sprintf("%-11s %-11s %s", "at in A", "at in B", "who and why"), evictions)
}
