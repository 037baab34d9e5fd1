package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"simulate/check"
	"simulate/incident"
	"simulate/incident/logs"
	"simulate/reports"
	"simulate/scenarios"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// TestRoundTrip holds that what analyze says of the broker's log of a run is what the run measured, for every shipped
// scenario.
func TestRoundTrip(t *testing.T) {
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, events := recorded(t, name)
			a := analyzed(t, report, events)
			excused := map[string]bool{}
			for i := range report.Summary.Groups {
				g := &report.Summary.Groups[i]
				got := groupOf(a, g.Name)
				if (got != nil) != isLogged(events, g.Name) {
					t.Errorf("%s: whether the analysis has it: %v", g.Name, got != nil)
				}
				if got == nil {
					continue
				}
				for _, d := range different(g, got, events, report.Scenario.StuckAfter) {
					excused[d.what] = true
					if untold[name][d.what] == "" {
						t.Errorf("%s: %s: the run has %s, the log says %s", g.Name, d.what, d.run, d.log)
					}
				}
			}
			for what := range untold[name] {
				if !excused[what] {
					t.Errorf("%s is excused and need not be", what)
				}
			}
		})
	}
}

// TestLogsExample holds that docs/logs.md shows what analyze says of the log of a shipped scenario.
func TestLogsExample(t *testing.T) {
	document, err := os.ReadFile("../../docs/logs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(document), "```text\n")
	want, _, _ := strings.Cut(rest, "```")
	report, events := recorded(t, "slow-poll")
	report.Events = events
	var log, printed bytes.Buffer
	if err := reports.BrokerLog(&log, report); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("server.log", log.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	root := newRoot(&terminal{stdout: &printed, stderr: io.Discard})
	root.SetArgs([]string{"analyze", "server.log"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	if want == "" || !strings.HasPrefix(printed.String(), want) {
		t.Errorf("analyze says\n%s", &printed)
	}
}

// recorded runs a scenario.
func recorded(t *testing.T, name string) (reports.Report, []trace.Event) {
	t.Helper()
	l, err := check.Open(name, scenarios.Read).Load()
	if err != nil {
		t.Fatal(err)
	}
	var events trace.Memory
	report, err := check.Run(t.Context(), l, &events)
	if err != nil {
		t.Fatal(err)
	}
	return report, events.Events
}

// analyzed writes the broker's log of a run and reads it.
func analyzed(t *testing.T, report reports.Report, events []trace.Event) *incident.Analysis {
	t.Helper()
	report.Events = events
	var b bytes.Buffer
	if err := reports.BrokerLog(&b, report); err != nil {
		t.Fatal(err)
	}
	r, err := logs.Open([]string{logs.Stdin}, &b, logs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := incident.Analyze(t.Context(), r, incident.Options{MaxKept: 1 << 20, StuckAfter: report.Scenario.StuckAfter})
	if err != nil {
		t.Fatal(err)
	}
	if r.Unparsed.Count > 0 {
		t.Errorf("not understood: %v", r.Unparsed.Lines[0].Text)
	}
	return a
}

func groupOf(a *incident.Analysis, name string) *incident.Group {
	for i := range a.Groups {
		if a.Groups[i].Name == name {
			return &a.Groups[i]
		}
	}
	return nil
}

// isLogged reports whether a broker logs anything of a group.
func isLogged(events []trace.Event, group string) bool {
	for _, e := range events {
		if e.Group == group && len(reports.LogLines(e)) > 0 {
			return true
		}
	}
	return false
}

// difference is something that a log says otherwise than the run.
type difference struct{ what, run, log string }

// different compares a group.
func different(g *metrics.Group, got *incident.Group, events []trace.Event, stuckAfter time.Duration) []difference {
	var list []difference
	compare := func(what string, run, log any) {
		if r, l := fmt.Sprint(run), fmt.Sprint(log); r != l {
			list = append(list, difference{what, r, l})
		}
	}
	reasons, evicted, late := map[trace.Reason]int{}, map[trace.Reason]int{}, 0
	for _, r := range g.Rebalances {
		reasons[r.Reason]++
	}
	for _, e := range g.Evictions {
		evicted[e.Cause]++
	}
	for _, l := range g.Leaves {
		if l.PollTimeout {
			late++
		}
	}
	compare("rebalances", len(g.Rebalances), got.Count)
	compare("reasons", reasons, got.ByReason)
	compare("joined", g.Joined, got.Joined)
	compare("assignments", assignments(events, g.Name), got.Completed)
	compare("unseen", 0, got.UnseenCount)
	compare("evictions", evicted, got.Evicted)
	compare("leaves", len(g.Leaves), got.LeaveCount)
	compare("late leaves", late, lateLeaves(got))
	compare("pending expired", g.PendingExpired, got.PendingExpired)
	if got.State != incident.Elsewhere && g.State != wire.NoGroup {
		compare("generation", g.Generation, got.Generation)
	}
	compare("stuck", stuckUntil(g, got.To, stuckAfter), got.StuckCount)
	return append(list, timesApart(got, events)...)
}

func lateLeaves(g *incident.Group) int {
	n := 0
	for _, l := range g.Leaves {
		if l.PollTimeout {
			n++
		}
	}
	return n
}

// assignments counts those that a leader sent: whether one was stored, no broker logs.
func assignments(events []trace.Event, group string) int {
	n := 0
	for _, e := range events {
		if e.Group == group && e.Kind == trace.AssignmentReceived {
			n++
		}
	}
	return n
}

// stuckUntil counts the stays with a coordinator that were stuck when the last line was logged.
func stuckUntil(g *metrics.Group, last logs.Instant, after time.Duration) int {
	n := 0
	for _, s := range g.Stuck {
		if s.State != wire.Dead && min(printed(s.Until), last).Sub(printed(s.Since)) > after {
			n++
		}
	}
	return n
}

// printed is the instant that a broker prints, which cuts what is less than a millisecond.
func printed(t clock.Time) logs.Instant {
	return logs.Instant(reports.Epoch.Add(t.SinceStart().Truncate(time.Millisecond)).UnixNano())
}

// timesApart compares the times in each state from the first line about the group to the last one. Stable begins when the
// assignment is there, as no broker logs that it is stored.
func timesApart(got *incident.Group, events []trace.Event) []difference {
	var want [incident.NumStates]time.Duration
	state, since, changes := incident.Unknown, got.From, 0
	enter := func(s incident.State, at clock.Time) {
		now := min(max(printed(at), got.From), got.To)
		want[state] += now.Sub(since)
		state, since = s, now
		changes++
	}
	for _, e := range events {
		if e.Group != got.Name {
			continue
		}
		switch e.Kind {
		case trace.GroupCreated:
			enter(stateOf[e.To], e.At)
		case trace.GroupBecame:
			if e.To != wire.Stable {
				enter(stateOf[e.To], e.At)
			}
		case trace.AssignmentReceived:
			enter(incident.Stable, e.At)
		}
	}
	want[state] += got.To.Sub(since)
	var list []difference
	for s := range incident.NumStates {
		apart := want[s] - got.TimeIn[s]
		if most := time.Duration(changes+1) * 2 * time.Millisecond; apart < -most || apart > most {
			list = append(list, difference{"time in " + s.String(), want[s].String(), got.TimeIn[s].String()})
		}
	}
	return list
}

var stateOf = map[wire.GroupState]incident.State{
	wire.NoGroup: incident.Dead, wire.Empty: incident.Empty, wire.PreparingRebalance: incident.PreparingRebalance,
	wire.CompletingRebalance: incident.CompletingRebalance, wire.Stable: incident.Stable, wire.Dead: incident.Elsewhere,
}

// Why a log cannot tell what a run knows.
const (
	died    = "a broker that dies logs nothing, and until another one loads the group nobody else does"
	expired = "Kafka 4 names no group when it removes those that expired"
	silent  = "the client gives no reason when it leaves"
)

// untold is what logs cannot tell, by scenario and by what it is, with the reason.
var untold = map[string]map[string]string{
	"broker-restart":                 {"time in Elsewhere": died, "time in Stable": died},
	"coordinator-loading":            {"time in Elsewhere": died, "time in Stable": died},
	"incidents/i-67-dead-load":       {"time in Elsewhere": died, "time in Stable": died},
	"incidents/i-67-dead-load-cured": {"time in Elsewhere": died, "time in Stable": died},
	"studies/q06-failover":           {"time in Elsewhere": died, "time in Stable": died},

	"incidents/i-34-long-handler": {"time in Empty": expired, "time in Dead": expired},
	"incidents/i-89-forgotten":    {"time in Empty": expired, "time in Dead": expired},

	"incidents/i-10-id-retries":       {"late leaves": silent},
	"incidents/i-10-id-retries-cured": {"late leaves": silent},
}
