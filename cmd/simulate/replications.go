package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"simulate/check"
	"simulate/reports"
	"simulate/sim/scenario"
)

// runsFormats are the forms of a report over replications.
var runsFormats = map[string]func(io.Writer, reports.Runs, reports.TextOptions) error{
	"text": reports.RunsText,
	"json": plain(reports.RunsJSON),
}

// replicate runs a scenario as often as --replications says, and reports over all runs.
func (f *runFlags) replicate(ctx context.Context, t *terminal, l check.Loaded) error {
	if err := f.setReplications(l.Scenario); err != nil {
		return err
	}
	warn(t, l.Name, l.Warnings)
	runs, err := check.Replicate(ctx, l)
	if err != nil {
		return t.broke(l.Name, err)
	}
	if err := runsFormats[f.forms.format](t.stdout, runs, reports.TextOptions{Color: t.color()}); err != nil {
		return err
	}
	return ended(check.OfRuns(&runs))
}

func (f *runFlags) setReplications(s *scenario.Scenario) error {
	n, err := strconv.Atoi(f.replications)
	if err != nil || n < 1 || n > scenario.MostReplications {
		return fmt.Errorf("--replications %s: write a whole number from 1 to %d", f.replications, scenario.MostReplications)
	}
	if uint64(s.Seed)+uint64(n-1) > math.MaxInt64 {
		return fmt.Errorf("--replications %d: with the first seed %d the last one would be above %d", n, s.Seed, int64(math.MaxInt64))
	}
	s.Replications = n
	return nil
}
