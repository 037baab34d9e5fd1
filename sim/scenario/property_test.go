package scenario

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simulate/sim/metrics"
	"simulate/sim/random"
)

// TestRoundTrip holds that loading what TOML writes gives an equal scenario, whatever its values are.
func TestRoundTrip(t *testing.T) {
	base := read(t, "testdata/good/03-verbs.toml")
	rapid.Check(t, func(t *rapid.T) {
		want, _, err := Load("base.toml", base)
		if err != nil {
			t.Fatal(err)
		}
		drawScenario(t, want)
		text := want.TOML()
		got, _, err := Load("written.toml", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(want, got, equal); diff != "" {
			t.Fatalf("loading what TOML wrote differs (-want +got):\n%s", diff)
		}
	})
}

// drawScenario changes everything in s that can be changed without breaking a rule across fields.
func drawScenario(t *rapid.T, s *Scenario) {
	plain := rapid.String().Filter(func(s string) bool { return !strings.ContainsFunc(s, unicode.IsControl) })
	s.Name = plain.Draw(t, "name")
	s.Description = plain.Draw(t, "description")
	s.Seed = random.Seed(rapid.Uint64Range(0, 1<<63-MostReplications).Draw(t, "seed"))
	s.Replications = rapid.IntRange(1, MostReplications).Draw(t, "replications")
	s.StuckAfter = drawDuration(t) + time.Microsecond
	s.Latency = drawDistribution(t)
	s.Broker.InitialRebalanceDelay = drawMillis(t)
	for i := range s.Fleets {
		f := &s.Fleets[i]
		f.Static = rapid.Bool().Draw(t, "static")
		f.StartEvery = drawDuration(t)
		f.Plan.Processing = drawDistribution(t)
		f.Plan.OnRevoke = drawDistribution(t)
		f.Plan.Boot = drawDistribution(t)
		f.Pauses = drawPauses(t)
		f.Plan.Config.RequestTimeout = drawMillis(t)
		f.Plan.Config.Rack = rapid.String().Draw(t, "rack")
	}
	for i := range s.Events {
		drawEvent(t, s, &s.Events[i])
	}
}

// drawPauses draws kinds of pauses that are rare enough for any run.
func drawPauses(t *rapid.T) []Pauses {
	var all []Pauses
	for _, name := range []string{"", "young", "full"}[:rapid.IntRange(0, 3).Draw(t, "kinds")] {
		p := Pauses{Name: name, Every: drawDistribution(t), For: drawDistribution(t)}
		if neverAdvances(p.Every) || typical(p.Every) < time.Hour {
			p.Every = random.Exponential(time.Hour)
		}
		all = append(all, p)
	}
	return all
}

func drawEvent(t *rapid.T, s *Scenario, e *Event) {
	switch e.Do {
	case Pause, Stall, Drop, SlowAssign, SlowRevoke, FreezeInAssign, HoldLeaderSync:
		e.For = drawDistribution(t)
	case RawJoin:
		if e.Mode == HoldAfterJoin {
			e.Hold = drawDistribution(t)
		}
	case Delay:
		e.Add = drawDistribution(t)
	case Restart, RollingRestart:
		e.Down = drawDistribution(t)
		e.Graceful = rapid.Bool().Draw(t, "graceful")
	}
	if e.Plan == nil {
		return
	}
	settings := e.Plan.Config
	settings.MaxPollInterval = drawMillis(t) + time.Millisecond
	for _, f := range newCast(s.Fleets, nil).fleetsOfAll(e.Who) {
		*e.Plan = f.Plan // what a file can say: the fleet's plan but for its settings
	}
	e.Plan.Config = settings
}

func drawDuration(t *rapid.T) time.Duration {
	most := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second, time.Hour, longest - time.Second}).Draw(t, "most")
	return time.Duration(rapid.Int64Range(0, int64(most/time.Microsecond)).Draw(t, "us")) * time.Microsecond
}

func drawMillis(t *rapid.T) time.Duration {
	return time.Duration(rapid.IntRange(0, 1<<31-2).Draw(t, "ms")) * time.Millisecond
}

func drawDistribution(t *rapid.T) random.Distribution {
	a, b := drawDuration(t), drawDuration(t)
	a, b = min(a, b), max(a, b)
	some := time.Microsecond
	d := rapid.SampledFrom([]random.Distribution{
		random.Exponential(a + some),
		random.LogNormal(a+some, b+some),
		random.Uniform(a, b),
		random.Choice(a, b, a),
	}).Draw(t, "shape")
	if rapid.Bool().Draw(t, "capped") {
		d.Cap = b + some
	}
	if rapid.Bool().Draw(t, "constant") {
		return random.Constant(a)
	}
	return d
}

// TestDurations holds that what is written for a duration is read as that duration.
func TestDurations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawDuration(t)
		got, err := parseDuration(metrics.Duration(want))
		if err != nil || got != want {
			t.Fatalf("%s is read as %v (%v), want %v", metrics.Duration(want), got, err, want)
		}
	})
}

// TestEdits compares edits with the recursive definition.
func TestEdits(t *testing.T) {
	word := rapid.StringMatching(`[abc]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		want := slowEdits(a, b)
		if got := edits(a, b, 10); got != want {
			t.Fatalf("edits(%q, %q) = %d, want %d", a, b, got, want)
		}
	})
}

func slowEdits(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	i, j := len(a)-1, len(b)-1
	least := min(slowEdits(a[:i], b)+1, slowEdits(a, b[:j])+1, slowEdits(a[:i], b[:j])+differ(a[i], b[j]))
	if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
		least = min(least, slowEdits(a[:i-1], b[:j-1])+1)
	}
	return least
}
