package check

import (
	"context"
	"time"

	"simulate/reports"
	"simulate/sim"
	"simulate/sim/clock"
)

// Describe runs a scenario up to an instant and returns its groups as they are then. It reports false when
// the run ended before, because ctx was cancelled or the run spins. The error is an invariant of the
// simulator that broke.
func Describe(ctx context.Context, l Loaded, at time.Duration) (groups []reports.Description, reached bool, err error) {
	described, result, err := sim.Describe(ctx, l.Scenario, clock.At(at))
	for _, d := range described {
		groups = append(groups, reports.Description(d))
	}
	return groups, result.Outcome == sim.Finished, err
}
