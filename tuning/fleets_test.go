package tuning

import (
	"context"
	"flag"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"

	"simulate/check"
	"simulate/scenarios"
	"simulate/sim/scenario"
)

var whole = flag.Bool("whole", false, "search the shipped fleets as they are, and run every combination to compare: minutes")

// briefly is what is searched without -whole: one fleet, with a shorter run and fewer values.
var briefly = map[string][]string{
	"studies/tune-slow-batches": {
		"duration=30m",
		`tune.params=["max.poll.interval.ms=20s..10m/6/log", "session.timeout.ms=10s,30s", "partition.assignment.strategy=range,cooperative-sticky"]`,
	},
}

// TestShippedFleets holds that for each shipped fleet the search finds settings that are no worse than the best of all
// combinations, chance aside, with at most a fifth of the runs.
func TestShippedFleets(t *testing.T) {
	fleets := slices.DeleteFunc(scenarios.In("studies"), func(name string) bool { return !strings.Contains(name, "/tune-") })
	if len(fleets) < 3 {
		t.Errorf("there are %d fleets", len(fleets))
	}
	for _, name := range fleets {
		flags, searched := briefly[name]
		if *whole {
			flags = nil
		} else if !searched {
			continue
		}
		t.Run(path.Base(name), func(t *testing.T) { compareWithAll(t, searchOf(t, name, flags)) })
	}
}

func compareWithAll(t *testing.T, s *Search) {
	report, _, err := s.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	all := everything(t, s)
	best, found := all.ranked()[0], same(all, s.best)
	t.Logf("%d of %d runs; found %s; best %s", report.Runs, report.Exhaustive, described(all, found), described(all, best))
	if 5*report.Runs > report.Exhaustive {
		t.Errorf("the search took %d runs, more than a fifth of %d", report.Runs, report.Exhaustive)
	}
	if report.Met != (all.miss(best) == 0) {
		t.Errorf("that the goal can be met is %v, the search says %v", all.miss(best) == 0, report.Met)
	}
	if all.miss(found) > all.miss(best) || all.clearlyWorse(found, best) {
		t.Error("another combination is better")
	}
}

func searchOf(t *testing.T, name string, flags []string) *Search {
	t.Helper()
	text, _ := scenarios.Read(name)
	source := check.Source{Name: name, Text: text}
	var overrides []scenario.Override
	for _, flag := range flags {
		o, err := scenario.ParseOverride(flag)
		if err != nil {
			t.Fatal(err)
		}
		overrides = append(overrides, o)
	}
	read := func(more ...scenario.Override) (check.Loaded, error) {
		return source.Load(append(overrides[:len(overrides):len(overrides)], more...)...)
	}
	base, err := read()
	if err != nil {
		t.Fatal(err)
	}
	s := &Search{Study: Study{Base: base, Load: read}, Goal: base.Scenario.Tune, Parallel: runtime.GOMAXPROCS(0)}
	if s.Study.Params, err = ParseParams(base, s.Goal.Params); err != nil {
		t.Fatal(err)
	}
	if s.Points, err = Grid(s.Study.Params); err != nil {
		t.Fatal(err)
	}
	s.Replications = base.Scenario.Replications
	s.Budget = len(s.Points) * s.Replications / 5
	return s
}

// everything runs all replications of all candidates.
func everything(t *testing.T, s *Search) *race {
	t.Helper()
	all := &race{limits: s.race.limits, most: s.race.most, budget: 1 << 30, run: s.run}
	for _, c := range s.race.candidates {
		fresh := *c
		fresh.runs = nil
		all.candidates = append(all.candidates, &fresh)
	}
	if err := all.extend(context.Background(), all.candidates, all.most); err != nil {
		t.Fatal(err)
	}
	return all
}

// same returns the candidate of a race that has the settings of one of another race.
func same(r *race, as *candidate) *candidate {
	for _, c := range r.candidates {
		if differ(c.settings, as.settings) == 0 {
			return c
		}
	}
	return nil
}

func described(r *race, c *candidate) string {
	e := Estimate(scenario.Aggregation{}, c.sample(0))
	return fmt.Sprintf("%s: %.0f ± %.0f, miss %.3f", strings.Join(c.settings, " "), e.Mean, e.Interval.High-e.Mean, r.miss(c))
}
