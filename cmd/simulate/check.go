package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/reports"
	"simulate/scenarios"
)

func newCheck(t *terminal) *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check PATH...",
		Short: "Run scenarios and test what they expect",
		Long: `Check runs scenarios in parallel and tests what they expect. A PATH is a file, a
directory (every *.toml below it is run) or one of those that
"simulate scenarios list" shows. A wrong file does not stop the others.

A scenario with replications = N runs N times, and whatever it has, once more
for each seed of --shuffle-ties: with these, what happens in one instant to
different processes, brokers and events comes in another order, which in a real
cluster is an accident. An expectation that comes out otherwise then is a
warning.

` + thresholdsHelp(),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return wrongUse(c, "name at least one path")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return runChecks(t, args, &f)
		},
	}
	anomalyFlag(c, &f.anomalies)
	c.Flags().StringVar(&f.shuffleTies, "shuffle-ties", "1,2,3", "`SEEDS` of other orders of what happens in one instant, in which\neach file runs again; none: it does not")
	c.Flags().BoolVar(&f.strict, "strict", false, "an expectation that hangs on such an order is a failure")
	return c
}

// checkFlags are the flags of check.
type checkFlags struct {
	anomalies   []string
	shuffleTies string
	strict      bool
}

func runChecks(t *terminal, paths []string, f *checkFlags) error {
	thresholds, err := thresholdsOf(f.anomalies)
	if err != nil {
		return err
	}
	ties, err := parseTies(f.shuffleTies)
	if err != nil {
		return err
	}
	sources := check.Find(paths, scenarios.Read)
	for i := range sources {
		s := &sources[i]
		s.Thresholds, s.ShuffleTies, s.Strict = thresholds, ties, f.strict
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	var tally check.Tally
	var failure error
	check.All(ctx, sources, func(r check.Result) {
		tally.Add(r)
		failure = cmp.Or(failure, t.tell(r))
	})
	if _, err := fmt.Fprintln(t.stdout, tally); cmp.Or(failure, err) != nil {
		return cmp.Or(failure, err)
	}
	return ended(tally.Worst)
}

// tell writes one result as soon as it is its turn.
func (t *terminal) tell(r check.Result) error {
	warn(t, r.Source.Name, r.Report.Warnings)
	switch {
	case r.Err != nil:
		fmt.Fprintln(t.stderr, r.Err)
	case r.Verdict != check.Passed || !t.quiet:
		return reports.Verdict(t.stdout, r.Source.Name, r.Report, reports.TextOptions{Color: t.color()})
	}
	return nil
}
