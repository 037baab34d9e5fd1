package sim

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"simulate/sim/clock"
	"simulate/sim/offsetslog"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// TestTranscripts runs the scripts in testdata. Each begins with the rule in words.
//
//	scenario
//	    TOML that the runs below it have in common
//	log
//	    puts the given keys before that TOML, runs it and keeps its offsets log: what "offsets-log" names below
//	run kinds=(blocked,assigned) from=10s to=60s who=a-1 ids append=2s
//	    puts these top-level keys before that TOML, runs it and prints the events of these kinds (also by the name of a
//	    set below) in these instants; with who, those of these processes; with ids, with whole
//	    member ids. The log takes a record in append, which scenarios cannot say.
//	describe at=30s
//	    puts these top-level keys before that TOML and prints what an administrator is shown of the groups at that instant
func TestTranscripts(t *testing.T) {
	verbs, causes := map[string]bool{}, map[string]bool{}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	ran := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			ran++
			base, log := "", ""
			datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
				switch d.Cmd {
				case "scenario":
					base = d.Input
					return "ok\n"
				case "log":
					log = offsetsLogOf(t, loadText(t, d.Input+"\n"+base))
					return fmt.Sprintf("%d records\n", strings.Count(log, "\n")-1)
				case "run":
					events := runAll(t, load(t, d, d.Input+"\n"+base, log))
					for _, e := range events {
						if e.Kind == trace.FaultBegan {
							verbs[e.Text] = true
						}
						for _, l := range e.Chain {
							causes[l.Because] = true
						}
					}
					return printSome(t, d, events)
				case "describe":
					return describeAll(t, load(t, d, d.Input+"\n"+base, log), instant(t, d, "at", 0))
				}
				d.Fatalf(t, "unknown command %s", d.Cmd)
				return ""
			})
		})
	}
	if t.Failed() || ran < len(files) {
		return
	}
	for _, v := range allVerbs {
		if !verbs[string(v)] {
			t.Errorf("no transcript does %s", v)
		}
	}
	for _, c := range allCauses {
		if !causes[c] {
			t.Errorf("no transcript has a group that waits because %s", c)
		}
	}
}

var allVerbs = []scenario.Verb{
	scenario.Pause, scenario.Stall, scenario.Kill, scenario.Stop, scenario.Start, scenario.Restart,
	scenario.RollingRestart, scenario.Rollout, scenario.Scale, scenario.CrashLoop, scenario.Drop, scenario.Reset, scenario.Delay,
	scenario.AbandonMemberID, scenario.SlowAssign, scenario.SlowRevoke, scenario.FreezeInAssign,
	scenario.HoldLeaderSync, scenario.RawJoin, scenario.Subscribe, scenario.Unsubscribe, scenario.EnforceRebalance,
	scenario.Configure,
	scenario.BrokerRestart, scenario.MoveCoordinator, scenario.SlowAppend, scenario.FailAppend,
	scenario.Commit, scenario.DeleteGroup, scenario.DeleteOffsets, scenario.RemoveMembers,
	scenario.Partitions, scenario.CreateTopic, scenario.DeleteTopic,
}

var allCauses = []string{
	trace.CauseProcessing, trace.CauseStalled, trace.CauseListener, trace.CauseAssigning, trace.CauseFrozen,
	trace.CauseDead, trace.CauseDeadParked, trace.CauseStaticGhost, trace.CausePendingID, trace.CauseUnreachable, trace.CauseUnaware, trace.CauseConnecting,
	trace.CauseQueued, trace.CauseCommitting, trace.CauseRejoining, trace.CauseDelay, trace.CauseAppend,
	trace.CauseLoading, trace.CauseDeadBroker,
}

// describeAll prints state, protocol and members of every group at an instant.
func describeAll(t *testing.T, s *scenario.Scenario, at clock.Time) string {
	t.Helper()
	groups, _, err := Describe(context.Background(), s, at, trace.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&out, "%s %v %s\n", g.Group, g.State, g.Protocol)
		for i, m := range g.Members {
			fmt.Fprintf(&out, "  %s %s\n", m.ClientID, partitions(g.Assigned[i]))
		}
	}
	return out.String()
}

func load(t *testing.T, d *datadriven.TestData, text, log string) *scenario.Scenario {
	files := func(string) ([]byte, error) { return []byte(log), nil }
	s, _, err := scenario.LoadWith(files, "scenario", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if d.HasArg("append") {
		s.Append = random.Constant(instant(t, d, "append", 0).SinceStart())
	}
	return s
}

// offsetsLogOf runs s and returns the file of its offsets log.
func offsetsLogOf(tb testing.TB, s *scenario.Scenario) string {
	tb.Helper()
	var file strings.Builder
	w := offsetslog.NewWriter(&file, offsetslog.Header{Scenario: s.Name, Partitions: s.Broker.OffsetsPartitions})
	if _, err := RunWith(context.Background(), s, trace.Discard, Options{Commits: w.Write}); err != nil {
		tb.Fatal(err)
	}
	return file.String()
}

func loadText(tb testing.TB, text string) *scenario.Scenario {
	tb.Helper()
	s, _, err := scenario.Load("scenario", []byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func runText(tb testing.TB, text string) []trace.Event {
	tb.Helper()
	return runAll(tb, loadText(tb, text))
}

// everything keeps routine events too.
type everything struct{ events []trace.Event }

func (s *everything) Record(e trace.Event) { s.events = append(s.events, e) }

// runAll runs s to its end and returns everything that happened.
func runAll(tb testing.TB, s *scenario.Scenario) []trace.Event {
	tb.Helper()
	var sink everything
	r, err := Run(context.Background(), s, &sink)
	if err != nil || r.Outcome != Finished {
		tb.Fatalf("the run ended with %v, %v", r.Outcome, err)
	}
	return sink.events
}

func printSome(t *testing.T, d *datadriven.TestData, events []trace.Event) string {
	kinds := argument(d, "kinds")
	for set, members := range kindSets {
		if i := slices.Index(kinds, set); i >= 0 {
			kinds = slices.Replace(kinds, i, i+1, members...)
		}
	}
	from, to := instant(t, d, "from", 0), instant(t, d, "to", clock.Never)
	who := argument(d, "who")
	out := printer{ids: d.HasArg("ids")}
	for _, e := range events {
		switch {
		case e.At < from || e.At > to:
		case kinds != nil && !slices.Contains(kinds, e.Kind.String()):
		case who != nil && !slices.Contains(who, e.Who):
		default:
			out.event(e)
		}
	}
	if out.Len() == 0 {
		return "nothing\n"
	}
	return out.String()
}

// kindSets name sets of kinds that transcripts ask for.
var kindSets = map[string][]string{
	"fault":   {"fault-began", "fault-ended", "warning"},
	"process": {"process-started", "process-exited"},
	"holding": {"assigned", "revoked", "lost"},
	"state":   {"group-became"},
	"gone":    {"member-removed", "pending-removed", "not-rejoined", "sync-timed-out"},
}

func argument(d *datadriven.TestData, key string) []string {
	for _, a := range d.CmdArgs {
		if a.Key == key {
			return a.Vals
		}
	}
	return nil
}

func instant(t *testing.T, d *datadriven.TestData, key string, missing clock.Time) clock.Time {
	vals := argument(d, key)
	if vals == nil {
		return missing
	}
	at, err := time.ParseDuration(vals[0])
	if err != nil {
		d.Fatalf(t, "%s: %v", key, err)
	}
	return clock.At(at)
}
