package consumers_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simulate/sim"
	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// TestDoubled: time has no scale of its own. When everything takes twice as long, everything happens at
// twice the instant. All durations are whole milliseconds, in which requests carry them, and nothing is lost,
// whose retransmissions are the network's.
func TestDoubled(t *testing.T) {
	for _, assignor := range []string{"range", "cooperative-sticky"} {
		t.Run(assignor, func(t *testing.T) { testDoubled(t, assignor) })
	}
}

func testDoubled(t *testing.T, assignor string) {
	want := run(t, 1, assignor)
	restore := consumers.ScaleCosts(2)
	defer restore()
	got := run(t, 2, assignor)
	for i := range want {
		e := &want[i]
		instants := []*clock.Time{&e.At, &e.Since, &e.Until}
		for j := range e.Chain {
			l := &e.Chain[j]
			instants = append(instants, &l.Since, &l.Until, &l.Fires)
		}
		for _, at := range instants {
			if *at != clock.Never {
				*at *= 2
			}
		}
		e.For *= 2
		if d := e.Details; d != nil {
			d.SessionTimeoutMs *= 2
			d.RebalanceTimeoutMs *= 2
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("instants doubled afterwards (-), and durations before (+):\n%s", diff)
	}
}

func run(t *testing.T, by int, assignor string) []trace.Event {
	t.Helper()
	ms := func(n int) string { return fmt.Sprintf("%dms", n*by) }
	text := fmt.Sprintf(`
duration        = %q
stuck-after     = %q
network.latency = %q
broker.group.initial.rebalance.delay.ms = %d
event = [
  { at = %q, do = "stall", who = "a-1", for = %q },
  { at = %q, do = "pause", who = "a-2", for = %q },
  { at = %q, do = "kill", who = "a-3" },
  { at = %q, do = "start", who = "a-3" },
  { at = %q, do = "stop", who = "a-2" },
]
topic = [{ name = "t", partitions = 6 }]
[[fleet]]
name         = "a"
group        = "g"
topics       = ["t"]
count        = 3
start.every  = %q
poll-timeout = %q
processing   = %q
on-revoke    = %q
[fleet.config]
session.timeout.ms      = %d
heartbeat.interval.ms   = %d
max.poll.interval.ms    = %d
auto.commit.interval.ms = %d
request.timeout.ms      = %d
default.api.timeout.ms  = %d
retry.backoff.ms        = %d
retry.backoff.max.ms    = %d
partition.assignment.strategy = %q
`, ms(150_000), ms(4000), ms(1), 3000*by,
		ms(20_000), ms(45_000), ms(80_000), ms(4_000), ms(95_000), ms(97_000), ms(130_000),
		ms(20), ms(1000), ms(300), ms(40),
		10_000*by, 3_000*by, 30_000*by, 5_000*by, 30_000*by, 60_000*by, 100*by, 100*by, assignor)
	s, _, err := scenario.Load("doubled", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s.Append = random.Constant(time.Duration(by) * time.Millisecond)
	var events trace.Memory
	if _, err := sim.Run(context.Background(), s, &events); err != nil {
		t.Fatal(err)
	}
	return events.Events
}
