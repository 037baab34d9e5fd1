package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/diff"
	"simulate/reports"
	"simulate/sim/clock"
)

// explainFlags are the flags of explain.
type explainFlags struct {
	input
	only   string
	number int
	at     string
	ablate bool
	whyNot []string
}

func newExplain(t *terminal) *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use:   "explain FILE|NAME|-",
		Short: "Say why each rebalance happened and what it cost",
		Long: `Explain runs one scenario and follows each rebalance back to what began it: an
event of the scenario, a time that was drawn, or the first start of a process.
It tells what each one cost: who stopped and for how long, and how long
partitions had no consumer.`,
		Example: `  simulate explain gc-pause-long
  simulate explain gc-pause-long --rebalance 2
  simulate explain incident.toml --at 12m30s
  simulate explain crash-loop --ablate
  simulate explain gc-pause-long \
    --why-not fleet.order-processor.config.session.timeout.ms=90s`,
		Args: exactly(1, "scenario"),
		RunE: func(c *cobra.Command, args []string) error {
			return explainScenario(t, args[0], &f)
		},
	}
	f.flags(c)
	c.Flags().StringVar(&f.only, "rebalance", "", "`NUMBER` of the only rebalance to explain, from 1, in each group")
	c.Flags().StringVar(&f.at, "at", "", "`INSTANT` such as 10m30s: only the rebalance that began last by then")
	c.Flags().BoolVar(&f.ablate, "ablate", false, "run again without each of the scenario's events, and without\neach kind of pauses, probe and autoscaler, and say which\nrebalances need it")
	c.Flags().StringArrayVar(&f.whyNot, "why-not", nil, "`KEY=VALUE` as of --set: run again with it as well, and show what\nwould have come of it side by side; may be repeated")
	return c
}

func explainScenario(t *terminal, name string, f *explainFlags) error {
	if err := f.choose(); err != nil {
		return err
	}
	loaded, read, err := f.again(t, name)
	if err != nil {
		return err
	}
	other, err := f.otherwise(read)
	if err != nil {
		return err
	}
	chosen, err := f.chosen(loaded)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	warn(t, loaded.Name, loaded.Warnings)
	e, err := f.explain(ctx, loaded)
	if err == nil && other != nil && ctx.Err() == nil {
		e.WhyNot, err = f.compare(ctx, diff.NewSide(loaded.Name, check.TraceHeader(loaded.Scenario), e.Events), *other)
	}
	if err != nil {
		return t.broke(loaded.Name, err)
	}
	if most := e.MostRebalances(); f.number > most && ctx.Err() == nil {
		return fmt.Errorf("--rebalance %d: no group rebalanced so often; the most is %d", f.number, most)
	}
	if err := reports.Explain(t.stdout, e, chosen, reports.TextOptions{Color: t.color()}); err != nil {
		return err
	}
	if ctx.Err() != nil && (f.ablate && e.Ablations == nil || other != nil && e.WhyNot == nil) {
		fmt.Fprintln(t.stderr, "interrupted: the other runs that were asked for are not there")
		return ended(check.Interrupted)
	}
	return ended(check.Of(&e.Report))
}

// choose reads --rebalance.
func (f *explainFlags) choose() error {
	if f.only == "" {
		return nil
	}
	n, err := strconv.Atoi(f.only)
	switch {
	case err != nil || n < 1:
		return fmt.Errorf("--rebalance %s: write a whole number; rebalances count from 1", f.only)
	case f.at != "":
		return errors.New("--rebalance and --at both choose a rebalance; give one of them")
	}
	f.number = n
	return nil
}

// otherwise reads the scenario with what --why-not changes; nil when nobody asked.
func (f *explainFlags) otherwise(read reader) (*check.Loaded, error) {
	changes, err := overridesOf("--why-not", f.whyNot)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	loaded, err := read(changes...)
	return &loaded, err
}

// compare runs the other scenario and lays it beside the run at hand; nil when ctx ended it.
func (f *explainFlags) compare(ctx context.Context, a diff.Side, other check.Loaded) (*diff.Result, error) {
	b, err := check.Side(ctx, other)
	if err != nil || ctx.Err() != nil {
		return nil, err
	}
	b.Changes = f.whyNot
	result := diff.Compare(a, b)
	return &result, nil
}

// chosen reads --rebalance and --at.
func (f *explainFlags) chosen(l check.Loaded) (reports.Chosen, error) {
	if f.at == "" {
		return reports.Chosen{Number: f.number}, nil
	}
	at, err := instantOf(f.at, l.Scenario)
	instant := clock.At(at)
	return reports.Chosen{At: &instant}, err
}

// explain runs the scenario, and with --ablate once more for each event. What is cut short is left out.
func (f *explainFlags) explain(ctx context.Context, l check.Loaded) (reports.Explanation, error) {
	e, err := check.Explain(ctx, l)
	if err != nil || !f.ablate || ctx.Err() != nil {
		return e, err
	}
	e.Ablations, err = check.Ablate(ctx, l, e.Chains)
	if ctx.Err() != nil {
		return e, nil
	}
	return e, err
}
