package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/reports"
	"simulate/sim/scenario"
	"simulate/tuning"
)

// tuneFlags are the flags of tune.
type tuneFlags struct {
	input
	minimise             string
	limits, params       []string
	replications, budget string
	points, parallel     string
	format               string
	plots                string
	apply                bool
	out                  string
}

// What a search does unless somebody says otherwise.
const (
	tunedReplications = 30
	tunedPoints       = 200
)

func newTune(t *terminal) *cobra.Command {
	var f tuneFlags
	c := &cobra.Command{
		Use:   "tune FILE|NAME|-",
		Short: "Look for the settings of a scenario that are the best for a goal",
		Long: `Tune looks for settings with which a metric is the least, on average over many
runs, while expectations hold. It runs few of all combinations often: those that
look bad after some runs get no more, and what it compares are runs with one
seed. It tells what it recommends and how sure that is, what each of the
settings is worth, what lies beside it, and how the time in which the dead are
noticed trades against members that are evicted alive.

The goal stands in [tune] of the scenario, or in flags, which beat it.
Parameters are those of "simulate sweep". Exit code 1: nothing meets the goal,
and what is shown is the nearest miss.`,
		Example: `  simulate tune studies/tune-gc
  simulate tune orders.toml --minimise 'stopped(orders)' \
    --subject-to 'max(detection(orders)) < 30s' \
    --param session.timeout.ms=6s..60s/10 --param fleet.orders.static=true,false
  simulate tune orders.toml --apply`,
		Args: exactly(1, "scenario"),
		RunE: func(c *cobra.Command, args []string) error { return f.tune(t, args[0]) },
	}
	f.add(c)
	return c
}

func (f *tuneFlags) add(c *cobra.Command) {
	f.input.flags(c)
	flags := c.Flags()
	flags.StringVar(&f.minimise, "minimise", "", "`METRIC` whose mean is to be the least, such as stopped(orders)")
	flags.StringArrayVar(&f.limits, "subject-to", nil, "`EXPECTATION` that has to hold, such as\n'max(detection(orders)) < 30s'; may be repeated")
	flags.StringArrayVar(&f.params, "param", nil, "`KEY=VALUES` that may be changed, such as\nsession.timeout.ms=6s..60s/10; may be repeated")
	flags.StringVar(&f.replications, "replications", "", "`NUMBER` of runs of settings that are taken seriously (default the\nscenario's, or 30)")
	flags.StringVar(&f.budget, "budget", "", "`NUMBER` of runs in all (default a fifth of what all settings would\ntake, and ten times the replications at least)")
	flags.StringVar(&f.points, "points", "", "`NUMBER` of combinations that take part at most; of more, a Latin\nhypercube is drawn (default 200)")
	flags.StringVar(&f.parallel, "parallel", "", "`NUMBER` of runs at once (default one for each processor)")
	flags.StringVar(&f.format, "format", "text", "`FORM` of the report: text, html, or json (see \"simulate schema\ntune\")")
	flags.StringVar(&f.plots, "plots", "", "`DIR` to write the trade-off curve to, as PNG and SVG")
	flags.BoolVar(&f.apply, "apply", false, "write what is recommended into the scenario's file")
	flags.StringVarP(&f.out, "output", "o", "", "`FILE` to write the scenario to with what is recommended")
}

// tuneFormats are the forms of the report of a search.
var tuneFormats = map[string]func(io.Writer, reports.Tune, reports.TextOptions) error{
	"text": reports.TuneText,
	"json": plain(reports.TuneJSON),
	"html": plain(reports.TuneHTML),
}

