package check

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"simulate/reports"
	"simulate/sim/scenario"
)

// checking is one source while it is checked: its replications, and the first of them again with other orders of equal
// instants. Each of these runs is a job of its own, so that many runs of one source share the processors with others.
type checking struct {
	source Source
	loaded Loaded
	err    error          // why nothing runs
	report reports.Report // of the first replication
	trials []*trial       // by replication; nil where ctx ended before
	orders []*trial       // by Source.ShuffleTies
	wait   sync.WaitGroup // until all have run
}

// newChecking reads a source.
func newChecking(s Source) *checking {
	c := &checking{source: s}
	if c.loaded, c.err = s.Load(); c.err == nil {
		c.trials = make([]*trial, c.loaded.Scenario.Replications)
		c.orders = make([]*trial, len(s.ShuffleTies))
		if len(c.loaded.Scenario.Expectations) == 0 {
			c.orders = nil // nothing can come out otherwise
		}
		c.wait.Add(c.runs())
	}
	return c
}

func (c *checking) runs() int { return len(c.trials) + len(c.orders) }

// run does job number i.
func (c *checking) run(ctx context.Context, i int) {
	defer c.wait.Done()
	switch n := len(c.trials); {
	case i == 0:
		c.runFirst(ctx)
	case ctx.Err() != nil:
	case i < n:
		c.trials[i] = c.loaded.replication(i).try(ctx)
	default:
		c.orders[i-n] = c.loaded.shuffled(c.source.ShuffleTies[i-n]).try(ctx)
	}
}

// runFirst makes the report; also when ctx has ended, so that there is one.
func (c *checking) runFirst(ctx context.Context) {
	report, fold, err := run(ctx, c.loaded)
	if err != nil {
		c.trials[0] = &trial{err: err}
		return
	}
	c.report = report
	c.trials[0] = newTrial(c.loaded.Scenario, report.Outcome, report.At, fold)
}

// result waits for all jobs and puts together what they came to.
func (c *checking) result(ctx context.Context) Result {
	c.wait.Wait()
	if c.err != nil {
		return Result{Source: c.source, Verdict: Wrong, Err: c.err}
	}
	err := judgeReplicated(c.loaded.Scenario, &c.report, c.trials)
	for _, t := range c.orders {
		if t != nil {
			err = cmp.Or(err, t.err)
		}
	}
	if err != nil {
		return c.broke(err)
	}
	c.findRaces()
	c.report.RacesFail = c.source.Strict
	verdict := Of(&c.report)
	if verdict == Failed {
		err = blame(ctx, c.loaded, &c.report)
	}
	if err != nil {
		return c.broke(err)
	}
	return Result{Source: c.source, Report: c.report, Verdict: verdict}
}

func (c *checking) broke(err error) Result {
	return Result{Source: c.source, Verdict: Broken, Err: fmt.Errorf("%s: %w", c.source.Name, err)}
}

// findRaces compares how expectations come out in the first replication with how they do in other orders of equal
// instants. Each is named once, with the first order that makes a difference. Those over all replications take no part.
func (c *checking) findRaces() {
	first := c.trials[0]
	for _, t := range c.orders {
		if t == nil || t.outcome == reports.Interrupted {
			c.report.RacesCut = true
		}
	}
	if first.outcome == reports.Interrupted || c.report.RacesCut {
		return
	}
	for i := range c.loaded.Scenario.Expectations {
		e := &c.loaded.Scenario.Expectations[i]
		usual := &first.measured[i]
		pass := usual.satisfies(e.Op, e.Value)
		for j, t := range c.orders {
			m := &t.measured[i]
			if e.Over.Kind == scenario.InEach && m.satisfies(e.Op, e.Value) != pass {
				c.report.Races = append(c.report.Races, reports.Race{
					That: worded(e), Line: e.Line, ShuffleSeed: c.source.ShuffleTies[j],
					Pass: !pass, Got: m.String(), Unshuffled: usual.String(),
				})
				break
			}
		}
	}
}
