package sim

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simulate/explain"
	"simulate/internal/drawn"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/records"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// TestLaws holds what is true in every run, whatever is done to the consumers, and in whatever order ties come.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := loadRapid(t, drawn.Scenario(t, rapid.IntRange(0, 6).Draw(t, "events")))
		var all everything
		var file bytes.Buffer
		live, writer := metrics.NewFold(s.MetricsOptions()), trace.NewWriter(&file, trace.Header{})
		ties := Options{ShuffleTies: rapid.Uint64Range(0, 3).Draw(t, "ties")}
		r, err := RunWith(context.Background(), s, trace.Tee{&all, live, writer}, ties)
		if err != nil || r.Outcome != Finished || r.At != clock.At(s.Duration) {
			t.Fatalf("the run ended with %v at %v, %v", r.Outcome, r.At, err)
		}
		inOrder(t, all.events)
		generationsNeverFall(t, all.events)
		createdWhereNoneIs(t, all.events)
		noPartitionHasTwoOwners(t, all.events)
		frozenAndDeadDoNothing(t, all.events)
		everyRebalanceHasACause(t, all.events, live)

		summary := live.Summary(r.At)
		timesInStatesAddUp(t, s, summary)
		recordsAddUp(t, s, all.events, summary)
		fromFile := metrics.NewFold(s.MetricsOptions())
		if _, err := trace.Read(&file, fromFile); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(summary, fromFile.Summary(r.At)); diff != "" {
			t.Fatalf("live metrics (-) differ from those of the file (+):\n%s", diff)
		}
	})
}

// TestQuiet: with nothing done to it, a group whose consumers poll often enough becomes Stable and nothing
// but routine goes on.
func TestQuiet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := loadRapid(t, drawn.Scenario(t, 0))
		s.Topics[0].Rate, s.Topics[0].Backlog = records.Rate{}, 0 // of which batches may outlast a session
		for i := range s.Fleets {
			s.Fleets[i].Pauses, s.Fleets[i].Pod, s.Fleets[i].Autoscaler = nil, nil, nil // which never rest
			s.Fleets[i].Plan.Processing.Cap = s.Fleets[i].Plan.Config.SessionTimeout / 2
		}
		var all everything
		if _, err := Run(context.Background(), s, &all); err != nil {
			t.Fatal(err)
		}
		state := map[string]wire.GroupState{}
		for _, e := range all.events {
			if e.Kind == trace.GroupBecame {
				state[e.Group] = e.To
			}
			if e.At > clock.At(s.Duration/2) && !e.Kind.Routine() && e.Kind != trace.ProcessingBegan && e.Kind != trace.RunEnded {
				t.Fatalf("at %v still %v of %s", e.At, e.Kind, e.Who)
			}
		}
		if state["g"] != wire.Stable || state["h"] != wire.Stable {
			t.Fatalf("the groups are %v in the end, want Stable", state)
		}
	})
}

