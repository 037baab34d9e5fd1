package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simulate/diff"
	"simulate/sim/clock"
	"simulate/sim/metrics"
)

// row is one line of an alignment: some that are the same in both runs, or one that is not.
type row struct {
	same       int // how many are the same in both
	inA, inB   bool
	story      bool   // what only one run has is told at length, not in columns
	write      func() // when it is a single one
	beginsWith string // the instant of the first of several
}

// inColumns reports whether the row is written below the head of the columns.
func (r row) inColumns() bool { return r.same <= 1 && (r.inA && r.inB || !r.story) }

type rows []row

func (all rows) same() bool {
	return !slices.ContainsFunc(all, func(r row) bool { return r.same == 0 })
}

// rowsOf puts what is the same in both runs and stands together into one row.
func rowsOf[T any](pairs []diff.Pair[T], same func(a, b *T) bool, at func(*T) clock.Time, write func(a, b *T)) rows {
	var all rows
	for _, p := range pairs {
		r := row{inA: p.A != nil, inB: p.B != nil, write: func() { write(p.A, p.B) }}
		if r.inA && r.inB && same(p.A, p.B) {
			r.same, r.beginsWith = 1, instant(at(p.A))
			if n := len(all) - 1; n >= 0 && all[n].same > 0 {
				all[n].same++
				continue
			}
		}
		all = append(all, r)
	}
	return all
}

// section writes the rows that differ; those between are counted.
func (t *diffText) section(title, noun, head string, all rows) {
	if len(all) == 0 {
		return
	}
	t.fact(title, rowCounts(all))
	if all.same() {
		return
	}
	if slices.ContainsFunc(all, row.inColumns) {
		t.para("    ", "    ", head)
	}
	size := func(i int) int { return max(1, all[i].same) }
	t.long(len(all), noun, size, func(i int) {
		if r := &all[i]; r.same > 1 {
			t.para("    ", "    ", fmt.Sprintf("... %d from %s on that are the same in both ...", r.same, r.beginsWith))
			return
		}
		all[i].write()
	})
}

// rowCounts says how much both runs have and how much only one.
func rowCounts(all rows) string {
	var same, moved, onlyA, onlyB int
	for _, r := range all {
		switch {
		case r.same > 0:
			same += r.same
		case r.inA && r.inB:
			moved++
		case r.inA:
			onlyA++
		default:
			onlyB++
		}
	}
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{same, "the same in both"}, {moved, "in both, but not the same"}, {onlyA, "only in A"}, {onlyB, "only in B"}} {
		if c.n > 0 {
			parts = append(parts, strconv.Itoa(c.n)+" "+c.what)
		}
	}
	return strings.Join(parts, ", ")
}

func (t *diffText) rebalanceRows() rows {
	same := func(a, b *metrics.Rebalance) bool {
		return a.At == b.At && a.Until == b.Until && rebalanceSentence(a) == rebalanceSentence(b)
	}
	return rowsOf(t.diff.Rebalances, same, func(r *metrics.Rebalance) clock.Time { return r.At }, func(a, b *metrics.Rebalance) {
		span := func(r *metrics.Rebalance) (string, string) {
			if r == nil {
				return "-", "-"
			}
			return instant(r.At), metrics.Brief(r.For())
		}
		atA, tookA := span(a)
		atB, tookB := span(b)
		t.para(fmt.Sprintf("    %-11s %-9s %-11s %-9s ", atA, tookA, atB, tookB), indent(48), bothSentence(a, b))
	})
}

// bothSentence says why a rebalance began, whom it stopped and how it ended; what differs, of each run.
func bothSentence(a, b *metrics.Rebalance) string {
	switch {
	case b == nil:
		return rebalanceSentence(a)
	case a == nil:
		return rebalanceSentence(b)
	case rebalanceSentence(a) == rebalanceSentence(b):
		return rebalanceSentence(a)
	}
	text := rebalanceWords(a)
	if other := rebalanceWords(b); other != text {
		text += " (in B: " + other + ")"
	}
	for _, words := range []func(*metrics.Rebalance) string{stoppedWords, endingWords} {
		inA, inB := words(a), words(b)
		if inA == inB {
			text += optional("; ", inA)
			continue
		}
		text += optional("; A: ", inA) + optional("; B: ", inB)
	}
	return text
}

func (t *diffText) stuckRows() rows {
	same := func(a, b *metrics.Stuck) bool {
		return slices.Equal(stuckLines(t.diff.Name, a), stuckLines(t.diff.Name, b))
	}
	all := rowsOf(t.diff.Stuck, same, func(s *metrics.Stuck) clock.Time { return s.Since }, func(a, b *metrics.Stuck) {
		switch {
		case b == nil:
			t.story("only in A: ", a)
		case a == nil:
			t.story("only in B: ", b)
		default:
			t.para(fmt.Sprintf("    %-11s %-9s %-11s %-9s ", instant(a.Since), metrics.Brief(a.For()), instant(b.Since), metrics.Brief(b.For())),
				indent(48), t.bothStays(a, b))
		}
	})
	for i := range all {
		all[i].story = true
	}
	return all
}

// bothStays says whom a stay waited for in both runs, and what ended it.
func (t *diffText) bothStays(a, b *metrics.Stuck) string {
	text := a.State.String()
	if lines := stuckLines(t.diff.Name, a); len(a.Blocked) > 0 && len(a.Blocked[0].Chain) > 0 {
		waited, _, _ := strings.Cut(lines[1], ";")
		text += "; " + waited
	}
	endA, endB := stayEnd(a), stayEnd(b)
	if endA == endB {
		return text + "; " + endA
	}
	return text + "; A: " + endA + "; B: " + endB
}

func stayEnd(s *metrics.Stuck) string {
	if s.Open {
		return "not over at the end"
	}
	return "ended when " + freedWords(s)
}

// story tells of one stuck stay.
func (t *diffText) story(where string, s *metrics.Stuck) {
	for i, line := range stuckLines(t.diff.Name, s) {
		if i == 0 {
			t.para("    ", "      ", where+line)
			continue
		}
		t.para("      ", "        ", line)
	}
}

func (t *diffText) evictionRows() rows {
	same := func(a, b *metrics.Eviction) bool {
		return a.At == b.At && evictionWords(a) == evictionWords(b)
	}
	return rowsOf(t.diff.Evictions, same, func(e *metrics.Eviction) clock.Time { return e.At }, func(a, b *metrics.Eviction) {
		at := func(e *metrics.Eviction) string {
			if e == nil {
				return "-"
			}
			return instant(e.At)
		}
		of := a
		if of == nil {
			of = b
		}
		t.para(fmt.Sprintf("    %-11s %-11s ", at(a), at(b)), indent(28), nameOf(of.Who, of.Member)+": "+causeWords(of.Cause))
	})
}
