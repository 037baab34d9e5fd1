package check

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"simulate/reports"
	"simulate/sim"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// trial is what is kept of one of several runs of a scenario.
type trial struct {
	seed     uint64
	outcome  reports.Outcome
	at       clock.Time
	measured []measured // by expectation
	err      error      // an invariant of the simulator that broke
}

// newTrial measures what a run came to.
func newTrial(s *scenario.Scenario, outcome reports.Outcome, at clock.Time, fold *metrics.Fold) *trial {
	t := &trial{seed: uint64(s.Seed), outcome: outcome, at: at}
	for i := range s.Expectations {
		value, err := measure(&s.Expectations[i], s.Duration, fold, at)
		t.measured = append(t.measured, measured{t.seed, value, err})
	}
	return t
}

// try runs a scenario for the sake of what it expects, and of nothing else.
func (l Loaded) try(ctx context.Context) *trial {
	fold := l.fold()
	result, err := sim.RunWith(ctx, l.Scenario, fold, l.options())
	if err != nil {
		return &trial{err: err}
	}
	return newTrial(l.Scenario, outcomes[result.Outcome], result.At, fold)
}

// replication returns the scenario as its run number r, from 0, has it.
func (l Loaded) replication(r int) Loaded {
	if r > 0 {
		l.Commits = nil
	}
	return l.withSeed(l.Scenario.Seed + random.Seed(r))
}

// withSeed returns the scenario with another seed.
func (l Loaded) withSeed(seed random.Seed) Loaded {
	s := *l.Scenario
	s.Seed = seed
	l.Scenario = &s
	return l
}

// shuffled returns the scenario with another order of equal instants.
func (l Loaded) shuffled(seed uint64) Loaded {
	l.ShuffleTies, l.Commits = seed, nil
	return l
}

// parallel calls do with each number below n, as many at once as Go runs threads, and leaves out those to which it does
// not come before ctx ends.
func parallel(ctx context.Context, n int, do func(i int)) {
	var running errgroup.Group
	running.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		running.Go(func() error {
			if ctx.Err() == nil {
				do(i)
			}
			return nil
		})
	}
	running.Wait()
}

// RunAll is Run of the first of the replications for which a scenario stands; its expectations are judged in all of
// them.
func RunAll(ctx context.Context, l Loaded, sinks ...trace.Sink) (reports.Report, error) {
	if l.Scenario.Replications == 1 {
		return Run(ctx, l, sinks...)
	}
	r, fold, err := run(ctx, l, sinks...)
	if err != nil {
		return r, err
	}
	trials := make([]*trial, l.Scenario.Replications)
	trials[0] = newTrial(l.Scenario, r.Outcome, r.At, fold)
	parallel(ctx, len(trials)-1, func(i int) { trials[i+1] = l.replication(i + 1).try(ctx) })
	return r, judgeReplicated(l.Scenario, &r, trials)
}

// judgeReplicated adds to the report of the first trial what all of them come to. Those that did not take place are nil.
// The error is that of the first one that broke.
func judgeReplicated(s *scenario.Scenario, r *reports.Report, trials []*trial) error {
	var ended []*trial
	for _, t := range trials {
		switch {
		case t == nil || t.err == nil && t.outcome == reports.Interrupted:
			continue
		case t.err != nil:
			return t.err
		case t.outcome == reports.EventLimit && r.Replicated.Spins == nil:
			r.Replicated.Spins = &reports.Run{Seed: t.seed, Outcome: t.outcome, At: t.at}
		}
		ended = append(ended, t)
	}
	if len(trials) > 1 {
		r.Replicated.Planned, r.Replicated.Ended = len(trials), len(ended)
	}
	if len(ended) == 0 {
		ended = trials[:1] // as far as it came
	}
	r.Expectations = judge(s, ended)
	return nil
}
