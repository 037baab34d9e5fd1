package check

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"simulate/reports"
)

// Verdict says how checking one scenario ended. A greater one is worse.
type Verdict uint8

// The verdicts.
const (
	Passed      Verdict = iota
	Failed              // an expectation does not hold
	Interrupted         // the run, or the search for advice, was cut short by the user
	Wrong               // the scenario cannot be read or is wrong
	Broken              // an invariant of the simulator broke, or the run spins
)

// Result is what checking one source came to.
type Result struct {
	Source  Source
	Report  reports.Report // unless Err is set
	Verdict Verdict
	Err     error // why there is no report
}

// Of returns the verdict on a finished report.
func Of(r *reports.Report) Verdict {
	switch {
	case r.Outcome == reports.EventLimit, r.Replicated.Spins != nil:
		return Broken
	case r.Outcome == reports.Interrupted, r.Replicated.Cut(), r.RacesCut, r.Advice != nil && r.Advice.Interrupted:
		return Interrupted
	case r.Fails():
		return Failed
	}
	return Passed
}

// All checks every source, as many runs at once as Go runs threads, and calls each with the results, one
// after the other and in the order of the sources.
func All(ctx context.Context, sources []Source, each func(Result)) {
	ready := make([]chan *checking, len(sources))
	for i := range ready {
		ready[i] = make(chan *checking, 1)
	}
	var running errgroup.Group
	running.SetLimit(runtime.GOMAXPROCS(0))
	go func() {
		for i, s := range sources {
			c := newChecking(s)
			ready[i] <- c
			for n := range c.runs() {
				running.Go(func() error {
					c.run(ctx, n)
					return nil
				})
			}
		}
	}()
	for _, r := range ready {
		each((<-r).result())
	}
}

// Tally counts results.
type Tally struct {
	Passed, Failed int // Failed counts all that are neither passed nor interrupted
	Interrupted    int
	Worst          Verdict
}

// Add counts one result.
func (t *Tally) Add(r Result) {
	t.Worst = max(t.Worst, r.Verdict)
	switch r.Verdict {
	case Passed:
		t.Passed++
	case Interrupted:
		t.Interrupted++
	default:
		t.Failed++
	}
}

// String writes "10 passed, 1 failed", and before it what was interrupted.
func (t Tally) String() string {
	text := fmt.Sprintf("%d passed, %d failed", t.Passed, t.Failed)
	if t.Interrupted > 0 {
		text = fmt.Sprintf("%d interrupted, %s", t.Interrupted, text)
	}
	return text
}
