package check

import (
	"context"
	"time"

	"simulate/explain"
	"simulate/reports"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/random"
	"simulate/sim/scenario"
)

// blame finds what each expectation that failed owes that to. It runs the scenario once more for each seed with which
// one failed first, and keeps the events of that run only as long. A run that ctx ends leaves things unsaid. The error is
// an invariant of the simulator that broke.
func blame(ctx context.Context, l Loaded, r *reports.Report) error {
	runs := map[uint64]*explained{}
	for i := range r.Expectations {
		e := &r.Expectations[i]
		if e.Pass {
			continue
		}
		seed := r.Scenario.Seed
		if e.FailedIn > 0 {
			seed = e.Seed
		}
		run := runs[seed]
		if run == nil {
			var err error
			if run, err = explainSeed(ctx, l, seed); err != nil {
				return err
			}
			runs[seed] = run
		}
		if ctx.Err() == nil {
			e.Responsible = run.responsible(&l.Scenario.Expectations[i])
		}
	}
	return nil
}

// explained is a run of which all causes are known.
type explained struct {
	planned time.Duration
	end     clock.Time
	fold    *metrics.Fold
	groups  []explain.Group
}

func explainSeed(ctx context.Context, l Loaded, seed uint64) (*explained, error) {
	e, fold, err := follow(ctx, l.withSeed(random.Seed(seed)))
	if err != nil {
		return nil, err
	}
	return &explained{l.Scenario.Duration, e.At, fold, e.Chains}, nil
}

// responsible returns what an expectation that failed owes that to; nil when nothing happened that it could come from.
func (x *explained) responsible(e *scenario.Expectation) *reports.Responsible {
	m, ok := x.moment(e)
	if !ok {
		return nil
	}
	r := &reports.Responsible{Moment: m}
	for i := range x.groups {
		if g := &x.groups[i]; g.Name == m.Group {
			r.Cause = g.Behind(&m)
		}
	}
	return r
}

// moment finds the moment in the part of the run that the expectation is about, or for want of one the nearest outside.
func (x *explained) moment(e *scenario.Expectation) (metrics.Moment, bool) {
	begin, end := e.Period(x.planned)
	until := min(clock.At(end), x.end)
	if e.From == nil && e.To == nil {
		return x.fold.Moment(e.Query, until, x.miss(e))
	}
	from := clock.At(begin)
	m, ok := x.fold.MomentWithin(e.Query, from, until, x.miss(e))
	if d, _ := metrics.Find(e.Query.Name); !ok && d.Type == metrics.CountType {
		return x.fold.MomentNear(e.Query, x.end, from)
	}
	return m, ok
}

// miss says how the value of this run missed what is expected of each.
func (x *explained) miss(e *scenario.Expectation) metrics.Miss {
	op, want := e.Op, e.Value
	if e.Over.Kind == scenario.Fraction {
		op, want = e.Over.Op, e.Over.Value
	}
	got, err := measure(e, x.planned, x.fold, x.end)
	low := err != nil || op == scenario.Greater || op == scenario.GreaterOrEqual || op == scenario.Equal && metrics.Compare(got, want) < 0
	m := metrics.Miss{Low: low, Most: int(want.Count)}
	if want.Type == metrics.NumberType {
		m.Most = int(want.Number)
	}
	if op == scenario.Less || op == scenario.NotEqual {
		m.Most--
	}
	return m
}
