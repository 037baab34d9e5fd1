package timeline_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"simulate/scenarios"
	"simulate/sim"
	"simulate/sim/clock"
	"simulate/sim/scenario"
	"simulate/timeline"
)

// TestLanes prints the lanes of scenarios of the library, or at a resolution of them.
func TestLanes(t *testing.T) {
	datadriven.RunTest(t, "testdata/lanes.txt", func(t *testing.T, d *datadriven.TestData) string {
		var b strings.Builder
		lines := run(t, d.CmdArgs[0].Key)
		var unit string
		d.MaybeScanArgs(t, "unit", &unit)
		for _, g := range lines.Groups {
			fmt.Fprintf(&b, "%s\n%s", g.Name, drawn(t, g.States, unit))
			for _, m := range g.Members {
				fmt.Fprintf(&b, "%s\n%s", m.Who, drawn(t, m.Segments, unit))
			}
		}
		return b.String()
	})
}

func drawn(t *testing.T, lane []timeline.Segment, unit string) string {
	if unit != "" {
		d, err := time.ParseDuration(unit)
		if err != nil {
			t.Fatal(err)
		}
		lane = timeline.Coarse(lane, d)
	}
	var b strings.Builder
	for _, s := range lane {
		fmt.Fprintf(&b, "  %9v  %v %d\n", s.Since.SinceStart(), s.State, s.Count)
	}
	return b.String()
}

func run(t *testing.T, name string) timeline.Timeline {
	t.Helper()
	text, _ := scenarios.Read(name)
	s, _, err := scenario.Load(name, text)
	if err != nil {
		t.Fatal(err)
	}
	fold := timeline.NewFold()
	result, err := sim.Run(t.Context(), s, fold)
	if err != nil {
		t.Fatal(err)
	}
	return fold.Timeline(result.At)
}

// TestWhole holds that lanes have no gap and nothing twice, at any resolution.
func TestWhole(t *testing.T) {
	for _, name := range []string{"crash-loop", "rolling-restart", "gc-pauses-session", "clients/rolling-restart", "broker-restart"} {
		lines := run(t, name)
		for _, g := range lines.Groups {
			lanes := append([]timeline.Lane{{Who: g.Name, Segments: g.States}}, g.Members...)
			for _, l := range lanes {
				whole(t, l.Who, l.Segments, lines.End)
				for _, unit := range []time.Duration{time.Millisecond, time.Second, time.Hour} {
					whole(t, fmt.Sprint(l.Who, " by ", unit), timeline.Coarse(l.Segments, unit), lines.End)
				}
			}
			for _, c := range timeline.Columns(g.Members, time.Second) {
				sum := 0
				for _, n := range c.Count {
					sum += n
				}
				if sum != len(g.Members) || c.Until <= c.Since {
					t.Errorf("%s: the column at %v to %v has %d processes", name, c.Since.SinceStart(), c.Until.SinceStart(), sum)
				}
			}
		}
	}
}

func whole(t *testing.T, who string, lane []timeline.Segment, end clock.Time) {
	t.Helper()
	at := clock.Time(0)
	for i, s := range lane {
		if s.Since != at || s.Until <= s.Since {
			t.Errorf("%s: a segment from %v to %v follows %v", who, s.Since, s.Until, at)
		}
		if i > 0 && lane[i-1].State == s.State && lane[i-1].Count == s.Count {
			t.Errorf("%s: the segment at %v repeats the one before", who, s.Since)
		}
		if s.State == timeline.Consuming && s.Count == 0 {
			t.Errorf("%s: consumes nothing at %v", who, s.Since)
		}
		at = s.Until
	}
	if at != end {
		t.Errorf("%s ends at %v, not %v", who, at, end)
	}
}

// TestCoarse compares with what looks at every unit.
func TestCoarse(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var lane []timeline.Segment
		at := clock.Time(0)
		for range 1 + random.IntN(12) {
			next := at + clock.Time(1+random.IntN(9))
			lane = append(lane, timeline.Segment{Since: at, Until: next, State: timeline.State(random.IntN(4))})
			at = next
		}
		unit := clock.Time(1 + random.IntN(7))
		coarse := timeline.Coarse(lane, time.Duration(unit))
		for from := clock.Time(0); from < at; from += unit {
			worst := timeline.NumStates
			for _, s := range lane {
				if s.Since < from+unit && s.Until > from {
					worst = min(worst, s.State)
				}
			}
			i := slices.IndexFunc(coarse, func(s timeline.Segment) bool { return s.Since <= from && from < s.Until })
			if i < 0 || coarse[i].State != worst {
				t.Fatalf("%v by %d is %v: at %d it should be %v", lane, unit, coarse, from, worst)
			}
		}
	}
}
