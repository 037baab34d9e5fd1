package fidelity

import (
	"context"
	"errors"
	"regexp"

	"simulate/sim"
	"simulate/sim/random"
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
	Seed  random.Seed // of the run that is compared: the first, or one that took the other course of a race
	First Figures     // of the run under the first seed
	Err   error       // an invariant of the simulator broke, or the case is malformed
}

// Skip is a case that scenarios cannot repeat, and why.
type Skip struct {
	Case *Case
	Why  error
}

// Run is what runs a scenario: sim.Run, or a stand-in for it.
type Run func(context.Context, *scenario.Scenario, trace.Sink) (sim.Result, error)

// Replay builds a scenario from each recording, runs it and compares what happened, under the first seed and
// then, where that is not enough, under others.
func Replay(ctx context.Context, recordings []Recording, run Run) Report {
	repetitions := map[string][]*Observed{}
	byID := map[string]Recording{}
	for _, r := range recordings {
		name := experiment(r.Case.ID)
		repetitions[name] = append(repetitions[name], r.Observed)
		byID[r.Case.ID] = r
	}
	var report Report
	for _, r := range recordings {
		s, err := Build(r.Case)
		if why := (Unsupported{}); errors.As(err, &why) {
			report.Skipped = append(report.Skipped, Skip{r.Case, why})
			continue
		}
		var timeline Timeline
		if err == nil {
			timeline, err = simulate(ctx, r.Case, s, run)
		}
		row := Row{Case: r.Case, Seed: firstSeed, Err: err}
		row.Comparison = Compare(r.Observed, repetitions[experiment(r.Case.ID)], timeline)
		row.First = row.Figures()
		report.Rows = append(report.Rows, row)
	}
	report.lookFurther(ctx, byID, repetitions, run)
	return report
}

// Only returns the part of a report that is about the cases whose names match.
func (r Report) Only(wanted *regexp.Regexp) Report {
	return r.of(func(c *Case) bool { return wanted.MatchString(c.ID) })
}

// simulate runs the scenario that a case was built into. It never sees what was observed.
func simulate(ctx context.Context, c *Case, s *scenario.Scenario, run Run) (Timeline, error) {
	var events trace.Memory
	_, err := run(ctx, s, &events)
	return Simulated(c, events.Events), err
}
