package diff_test

import (
	"fmt"
	"time"

	"simulate/diff"
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Two runs of one group: in the second one nobody joins.
func Example() {
	header := trace.Header{Scenario: "first start", StuckAfter: 30 * time.Second}
	created := trace.Event{Kind: trace.GroupCreated, Group: "orders", To: wire.Empty}
	joined := trace.Event{
		At: clock.At(time.Second), Kind: trace.GroupBecame, Group: "orders",
		From: wire.Empty, To: wire.PreparingRebalance, Reason: trace.MemberJoined, Who: "orders-1",
	}
	ended := trace.Event{At: clock.At(time.Minute), Kind: trace.RunEnded}

	r := diff.Compare(
		diff.NewSide("with a consumer", header, []trace.Event{created, joined, ended}),
		diff.NewSide("without", header, []trace.Event{created, ended}),
	)
	fmt.Println("the same:", r.Same())
	fmt.Println("alike:", r.Parting.Alike, "then", r.Parting.A.Kind, "or", r.Parting.B.Kind)
	n := r.Groups[0].Numbers[0]
	fmt.Println(n.Query.Name, n.A.Value, n.B.Value, n.Change)
	fmt.Println("only in A:", r.Groups[0].Rebalances[0].B == nil)
	// Output:
	// the same: false
	// alike: 1 then group-became or run-ended
	// rebalances 1 0 -1
	// only in A: true
}
