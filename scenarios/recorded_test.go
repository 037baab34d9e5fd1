package scenarios

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simulate/check"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// TestRecorded holds of every shipped scenario that the trace file says what the run said: all numbers, and the
// snapshots at several instants. And a snapshot says what the summary of its instant says.
func TestRecorded(t *testing.T) {
	forEach(t, Names(), func(t *testing.T, name string) {
		text, _ := Read(name)
		loaded, err := check.Source{Name: name, Text: text}.Load()
		if err != nil {
			t.Fatal(err)
		}
		live, file := runBoth(t, loaded)
		for _, at := range instants(loaded.Scenario) {
			summary, snapshots := live.Summary(at), live.Snapshot(at)
			if diff := cmp.Diff(summary, file.Summary(at)); diff != "" {
				t.Errorf("at %v: live (-) and from the file (+):\n%s", at, diff)
			}
			if diff := cmp.Diff(snapshots, file.Snapshot(at)); diff != "" {
				t.Errorf("at %v: live (-) and from the file (+):\n%s", at, diff)
			}
			for i := range summary.Groups {
				if diff := cmp.Diff(ofSummary(&summary.Groups[i], at), snapshots[i]); diff != "" {
					t.Errorf("at %v: of the summary (-) and the snapshot (+):\n%s", at, diff)
				}
			}
		}
	})
}

// runBoth returns the fold of a run, and that of its trace file.
func runBoth(t *testing.T, l check.Loaded) (live, file *metrics.Fold) {
	t.Helper()
	live, file = metrics.NewFold(l.Scenario.MetricsOptions()), metrics.NewFold(l.Scenario.MetricsOptions())
	var recorded bytes.Buffer
	if _, err := check.Run(context.Background(), l, live, trace.NewWriter(&recorded, trace.Header{})); err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Read(&recorded, file); err != nil {
		t.Fatal(err)
	}
	return live, file
}

// instants lists ten instants, the end of the run among them, and those just after the scenario's events.
func instants(s *scenario.Scenario) []clock.Time {
	var all []clock.Time
	for i := range 10 {
		all = append(all, clock.At(s.Duration*time.Duration(i+1)/10))
	}
	for i := range s.Events {
		all = append(all, clock.At(min(s.Events[i].At+time.Second, s.Duration)))
	}
	return all
}

// ofSummary makes a snapshot of what a summary up to an instant says by itself.
func ofSummary(g *metrics.Group, at clock.Time) metrics.Snapshot {
	s := metrics.Snapshot{
		Name: g.Name, State: g.State, For: at.SinceStart(), Generation: g.Generation, Members: g.Members, Rebalances: len(g.Rebalances),
	}
	if n := len(g.Transitions); n > 0 {
		s.Since = g.Transitions[n-1].At
		s.For = at.Sub(s.Since)
	}
	if s.Rebalances > 0 {
		s.Last = &g.Rebalances[s.Rebalances-1]
	}
	return s
}
