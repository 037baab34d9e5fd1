package timeline_test

import (
	"slices"
	"testing"

	"simulate/sim/clock"
	"simulate/timeline"
)

// TestArrows holds that arrows end, or begin, where the state of the group changes, and that every process has them and
// the marks of what was done to it.
func TestArrows(t *testing.T) {
	lines := run(t, "rolling-restart")
	g := lines.Groups[0]
	enters := func(at clock.Time, s timeline.State) bool {
		return slices.ContainsFunc(g.States, func(x timeline.Segment) bool { return x.Since == at && x.State == s })
	}
	for _, m := range g.Members {
		if len(m.Joins) == 0 || len(m.Syncs) == 0 || len(m.Marks) == 0 {
			t.Errorf("%s: %d joins, %d syncs, %d marks", m.Who, len(m.Joins), len(m.Syncs), len(m.Marks))
		}
		for _, a := range m.Joins {
			if a.Until < a.Since || !enters(a.Until, timeline.CompletingRebalance) {
				t.Errorf("%s: a JoinGroup at %v leads to %v", m.Who, a.Since.SinceStart(), a.Until.SinceStart())
			}
		}
		for _, a := range m.Syncs {
			if a.Until < a.Since || !enters(a.Since, timeline.Stable) {
				t.Errorf("%s: an assignment at %v comes from %v", m.Who, a.Until.SinceStart(), a.Since.SinceStart())
			}
		}
		if !slices.ContainsFunc(m.Marks, func(x timeline.Mark) bool { return x.Text == "stopped" }) {
			t.Errorf("%s: marks are %v", m.Who, m.Marks)
		}
	}
}
