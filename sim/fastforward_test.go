package sim

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simulate/internal/drawn"
	"simulate/scenarios"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// TestFastForward: a run that leaves out what is quiet is the run that does not, whatever order ties come in.
func TestFastForward(t *testing.T) {
	var taken, skipped int64
	rapid.Check(t, func(t *rapid.T) {
		s := loadRapid(t, drawn.Long(t, rapid.IntRange(0, 5).Draw(t, "events")))
		full, fast := bothWays(t, s, rapid.Uint64Range(0, 2).Draw(t, "ties"))
		taken += fast
		skipped += full - fast
	})
	if skipped < taken {
		t.Errorf("%d events were skipped, and %d taken: the scenarios are not quiet enough", skipped, taken)
	}
}

// TestFastForwardLibrary is TestFastForward of every scenario that is shipped.
func TestFastForwardLibrary(t *testing.T) {
	var forwarded int
	for _, name := range scenarios.Names() {
		text, _ := scenarios.Read(name)
		s, _, err := scenario.Load(name, text)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			if full, fast := bothWays(t, s, 0); fast < full {
				forwarded++
			}
		})
	}
	if forwarded == 0 {
		t.Error("no scenario was fast-forwarded")
	}
}

// bothWays runs a scenario with fast-forward and without, and returns how many events each took.
func bothWays(t rapid.TB, s *scenario.Scenario, ties uint64) (full, fast int64) {
	t.Helper()
	want, summary, full := withoutRoutine(t, s, Options{ShuffleTies: ties, NoFastForward: true})
	got, same, fast := withoutRoutine(t, s, Options{ShuffleTies: ties})
	if !bytes.Equal(want, got) {
		t.Fatalf("step by step (-) and fast-forwarded (+):\n%s", cmp.Diff(bytes.Split(want, []byte("\n")), bytes.Split(got, []byte("\n"))))
	}
	if diff := cmp.Diff(summary, same); diff != "" {
		t.Fatalf("metrics step by step (-) and fast-forwarded (+):\n%s", diff)
	}
	return full, fast
}

// withoutRoutine returns the trace of a run without its routine, its metrics, which say how much of that there was, and
// how many events it took.
func withoutRoutine(t rapid.TB, s *scenario.Scenario, o Options) ([]byte, metrics.Summary, int64) {
	t.Helper()
	var file bytes.Buffer
	w, fold := trace.NewWriter(&file, trace.Header{}), metrics.NewFold(s.MetricsOptions())
	w.OmitRoutine = true
	r, err := RunWith(context.Background(), s, trace.Tee{w, fold}, o)
	if err != nil || w.Err() != nil {
		t.Fatal(err, w.Err())
	}
	return file.Bytes(), fold.Summary(r.At), r.Events
}

// TestFastForwardLate: what fails again and again, or is late, is not left out as if it had gone well.
func TestFastForwardLate(t *testing.T) {
	for name, odd := range map[string]struct{ world, config string }{
		"a connection too old for the next heartbeat": {config: `connections.max.idle.ms = "2s"`},
		"commits behind the last":                     {`brokers.append = "300ms"`, `auto.commit.interval.ms = "100ms"`},
		"appends that began while the log was slow":   {world: `event = [{ at = "10m", do = "slow-append", append = "20s", for = "2s" }]`},
		"commits of a topic that is gone": {
			`event = [{ at = "115s", do = "restart", who = "c", down = "7s" }, { at = "118s", do = "delete-topic", topic = "t" }]`,
			"[[fleet]]\nname = \"c\"\ntopics = [\"t\"]\ncount = 3\nstatic = true\nstart.every = \"2s\""},
		"an order of ties that heartbeats seldom settle": {
			"network.latency = \"0ms\"\nbrokers.append = \"30ms\"\nevent = [{ at = \"301669ms\", do = \"slow-append\", append = \"900ms\", for = \"20s\" }]",
			"auto.commit.interval.ms = 100\nrequest.timeout.ms = 3000\npartition.assignment.strategy = \"cooperative-sticky\""},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, loadText(t, odd.world+`
duration = "30m"
topic    = [{ name = "t", partitions = 4 }]
[[fleet]]
name         = "a"
topics       = ["t"]
count        = 3
start        = { every = "3m" }
on-assign    = "1s"
poll-timeout = "1s"
[fleet.config]
`+odd.config), 0)
		})
	}
}
