package sim

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// TestDescribe holds that at any instant what is described is what the trace of the whole run says of that
// instant: the state, who is a member, and that every member of a stable group was assigned something.
func TestDescribe(t *testing.T) {
	s := loadText(t, `
duration = "2m"
[[topic]]
name = "t"
partitions = 6
[[fleet]]
name = "a"
group = "g"
topics = ["t"]
count = 3
[[event]]
at = "30s"
do = "restart"
who = "a-2"
down = "20s"
[[event]]
at = "70s"
do = "kill"
who = "a-3"
[[event]]
at = "80s"
do = "stop"
who = ["a-1", "a-2"]
`)
	events := runAll(t, s)
	states := map[wire.GroupState]bool{}
	for at := clock.Time(0); at <= clock.At(s.Duration); at = at.Add(333 * time.Millisecond) {
		groups, r, err := Describe(context.Background(), s, at, trace.Discard)
		if err != nil || r.Outcome != Finished || len(groups) != 1 {
			t.Fatalf("at %v: %v, %v, %d groups", at, r.Outcome, err, len(groups))
		}
		got, want := groups[0], wire.Dead
		members := map[wire.MemberID]bool{}
		for _, e := range events {
			switch {
			case e.At > at:
			case e.Kind == trace.GroupCreated, e.Kind == trace.GroupBecame:
				want = e.To
			case e.Kind == trace.MemberAdded:
				members[e.Member] = true
			case e.Kind == trace.MemberRemoved:
				delete(members, e.Member)
			}
		}
		states[got.State] = true
		if got.State != want || len(got.Members) != len(members) {
			t.Errorf("at %v: described as %v with %d members, want %v with %d", at, got.State, len(got.Members), want, len(members))
		}
		for i, m := range got.Members {
			if !members[m.Member] || want == wire.Stable && len(got.Assigned[i]) == 0 {
				t.Errorf("at %v: %s is no member, or has nothing", at, m.Member)
			}
		}
	}
	for _, state := range []wire.GroupState{wire.Dead, wire.Empty, wire.PreparingRebalance, wire.Stable} {
		if !states[state] {
			t.Errorf("never %v", state)
		}
	}
}

// TestDescribeIsTheRun: up to its instant, what is described has gone as the run does, step by step or not.
func TestDescribeIsTheRun(t *testing.T) {
	for name, latency := range map[string]random.Distribution{
		"drawn":    random.Uniform(100*time.Microsecond, 3*time.Millisecond),
		"constant": random.Constant(500 * time.Microsecond),
	} {
		s := loadText(t, `
duration = "20m"
event    = [{ at = "9m", do = "kill", who = "a-2" }]
topic    = [{ name = "t", partitions = 4 }]
[[fleet]]
name   = "a"
topics = ["t"]
count  = 3
`)
		s.Latency = latency
		var run, described trace.Memory
		if _, err := RunWith(context.Background(), s, &run, Options{NoFastForward: true}); err != nil {
			t.Fatal(err)
		}
		at := clock.At(10 * time.Minute)
		if _, _, err := Describe(context.Background(), s, at, &described); err != nil {
			t.Fatal(err)
		}
		happened := func(all []trace.Event) []trace.Event {
			return filter(all, func(e trace.Event) bool { return e.At <= at && e.Kind != trace.RunEnded && !e.Kind.Routine() })
		}
		if diff := cmp.Diff(happened(run.Events), happened(described.Events)); diff != "" {
			t.Errorf("%s: run (-) and described (+):\n%s", name, diff)
		}
	}
}
