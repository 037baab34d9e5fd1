package clock_test

import (
	"fmt"
	"time"

	"simulate/sim/clock"
)

// A heartbeat moves a session timer, and bounds of a run are limits, not events.
func Example() {
	var q clock.Queue[string]
	session := q.Schedule(clock.At(45*time.Second), "session of orders-1")
	q.Schedule(clock.At(3*time.Second), "join")
	q.Schedule(clock.At(3*time.Second), "heartbeat of orders-1")

	for {
		at, event, ok := q.Next(clock.At(time.Minute))
		if !ok {
			break
		}
		fmt.Println(at, event)
		if event == "heartbeat of orders-1" {
			q.Reschedule(session, at.Add(45*time.Second))
		}
	}
	// Output:
	// 3.000s join
	// 3.000s heartbeat of orders-1
	// 48.000s session of orders-1
}