func (f *tuneFlags) tune(t *terminal, name string) error {
	source := open(t, name)
	search, points, err := f.options(source)
	if err != nil {
		return err
	}
	if err := f.prepare(t, source, search, points); err != nil {
		return err
	}
	folder := sweepOutput{plots: f.plots}
	if err := folder.prepare(); err != nil {
		return err
	}
	base := &search.Study.Base
	warn(t, base.Name, base.Warnings)
	var bar *progressbar.ProgressBar
	search.Progress = func(runs, budget int) {
		if bar == nil {
			bar = t.bar(0, budget)
		}
		bar.Set(runs)
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	report, settings, err := search.Run(ctx)
	if bar != nil {
		bar.Finish()
	}
	if err != nil {
		return t.stopped(base.Name, err)
	}
	if err := tuneFormats[f.format](t.stdout, report, reports.TextOptions{Color: t.color()}); err != nil {
		return err
	}
	if err := f.plot(t, report); err != nil {
		return err
	}
	return f.finish(t, source, report, settings)
}

// plot writes the picture of the trade-off, if that is wanted and there is one.
func (f *tuneFlags) plot(t *terminal, r reports.Tune) error {
	if f.plots == "" {
		return nil
	}
	p, ok := reports.TunePlot(r)
	if !ok {
		warn(t, "--plots", []string{"there is no trade-off to draw: fewer than two settings make a curve"})
		return nil
	}
	return writePlots(f.plots, []reports.Plot{p})
}

// options reads the flags that do not need the scenario, and reports all that are wrong.
func (f *tuneFlags) options(source check.Source) (s *tuning.Search, points int, err error) {
	s, points = &tuning.Search{Parallel: runtime.GOMAXPROCS(0)}, tunedPoints
	wrong := []error{
		wholeNumber("--replications", f.replications, 2, scenario.MostReplications, &s.Replications),
		wholeNumber("--budget", f.budget, 1, scenario.MostBudget, &s.Budget),
		wholeNumber("--points", f.points, 1, tuning.MostPoints, &points),
		wholeNumber("--parallel", f.parallel, 1, 10_000, &s.Parallel),
	}
	if tuneFormats[f.format] == nil {
		wrong = append(wrong, fmt.Errorf("--format %s: no such form; write text, json or html", scenario.Brief(f.format)))
	}
	switch {
	case f.apply && f.out != "":
		wrong = append(wrong, errors.New("--apply writes into the scenario's own file, --output another one; choose one of them"))
	case f.apply && !source.File && source.Err == nil:
		wrong = append(wrong, fmt.Errorf("--apply: %s is no file that can be written; name one with --output", source.Name))
	case f.apply:
		wrong = append(wrong, notReadOnly("--apply", source.Name))
	case f.out != "" && filepath.Ext(f.out) != ".toml":
		wrong = append(wrong, fmt.Errorf("--output %s: a scenario's file ends in .toml", f.out))
	}
	return s, points, errors.Join(wrong...)
}

// prepare reads the scenario with what flags change in its [tune].
func (f *tuneFlags) prepare(t *terminal, source check.Source, s *tuning.Search, points int) error {
	var flags []scenario.Override
	if f.minimise != "" {
		flags = append(flags, scenario.OverrideText("--minimise", "tune.minimise", f.minimise))
	}
	if f.limits != nil {
		flags = append(flags, scenario.OverrideTexts("--subject-to", "tune.subject-to", f.limits))
	}
	if f.params != nil {
		flags = append(flags, scenario.OverrideTexts("--param", "tune.params", f.params))
	}
	read, err := f.readerOf(source, flags...)
	if err != nil {
		return err
	}
	base, err := read()
	if err != nil {
		return err
	}
	s.Study = tuning.Study{Base: base, Load: read}
	if s.Goal, err = goalOf(base); err != nil {
		return err
	}
	if s.Study.Params, err = tuning.ParseParams(base, s.Goal.Params); err != nil {
		return err
	}
	s.Points, s.Sampled, err = tuning.SearchPoints(s.Study.Params, points, base.Scenario.Seed)
	if err != nil {
		return err
	}
	if s.Budget == 0 {
		s.Budget = s.Goal.Budget
	}
	if s.Replications == 0 {
		s.Replications = tunedReplicationsOf(base.Scenario)
	}
	return seedsFor(base.Scenario, s.Replications)
}

// goalOf returns the goal of a scenario, and reports all that it lacks.
func goalOf(base check.Loaded) (*scenario.Tune, error) {
	goal := base.Scenario.Tune
	if goal == nil {
		goal = &scenario.Tune{}
	}
	var wrong []error
	if goal.Minimise == nil {
		wrong = append(wrong, fmt.Errorf("%s: there is no goal; add --minimise, such as --minimise 'stopped(%s)', or minimise in [tune] of the file", base.Name, base.Scenario.Groups()[0]))
	}
	if len(goal.Params) == 0 {
		wrong = append(wrong, fmt.Errorf("%s: there is nothing to change; add --param, such as --param session.timeout.ms=6s..60s/10, or params in [tune] of the file", base.Name))
	}
	return goal, errors.Join(wrong...)
}

func tunedReplicationsOf(s *scenario.Scenario) int {
	switch {
	case s.Tune.Replications > 0:
		return s.Tune.Replications
	case s.Replications > 1:
		return s.Replications
	}
	return tunedReplications
}

// finish writes the scenario that is recommended, if that is wanted, and returns how the search ended.
func (f *tuneFlags) finish(t *terminal, source check.Source, r reports.Tune, settings tuning.Settings) error {
	switch {
	case r.Cut:
		return ended(check.Interrupted)
	case !r.Met:
		return ended(check.Failed)
	case !f.apply && f.out == "":
		return nil
	}
	text, err := applied(source, settings)
	if err != nil {
		return err
	}
	file := f.out
	if f.apply {
		file, err = source.Name, replaceFile("--apply", source.Name, text)
	} else {
		err = writeFile("--output", file, text)
	}
	if err == nil && !t.quiet {
		fmt.Fprintf(t.stderr, "%s has the recommended settings\n", file)
	}
	return err
}

// applied returns the text of a scenario with other settings. It loads as the scenario would with --set.
func applied(source check.Source, settings tuning.Settings) ([]byte, error) {
	text, err := scenario.WithChanges(source.Name, source.Text, settings)
	if err != nil {
		return nil, err
	}
	var sets []string
	for _, c := range settings {
		sets = append(sets, c.Key+"="+c.Value)
	}
	overrides, err := overridesOf("--set", sets)
	if err != nil {
		return nil, err
	}
	want, err := source.Load(overrides...)
	if err != nil {
		return nil, err
	}
	source.Text = slices.Clone(text)
	got, err := source.Load()
	switch {
	case err != nil:
		return nil, fmt.Errorf("nothing is written, since with what is recommended the file would be wrong:\n%w", err)
	case got.Scenario.TOML() != want.Scenario.TOML():
		return nil, fmt.Errorf("nothing is written, since %s would say something else than what is recommended; change it by hand", source.Name)
	}
	return text, nil
}
