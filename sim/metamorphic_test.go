package sim

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simulate/internal/drawn"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// TestSameBytes: one scenario gives one trace, whatever else listens and however many processors there are.
func TestSameBytes(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	rapid.Check(t, func(t *rapid.T) {
		text := drawn.Scenario(t, 4)
		runtime.GOMAXPROCS(1)
		want, digest := written(t, loadRapid(t, text))
		runtime.GOMAXPROCS(2)
		got, _ := written(t, loadRapid(t, text))
		if !bytes.Equal(want, got) {
			t.Fatal("two runs wrote different traces")
		}
		alone := trace.NewDigest()
		if _, err := Run(context.Background(), loadRapid(t, text), alone); err != nil {
			t.Fatal(err)
		}
		if alone.Sum() != digest {
			t.Fatalf("the digest is %s with a trace file and %s without", digest, alone.Sum())
		}
	})
}

// TestAnotherGroup: a fleet in a group of its own, and what happens to it, change nothing for the others,
// not even what they draw.
func TestAnotherGroup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := loadRapid(t, drawn.Scenario(t, 4))
		want.Append = random.LogNormal(time.Millisecond, 9*time.Millisecond)
		got := *want
		other := want.Fleets[0]
		other.Name, other.Count = "other", 2
		other.Plan.Group = "another"
		got.Fleets = append(slices.Clone(want.Fleets), other)
		got.Events = append(slices.Clone(want.Events), scenario.Event{
			At: time.Minute, Do: scenario.Pause, For: random.Exponential(time.Second),
			Who: []scenario.Selector{{Kind: scenario.ByAny, Name: "other"}},
		})
		ours := func(e trace.Event) bool { // some kinds do not say which group
			nobodys := e.Kind == trace.AppendRefused || e.Kind == trace.OperationFailed || e.Kind == trace.RunWarning || e.Kind == trace.TopicDeleted
			return e.Group != "another" && !nobodys
		}
		if diff := cmp.Diff(filter(everythingOf(t, want), ours), filter(everythingOf(t, &got), ours)); diff != "" {
			t.Fatalf("without the other group (-) and with it (+):\n%s", diff)
		}
	})
}

// TestRenamed: "Aa" and "BB" have the same String.hashCode, so members called so have the same rank and the
// same bucket in Kafka's maps. Nothing else may hang on a name.
func TestRenamed(t *testing.T) {
	const text = `
duration = "3m"
event = [
  { at = "20s", do = "restart", who = "Aa-2", down = "4s", graceful = false },
  { at = "40s", do = "pause", who = "Aa-3", for = "20s" },
  { at = "70s", do = "kill", who = "leader(g)" },
  { at = "80s", do = "scale", who = "Aa", to = 4 },
]
topic = [{ name = "t", partitions = 7 }]
[[fleet]]
name       = "Aa"
group      = "g"
topics     = ["t"]
count      = 4
member-ids = { Aa-1 = ["Aa-1-p", "Aa-1-w"], Aa-2 = ["Aa-2-q", "Aa-2-z"], Aa-3 = ["Aa-3-o", "Aa-3-y"], Aa-4 = ["Aa-4-n", "Aa-4-x"] }
[fleet.config]
session.timeout.ms      = 10000
retry.backoff.ms        = 100
retry.backoff.max.ms    = 100
reconnect.backoff.ms    = 50
reconnect.backoff.max.ms = 50
`
	want := printAll(runText(t, text))
	got := printAll(runText(t, strings.ReplaceAll(text, "Aa", "BB")))
	if diff := cmp.Diff(want, strings.ReplaceAll(got, "BB", "Aa")); diff != "" {
		t.Errorf("called Aa (-) and BB (+):\n%s", diff)
	}
}

func written(t *rapid.T, s *scenario.Scenario) ([]byte, string) {
	t.Helper()
	var file bytes.Buffer
	digest := trace.NewDigest()
	sink := trace.Tee{trace.NewWriter(&file, trace.Header{Scenario: s.Name}), digest}
	if _, err := Run(context.Background(), s, sink); err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), digest.Sum()
}

func everythingOf(t *rapid.T, s *scenario.Scenario) []trace.Event {
	t.Helper()
	var all everything
	if _, err := Run(context.Background(), s, &all); err != nil {
		t.Fatal(err)
	}
	return all.events
}

func filter(events []trace.Event, ok func(trace.Event) bool) []trace.Event {
	return slices.DeleteFunc(events, func(e trace.Event) bool { return !ok(e) })
}

func printAll(events []trace.Event) string {
	p := printer{ids: true}
	for _, e := range events {
		p.event(e)
	}
	return p.String()
}
