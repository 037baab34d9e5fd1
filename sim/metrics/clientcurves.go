package metrics

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Gone is the Level of a process that does not run.
const Gone = -1

// ClientCurves is how metrics of a consumer that is built on the Java client went over a run. Each life of its process
// begins at 0.
//
// Kafka: AbstractCoordinator.GroupCoordinatorMetrics, ConsumerCoordinator.ConsumerCoordinatorMetrics.
type ClientCurves struct {
	Who        string
	Assigned   []Level // assigned-partitions
	Rebalances []Level // rebalance-total: those that it came through
	LatencyMs  []Level // rebalance-latency-total: from the first JoinGroup to the assignment, in milliseconds
}

// clientNow is what a client has come to.
type clientNow struct {
	held    map[wire.TopicPartition]bool
	joining clock.Time // since when it tries to get in, Never when it does not
	rounds  int64
	latency int64
}

// CurvesOfClients returns the curves of all Java consumers in the events of a run, in the order of their first starts.
func CurvesOfClients(events []trace.Event) []*ClientCurves {
	var all []*ClientCurves
	of := map[string]*ClientCurves{}
	lives := map[string]*clientNow{}
	for i := range events {
		e := &events[i]
		if e.Kind == trace.ProcessStarted && e.Text == "" {
			if of[e.Who] == nil {
				of[e.Who] = &ClientCurves{Who: e.Who}
				all = append(all, of[e.Who])
			}
			lives[e.Who] = &clientNow{held: map[wire.TopicPartition]bool{}, joining: clock.Never}
			of[e.Who].note(e.At, lives[e.Who])
		}
		now := lives[e.Who]
		if now == nil {
			continue
		}
		if e.Kind == trace.ProcessExited {
			delete(lives, e.Who)
			of[e.Who].end(e.At)
		} else if now.took(e) {
			of[e.Who].note(e.At, now)
		}
	}
	return all
}

// took reports whether an event changes what a client has come to.
func (c *clientNow) took(e *trace.Event) bool {
	switch e.Kind {
	case trace.JoinSent:
		c.joining = min(c.joining, e.At)
		return false
	case trace.PartitionsAssigned:
		for _, p := range e.Partitions {
			c.held[p] = true
		}
		if c.joining != clock.Never {
			c.rounds++
			c.latency += e.At.Millis() - c.joining.Millis()
			c.joining = clock.Never
		}
	case trace.PartitionsRevoked, trace.PartitionsLost:
		for _, p := range e.Partitions {
			delete(c.held, p)
		}
	default:
		return false
	}
	return true
}

func (c *ClientCurves) note(at clock.Time, now *clientNow) {
	c.Assigned = level(c.Assigned, at, int64(len(now.held)))
	c.Rebalances = level(c.Rebalances, at, now.rounds)
	c.LatencyMs = level(c.LatencyMs, at, now.latency)
}

func (c *ClientCurves) end(at clock.Time) {
	c.Assigned = level(c.Assigned, at, Gone)
	c.Rebalances = level(c.Rebalances, at, Gone)
	c.LatencyMs = level(c.LatencyMs, at, Gone)
}
