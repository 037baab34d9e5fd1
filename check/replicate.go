package check

import (
	"context"
	"fmt"
	"slices"

	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// overview lists the metrics of a group that Replicate reports.
var overview = []metrics.Query{
	{Name: "rebalances"},
	{Name: "completed"},
	{Name: "evictions"},
	{Name: "leaves", Arg: "poll-timeout"},
	{Name: "stuck"},
	{Name: "anomalies"},
	{Name: "time_in", Arg: "PreparingRebalance"},
	{Name: "longest", Arg: "PreparingRebalance"},
	{Name: "stopped"},
	{Name: "unassigned"},
	{Name: "settled"},
}

// ofRecords are those that follow where topics hold records.
var ofRecords = []metrics.Query{{Name: "lag"}, {Name: "max_lag"}, {Name: "redelivered"}}

func overviewOf(s *scenario.Scenario) []metrics.Query {
	if s.HasRecords() {
		return slices.Concat(overview, ofRecords)
	}
	return overview
}

// replicated is what is kept of one replication for an overview of all.
type replicated struct {
	*trial
	run      reports.Run
	groups   []overviewed
	warnings []string
}

// overviewed is what the metrics of a group came to, in the order of overviewOf; nil where there is no value.
type overviewed struct {
	name   string
	values []*metrics.Value
}

// Replicate runs a scenario as often as it says and reports what the metrics come to over all runs that were finished.
// The error is an invariant of the simulator that broke, in the first run in which one did.
func Replicate(ctx context.Context, l Loaded) (reports.Runs, error) {
	runs := make([]*replicated, l.Scenario.Replications)
	parallel(ctx, len(runs), func(i int) { runs[i] = l.replication(i).overview(ctx) })
	r := reports.Runs{
		Scenario: header(l.Scenario), ShuffleTies: l.ShuffleTies, Thresholds: l.Thresholds, Planned: len(runs),
		NotModelled: missing(l.Scenario),
	}
	for _, w := range l.Warnings {
		r.Warnings = append(r.Warnings, string(w))
	}
	runs = slices.DeleteFunc(runs, func(run *replicated) bool {
		return run == nil || run.err == nil && run.outcome == reports.Interrupted
	})
	var trials []*trial
	for _, run := range runs {
		if run.err != nil {
			return r, run.err
		}
		r.Runs, trials = append(r.Runs, run.run), append(trials, run.trial)
	}
	if len(runs) > 0 {
		r.Groups = spreadGroups(runs, overviewOf(l.Scenario))
		r.Warnings = append(r.Warnings, warningsOf(runs)...)
		r.Expectations = judge(l.Scenario, trials)
	}
	return r, nil
}

// overview runs a scenario for Replicate.
func (l Loaded) overview(ctx context.Context) *replicated {
	report, fold, err := run(ctx, l)
	if err != nil {
		return &replicated{trial: &trial{err: err}}
	}
	r := &replicated{
		trial: newTrial(l.Scenario, report.Outcome, report.At, fold),
		run:   reports.Run{Seed: report.Scenario.Seed, Outcome: report.Outcome, At: report.At, Digest: report.Digest},
	}
	for i := range report.Summary.Groups {
		name := report.Summary.Groups[i].Name
		g := overviewed{name: name}
		for _, q := range overviewOf(l.Scenario) {
			q.Subject = name
			value, err := report.Summary.Value(q)
			if err != nil {
				g.values = append(g.values, nil)
			} else {
				g.values = append(g.values, &value)
			}
		}
		r.groups = append(r.groups, g)
	}
	for _, w := range report.Summary.Warnings {
		r.warnings = append(r.warnings, w.Text)
	}
	return r
}

// spreadGroups says of every group that any run has, by name, how these metrics are spread.
func spreadGroups(runs []*replicated, queries []metrics.Query) []reports.GroupSpread {
	values := map[string][][]metrics.Value{} // by group, then as queries
	var names []string
	for _, r := range runs {
		for _, g := range r.groups {
			if values[g.name] == nil {
				values[g.name] = make([][]metrics.Value, len(queries))
				names = append(names, g.name)
			}
			for i, v := range g.values {
				if v != nil {
					values[g.name][i] = append(values[g.name][i], *v)
				}
			}
		}
	}
	slices.Sort(names)
	var all []reports.GroupSpread
	for _, name := range names {
		g := reports.GroupSpread{Group: name}
		for i, q := range queries {
			g.Metrics = append(g.Metrics, spreadOf(q, values[name][i]))
		}
		all = append(all, g)
	}
	return all
}

func spreadOf(q metrics.Query, values []metrics.Value) reports.Spread {
	d, _ := metrics.Find(q.Name)
	s := reports.Spread{Query: q, Type: d.Type, Runs: len(values)}
	if len(values) > 0 {
		sample := metrics.NewSample(values)
		s.Mean, s.Min, s.Max = sample.Mean(), sample.Min(), sample.Max()
		s.P50, s.P95 = sample.Percentile(metrics.Hundred/2), sample.Percentile(metrics.Hundred*95/100)
	}
	return s
}

// warningsOf lists what the runs warn of, each once, with the number of runs that do.
func warningsOf(runs []*replicated) []string {
	in := map[string]int{}
	var texts []string
	for _, r := range runs {
		slices.Sort(r.warnings)
		for _, text := range slices.Compact(r.warnings) {
			if in[text]++; in[text] == 1 {
				texts = append(texts, text)
			}
		}
	}
	for i, text := range texts {
		texts[i] = fmt.Sprintf("in %d of %d runs: %s", in[text], len(runs), text)
	}
	return texts
}

// OfRuns returns the verdict on several replications.
func OfRuns(r *reports.Runs) Verdict {
	switch {
	case slices.ContainsFunc(r.Runs, func(run reports.Run) bool { return run.Outcome == reports.EventLimit }):
		return Broken
	case r.Cut():
		return Interrupted
	case r.Failed() > 0:
		return Failed
	}
	return Passed
}
