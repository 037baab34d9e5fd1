package check

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"simulate/reports"
	"simulate/sim/clock"
	"simulate/sim/scenario"
)

// drawn is busy, but who is frozen, and for how long, is drawn: the seeds 1 to 10 differ.
var drawn = strings.NewReplacer(`who = "jobs-2"`, `who = "any(jobs)"`, `for = "2m"`, `for = { p50 = "40s", p99 = "5m" }`).Replace(busy)

// TestReplications judges expectations from testdata/replications.txt in ten replications, from seed 1 on.
func TestReplications(t *testing.T) {
	datadriven.RunTest(t, "testdata/replications.txt", func(t *testing.T, d *datadriven.TestData) string {
		report, err := RunAll(context.Background(), load(t, "replications = 10\n"+expecting(drawn, d.Input)))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, e := range report.Expectations {
			word := "FAIL"
			if e.Pass {
				word = "ok"
			}
			fmt.Fprintf(&b, "%-4s  %s  %s%s", word, e.That, e.Got, e.Problem)
			if e.Short != "" {
				fmt.Fprintf(&b, "  short %s", e.Short)
			}
			if !e.Pass {
				fmt.Fprintf(&b, "  failed in %d of %d, seed %d", e.FailedIn, e.Replications, e.Seed)
			}
			b.WriteByte('\n')
		}
		return b.String()
	})
}

// TestReplicationsAlone holds that each replication is the run with its seed: its values are those that the run alone
// has, and what fails first fails there.
func TestReplicationsAlone(t *testing.T) {
	l := load(t, "replications = 10\n"+expecting(drawn, "longest(jobs, Stable) > 3m40s"))
	report, err := RunAll(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	failed, first := 0, uint64(0)
	for r := range l.Scenario.Replications {
		alone, err := Run(context.Background(), l.replication(r))
		if err != nil {
			t.Fatal(err)
		}
		if !alone.Expectations[0].Pass {
			if failed++; failed == 1 {
				first = alone.Scenario.Seed
			}
		}
	}
	got := report.Expectations[0]
	if failed == 0 || failed == 10 || got.FailedIn != failed || got.Seed != first {
		t.Errorf("it fails in %d runs, first with seed %d; alone in %d, first with %d", got.FailedIn, got.Seed, failed, first)
	}
	if one := report.Scenario.Seed; one != 1 || report.Replicated != (reports.Replicated{Planned: 10, Ended: 10}) {
		t.Errorf("the report is of seed %d, %+v", one, report.Replicated)
	}
}

// TestReplicateParallel holds that an overview of many runs is the same whatever the number of threads.
func TestReplicateParallel(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	l := load(t, "replications = 12\n"+expecting(drawn, "p95(settled(jobs)) < 1s\nrebalances(jobs) == 1"))
	want, err := Replicate(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(4)
	got, err := Replicate(context.Background(), l)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("on four threads the runs come to\n%+v (%v), on one to\n%+v", got, err, want)
	}
	if len(want.Runs) != 12 || want.Runs[11].Seed != 12 || OfRuns(&want) != Failed {
		t.Errorf("got %d runs, verdict %d", len(want.Runs), OfRuns(&want))
	}
}

// TestReplicateInterrupted holds that only runs that were finished count, and that the rest is known to be missing.
func TestReplicateInterrupted(t *testing.T) {
	l := load(t, "replications = 3\n"+expecting(drawn, "members(jobs) == 3"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	runs, err := Replicate(ctx, l)
	if err != nil || len(runs.Runs) != 0 || len(runs.Expectations) != 0 || OfRuns(&runs) != Interrupted {
		t.Errorf("got %d runs, verdict %d, %v", len(runs.Runs), OfRuns(&runs), err)
	}
	report, err := RunAll(ctx, l)
	if err != nil || report.Replicated.Ended != 0 || Of(&report) != Interrupted {
		t.Errorf("got %+v, verdict %d, %v", report.Replicated, Of(&report), err)
	}

	first, ended := l.try(context.Background()), l.replication(2).try(context.Background())
	cut := &trial{outcome: reports.Interrupted}
	report = reports.Report{}
	if err := judgeReplicated(l.Scenario, &report, []*trial{first, cut, ended}); err != nil {
		t.Fatal(err)
	}
	if got := report.Expectations[0].Replications; got != 2 || report.Replicated != (reports.Replicated{Planned: 3, Ended: 2}) {
		t.Errorf("judged in %d runs, %+v", got, report.Replicated)
	}
}

// TestReplicationSpins holds that one replication that spins is a bug, with its seed, whatever the others do.
func TestReplicationSpins(t *testing.T) {
	l := load(t, "replications = 2\n"+busy)
	spins := &trial{seed: 9, outcome: reports.EventLimit, at: clock.At(7)}
	report := reports.Report{}
	if err := judgeReplicated(l.Scenario, &report, []*trial{l.try(context.Background()), spins}); err != nil {
		t.Fatal(err)
	}
	want := reports.Run{Seed: 9, Outcome: reports.EventLimit, At: clock.At(7)}
	if Of(&report) != Broken || report.Replicated.Cut() || *report.Replicated.Spins != want {
		t.Errorf("verdict %d, %+v", Of(&report), report.Replicated)
	}
}

// TestOneOfMany holds that a single run leaves out what only all can decide, and says so.
func TestOneOfMany(t *testing.T) {
	l := load(t, "replications = 10\n"+expecting(drawn, "p95(settled(jobs)) < 1s\nmembers(jobs) == 3"))
	report, err := Run(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	want := "not judged, since one run does not decide it: p95(settled(jobs)) < 1s (line 16)"
	if len(report.Expectations) != 1 || len(report.Warnings) != 1 || report.Warnings[0] != want {
		t.Errorf("got %+v and %q, want %q", report.Expectations, report.Warnings, want)
	}
	if l.Scenario.Expectations[0].Over.Kind != scenario.OfPercentile {
		t.Error("the scenario was changed")
	}
}
