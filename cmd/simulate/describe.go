package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

func newDescribe(t *terminal) *cobra.Command {
	var in input
	var at string
	c := &cobra.Command{
		Use:   "describe FILE|NAME|-",
		Short: "Show the groups at an instant as kafka-consumer-groups does",
		Long: `Describe runs a scenario up to an instant and prints, for each group, what
kafka-consumer-groups.sh --describe would print then: its state, its members
with what they were assigned, and the committed offsets. Before these tables it
says since when the group is in its state, and how often it rebalanced so far.`,
		Example: "  simulate describe rolling-restart --at 10m30s",
		Args:    exactly(1, "scenario"),
		RunE: func(c *cobra.Command, args []string) error {
			return describe(t, &in, args[0], at)
		},
	}
	in.flags(c)
	c.Flags().StringVar(&at, "at", "", "`INSTANT` to look at, such as 10m30s; the end of the run unless given")
	return c
}

func describe(t *terminal, in *input, name, at string) error {
	loaded, err := in.load(t, name)
	if err != nil {
		return err
	}
	instant, err := instantOf(at, loaded.Scenario)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	warn(t, loaded.Name, loaded.Warnings)
	groups, reached, err := check.Describe(ctx, loaded, instant)
	switch {
	case err != nil:
		return t.broke(loaded.Name, err)
	case ctx.Err() != nil:
		fmt.Fprintf(t.stderr, "interrupted: the run did not come to %s; there is nothing to describe\n", metrics.Duration(instant))
		return ended(check.Interrupted)
	case !reached:
		fmt.Fprintf(t.stderr, "%s: the run spins before %s\n", loaded.Name, metrics.Duration(instant))
		return ended(check.Broken)
	}
	return reports.Describe(t.stdout, groups)
}

// instantOf reads --at.
func instantOf(at string, s *scenario.Scenario) (time.Duration, error) {
	if at == "" {
		return s.Duration, nil
	}
	instant, err := scenario.ParseDuration(at)
	switch {
	case err != nil:
		return 0, fmt.Errorf("--at: %w", err)
	case instant > s.Duration:
		return 0, fmt.Errorf("--at %s: the run ends at %s", at, metrics.Duration(s.Duration))
	}
	return instant, nil
}
