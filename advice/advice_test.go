package advice_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"

	"simulate/advice"
	"simulate/check"
	"simulate/reports"
	"simulate/scenarios"
	"simulate/sim/scenario"
)

// TestAdvice prints what reports say of stuck stays, as testdata/advice.txt has it:
//
//	run
//	NAME or FILE of a scenario
//	KEY=VALUE, in any number of lines
func TestAdvice(t *testing.T) {
	datadriven.RunTest(t, "testdata/advice.txt", func(t *testing.T, d *datadriven.TestData) string {
		lines := strings.Split(d.Input, "\n")
		r := advised(t, reader(t, lines[0], lines[1:]...))
		var b bytes.Buffer
		if err := reports.Text(&b, r, reports.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		return stuckPart(b.String())
	})
}

// stuckPart cuts what a report says of stuck stays out of it.
func stuckPart(text string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  Stuck ") {
			inside = true
		} else if !strings.HasPrefix(line, "    ") {
			inside = false
		}
		if inside {
			b.WriteString(line)
		}
	}
	return b.String()
}

// load reads a scenario with changes.
type load func(more ...scenario.Override) (check.Loaded, error)

func reader(t *testing.T, name string, changes ...string) load {
	t.Helper()
	source := check.Open(name, scenarios.Read)
	return func(more ...scenario.Override) (check.Loaded, error) {
		return source.Load(append(overrides(t, changes...), more...)...)
	}
}

func overrides(t *testing.T, changes ...string) []scenario.Override {
	t.Helper()
	var all []scenario.Override
	for _, change := range changes {
		o, err := scenario.ParseOverride(change)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	return all
}

// ran runs a scenario with some more changes.
func ran(t *testing.T, read load, changes ...string) (reports.Report, *scenario.Scenario) {
	t.Helper()
	loaded, err := read(overrides(t, changes...)...)
	if err != nil {
		t.Fatal(err)
	}
	r, err := check.Run(context.Background(), loaded)
	if err != nil {
		t.Fatal(err)
	}
	return r, loaded.Scenario
}

// advised runs a scenario and looks for advice.
func advised(t *testing.T, read load) reports.Report {
	t.Helper()
	r, s := ran(t, read)
	if err := advice.Verify(context.Background(), &r, s, advice.Options{Load: read}); err != nil {
		t.Fatal(err)
	}
	return r
}

// stuckScenarios are those of the library and of testdata that have a stuck stay.
func stuckScenarios(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.toml")
	if err != nil {
		t.Fatal(err)
	}
	names := slices.DeleteFunc(append(scenarios.Names(), files...), func(name string) bool {
		if strings.HasPrefix(name, "studies/") {
			return true // hours with many stays of the kinds that the others have one of
		}
		r, _ := ran(t, reader(t, name))
		return !slices.ContainsFunc(r.Summary.Groups, isStuck)
	})
	if len(names) < 10 {
		t.Fatalf("only %v have stuck stays", names)
	}
	return names
}

// TestVerifyRepeats holds that the advice does not depend on how many runs go on at the same time.
func TestVerifyRepeats(t *testing.T) {
	for _, name := range stuckScenarios(t) {
		runtime.GOMAXPROCS(1)
		want := advised(t, reader(t, name))
		runtime.GOMAXPROCS(4)
		got := advised(t, reader(t, name))
		if diff := cmp.Diff(want.Advice, got.Advice); diff != "" {
			t.Errorf("%s: one thread and four differ (-one +four)\n%s", name, diff)
		}
	}
}

// TestVerifyIsBounded holds how often a scenario runs again: never without a stuck stay, and no more often than
// promised, of which the report speaks.
func TestVerifyIsBounded(t *testing.T) {
	if r := advised(t, reader(t, "rolling-restart")); r.Advice.Runs != 0 || len(r.Advice.Stays) != 0 {
		t.Errorf("rolling-restart: got %+v, want no runs", r.Advice)
	}
	r := advised(t, func(more ...scenario.Override) (check.Loaded, error) {
		return check.Source{Name: "many", Text: []byte(manyFreezes())}.Load(more...)
	})
	if n := r.Advice.Runs; n != advice.MostRuns {
		t.Errorf("got %d runs, want %d", n, advice.MostRuns)
	}
	untried := 0
	for _, s := range r.Advice.Stays {
		untried += s.Untried
	}
	if untried == 0 {
		t.Error("nothing is said to be left out")
	}
}

// manyFreezes has ten groups with a stuck stay each, for which three changes help.
func manyFreezes() string {
	text := "duration = \"15m\"\n[[topic]]\nname = \"orders\"\npartitions = 4\n"
	for n := range 10 {
		text += fmt.Sprintf(`
[[fleet]]
name   = "f%[1]d"
topics = ["orders"]
count  = 2
[fleet.config]
session.timeout.ms = "2m"
[[event]]
at  = "5m"
do  = "pause"
who = "f%[1]d-2"
for = "4m"
[[event]]
at  = "5m10s"
do  = "scale"
who = "f%[1]d"
to  = 3
`, n)
	}
	return text
}

// TestVerifyInterrupted holds that an interrupt keeps the report and what was found, and shows in the verdict.
func TestVerifyInterrupted(t *testing.T) {
	read := reader(t, "leader-dies-before-sync") // takes more rounds than one
	r, s := ran(t, read)
	ctx, cancel := context.WithCancel(context.Background())
	o := advice.Options{Load: read, Progress: func(int) { cancel() }}
	if err := advice.Verify(ctx, &r, s, o); err != nil {
		t.Fatal(err)
	}
	if !r.Advice.Interrupted || len(r.Advice.Stays) == 0 || len(r.Advice.Stays[0].Trials) == 0 {
		t.Errorf("got %+v, want some advice, interrupted", r.Advice)
	}
	if v := check.Of(&r); v != check.Interrupted {
		t.Errorf("got the verdict %d, want %d", v, check.Interrupted)
	}
}

// TestVerifyUnfinished holds that a run which did not finish gets no advice, and that what a scenario refuses is not run.
func TestVerifyUnfinished(t *testing.T) {
	r, s := ran(t, reader(t, "slow-poll"))
	r.Outcome = reports.EventLimit
	if err := advice.Verify(context.Background(), &r, s, advice.Options{}); err != nil || r.Advice != nil {
		t.Errorf("got %+v and the error %v, want nothing", r.Advice, err)
	}
	r.Outcome = reports.Finished
	refuse := func(...scenario.Override) (check.Loaded, error) { return check.Loaded{}, errors.New("no") }
	if err := advice.Verify(context.Background(), &r, s, advice.Options{Load: refuse}); err != nil || r.Advice.Runs > 0 || len(r.Advice.Stays) > 0 {
		t.Errorf("got %+v and the error %v, want no runs", r.Advice, err)
	}
}
