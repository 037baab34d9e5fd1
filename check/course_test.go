package check

import (
	"testing"

	"simulate/scenarios"
	"simulate/sim/metrics"
	"simulate/sim/trace"
)

// routines counts heartbeats and commits that were answered, by process, of those that run in the end.
type routines struct{ heartbeats, commits map[string]float64 }

func (r *routines) Record(e trace.Event) {
	switch e.Kind {
	case trace.ProcessStarted:
		r.heartbeats[e.Who], r.commits[e.Who] = 0, 0
	case trace.HeartbeatAnswered:
		r.heartbeats[e.Who]++
	case trace.CommitAnswered:
		r.commits[e.Who]++
	}
}

// TestCourseCountsRoutine holds that what clients show of heartbeats and commits is what they did, and that a run takes
// every step for it and for nothing else.
func TestCourseCountsRoutine(t *testing.T) {
	l, err := Open("rolling-restart", scenarios.Read).Load()
	if err != nil {
		t.Fatal(err)
	}
	plain, course := NewCourse(l, Lanes|Stories), NewCourse(l, Lanes|Stories|Clients)
	if !plain.IgnoresRoutine() || course.IgnoresRoutine() {
		t.Errorf("routine is ignored: %v without clients, %v with them", plain.IgnoresRoutine(), course.IgnoresRoutine())
	}
	want := routines{map[string]float64{}, map[string]float64{}}
	r, err := Run(t.Context(), l, course, &want)
	if err != nil {
		t.Fatal(err)
	}
	course.Tell(&r)
	last := func(list []metrics.Reading) float64 { return list[len(list)-1].Value }
	for _, c := range r.Clients {
		if got := last(c.Heartbeats.Total); got != want.heartbeats[c.Who] || got == 0 {
			t.Errorf("%s: %v heartbeats, want %v", c.Who, got, want.heartbeats[c.Who])
		}
		if got := last(c.Commits.Total); got != want.commits[c.Who] || got == 0 {
			t.Errorf("%s: %v commits, want %v", c.Who, got, want.commits[c.Who])
		}
	}
	if len(r.Clients) == 0 || len(r.Clients) != len(want.heartbeats) {
		t.Errorf("%d clients, want %d", len(r.Clients), len(want.heartbeats))
	}
}
