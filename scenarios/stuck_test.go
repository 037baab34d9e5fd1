package scenarios

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simulate/advice"
	"simulate/check"
	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

var update = flag.Bool("update", false, "write the goldens anew")

// stuckCauses are the reasons for which a group is stuck, each with the shipped scenario that shows it and with whom
// the chain of waiting names there. A group that waits for no process names nobody.
var stuckCauses = []struct{ cause, scenario, on, because, who string }{
	{"slow poll", "slow-poll", trace.OwesJoin, trace.CauseStalled, "invoice-writer-2"},
	{"blocked callback", "slow-revoke", trace.OwesJoin, trace.CauseListener, "ledger-writer-2"},
	{"frozen process", "frozen-consumer", trace.OwesJoin, trace.CauseFrozen, "parcel-router-2"},
	{"dead process with a live session", "crash-loop", trace.OwesJoin, trace.CauseDead, "mailer-4"},
	{"dead process with a parked join", "incidents/i-92-parked-leave", trace.OwesSync, trace.CauseDeadParked, "table-1"},
	{"unreachable network", "cut-off-consumer", trace.OwesJoin, trace.CauseUnreachable, "fare-meter-3"},
	{"pending member id", "abandoned-member-id", trace.OwesJoin, trace.CausePendingID, "shipment-tracker-1"},
	{"static ghost", "static-ghost", trace.OwesJoin, trace.CauseStaticGhost, "blue-3"},
	{"member id lost in a crash", "forgotten-member-id", trace.OwesJoin, trace.CauseForgotten, "parcels-1"},
	{"leader that never syncs", "leader-dies-before-sync", trace.OwesSync, trace.CauseDead, "price-feed-1"},
	{"leader that is too slow", "incidents/i-19-slow-assignor", trace.OwesSync, trace.CauseAssigning, "pod-1"},
	{"slow append", "slow-offsets-log", trace.OwesAppend, trace.CauseAppend, ""},
	{"request behind a parked one", "commit-holds-connection", trace.OwesJoin, trace.CauseQueued, "ledger-2"},
	{"coordinator loading", "coordinator-loading", trace.OwesCoordinator, trace.CauseLoading, ""},
}

// passing are the causes that hold a group for a heartbeat interval or a back-off, or that are told with another one.
var passing = []string{
	trace.CauseProcessing, // a poll that is slow because of its batch, as in "slow poll"
	trace.CauseCommitting, trace.CauseUnaware, trace.CauseConnecting, trace.CauseRejoining, trace.CauseDelay,
	trace.CauseDeadBroker,   // until another broker loads
	trace.CauseUnsubscribed, // as a static ghost
}

// TestStuckCauses holds that each cause is the first that the report of its scenario names, and what it says of it.
func TestStuckCauses(t *testing.T) {
	var got bytes.Buffer
	for _, c := range stuckCauses {
		report := run(t, c.scenario)
		blames := func(l trace.Link) bool { return l.On == c.on && l.Because == c.because && l.Who == c.who }
		i, s := firstStuck(report.Summary, blames)
		if s == nil {
			t.Errorf("%s: no stay of %s waits for %s of %q because %s", c.cause, c.scenario, c.on, c.who, c.because)
			continue
		}
		fmt.Fprintf(&got, "# %s: %s\n%s\n\n", c.cause, c.scenario, sentences(t, report)[i])
	}
	compareGolden(t, "testdata/stuck.golden", got.String())
}

// incidents are some of the field of which all that the reports say is pinned, under their numbers in the catalogue.
var incidents = []struct{ number, scenario string }{
	{"I-01", "incidents/i-01-five-minutes"},
	{"I-02", "incidents/i-02-idle-consumer"},
	{"I-03", "abandoned-member-id"},
	{"I-04", "incidents/i-04-stuck-revoke"},
	{"I-19", "incidents/i-19-slow-assignor"},
	{"I-20", "incidents/i-20-late-leader"},
	{"I-92", "incidents/i-92-parked-leave"},
}

// TestIncidents holds what the reports say of the incidents.
func TestIncidents(t *testing.T) {
	var got bytes.Buffer
	for _, i := range incidents {
		fmt.Fprintf(&got, "# %s: %s\n", i.number, i.scenario)
		for _, s := range sentences(t, run(t, i.scenario)) {
			fmt.Fprintf(&got, "%s\n", s)
		}
		got.WriteByte('\n')
	}
	compareGolden(t, "testdata/incidents.golden", got.String())
}

func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); -update accepts it\n%s", file, diff)
	}
}

// TestNoCauseWithoutScenario holds that a cause that the simulator tells apart is shown by a scenario.
func TestNoCauseWithoutScenario(t *testing.T) {
	shown := slices.Clone(passing)
	for _, c := range stuckCauses {
		shown = append(shown, c.because)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "../sim/trace/blocked.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, "Cause") {
			return true
		}
		found++
		cause, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil || !slices.Contains(shown, cause) {
			t.Errorf("%s: no scenario shows it (%v)", spec.Names[0].Name, err)
		}
		return false
	})
	if found < len(passing) {
		t.Errorf("found %d causes", found)
	}
}

// run runs a shipped scenario and looks for advice.
func run(t *testing.T, name string) reports.Report {
	t.Helper()
	text, ok := Read(name)
	if !ok {
		t.Fatalf("no scenario %s", name)
	}
	source := check.Source{Name: name, Text: text}
	loaded, err := source.Load()
	if err != nil {
		t.Fatal(err)
	}
	report, err := check.Run(context.Background(), loaded)
	if err != nil {
		t.Fatal(err)
	}
	again := advice.Options{Load: func(more ...scenario.Override) (check.Loaded, error) { return source.Load(more...) }}
	if err := advice.Verify(context.Background(), &report, loaded.Scenario, again); err != nil {
		t.Fatal(err)
	}
	return report
}

// firstStuck returns the first stay whose first holders include one that blames tells, and its place among all
// stays of the report.
func firstStuck(s metrics.Summary, blames func(trace.Link) bool) (place int, stay *metrics.Stuck) {
	for i := range s.Groups {
		for j := range s.Groups[i].Stuck {
			stay := &s.Groups[i].Stuck[j]
			if len(stay.Blocked) > 0 && slices.ContainsFunc(stay.Blocked[0].Chain, blames) {
				return place, stay
			}
			place++
		}
	}
	return 0, nil
}

// sentences returns the stories of all stays of a report, each with the advice that holds.
func sentences(t *testing.T, r reports.Report) []string {
	t.Helper()
	var text bytes.Buffer
	if err := reports.JSON(&text, r); err != nil {
		t.Fatal(err)
	}
	var told struct {
		Groups []struct {
			Stuck []struct {
				Sentence string
				Advice   []struct {
					Change, Sentence string
					Holds            bool
				}
			}
		}
	}
	if err := json.Unmarshal(text.Bytes(), &told); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, g := range told.Groups {
		for _, s := range g.Stuck {
			story := strings.ReplaceAll(s.Sentence, "; ", "\n  ")
			for _, a := range s.Advice {
				if a.Holds {
					story += "\n  advice: " + a.Sentence + "\n    --set " + a.Change
				}
			}
			all = append(all, story)
		}
	}
	return all
}
