package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/sim/scenario"
	"simulate/tuning"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	input
	sweepOutput
	params, metrics []string
	base            []string
	replications    string
	design, points  string
	untilCI         string
	parallel        string
	state, shard    string
}

// What a sweep does unless somebody says otherwise.
const (
	defaultReplications = 10
	mostUntilCI         = 1000 // replications, with --until-ci
)

func newSweep(t *terminal) *cobra.Command {
	var f sweepFlags
	c := &cobra.Command{
		Use:   "sweep FILE|NAME|-",
		Short: "Run one scenario at many settings and compare what they come to",
		Long: `Sweep runs one scenario at many points: at every combination of the values of
its parameters, or at a number of points that fill their ranges evenly (--design
lhs). Each point is run in several replications, and replication N has the same
seed at all points, so that differences are due to the settings. For each metric
it reports mean, percentiles and confidence interval at each point, and the
difference from the first point with its interval.

What is varied and measured stands in [sweep] of the scenario, or in flags,
which beat it. A parameter is KEY=VALUES. KEY is one of --set, or a key of Kafka
alone: then it is set in all fleets. VALUES is a list, 6s,10s,45s, or a range
with how many values it has, 6s..60s/10; with /log behind it they have a
constant ratio.

With --state the runs are kept in a file, each as soon as it ends; the same
command then goes on where it was interrupted or killed. With --shard 2/8 it
does the second of eight parts of the runs and keeps those in a file; "simulate
merge" puts the parts together. In an array job of Slurm, or an Indexed Job of
Kubernetes with JOB_COMPLETIONS set, the part is that of the task unless --shard
says otherwise.`,
		Example: `  simulate sweep rolling-restart --param session.timeout.ms=6s..60s/10
  simulate sweep orders.toml --param session.timeout.ms=10s,45s \
    --param fleet.orders.static=true,false --metric 'p95(stopped(orders))'
  simulate sweep orders.toml --until-ci 5% --state orders.runs.jsonl --plots .`,
		Args: exactly(1, "scenario"),
		RunE: func(c *cobra.Command, args []string) error { return f.sweep(t, args[0]) },
	}
	f.input.flags(c)
	c.Flags().StringArrayVar(&f.params, "param", nil, "`KEY=VALUES` to vary, such as session.timeout.ms=6s..60s/10; may be\nrepeated")
	c.Flags().StringArrayVar(&f.metrics, "metric", nil, "`METRIC` to measure, such as rebalances(orders) or\np95(stopped(orders)); may be repeated (default rebalances,\nevictions, stopped and unassigned of each group)")
	c.Flags().StringVar(&f.replications, "replications", "", "`NUMBER` of runs of each point (default the scenario's, or 10; with\n--until-ci at most 1000)")
	c.Flags().StringVar(&f.untilCI, "until-ci", "", "stop a point once its intervals are within `SHARE` of its values, such\nas 5%")
	c.Flags().StringVar(&f.design, "design", tuning.GridDesign, "`DESIGN` of the points: grid, all combinations; or lhs, a Latin\nhypercube of --points")
	c.Flags().StringVar(&f.points, "points", "", "`NUMBER` of points of --design lhs")
	c.Flags().StringArrayVar(&f.base, "base", nil, "`KEY=VALUE` of the point that differences are from, instead of the\nfirst; may be repeated")
	c.Flags().StringVar(&f.parallel, "parallel", "", "`NUMBER` of runs at once (default one for each processor)")
	c.Flags().StringVar(&f.state, "state", "", "`FILE` that keeps the runs, to go on with")
	c.Flags().StringVar(&f.shard, "shard", "", "`NUMBER/SHARDS`: do one part of the runs, and keep them in --state or\na file named after the scenario; none: all, whatever a scheduler says")
	f.sweepOutput.flags(c)
	return c
}

func (f *sweepFlags) sweep(t *terminal, name string) error {
	o, parallel, err := f.options()
	if err != nil {
		return err
	}
	study, err := f.study(t, name)
	if err != nil {
		return err
	}
	if o.Replications, err = f.number(study.Base.Scenario, o.UntilCI); err != nil {
		return err
	}
	sweep, err := study.New(o)
	if err != nil {
		return err
	}
	if err := f.prepare(); err != nil {
		return err
	}
	store, err := f.open(t, sweep)
	if err != nil {
		return err
	}
	defer store.Close()
	ctx, stop := interruptible(context.Background())
	defer stop()
	warn(t, study.Base.Name, study.Base.Warnings)
	if err := runSweep(ctx, t, sweep, parallel, store); err != nil {
		return f.ended(t, sweep, err)
	}
	if o.Shard.Of > 0 {
		return nil
	}
	return f.write(t, sweep.Report())
}

// ended tells how far a sweep came that did not come to its end.
func (f *sweepFlags) ended(t *terminal, s *tuning.Sweep, err error) error {
	if !errors.Is(err, context.Canceled) {
		return t.stopped(s.Plan.Scenario, err)
	}
	if f.state != "" {
		done, planned := s.Progress()
		fmt.Fprintf(t.stderr, "interrupted: %d of %d runs are in %s; the same command goes on\n", done, planned, f.state)
	}
	if s.Shard.Of == 0 {
		if err := f.write(t, s.Report()); err != nil {
			return err
		}
	}
	return ended(check.Interrupted)
}

