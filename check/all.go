package check

import (
	"context"
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

// One checks one source.
func One(ctx context.Context, s Source) Result {
	c := newChecking(s)
	for n := range c.runs() {
		c.run(ctx, n)
	}
	return c.result(ctx)
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
		each((<-r).result(ctx))
	}
}

// Tally gathers results, in their order.
type Tally struct {
	reports.Checked
	Worst Verdict
}

// Add takes one result.
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
	f := reports.CheckedFile{Name: r.Source.Name, IsPath: r.Source.File, Verdict: fileVerdicts[r.Verdict], Report: r.Report}
	if r.Err != nil {
		f.Problem = r.Err.Error()
	}
	t.Files = append(t.Files, f)
}

var fileVerdicts = map[Verdict]reports.FileVerdict{
	Passed:      reports.FilePassed,
	Failed:      reports.FileFailed,
	Interrupted: reports.FileInterrupted,
	Wrong:       reports.FileWrong,
	Broken:      reports.FileBroken,
}
