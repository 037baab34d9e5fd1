package check

import (
	"context"

	"simulate/explain"
	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/timeline"
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

// Detail adds the course of the run to its report, from all of its events that are not routine.
func Detail(r *reports.Report, l Loaded, events []trace.Event) {
	fold := l.fold()
	for _, e := range events {
		fold.Record(e)
	}
	r.Events, r.Chains, r.Timeline = events, explain.Explain(events, fold), timeline.Of(events, r.At)
	r.Curves, r.Clients, r.Names = fold.Curves(r.At), metrics.CurvesOfClients(events), fold.NamesIn(events)
}
