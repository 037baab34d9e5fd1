// Package sim runs a scenario: it wires the coordinator, the network and the consumer processes together and
// does to them what the scenario's events say.
//
// Modelled: brokers that lead partitions of the offsets topic, stop, die and come back, and the logs that groups
// are loaded from; TCP connections, first in first out, with Linux's retransmissions; a broker that
// takes the next request of a connection only after it has answered the one before; processes that are
// paused, killed and started again; and, for a group that is stuck, the chain of who waits for whom.
// Not modelled: bandwidth, the controller and replication (how long a fail-over takes is drawn from what was
// measured), requests that cost the broker time, acknowledgements (a sender learns of a loss only by its own
// timer), and Fetch, of which only what matters to a group is accounted for (package consumers).
//
// Everything happens in the order of a queue: by instant, and at one instant in the order in which it was
// scheduled. The starts of the fleets and the scenario's events are scheduled first, in the order of the
// file, so that at one instant they come before what happens of itself. There is no other source of order,
// of time or of chance than the queue and the scenario's seed, so that one scenario gives one trace.
//
// A run records to a trace.Sink; everything that is known about a run is a fold over that.
//
//	events := &trace.Memory{}
//	result, err := sim.Run(ctx, scenario, events)
package sim
