package fidelity

import (
	"context"
	"errors"

	"simulate/sim"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// Report is the outcome of a replay.
type Report struct {
	Rows    []Row
	Skipped []Skip
}

// Row is one case that was run.
type Row struct {
	Case *Case
	Comparison
	Err error // an invariant of the simulator broke, or the case is malformed
}

// Skip is a case that scenarios cannot repeat, and why.
type Skip struct {
	ID  string
	Why error
}

// Run is what runs a scenario: sim.Run, or a stand-in for it.
type Run func(context.Context, *scenario.Scenario, trace.Sink) (sim.Result, error)

// Replay builds a scenario from each recording, runs it and compares what happened.
func Replay(ctx context.Context, recordings []Recording, run Run) Report {
	repetitions := map[string][]*Observed{}
	for _, r := range recordings {
		name := experiment(r.Case.ID)
		repetitions[name] = append(repetitions[name], r.Observed)
	}
	var report Report
	for _, r := range recordings {
		timeline, err := simulate(ctx, r.Case, run)
		if why := (Unsupported{}); errors.As(err, &why) {
			report.Skipped = append(report.Skipped, Skip{r.Case.ID, why})
			continue
		}
		row := Row{Case: r.Case, Err: err}
		row.Comparison = Compare(r.Observed, repetitions[experiment(r.Case.ID)], timeline)
		report.Rows = append(report.Rows, row)
	}
	return report
}

// simulate runs what was given in a case. It never sees what was observed.
func simulate(ctx context.Context, c *Case, run Run) (Timeline, error) {
	s, err := Build(c)
	if err != nil {
		return Timeline{}, err
	}
	var events trace.Memory
	_, err = run(ctx, s, &events)
	return Simulated(c, events.Events), err
}
