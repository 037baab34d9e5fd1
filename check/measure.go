package check

import (
	"context"
	"errors"
	"fmt"

	"simulate/sim"
	"simulate/sim/metrics"
)

// ErrSpins is the error of a run that spins.
var ErrSpins = errors.New("the run spins: it reached the limit of events")

// Measure runs replication number r of a scenario, from 0, and returns what these metrics come to at its end, in their
// order; nil where one has no value. The error is that of ctx, an invariant of the simulator that broke, or
// ErrSpins.
func Measure(ctx context.Context, l Loaded, r int, queries []metrics.Query) ([]*metrics.Value, error) {
	l = l.replication(r)
	fold := l.fold()
	result, err := sim.RunWith(ctx, l.Scenario, fold, l.options())
	switch {
	case err != nil:
		return nil, err
	case result.Outcome == sim.Interrupted:
		return nil, ctx.Err()
	case result.Outcome == sim.EventLimit:
		return nil, fmt.Errorf("seed %d: %w at %s", l.Scenario.Seed, ErrSpins, metrics.Duration(result.At.SinceStart()))
	}
	summary := fold.Summary(result.At)
	values := make([]*metrics.Value, len(queries))
	for i, q := range queries {
		if v, err := summary.Value(q); err == nil {
			values[i] = &v
		}
	}
	return values, nil
}
