package metrics_test

import (
	"fmt"
	"time"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

func Example() {
	fold := metrics.NewFold(metrics.Options{
		StuckAfter: 30 * time.Second,
		Topics:     map[string]int{"orders": 12},
		Fleets:     []metrics.Fleet{{Name: "orders", Group: "orders", Topics: []string{"orders"}}},
	})
	fold.Record(trace.Event{Kind: trace.GroupCreated, Group: "orders", To: wire.Empty})
	fold.Record(trace.Event{
		Kind: trace.GroupBecame, Group: "orders", From: wire.Empty, To: wire.PreparingRebalance, Reason: trace.MemberJoined,
	})

	summary := fold.Summary(clock.At(4 * time.Minute))
	for _, name := range []string{"rebalances", "stuck", "leader"} {
		value, err := summary.Value(metrics.Query{Name: name, Subject: "orders"})
		fmt.Println(name, value, err)
	}
	// Output:
	// rebalances 1 <nil>
	// stuck 1 <nil>
	// leader 0 nobody leads orders
}
