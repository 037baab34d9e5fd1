// Package sim is the world: it wires the coordinator, the network and the consumer processes together,
// injects the faults of a scenario and runs it on a virtual clock.
package sim

import (
	"context"

	"simulate/sim/clock"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// Outcome says how a run ended.
type Outcome uint8

// The outcomes.
const (
	Finished    Outcome = iota // reached the scenario's duration
	Interrupted                // the context was cancelled; what is recorded so far is true
	EventLimit                 // the run made more events than any honest scenario of its size
)

// Result describes a run that has ended. Everything about the groups is in the trace.
type Result struct {
	Outcome Outcome
	At      clock.Time // the last instant that was simulated
	Events  int64      // how many events were taken from the queue
}

// Run runs s and records what happens to sink, in order. It is a pure function of s; cancelling ctx ends
// it early. The error is an invariant that broke: a bug of ours, never the scenario's.
func Run(ctx context.Context, s *scenario.Scenario, sink trace.Sink) (Result, error) {
	return Result{}, nil
}
