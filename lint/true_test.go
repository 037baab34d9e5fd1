package lint_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simulate/check"
	"simulate/lint"
	"simulate/reports"
	"simulate/sim/scenario"
)

// TestRulesAreTrue: what a rule says of the file in testdata/true that is called after it happens when that runs, as its
// expectations say, and no longer does with what the rule says to try.
func TestRulesAreTrue(t *testing.T) {
	files, err := filepath.Glob("testdata/true/*.toml")
	if err != nil || len(files) < 25 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		rule := strings.TrimSuffix(filepath.Base(file), ".toml")
		t.Run(rule, func(t *testing.T) {
			source := check.Open(file, nil)
			loaded, err := source.Load()
			if err != nil {
				t.Fatal(err)
			}
			found := lint.Check(loaded.Scenario, source.Text)
			at := slices.IndexFunc(found, func(f lint.Finding) bool { return f.Rule.ID == rule })
			if at < 0 {
				t.Fatal("the rule finds nothing")
			}
			for _, e := range run(t, source) {
				if !e.Pass {
					t.Errorf("line %d: %s: got %s%s", e.Line, e.That, e.Got, e.Problem)
				}
			}
			if set := found[at].Set; set != "" && !slices.ContainsFunc(run(t, source, set), func(e reports.Expectation) bool { return !e.Pass }) {
				t.Errorf("--set %s changes nothing", set)
			}
		})
	}
}

// run judges what a scenario expects, as flags change it.
func run(t *testing.T, source check.Source, sets ...string) []reports.Expectation {
	t.Helper()
	var overrides []scenario.Override
	for _, set := range sets {
		o, err := scenario.ParseOverride(set)
		if err != nil {
			t.Fatal(err)
		}
		overrides = append(overrides, o)
	}
	loaded, err := source.Load(overrides...)
	if err != nil {
		t.Fatal(err)
	}
	report, err := check.Run(context.Background(), loaded)
	if err != nil {
		t.Fatal(err)
	}
	return report.Expectations
}
