package sim_test

import (
	"context"
	"fmt"

	"simulate/sim"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

func Example() {
	s, _, err := scenario.Load("example.toml", []byte(`
duration = "1m"
topic = [{ name = "orders", partitions = 6 }]
fleet = [{ name = "orders", topics = ["orders"], count = 3 }]
event = [{ at = "20s", do = "stop", who = "orders-2" }]
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var events trace.Memory
	result, err := sim.Run(context.Background(), s, &events)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range events.Events {
		if e.Kind == trace.GroupBecame {
			fmt.Println(e.At, e.From, "->", e.To, e.Reason)
		}
	}
	fmt.Println(result.At, result.Outcome)
	// Output:
	// 0.011s Empty -> PreparingRebalance member-joined
	// 6.011s PreparingRebalance -> CompletingRebalance join-phase-complete
	// 6.043s CompletingRebalance -> Stable assignment-stored
	// 20.003s Stable -> PreparingRebalance left
	// 21.024s PreparingRebalance -> CompletingRebalance join-phase-complete
	// 21.030s CompletingRebalance -> Stable assignment-stored
	// 60.000s finished
}
