package sim

import (
	"context"
	"testing"
	"time"

	"simulate/sim/clock"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

const three = `
duration = "10m"
topic = [{ name = "t", partitions = 6 }]
fleet = [{ name = "a", group = "g", topics = ["t"], count = 3, static = true }]
`

// cancelling is a sink that cancels the run at the first event at or after an instant.
type cancelling struct {
	memory trace.Memory
	at     clock.Time
	cancel context.CancelFunc
}

func (s *cancelling) Record(e trace.Event) {
	s.memory.Record(e)
	if e.At >= s.at {
		s.cancel()
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	sink := cancelling{at: clock.At(2 * time.Minute), cancel: cancel}
	r, err := Run(ctx, loadText(t, three), &sink)
	if err != nil || r.Outcome != Interrupted {
		t.Fatalf("the run ended with %v, %v", r.Outcome, err)
	}
	if r.At < clock.At(2*time.Minute) || r.At > clock.At(5*time.Minute) {
		t.Errorf("it was cancelled at 2m and ended at %v", r.At)
	}
	last := sink.memory.Events[len(sink.memory.Events)-1]
	if last.Kind != trace.RunEnded || last.Text != "interrupted" || last.At != r.At {
		t.Errorf("the last event is %v %q at %v", last.Kind, last.Text, last.At)
	}
}

// TestEventLimit: a group spins at one instant when only static members are left, none of them is there and
// all have the rebalance timeout 0. No scenario gets there, since with that time-out nobody completes
// a join phase, so a limit stands in that three processes exceed when they start.
func TestEventLimit(t *testing.T) {
	var sink trace.Memory
	w := newWorld(loadText(t, three), &sink)
	w.most = 2
	r := w.run(context.Background())
	if r.Outcome != EventLimit || r.At != 0 {
		t.Fatalf("the run ended with %v at %v", r.Outcome, r.At)
	}
	last := sink.Events[len(sink.Events)-1]
	if last.Kind != trace.RunEnded || last.Text != "event limit" {
		t.Errorf("the last event is %v %q", last.Kind, last.Text)
	}
}

// TestBug: an invariant that breaks is an error with instant and seed, not a panic.
func TestBug(t *testing.T) {
	s := loadText(t, "seed = 7\n"+three)
	s.Events = []scenario.Event{{At: time.Minute, Do: scenario.Scale, Who: []scenario.Selector{{Name: "nobody"}}}}
	_, err := Run(context.Background(), s, trace.Discard)
	const want = "at 60.000s [seed 7]: runtime error: index out of range [-1]"
	if err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

// TestAllocations: heartbeats, polls and commits of a quiet group cost the allocator nothing.
func TestAllocations(t *testing.T) {
	s := loadText(t, three)
	s.Duration = 100 * time.Hour
	w := newWorld(s, trace.Discard)
	advance := func(by time.Duration) (events int) {
		for end := w.now().Add(by); ; events++ {
			_, e, ok := w.queue.Next(end)
			if !ok {
				return events
			}
			w.dispatch(e)
		}
	}
	advance(time.Minute)
	events := 0
	allocations := testing.AllocsPerRun(10, func() { events = advance(10 * time.Minute) })
	if events < 1000 {
		t.Fatalf("only %d events in 10 minutes", events)
	}
	if allocations > float64(events)/1000 {
		t.Errorf("%v allocations in %d events", allocations, events)
	}
}
