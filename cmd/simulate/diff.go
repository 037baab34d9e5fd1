package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/diff"
	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// diffFlags are the flags of diff: what changes both runs, and what changes only B.
type diffFlags struct {
	both, b input
	format  string
}

func newDiff(t *terminal) *cobra.Command {
	f := diffFlags{b: input{suffix: "-b"}}
	c := &cobra.Command{
		Use:   "diff A [B]",
		Short: "Show what changed between two runs",
		Long: `Diff compares two runs: where their events part, which numbers differ, and
which rebalances, stuck stays and evictions both have. Each of A and B is a
scenario (a file, one of those that "simulate scenarios list" shows, or "-"), or
a trace that "simulate run --trace" wrote. Without B it is A with what --set-b
and --seed-b change.

It exits with 0 when the runs are the same, and with 1 when they differ.`,
		Example: `  simulate diff yesterday.jsonl today.jsonl
  simulate diff gc-pause-long \
    --set-b fleet.order-processor.config.session.timeout.ms=80s`,
		Args: f.arguments,
		RunE: func(c *cobra.Command, args []string) error {
			return runDiff(t, args, &f)
		},
	}
	f.both.flags(c)
	c.Flags().StringVar(&f.b.seed, "seed-b", "", "`NUMBER` to draw from in B only")
	c.Flags().StringArrayVar(&f.b.sets, "set-b", nil, "`KEY=VALUE` to replace in B only; may be repeated")
	c.Flags().StringVar(&f.format, "format", "text", "`FORM` of the result: text or json (see \"simulate schema diff\")")
	return c
}

// arguments refuses what cannot be compared.
func (f *diffFlags) arguments(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return wrongUse(c, "name two runs: scenarios or traces")
	case len(args) > 2:
		return wrongUse(c, fmt.Sprintf("name two runs, not %d", len(args)))
	case len(args) == 1 && len(f.b.sets) == 0 && f.b.seed == "":
		return wrongUse(c, "name a second run, or say with --set-b or --seed-b what changes in the first")
	case len(args) == 2 && args[0] == "-" && args[1] == "-":
		return wrongUse(c, "standard input can be only one of the two; write the other one to a file")
	}
	return nil
}

func runDiff(t *terminal, args []string, f *diffFlags) error {
	write, err := diffFormatOf(f.format)
	if err != nil {
		return err
	}
	runs, err := f.load(t, args)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	warnOnce(t, runs[0].loaded, runs[1].loaded)
	for _, r := range runs {
		if err := r.simulate(ctx); err != nil {
			return t.broke(r.loaded.Name, err)
		}
		if ctx.Err() != nil {
			fmt.Fprintf(t.stderr, "interrupted: %s came to %s of %s; nothing was compared\n",
				r.loaded.Name, metrics.Duration(r.side.Summary.To.SinceStart()), metrics.Duration(r.side.Header.Duration))
			return ended(check.Interrupted)
		}
	}
	result := diff.Compare(runs[0].side, runs[1].side)
	if err := write(t.stdout, result, reports.TextOptions{Color: t.color()}); err != nil {
		return err
	}
	return ended(check.Differ(&result))
}

// compared is one of the two runs: a scenario to simulate, or a trace that is read already.
type compared struct {
	loaded   check.Loaded
	changes  []string
	side     diff.Side
	recorded bool
}

// load reads both; what is wrong with either is told together.
func (f *diffFlags) load(t *terminal, args []string) ([2]*compared, error) {
	a := open(t, args[0])
	b := a
	if len(args) == 2 {
		b = open(t, args[1])
	}
	if err := f.refuse(a, b); err != nil {
		return [2]*compared{}, err
	}
	runs, errs := [2]*compared{{}, {}}, [2]error{}
	for i, s := range []check.Source{a, b} {
		changes := []*input{&f.both, &f.b}[:i+1]
		errs[i] = runs[i].load(s, changes...)
	}
	if errs[0] != nil && errs[1] != nil && errs[0].Error() == errs[1].Error() {
		return runs, errs[0]
	}
	return runs, errors.Join(errs[:]...)
}

// refuse refuses to change what has happened.
func (f *diffFlags) refuse(a, b check.Source) error {
	switch {
	case b.IsTrace() && (len(f.b.sets) > 0 || f.b.seed != ""):
		return fmt.Errorf("%s: --set-b and --seed-b cannot change a recorded trace; name the scenario that it is of", b.Name)
	case a.IsTrace() && b.IsTrace() && (len(f.both.sets) > 0 || f.both.seed != ""):
		return fmt.Errorf("%s and %s: --set and --seed cannot change recorded traces; name the scenarios that they are of", a.Name, b.Name)
	}
	return nil
}

// load reads a trace, or a scenario with what flags change of it.
func (r *compared) load(s check.Source, changes ...*input) error {
	if s.IsTrace() {
		side, err := s.ReadTrace()
		r.side, r.recorded = side, true
		return err
	}
	var overrides []scenario.Override
	for _, in := range changes {
		more, err := in.overrides()
		if err != nil {
			return err
		}
		overrides = append(overrides, more...)
		r.changes = append(r.changes, in.sets...)
	}
	loaded, err := s.Load(overrides...)
	if err != nil {
		return err
	}
	r.loaded = loaded
	for _, in := range changes {
		if err := in.reseed(loaded.Scenario); err != nil {
			return err
		}
	}
	return nil
}

// warnOnce tells the warnings of both; those that are the same of one source, once.
func warnOnce(t *terminal, a, b check.Loaded) {
	warn(t, a.Name, a.Warnings)
	warn(t, b.Name, slices.DeleteFunc(slices.Clone(b.Warnings), func(w scenario.Warning) bool {
		return a.Name == b.Name && slices.Contains(a.Warnings, w)
	}))
}

// simulate runs a scenario.
func (r *compared) simulate(ctx context.Context) (err error) {
	if !r.recorded {
		r.side, err = check.Side(ctx, r.loaded)
		r.side.Changes = r.changes
	}
	return err
}

func diffFormatOf(name string) (func(io.Writer, diff.Result, reports.TextOptions) error, error) {
	switch name {
	case "text":
		return reports.Diff, nil
	case "json":
		return func(w io.Writer, r diff.Result, _ reports.TextOptions) error { return reports.DiffJSON(w, r) }, nil
	}
	return nil, fmt.Errorf("--format %s: no such form; write text or json", strings.TrimSpace(name))
}
