package fidelity

import (
	"context"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"simulate/sim/random"
)

// otherSeeds is over how many seeds, beside the first, the other course of a race and the range of what is drawn
// are looked for.
const otherSeeds = 199

// slowNow is the latency under the other seeds where a race is looked for: that of machines which now and then
// take their time, as those of the recordings did. Under the first seed nothing is slow.
var slowNow = random.LogNormal(3*time.Millisecond, 100*time.Millisecond)

// lookFurther runs the cases that the first seed does not explain under other seeds. A race that went one way in
// one recording and another way in its sibling counts as right when the first seed takes the course of the one
// and another seed that of the other. Of other clients than Java's there is one recording of each experiment, and
// nothing tells which of its courses is the usual one: there another seed is enough. What is drawn at random is in time
// when it lies in the range of the draws.
func (r *Report) lookFurther(ctx context.Context, recordings map[string]Recording, repetitions map[string][]*Observed, run Run) {
	occurs := map[string]bool{} // experiments of which a recorded course occurs under the first seed
	for _, row := range r.Rows {
		if row.same() {
			occurs[experiment(row.Case.ID)] = true
		}
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range r.Rows {
		row := &r.Rows[i]
		name := experiment(row.Case.ID)
		s := seeds{ctx, recordings[row.Case.ID], repetitions[name], run}
		group.Go(func() error {
			if row.Err == nil {
				row.Err = s.look(row, occurs[name] || row.Case.Client != "java" && len(s.repetitions) == 1)
			}
			return nil
		})
	}
	group.Wait()
}

// seeds runs one case under other seeds.
type seeds struct {
	ctx         context.Context
	recording   Recording
	repetitions []*Observed
	run         Run
}

// under compares the run under one seed, with the latency of the first one or of slow machines.
func (s seeds) under(seed random.Seed, slow bool) (Comparison, error) {
	built, err := Build(s.recording.Case)
	if err != nil {
		return Comparison{}, err
	}
	built.Seed = seed
	if slow {
		built.Latency = slowNow
	}
	timeline, err := simulate(s.ctx, s.recording.Case, built, s.run)
	if err != nil {
		return Comparison{}, err
	}
	return Compare(s.recording.Observed, s.repetitions, timeline), nil
}

// look does what lookFurther says for one case; raced tells whether a sibling takes a recorded course.
func (s seeds) look(row *Row, raced bool) error {
	if !row.same() && raced {
		if err := s.race(row); err != nil {
			return err
		}
	}
	if row.same() {
		return s.draws(row)
	}
	return nil
}

// race looks for a seed under which the case takes the recorded course.
func (s seeds) race(row *Row) error {
	for seed := firstSeed + 1; seed <= firstSeed+otherSeeds; seed++ {
		c, err := s.under(seed, true)
		if err != nil {
			return err
		}
		if c.same() {
			row.Comparison, row.Seed = c, seed
			return nil
		}
	}
	return nil
}

// draws puts events in time whose instant or span lies in the range of the same event over the seeds.
func (s seeds) draws(row *Row) error {
	if row.late() == 0 {
		return nil
	}
	ranges := make([]drawn, len(row.Lines))
	for i, l := range row.Lines {
		ranges[i].add(l)
	}
	for seed := firstSeed + 1; seed <= firstSeed+otherSeeds; seed++ {
		c, err := s.under(seed, row.Seed != firstSeed)
		if err != nil {
			return err
		}
		if !c.same() {
			continue
		}
		for i, l := range c.Lines {
			ranges[i].add(l)
		}
	}
	for i := range row.Lines {
		if l := &row.Lines[i]; !l.InTime && ranges[i].contains(l.Observed) {
			l.InTime, l.Drawn = true, true
		}
	}
	return nil
}

// drawn is the range of an event over several runs.
type drawn struct {
	any               bool
	first, last       time.Duration // its instant
	shortest, longest time.Duration // its span
}

func (d *drawn) add(l Line) {
	at, span := l.Simulated.At, l.Simulated.Span
	if !d.any {
		*d = drawn{true, at, at, span, span}
	}
	d.first, d.last = min(d.first, at), max(d.last, at)
	d.shortest, d.longest = min(d.shortest, span), max(d.longest, span)
}

func (d *drawn) contains(m *Moment) bool {
	return d.first <= m.At && m.At <= d.last || d.shortest <= m.Span && m.Span <= d.longest
}
