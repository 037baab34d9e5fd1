package reports

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"simulate/sim/clock"
	"simulate/sim/metrics"
)

// Runs is what is known of several replications of one scenario.
type Runs struct {
	Scenario     Scenario // its seed is the first one
	ShuffleTies  uint64   // as in Report
	Thresholds   metrics.Thresholds
	Planned      int
	Runs         []Run // those that were finished or spin, by seed
	Groups       []GroupSpread
	Expectations []Expectation
	Warnings     []string
	NotModelled  []string
}

// Run is one of several replications.
type Run struct {
	Seed    uint64
	Outcome Outcome
	At      clock.Time // the last instant that was simulated
	Digest  string     // of the trace
}

// GroupSpread is what the metrics of one group came to.
type GroupSpread struct {
	Group   string
	Metrics []Spread
}

// Spread says how one metric of a group is spread over the runs. Where no run has a value, Runs is 0 and the values mean
// nothing.
type Spread struct {
	Query                    metrics.Query
	Type                     metrics.Type
	Runs                     int // that have a value
	Mean, Min, P50, P95, Max metrics.Value
}

// Failed counts the expectations that do not hold.
func (r *Runs) Failed() int { return failed(r.Expectations) }

// Cut reports whether the user did not wait for all runs.
func (r *Runs) Cut() bool { return len(r.Runs) < r.Planned }

// RunsText writes several replications for people, at 80 columns.
func RunsText(w io.Writer, r Runs, o TextOptions) error {
	p := page{color: o.Color}
	p.runsHeader(&r)
	for i := range r.Groups {
		p.spreads(&r.Groups[i], len(r.Runs))
	}
	p.expectations(r.Expectations)
	p.list("Warnings", r.Warnings)
	p.list("Not modelled", r.NotModelled)
	_, err := w.Write(p.Bytes())
	return err
}

func (p *page) runsHeader(r *Runs) {
	s := &r.Scenario
	p.para("", "", fmt.Sprintf("%s  seeds %d to %d  Kafka %s  %s",
		clean(s.Name), s.Seed, s.Seed+uint64(r.Planned-1), clean(s.Kafka), metrics.Duration(s.Duration)))
	p.about(s)
	p.options(r.Thresholds, r.ShuffleTies)
	if r.Cut() {
		p.para("", "", p.bad("INTERRUPTED")+fmt.Sprintf(" after %d of %d runs: what follows is about these.", len(r.Runs), r.Planned))
	}
	for _, run := range r.Runs {
		if run.Outcome == EventLimit {
			p.para("", "", p.bad("EVENT LIMIT")+fmt.Sprintf(" reached at %s with seed %d: something spins.", instant(run.At), run.Seed))
			break
		}
	}
}

// spreads writes one line a metric.
func (p *page) spreads(g *GroupSpread, runs int) {
	p.blank()
	p.para("", "", "Group "+short(g.Group)+" over "+metrics.Plural(runs, "run"))
	p.line(fmt.Sprintf("  %-23s%11s%11s%11s%11s%11s", "", "mean", "min", "p50", "p95", "max"))
	for i := range g.Metrics {
		s := &g.Metrics[i]
		label := spreadLabel(s.Query)
		if s.Runs == 0 {
			p.line("  " + label + ": no run has a value")
			continue
		}
		if s.Runs < runs {
			label += ", " + metrics.Plural(s.Runs, "run")
		}
		line := fmt.Sprintf("  %-23s", label)
		for _, v := range []metrics.Value{s.Mean, s.Min, s.P50, s.P95, s.Max} {
			line += fmt.Sprintf(" %10s", brief(v))
		}
		p.line(line)
	}
}

// spreadLabels are shorter than the metrics that they stand for.
var spreadLabels = map[metrics.Query]string{
	{Name: "leaves", Arg: "poll-timeout"}:        "left by poll timeout",
	{Name: "stuck"}:                              "stuck stays",
	{Name: "time_in", Arg: "PreparingRebalance"}: "in PreparingRebalance",
	{Name: "longest", Arg: "PreparingRebalance"}: "longest of it",
}

func spreadLabel(q metrics.Query) string { return cmp.Or(spreadLabels[q], q.Name) }

// brief writes a value in ten columns: times to the millisecond, from an hour on to the second, and long sums over many
// partitions to the hour.
func brief(v metrics.Value) string {
	switch {
	case v.Duration >= 1000*time.Hour:
		return metrics.Duration(v.Duration.Truncate(time.Hour))
	case v.Type == metrics.NumberType:
		return metrics.Number(v.Number)
	case v.Type == metrics.CountType:
		return v.String()
	case v.Duration >= time.Hour:
		return metrics.Duration(v.Duration.Truncate(time.Second))
	}
	return metrics.Brief(v.Duration)
}
