package bench

import (
	"context"
	"fmt"
	"time"

	"simulate/sim"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// group is a consumer group to simulate, of members that start together and send a heartbeat each 3 s.
type group struct {
	members  int
	client   string // as a scenario names it
	duration time.Duration
	restart  time.Duration // 0, or how far apart rolling restarts begin, the first one after 5 min
	batch    int           // how many restart at once; 0 for one
}

// String says how many members, and for how long.
func (g group) String() string {
	text := count(g.members) + " x " + length(g.duration)
	if g.restart > 0 {
		text += ", restarts"
	}
	return text
}

// length prints a duration in the largest unit of which it is a whole number.
func length(d time.Duration) string {
	switch day := 24 * time.Hour; {
	case d%day == 0 && d > day:
		return fmt.Sprintf("%d d", d/day)
	case d%time.Hour == 0:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}

// In a rolling restart each member is away for down, and the next one goes gap after it is back.
const (
	restartAt = 5 * time.Minute
	down      = 20 * time.Second
	gap       = time.Minute
)

// scenario is a group's file. kfake has no group.initial.rebalance.delay.ms, so there is none here. kgo commits only
// positions that have moved, which those of an empty topic do not; where a scenario has no rate of records the simulator
// takes all of them to move, so that its franz-go must not commit either.
func (g group) scenario() string {
	text := fmt.Sprintf(`name = "bench"
duration = "%v"
[broker]
group.initial.rebalance.delay.ms = 0
[[topic]]
name = "events"
partitions = %d
[[fleet]]
name = "reader"
topics = ["events"]
count = %d
client = %q
[fleet.config]
session.timeout.ms = 45000
heartbeat.interval.ms = 3000
auto.commit.interval.ms = 5000
enable.auto.commit = %t
`, g.duration, g.members, g.members, g.client, g.client != "franz-go")
	if g.restart > 0 {
		text += fmt.Sprintf(`[[event]]
at = "%v"
do = "rolling-restart"
who = "reader"
down = "%v"
gap = "%v"
batch = %d
every = "%v"
`, restartAt, down, gap, max(g.batch, 1), g.restart)
	}
	return text
}

// work is what a side has done.
type work struct {
	heartbeats int64
	rebalances int    // that ended with a new generation, from settled on
	digest     string // of our trace
}

// settled is when a group has found together. How often it rebalances before is left to the instants at which members
// come.
const settled = time.Minute

// simulate does all that "simulate run" does but for writing the report: it reads the scenario, runs it, and folds its
// trace into numbers and a digest.
func (g group) simulate(o sim.Options) (work, error) {
	s, _, err := scenario.Load("bench.toml", []byte(g.scenario()))
	if err != nil {
		return work{}, err
	}
	digest := trace.NewDigest()
	fold := metrics.NewFold(s.MetricsOptions())
	r, err := sim.RunWith(context.Background(), s, trace.Tee{fold, digest}, o)
	if err != nil {
		return work{}, err
	}
	return work{r.Heartbeats, fold.Window(clock.At(settled), r.At).Groups[0].Joined, digest.Sum()}, nil
}
