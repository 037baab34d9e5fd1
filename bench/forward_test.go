package bench

import (
	"runtime"
	"testing"
	"time"

	"simulate/sim"
)

// TestFastForward prints what leaving out quiet stretches saves. Both ways have to give the same trace. The long cases
// run step by step for a shorter span of the same life, on which the ratio is measured.
func TestFastForward(t *testing.T) {
	day, week := 24*time.Hour, 7*24*time.Hour
	hour := group{members: 10, client: "java", duration: time.Hour}
	thousand := group{members: shorter(1000, 100), client: "java", duration: week, restart: day, batch: 100}
	deploys := group{members: 10, client: "java", duration: 365 * day, restart: week}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	result := table{
		title: "Fast-forward: quiet stretches computed instead of run",
		head:  []string{"members x time", "fast-forward", "compared over", "fast-forward", "step by step", "ratio"},
		notes: []string{"1,000 members restart once a day, 100 at a time; 10 members once a week, one",
			"after the other. Processor time, medians of runs in turns."},
	}
	for _, c := range []struct {
		group  group
		span   time.Duration // over which both ways are compared
		rounds int
	}{
		{hour, time.Hour, 7},
		{thousand, shorter(day, time.Hour), 1},
		{deploys, shorter(week, day), 3},
	} {
		whole, part := c.group, c.group
		part.duration = c.span
		if !*full {
			whole = part
		}
		var leapt, stepped work
		took := turns(shorter(c.rounds, 1), timed(func() { whole.run(t, sim.Options{}) }),
			timed(func() { leapt = part.run(t, sim.Options{}) }),
			timed(func() { stepped = part.run(t, stepByStep) }))
		if leapt != stepped {
			t.Errorf("%v: %v and %v", part, leapt, stepped)
		}
		result.rows = append(result.rows, []string{c.group.String(), span(took[0]), length(c.span), span(took[1]), span(took[2]), times(took[2], took[1])})
	}
	result.show()
}
