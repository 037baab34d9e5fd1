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
	effects := shard.Handle(0, &wire.Request{
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

// A coordinator that takes over from another broker reads the log and gives every member a whole session.
func ExampleShard_Load() {
	log := []coordinator.Record{coordinator.GroupMetadataRecord{
		Group: "orders", ProtocolType: "consumer", Generation: 7, Protocol: "range", Leader: "client-1",
		Members: []coordinator.MemberRecord{{Member: "client-1", SessionTimeoutMs: 45000, RebalanceTimeoutMs: 300000}},
	}}
	shard := coordinator.New(coordinator.Defaults(), oneID{}, trace.Discard)
	for _, e := range shard.Load(clock.At(10*time.Second), log) {
		fmt.Println(e.Timer.Kind, e.Timer.Member, e.At)
	}
	group, _ := shard.Snapshot("orders")
	fmt.Println(group.State, "generation", group.Generation)
	// Output:
	// session client-1 55.000s
	// retention  610.000s
	// Stable generation 7
}