// loadRapid loads what was drawn; rapid prints it when a law is broken.
func loadRapid(t *rapid.T, text string) *scenario.Scenario {
	t.Helper()
	t.Log(text)
	s, _, err := scenario.Load("scenario", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

func inOrder(t *rapid.T, events []trace.Event) {
	t.Helper()
	for i := 1; i < len(events); i++ {
		if events[i].At < events[i-1].At {
			t.Fatalf("%v at %v follows an event at %v", events[i].Kind, events[i].At, events[i-1].At)
		}
	}
	if last := events[len(events)-1].Kind; last != trace.RunEnded {
		t.Fatalf("the last event is %v", last)
	}
}

func createdWhereNoneIs(t *rapid.T, events []trace.Event) {
	t.Helper()
	state := map[string]wire.GroupState{}
	for _, e := range events {
		switch e.Kind {
		case trace.GroupCreated:
			if was := state[e.Group]; was != wire.NoGroup && was != wire.Dead {
				t.Fatalf("%s is created at %v although it is %v", e.Group, e.At, was)
			}
			state[e.Group] = e.To
		case trace.GroupBecame:
			state[e.Group] = e.To
		}
	}
}

func generationsNeverFall(t *rapid.T, events []trace.Event) {
	t.Helper()
	generation := map[string]wire.Generation{}
	for _, e := range events {
		if e.Kind != trace.GroupBecame {
			continue
		}
		if e.Generation < generation[e.Group] {
			t.Fatalf("%s falls from generation %d to %d at %v", e.Group, generation[e.Group], e.Generation, e.At)
		}
		generation[e.Group] = e.Generation
		if e.To == wire.Dead || e.To == wire.NoGroup { // what was not stored is lost, and its number is given out again
			generation[e.Group] = 0
		}
	}
}

// noPartitionHasTwoOwners: a static member that comes back has another id but is the same owner.
func noPartitionHasTwoOwners(t *rapid.T, events []trace.Event) {
	t.Helper()
	type claim struct {
		group      string
		generation wire.Generation
		partition  wire.TopicPartition
	}
	owner := map[claim]string{}
	for _, e := range events {
		if e.Kind != trace.PartitionsAssigned {
			continue
		}
		for _, p := range e.Partitions {
			c := claim{e.Group, e.Generation, p}
			if was, ok := owner[c]; ok && was != e.Who {
				t.Fatalf("%v has two owners in generation %d of %s: %s and %s", p, e.Generation, e.Group, was, e.Who)
			}
			owner[c] = e.Who
		}
	}
}

// frozenAndDeadDoNothing looks at what consumers record themselves.
func frozenAndDeadDoNothing(t *rapid.T, events []trace.Event) {
	t.Helper()
	frozen, dead := map[string]bool{}, map[string]bool{}
	for _, e := range events {
		switch {
		case e.Kind == trace.FaultBegan && freezes(e.Text) && e.Until > e.At:
			frozen[e.Who] = true
		case e.Kind == trace.FaultEnded && freezes(e.Text): // freezes that overlap have one end
			frozen[e.Who] = false
		case e.Kind == trace.ProcessStarted:
			dead[e.Who] = false
		case e.Kind == trace.ProcessExited:
			dead[e.Who] = true
		case !byConsumer(e.Kind):
		case frozen[e.Who]:
			t.Fatalf("%s is frozen, yet: %v at %v", e.Who, e.Kind, e.At)
		case dead[e.Who]:
			t.Fatalf("%s is gone, yet: %v at %v", e.Who, e.Kind, e.At)
		}
	}
}

func freezes(verb string) bool {
	return verb == string(scenario.Pause) || verb == string(scenario.FreezeInAssign)
}

func byConsumer(k trace.Kind) bool {
	return k >= trace.ProcessStarted && k < trace.FaultBegan || k.Routine()
}

func timesInStatesAddUp(t *rapid.T, s *scenario.Scenario, summary metrics.Summary) {
	t.Helper()
	for _, g := range summary.Groups {
		total := clock.Time(0)
		for _, d := range g.TimeIn {
			total = total.Add(d)
		}
		if total != clock.At(s.Duration) {
			t.Fatalf("the times of %s in its states add up to %v, want %v", g.Name, total, s.Duration)
		}
	}
}

// everyRebalanceHasACause: the chain of each begins with an event of the scenario, a time that was drawn, or a start.
func everyRebalanceHasACause(t rapid.TB, events []trace.Event, fold *metrics.Fold) {
	t.Helper()
	for _, g := range explain.Explain(events, fold) {
		for _, c := range g.Chains {
			if c.Orphan {
				t.Fatalf("nothing explains rebalance %d of %s at %v (%v %q): its chain begins with %+v",
					c.Number, g.Name, c.Rebalance.At, c.Rebalance.Reason, c.Rebalance.ClientReason, *c.First())
			}
		}
	}
}
