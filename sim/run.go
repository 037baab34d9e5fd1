package sim

import (
	"context"
	"fmt"

	"simulate/sim/clock"
	"simulate/sim/offsetslog"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// Outcome says how a run ended.
type Outcome uint8

// The outcomes.
const (
	Finished    Outcome = iota // reached the scenario's duration
	Interrupted                // the context was cancelled; what is recorded so far is true
	EventLimit                 // the run spins: too many events at one instant
)

func (o Outcome) String() string {
	return [...]string{"finished", "interrupted", "event limit"}[o]
}

// Result describes a run that has ended. Everything about the groups is in the trace.
type Result struct {
	Outcome    Outcome
	At         clock.Time // the last instant that was simulated
	Events     int64      // how many events were taken from the queue
	Heartbeats int64      // how many heartbeats the coordinator handled
}

// mostAtOneInstant bounds the events of one instant. A real group can spin: static members only, none of
// them there, all with rebalance timeout 0, re-arm the join timer without end. An honest start of
// 100,000 members takes less than a tenth of it.
const mostAtOneInstant = 10_000_000

// Options is what a run may have beside its scenario. The zero Options change nothing.
type Options struct {
	// Commits gets every record of the offsets topic: first those that the scenario starts from, then the others when
	// they are committed.
	Commits func(offsetslog.Entry)

	// ShuffleTies, when not 0, is the seed of another order of what happens in one instant to different actors:
	// processes with their connections, shards, brokers, and the scenario's events. One actor's own keep theirs.
	ShuffleTies uint64

	// NoFastForward lets every heartbeat, poll and commit happen step by step. Nothing but Result.Events, and what is
	// Routine in the trace, depends on it.
	NoFastForward bool
}

// Run runs s and records what happens to sink, in order; the last event is RunEnded. It is a pure function
// of s; cancelling ctx ends it early. The error is an invariant that broke: a bug of ours, never the
// scenario's.
func Run(ctx context.Context, s *scenario.Scenario, sink trace.Sink) (Result, error) {
	return RunWith(ctx, s, sink, Options{})
}

// RunWith is Run with options, of which it is a function too.
func RunWith(ctx context.Context, s *scenario.Scenario, sink trace.Sink, o Options) (result Result, err error) {
	w := newWorldWith(s, sink, o)
	defer func() {
		if bug := recover(); bug != nil {
			err = fmt.Errorf("at %v [seed %d]: %v", w.now(), s.Seed, bug)
			if o.ShuffleTies != 0 {
				err = fmt.Errorf("%w (ties shuffled by %d)", err, o.ShuffleTies)
			}
		}
	}()
	return w.run(ctx), nil
}

func (w *world) run(ctx context.Context) Result {
	var r Result
	var instant clock.Time
	atInstant := 0
	w.loadLog()
	for {
		at, e, ok := w.queue.Next(w.end)
		if !ok {
			break
		}
		if at != instant {
			instant, atInstant = at, 0
		}
		if atInstant++; atInstant > w.most {
			r.Outcome = EventLimit
			break
		}
		r.Events++
		w.dispatch(e)
		look := at >= w.forward.lookAt && w.queue.NextAt() > at
		if look {
			w.fastForward(at)
		}
		if (look || r.Events%1024 == 0) && ctx.Err() != nil {
			r.Outcome = Interrupted
			break
		}
	}
	r.At = w.end
	if r.Outcome != Finished {
		r.At = w.now()
	}
	r.Heartbeats = w.cluster.heartbeats + w.forward.heartbeats
	w.cause = 0
	if r.Outcome == Finished {
		w.warnOfAllPending()
	}
	w.countRoutine(r.At)
	ended := trace.Event{At: r.At, Kind: trace.RunEnded}
	if r.Outcome != Finished {
		ended.Text = r.Outcome.String()
	}
	w.Record(ended)
	return r
}
