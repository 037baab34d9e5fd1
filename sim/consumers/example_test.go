package consumers_test

import (
	"fmt"
	"time"

	"simulate/sim/consumers"
	"simulate/sim/random"
	"simulate/sim/trace"
)

// A process connects to a broker as soon as it runs, and asks it for the coordinator of its group.
func Example() {
	who := consumers.Identity{Name: "orders-1"}
	plan := consumers.Plan{
		Group: "orders", Topics: []string{"orders"},
		Config: consumers.Defaults(), PollTimeout: time.Second,
	}
	stream := random.Seed(1).Stream("orders-1", "any")
	p := consumers.Start(0, who, &plan, consumers.Env{Sink: trace.Discard, Backoff: stream, Work: stream, Listen: stream})

	for _, e := range p.Step(0) {
		fmt.Println("connects:", e.Kind == consumers.Connect)
		p.Connected(e.Conn)
	}
	now := p.Wake()
	for _, e := range p.Step(now) {
		fmt.Println("sends at", now, e.Request.API)
	}
	// Output:
	// connects: true
	// sends at 0.006s FindCoordinator
}
