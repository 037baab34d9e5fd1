package check

import (
	"context"
	"time"

	"simulate/reports"
	"simulate/sim"
	"simulate/sim/clock"
	"simulate/sim/metrics"
)

// Describe runs a scenario up to an instant and returns its groups as they are then. It reports false when
// the run ended before, because ctx was cancelled or the run spins. The error is an invariant of the
// simulator that broke.
func Describe(ctx context.Context, l Loaded, at time.Duration) (groups []reports.Description, reached bool, err error) {
	fold := metrics.NewFold(l.Scenario.MetricsOptions())
	described, result, err := sim.Describe(ctx, l.Scenario, clock.At(at), fold)
	snapshots := map[string]metrics.Snapshot{}
	for _, s := range fold.Snapshot(clock.At(at)) {
		snapshots[s.Name] = s
	}
	for _, d := range described {
		groups = append(groups, reports.Description{
			DescribedGroup: d.DescribedGroup, Coordinator: d.Coordinator, Assigned: d.Assigned, Offsets: d.Offsets,
			Snapshot: snapshots[d.Group], Ends: d.Ends,
		})
	}
	return groups, result.Outcome == sim.Finished, err
}
