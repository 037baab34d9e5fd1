package check

import (
	"context"

	"simulate/explain"
	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/trace"
)

// Explain is Run that also follows each rebalance back to its first cause. It judges no expectations; the report has
// the events of the run.
func Explain(ctx context.Context, l Loaded) (reports.Explanation, error) {
	e, _, err := follow(ctx, l)
	return e, err
}

// follow is Explain, and returns the fold that the report comes from.
func follow(ctx context.Context, l Loaded) (reports.Explanation, *metrics.Fold, error) {
	var events trace.Memory
	report, fold, err := run(ctx, l, &events)
	if err != nil {
		return reports.Explanation{}, nil, err
	}
	report.Events, report.Chains = events.Events, explain.Explain(events.Events, fold)
	return reports.Explanation{Report: report}, fold, nil
}
