package check

import (
	"context"

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
}

func (l *Loaded) options() sim.Options {
	return sim.Options{Commits: l.Commits, ShuffleTies: l.ShuffleTies}
}

// Run runs a scenario, judges what it expects and returns the report. Every event of the run goes to the
// sinks as well. A run that ctx ends, or that spins, is reported as far as it came. The error is an
// invariant of the simulator that broke.
func Run(ctx context.Context, l Loaded, sinks ...trace.Sink) (reports.Report, error) {
	r, _, err := run(ctx, l, sinks...)
	return r, err
}

// run is Run, and returns the fold that the report comes from.
func run(ctx context.Context, l Loaded, sinks ...trace.Sink) (reports.Report, *metrics.Fold, error) {
	s := l.Scenario
	options := s.MetricsOptions()
	options.Thresholds = l.Thresholds
	fold := metrics.NewFold(options)
	digest := trace.NewDigest()
	result, err := sim.RunWith(ctx, s, append(trace.Tee{fold, digest}, sinks...), l.options())
	if err != nil {
		return reports.Report{}, nil, err
	}
	r := reports.Report{
		Scenario:     header(s),
		Outcome:      outcomes[result.Outcome],
		At:           result.At,
		Digest:       digest.Sum(),
		Summary:      fold.Summary(result.At),
		Thresholds:   l.Thresholds,
		Expectations: judge(s, fold, result.At),
		NotModelled:  missing(s),
	}
	for _, w := range l.Warnings {
		r.Warnings = append(r.Warnings, string(w))
	}
	return r, fold, nil
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
