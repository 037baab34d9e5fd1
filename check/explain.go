package check

import (
	"context"

	"simulate/explain"
	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/trace"
)

// Explain is Run that also follows each rebalance back to its first cause. It judges no expectations.
func Explain(ctx context.Context, l Loaded) (reports.Explanation, error) {
	fold := metrics.NewFold(l.Scenario.MetricsOptions())
	var events trace.Memory
	report, err := Run(ctx, l, fold, &events)
	if err != nil {
		return reports.Explanation{}, err
	}
	report.Expectations = nil
	return reports.Explanation{Report: report, Chains: explain.Explain(events.Events, fold)}, nil
}
