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
	case r.Outcome == reports.EventLimit:
		return Broken
	case r.Outcome == reports.Interrupted, r.Advice != nil && r.Advice.Interrupted:
		return Interrupted
	case r.Failed() > 0:
		return Failed
	}
	return Passed
}

// One checks one source.
func One(ctx context.Context, s Source) Result {
	loaded, err := s.Load()
	if err != nil {
		return Result{Source: s, Verdict: Wrong, Err: err}
	}
	report, err := Run(ctx, loaded)
	if err != nil {
		return Result{Source: s, Verdict: Broken, Err: fmt.Errorf("%s: %w", s.Name, err)}
	}
	return Result{Source: s, Report: report, Verdict: Of(&report)}
}

// All checks every source, as many at once as Go runs threads, and calls each with the results, one
// after the other and in the order of the sources.
func All(ctx context.Context, sources []Source, each func(Result)) {
	ready := make([]chan Result, len(sources))
	for i := range ready {
		ready[i] = make(chan Result, 1)
	}
	var running errgroup.Group
	running.SetLimit(runtime.GOMAXPROCS(0))
	go func() {
		for i, s := range sources {
			running.Go(func() error {
				ready[i] <- One(ctx, s)
				return nil
			})
		}
	}()
	for _, r := range ready {
		each(<-r)
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
