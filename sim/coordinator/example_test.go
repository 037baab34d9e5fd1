package coordinator_test

import (
	"fmt"
	"time"

	"simulate/sim/clock"
	"simulate/sim/coordinator"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

type oneID struct{}

func (oneID) NewMemberID(wire.Request) wire.MemberID { return "client-1" }

// A consumer that has no member id is parked until the initial rebalance delay is over.
func Example() {
	shard := coordinator.New(coordinator.Defaults(), oneID{}, trace.Discard)
	effects := shard.Handle(0, wire.Request{
		Ticket: 1, API: wire.JoinGroup, Version: 3, Group: "orders",
		Body: &wire.JoinGroupRequest{
			SessionTimeoutMs: 45000, RebalanceTimeoutMs: 300000, ProtocolType: "consumer",
			Protocols: []wire.Protocol{{Name: "range"}},
		},
	})
	for _, e := range effects {
		if e.Kind == coordinator.SetTimer && e.Timer.Kind == coordinator.JoinTimer {
			fmt.Println("join timer at", e.At)
		}
	}
	effects = shard.Expire(clock.At(3*time.Second), coordinator.TimerKey{Kind: coordinator.JoinTimer, Group: "orders"})
	for _, e := range effects {
		if e.Kind == coordinator.Reply {
			fmt.Println(e.Response.Err, "generation", e.Response.Generation)
		}
	}
	// Output:
	// join timer at 3.000s
	// NONE generation 1
}
