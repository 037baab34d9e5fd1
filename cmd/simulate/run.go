package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"simulate/advice"
	"simulate/check"
	"simulate/reports"
	"simulate/sim/scenario"
)

// runFlags are the flags of run.
type runFlags struct {
	input
	forms     formFlags
	trace     string
	anomalies []string

	offsetsLog string
	noVerify   bool

	replications  string
	shuffleTies   string
	noFastForward bool
}

func newRun(t *terminal) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run FILE|NAME|-",
		Short: "Run one scenario and report what happened",
		Long: `Run runs one scenario: a file, one of those that "simulate scenarios list"
shows, or standard input. It reports every rebalance with its reason, the time
in each state, who held the group up and until when, and whether what the
scenario expects holds. For each stay that is stuck it tries what would have
helped, in more runs of the same scenario, and says what came of it.

A scenario with replications = N stands for N runs with consecutive seeds. Run
shows the first and judges what is expected in all of them; with --seed it runs
that one alone, and with --replications it reports how the numbers are spread.

` + thresholdsHelp(),
		Args: exactly(1, "scenario"),
		RunE: func(c *cobra.Command, args []string) error {
			return runScenario(t, args[0], &f)
		},
	}
	f.flags(c)
	anomalyFlag(c, &f.anomalies)
	f.forms.flags(c)
	c.Flags().StringVar(&f.trace, "trace", "", "`FILE` to write every event to, one JSON object a line")
	c.Flags().StringVar(&f.offsetsLog, "offsets-log", "", "`FILE` to write the records of the offsets topic to, for a\nscenario that starts from them")
	c.Flags().StringVar(&f.replications, "replications", "", "`NUMBER` of runs with consecutive seeds to report over, instead of\nshowing one")
	tiesFlag(c, &f.shuffleTies)
	c.Flags().BoolVar(&f.noFastForward, "no-fast-forward", false, "take every heartbeat, poll and commit step by step: the same\nresults, only slower; --trace and openmetrics always do")
	c.Flags().BoolVar(&f.noVerify, "no-verify", false, "no advice on stuck stays, and no runs to find it")
	return c
}

func runScenario(t *terminal, name string, f *runFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	loaded, read, err := f.read(t, name)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	if f.replications != "" {
		return f.replicate(ctx, t, loaded)
	}
	recording, err := startRecording(f.trace, loaded)
	if err != nil {
		return err
	}
	defer recording.discard()
	offsets, commits, err := startOffsets(f.offsetsLog, loaded.Scenario)
	if err != nil {
		return err
	}
	defer offsets.discard()
	out, err := startFolder(f.forms.out)
	if err != nil {
		return err
	}
	defer out.discard()
	loaded.Commits = commits
	warn(t, loaded.Name, loaded.Warnings)
	report, err := f.run(ctx, loaded, recording)
	if err != nil {
		return t.broke(loaded.Name, err)
	}
	if err := cmp.Or(recording.keep(), offsets.keep()); err != nil {
		return err
	}
	broken := f.advise(ctx, t, &report, loaded, read)
	if err := f.forms.chosen().write(t.stdout, report, reports.TextOptions{Color: t.color()}); err != nil {
		return err
	}
	if err := f.forms.fill(&out, report); err != nil {
		return err
	}
	return cmp.Or(broken, ended(check.Of(&report)))
}

// check reports flags that make no sense, alone or together.
func (f *runFlags) check() error {
	if err := f.forms.check(); err != nil {
		return err
	}
	if f.trace != "" && filepath.Clean(f.trace) == filepath.Clean(f.offsetsLog) {
		return fmt.Errorf("--trace and --offsets-log both write %s; name two files", f.trace)
	}
	if f.replications == "" {
		return nil
	}
	single := ""
	switch {
	case f.trace != "":
		single = "--trace"
	case f.offsetsLog != "":
		single = "--offsets-log"
	case f.forms.out != "":
		single = "--out"
	case runsFormats[f.forms.format] == nil:
		single = "--format " + f.forms.format
	default:
		return nil
	}
	return fmt.Errorf("%s is about one run; leave out --replications, and choose the run with --seed", single)
}

// read reads the scenario as all flags have it, and returns how to read it again.
func (f *runFlags) read(t *terminal, name string) (check.Loaded, reader, error) {
	thresholds, err := thresholdsOf(f.anomalies)
	if err != nil {
		return check.Loaded{}, nil, err
	}
	ties, err := f.tie()
	if err != nil {
		return check.Loaded{}, nil, err
	}
	loaded, plain, err := f.again(t, name)
	if err != nil {
		return check.Loaded{}, nil, err
	}
	loaded.Thresholds, loaded.ShuffleTies = thresholds, ties
	loaded.NoFastForward = f.noFastForward
	again := func(more ...scenario.Override) (check.Loaded, error) {
		l, err := plain(more...)
		l.ShuffleTies = ties
		return l, err
	}
	return loaded, again, nil
}

// run runs the scenario and gathers of its course what the forms need. With --seed it runs alone.
func (f *runFlags) run(ctx context.Context, l check.Loaded, r *recording) (reports.Report, error) {
	run := check.RunAll
	if f.seed != "" {
		run = check.Run
	}
	shows := f.forms.shows()
	if shows == 0 {
		return run(ctx, l, r.sinks()...)
	}
	course := check.NewCourse(l, shows)
	report, err := run(ctx, l, append(r.sinks(), course)...)
	if err == nil {
		course.Tell(&report)
	}
	return report, err
}

// advise adds advice to the report, unless there is to be none, and tells how far it is while that takes.
func (f *runFlags) advise(ctx context.Context, t *terminal, r *reports.Report, l check.Loaded, read reader) error {
	if f.noVerify || !f.forms.advises() {
		return nil
	}
	defer t.noProgress()
	o := advice.Options{Load: read, Progress: func(runs int) {
		t.progress("looking for advice: run %d of at most %d", runs, advice.MostRuns)
	}}
	if err := advice.Verify(ctx, r, l.Scenario, o); err != nil {
		return t.broke(l.Name, err)
	}
	return nil
}

// plain is for formats that have no options.
func plain[R any](write func(io.Writer, R) error) func(io.Writer, R, reports.TextOptions) error {
	return func(w io.Writer, r R, _ reports.TextOptions) error { return write(w, r) }
}