// stopped says why a study came to an end that nobody wanted.
func (t *terminal) stopped(scenario string, err error) error {
	var broken *tuning.BrokenError
	switch {
	case errors.As(err, &broken) && errors.Is(err, check.ErrSpins):
		fmt.Fprintf(t.stderr, "%s: %v\n", scenario, err)
		return ended(check.Broken)
	case errors.As(err, &broken):
		return t.broke(scenario, err)
	}
	return err
}

// options reads the flags that do not need the scenario, and reports all that are wrong.
func (f *sweepFlags) options() (o tuning.Options, parallel int, err error) {
	o = tuning.Options{Design: f.design, Base: f.base, Program: version()}
	var wrong []error
	note := func(err error) { wrong = append(wrong, err) }
	note(f.sweepOutput.check())
	switch {
	case f.design != tuning.GridDesign && f.design != tuning.HypercubeDesign:
		note(fmt.Errorf("--design %s: no such design; write grid or lhs", f.design))
	case f.design == tuning.GridDesign && f.points != "":
		note(fmt.Errorf("--points %s: a grid has all combinations; leave --points out, or add --design lhs", f.points))
	case f.design == tuning.HypercubeDesign && f.points == "":
		note(errors.New("--design lhs: how many points there are to be is missing; add --points, such as --points 50"))
	}
	parallel = runtime.GOMAXPROCS(0)
	note(wholeNumber("--points", f.points, 1, tuning.MostPoints, &o.Points))
	note(wholeNumber("--replications", f.replications, 1, scenario.MostReplications, new(int)))
	note(wholeNumber("--parallel", f.parallel, 1, 10_000, &parallel))
	if f.untilCI != "" {
		number, isPercentage := strings.CutSuffix(f.untilCI, "%")
		percentage, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if o.UntilCI = percentage / 100; err != nil || !isPercentage || !(o.UntilCI > 0 && o.UntilCI < 1) {
			note(fmt.Errorf("--until-ci %s: write a percentage between 0%% and 100%%, such as 5%%", f.untilCI))
		}
	}
	o.Shard, err = f.part()
	note(err)
	if o.Shard.Of > 0 && f.out+f.plots != "" {
		note(errors.New("--out, --plots: a shard has no report; give them to simulate merge"))
	}
	return o, parallel, errors.Join(wrong...)
}

// wholeNumber reads a flag into n, if it is given.
func wholeNumber(flag, text string, least, most int, n *int) error {
	if text == "" {
		return nil
	}
	i, err := strconv.Atoi(text)
	if err != nil || i < least || i > most {
		return fmt.Errorf("%s %s: write a whole number from %d to %d", flag, text, least, most)
	}
	*n = i
	return nil
}

// study reads the scenario with what flags change in its [sweep].
func (f *sweepFlags) study(t *terminal, name string) (*tuning.Study, error) {
	var flags []scenario.Override
	if f.params != nil {
		flags = append(flags, scenario.OverrideTexts("--param", "sweep.params", f.params))
	}
	if f.metrics != nil {
		flags = append(flags, scenario.OverrideTexts("--metric", "sweep.metrics", f.metrics))
	}
	read, err := f.reader(t, name, flags...)
	if err != nil {
		return nil, err
	}
	base, err := read()
	if err != nil {
		return nil, err
	}
	sweep := base.Scenario.Sweep
	if sweep == nil || len(sweep.Params) == 0 {
		return nil, fmt.Errorf("%s: there is nothing to vary; add --param, such as --param session.timeout.ms=6s..60s/10, or params in [sweep] of the file", base.Name)
	}
	s := &tuning.Study{Base: base, Load: read, Metrics: tuning.Metrics(base.Scenario)}
	if s.Params, err = tuning.ParseParams(base, sweep.Params); err != nil {
		return nil, err
	}
	return s, f.contradicted(s.Params)
}

// contradicted refuses values of --set that no point would have.
func (f *sweepFlags) contradicted(params []tuning.Param) error {
	for _, set := range f.sets {
		key, _, _ := strings.Cut(set, "=")
		for _, p := range params {
			if slices.Contains(p.Paths, strings.TrimSpace(key)) {
				return fmt.Errorf("--set %s: the sweep varies it, as %s; leave out one of them", scenario.Brief(set), p.Key)
			}
		}
	}
	return nil
}

// number returns how many replications each point has, at most.
func (f *sweepFlags) number(s *scenario.Scenario, untilCI float64) (int, error) {
	n := defaultReplications
	switch {
	case f.replications != "":
		n, _ = strconv.Atoi(f.replications)
	case s.Sweep.Replications > 0:
		n = s.Sweep.Replications
	case untilCI > 0:
		n = mostUntilCI
	case s.Replications > 1:
		n = s.Replications
	}
	return n, seedsFor(s, n)
}

// seedsFor refuses more replications than there are seeds.
func seedsFor(s *scenario.Scenario, n int) error {
	if uint64(s.Seed)+uint64(n-1) > math.MaxInt64 {
		return fmt.Errorf("with the first seed %d the last of %d replications would have one above %d", s.Seed, n, int64(math.MaxInt64))
	}
	return nil
}
