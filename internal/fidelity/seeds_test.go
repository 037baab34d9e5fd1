package fidelity

import (
	"context"
	"testing"
	"time"

	"simulate/sim"
	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// repetition returns a recording in which two members were handed an id.
func repetition(t *testing.T, id string, events ...Event) Recording {
	t.Helper()
	text := `{"id": "` + id + `", "client": "java", "protocol": "classic", "brokers": {"count": 1}, "duration_ms": 10000,
	 "member_ids": {"c1#1": "c1-1-a", "c2#1": "c2-1-b"}, "members": {"c1": {}, "c2": {}}}`
	c, err := ReadCase([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	kinds := setOf([]string{memberIDIssued})
	return Recording{Case: c, Observed: &Observed{
		Timeline: Timeline{Events: events}, End: 10 * time.Second, Kinds: kinds, Allowed: Allowance{Time: tolerance},
	}}
}

func issued(at time.Duration, member string) Event {
	return Event{At: at, Key: Key{Kind: memberIDIssued, Member: member}}
}

// runs returns a simulator that hands the id of each member out at the instant that at gives.
func runs(at func(seed random.Seed, slow bool, member string) time.Duration) Run {
	return func(_ context.Context, s *scenario.Scenario, sink trace.Sink) (sim.Result, error) {
		slow := s.Latency.Kind == slowNow.Kind
		first, second := at(s.Seed, slow, "c1"), at(s.Seed, slow, "c2")
		one := trace.Event{At: clock.At(first), Kind: trace.MemberIDIssued, Group: ObservedGroup, Member: "c1-1-a"}
		two := trace.Event{At: clock.At(second), Kind: trace.MemberIDIssued, Group: ObservedGroup, Member: "c2-1-b"}
		if first > second {
			one, two = two, one
		}
		sink.Record(one)
		sink.Record(two)
		return sim.Result{}, nil
	}
}

// A race counts as right when the first seed takes one recorded course and a slow machine, under another seed, the
// other one; the figures of the first seed stay what they are.
func TestRace(t *testing.T) {
	before := repetition(t, "x/run1", issued(time.Second, "c1#1"), issued(2*time.Second, "c2#1"))
	after := repetition(t, "x/run2", issued(time.Second, "c2#1"), issued(2*time.Second, "c1#1"))
	run := runs(func(seed random.Seed, slow bool, member string) time.Duration {
		if (member == "c1") != (slow && seed == 7) {
			return time.Second
		}
		return 2 * time.Second
	})
	report := Replay(context.Background(), []Recording{before, after}, run)
	if f := report.Figures(); f.Matched != 4 || f.Events != 4 {
		t.Errorf("got %+v, want both courses", f)
	}
	if got := report.Rows[1].Seed; got != 7 {
		t.Errorf("the other course is that of seed %d, want 7", got)
	}
	if f := report.First(); f.Matched != 3 || f.Missed != 1 || f.Surplus != 1 {
		t.Errorf("under the first seed: got %+v, want one event of the other course at another place", f)
	}

	// Without a recording whose course occurs under the first seed it is no race but a mistake.
	alone := Replay(context.Background(), []Recording{after}, run)
	if f := alone.Figures(); f.Matched != 1 || alone.Rows[0].Seed != firstSeed {
		t.Errorf("alone: got %+v under seed %d, want a mistake under the first", f, alone.Rows[0].Seed)
	}

	// The recordings of other clients are alone: whatever occurs is one of their courses.
	after.Case.Client = "sarama"
	other := Replay(context.Background(), []Recording{after}, run)
	if f := other.Figures(); f.Matched != 2 || other.Rows[0].Seed != 7 {
		t.Errorf("another client: got %+v under seed %d, want the course of seed 7", f, other.Rows[0].Seed)
	}
}

// What is drawn is in time where the seeds reach it, and late where they do not.
func TestDraws(t *testing.T) {
	run := runs(func(seed random.Seed, _ bool, member string) time.Duration {
		if member == "c1" {
			return time.Second
		}
		return 2*time.Second + time.Duration(seed)*10*time.Millisecond // up to 4 s under the last seed
	})
	for _, c := range []struct {
		recorded time.Duration
		inTime   int
	}{
		{2 * time.Second, 2}, {3500 * time.Millisecond, 2}, {4500 * time.Millisecond, 1},
	} {
		r := repetition(t, "x/run1", issued(time.Second, "c1#1"), issued(c.recorded, "c2#1"))
		f := Replay(context.Background(), []Recording{r}, run).Figures()
		if f.Matched != 2 || f.InTime != c.inTime {
			t.Errorf("recorded at %v: got %+v, want %d in time", c.recorded, f, c.inTime)
		}
	}
}
