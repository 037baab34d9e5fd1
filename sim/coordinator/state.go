package coordinator

import (
	"fmt"
	"slices"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// successors lists the legal successors of each state (Kafka: ClassicGroupState).
var successors = [wire.NumGroupStates][]wire.GroupState{
	wire.Empty:               {wire.PreparingRebalance, wire.Dead},
	wire.PreparingRebalance:  {wire.CompletingRebalance, wire.Empty, wire.Dead},
	wire.CompletingRebalance: {wire.Stable, wire.PreparingRebalance, wire.Dead},
	wire.Stable:              {wire.PreparingRebalance, wire.Dead},
}

// become moves the group to another state and records why; it is the only writer of the state. It
// reports false for the one illegal transition that Kafka attempts too, which is an internal error.
//
// Kafka: ClassicGroup.transitionTo.
func (g *group) become(to wire.GroupState, why trace.Event) bool {
	if !slices.Contains(successors[g.state], to) {
		if g.state == wire.Empty && to == wire.Empty {
			// The join timer of a group that vanished with its failed append fires on its successor.
			g.shard.fail(fmt.Sprintf("Group %s should be in one of [PreparingRebalance] states before moving to Empty state. Instead it is in Empty state.", g.id))
			return false
		}
		panic(fmt.Sprintf("coordinator: invalid transition %v -> %v at %v in group %s (%v)", g.state, to, g.shard.now, g.id, why.Reason))
	}
	why.Kind, why.From, why.To = trace.GroupBecame, g.state, to
	why.Generation = g.generation
	g.prev, g.state, g.since, g.sinceUnknown = g.state, to, g.shard.now, false
	g.record(why)
	return true
}
