package check

import (
	"context"
	"fmt"
	"slices"

	"simulate/reports"
	"simulate/sim"
	"simulate/sim/coordinator"
	"simulate/sim/metrics"
	"simulate/sim/offsetslog"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// Loaded is a scenario that is ready to run.
type Loaded struct {
	Name     string // of the source
	Scenario *scenario.Scenario
	Warnings []scenario.Warning

	Thresholds metrics.Thresholds // of anomalies; zero: metrics.Defaults()

	Commits     func(offsetslog.Entry) // as sim.Options has it
	ShuffleTies uint64                 // as sim.Options has it

	NoFastForward bool // as sim.Options has it; the trace then has every heartbeat and commit
}

func (l *Loaded) options() sim.Options {
	return sim.Options{Commits: l.Commits, ShuffleTies: l.ShuffleTies, NoFastForward: l.NoFastForward}
}

// Run runs a scenario once, judges what it expects of every replication in this one and returns the report. Every event
// of the run goes to the sinks as well. A run that ctx ends, or that spins, is reported as far as it came. The error is an
// invariant of the simulator that broke.
func Run(ctx context.Context, l Loaded, sinks ...trace.Sink) (reports.Report, error) {
	r, fold, err := run(ctx, l, sinks...)
	if err != nil {
		return r, err
	}
	alone := *l.Scenario
	alone.Expectations = slices.DeleteFunc(slices.Clone(alone.Expectations), func(e scenario.Expectation) bool {
		if e.Over.Kind == scenario.InEach {
			return false
		}
		r.Warnings = append(r.Warnings, fmt.Sprintf("not judged, since one run does not decide it: %s (line %d)", worded(&e), e.Line))
		return true
	})
	r.Expectations = judge(&alone, []*trial{newTrial(&alone, r.Outcome, r.At, fold)})
	return r, nil
}

// run runs a scenario and returns the report, but for expectations, and the fold that it comes from.
func run(ctx context.Context, l Loaded, sinks ...trace.Sink) (reports.Report, *metrics.Fold, error) {
	s := l.Scenario
	fold := l.fold()
	digest := trace.NewDigest()
	result, err := sim.RunWith(ctx, s, append(trace.Tee{fold, digest}, sinks...), l.options())
	if err != nil {
		return reports.Report{}, nil, err
	}
	r := reports.Report{
		Scenario:    header(s),
		Outcome:     outcomes[result.Outcome],
		At:          result.At,
		Digest:      digest.Sum(),
		Summary:     fold.Summary(result.At),
		Thresholds:  l.Thresholds,
		ShuffleTies: l.ShuffleTies,
		NotModelled: missing(s),
	}
	for _, w := range l.Warnings {
		r.Warnings = append(r.Warnings, string(w))
	}
	return r, fold, nil
}

// fold returns what computes the metrics of a run.
func (l *Loaded) fold() *metrics.Fold {
	options := l.Scenario.MetricsOptions()
	options.Thresholds = l.Thresholds
	return metrics.NewFold(options)
}

var outcomes = map[sim.Outcome]reports.Outcome{
	sim.Finished:    reports.Finished,
	sim.Interrupted: reports.Interrupted,
	sim.EventLimit:  reports.EventLimit,
}

func header(s *scenario.Scenario) reports.Scenario {
	return reports.Scenario{
		Name:              s.Name,
		Description:       s.Description,
		Seed:              uint64(s.Seed),
		Kafka:             s.Broker.Kafka,
		Differences:       differences(s.Broker.Kafka),
		Duration:          s.Duration,
		StuckAfter:        s.StuckAfter,
		OffsetsPartitions: s.Broker.OffsetsPartitions,
	}
}

// differences names in what a coordinator is not the recorded one.
func differences(kafka string) []string {
	var names []string
	for _, s := range coordinator.Switches(kafka) {
		names = append(names, s.Rule()+" "+s.String())
	}
	return names
}
