package tuning

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simulate/check"
	"simulate/sim/scenario"
)

const searched = `
duration = "6m"
topic = [{ name = "t", partitions = 6 }]

[[fleet]]
name = "w"
topics = "t"
count = 3
pauses = { every = { mean = "2m" }, for = { p50 = "3s", p99 = "9s" } }

[[event]]
at = "1m"
do = "restart"
who = "any(w)"
graceful = false
down = "5s"

[tune]
minimise = "unassigned(w)"
subject-to = ["max(detection(w)) < 30s", "mean(rebalances(w)) <= 12.5"]
`

// newSearch makes a search of parameters over the scenario above.
func newSearch(t *testing.T, points int, params ...string) *Search {
	t.Helper()
	source := check.Source{Name: "w.toml", Text: []byte(searched)}
	read := func(more ...scenario.Override) (check.Loaded, error) {
		return source.Load(append(more, scenario.OverrideTexts("--param", "tune.params", params))...)
	}
	base, err := read()
	if err != nil {
		t.Fatal(err)
	}
	s := &Search{Study: Study{Base: base, Load: read}, Goal: base.Scenario.Tune, Replications: 6, Parallel: 2}
	if s.Study.Params, err = ParseParams(base, s.Goal.Params); err != nil {
		t.Fatal(err)
	}
	if s.Points, s.Sampled, err = SearchPoints(s.Study.Params, points, 1); err != nil {
		t.Fatal(err)
	}
	return s
}

// A search recommends values of the parameters, and to change what is another one at present; a second one is the same,
// whatever runs at once.
func TestSearch(t *testing.T) {
	s := newSearch(t, 100, "session.timeout.ms=6s..60s/10", "heartbeat.interval.ms=1s,3s,9s")
	report, settings, err := s.Run(context.Background())
	if err != nil || !report.Met || report.Refused != 1 || report.Settings != 29 {
		t.Fatalf("%v, met %v, %d settings, %d refused", err, report.Met, report.Settings, report.Refused)
	}
	for _, c := range settings {
		i := slices.IndexFunc(s.Study.Params, func(p Param) bool { return slices.Contains(p.Paths, c.Key) })
		if i < 0 || !slices.Contains(s.Study.Params[i].Values, c.Value) || report.Best.Values[i] == report.Params[i].Present {
			t.Errorf("it recommends %s = %s", c.Key, c.Value)
		}
	}
	if report.Runs > report.Budget {
		t.Errorf("%d runs of %d", report.Runs, report.Budget)
	}
	if n := s.race.limits[1].bound; n != 12.5 {
		t.Errorf("the mean of a count is compared with %v", n)
	}
	alone := newSearch(t, 100, "session.timeout.ms=6s..60s/10", "heartbeat.interval.ms=1s,3s,9s")
	alone.Parallel = 1
	again, _, err := alone.Run(context.Background())
	if diff := cmp.Diff(report, again); err != nil || diff != "" {
		t.Errorf("%v; one after the other it is (-at once +alone):\n%s", err, diff)
	}
}

// Of many combinations some take part, and those beside the best of them.
func TestSearchSampled(t *testing.T) {
	s := newSearch(t, 8, "session.timeout.ms=6s..60s", "heartbeat.interval.ms=500ms..5s")
	s.Budget = 200
	report, _, err := s.Run(context.Background())
	if err != nil || !report.Sampled || report.Settings <= 8 {
		t.Errorf("%v; %d settings took part", err, report.Settings)
	}
}

// What ends a search early leaves a report about what was run.
func TestSearchInterrupted(t *testing.T) {
	for _, after := range []int{0, 1, 30} {
		ctx, stop := context.WithCancel(context.Background())
		s := newSearch(t, 100, "session.timeout.ms=6s..60s/10")
		s.Parallel, s.Budget = 1, 60
		s.Progress = func(runs, budget int) {
			if runs == after {
				stop()
			}
		}
		if after == 0 {
			stop()
		}
		report, settings, err := s.Run(ctx)
		if err != nil || !report.Cut || report.Runs < after || report.Runs > after+1 || report.Scenario == "" {
			t.Errorf("%v; cut %v after %d runs, not %d", err, report.Cut, report.Runs, after)
		}
		if (report.Best == nil) != (after == 0) || (settings == nil) != (after == 0) {
			t.Errorf("after %d runs the best is %v", after, report.Best)
		}
	}
}

// A budget that does not pay for a race is refused, and so are points of which none can run.
func TestSearchRefused(t *testing.T) {
	s := newSearch(t, 100, "session.timeout.ms=6s..60s/10")
	s.Budget = 25
	if _, _, err := s.Run(context.Background()); err == nil || s.report.Runs > 0 {
		t.Error("10 settings are searched with 25 runs")
	}
	none := newSearch(t, 100, "heartbeat.interval.ms=50s,60s")
	if _, _, err := none.Run(context.Background()); err == nil {
		t.Error("settings that the client refuses are searched")
	}
}
