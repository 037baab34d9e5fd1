package consumers

import (
	"testing"
	"time"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Close waits for what is outstanding: commits, each of which may be deferred for a session, and LeaveGroup.
func TestLibrdkafkaLaws(t *testing.T) {
	checkLaws(t, "librdkafka", func(c Config) time.Duration {
		return 2*c.RequestTimeout + c.SessionTimeout + leaveTimeout + 2*mainSleep
	})
}

// A member of a quiet group costs the allocator nothing, however long it heartbeats and polls.
func TestSteadyLibrdkafkaDoesNotAllocate(t *testing.T) {
	for _, assignors := range [][]string{{"range"}, {"cooperative-sticky"}} {
		plan := steadyPlan(2 * time.Second)
		plan.Client, plan.Config = "librdkafka", librdkafkaDefaults()
		plan.Config.Assignors = assignors
		s := newScript(t)
		s.start(plan)
		s.joinGroup("stable", "c-1", []wire.TopicPartition{{Topic: "t"}})
		s.process.common().env.Sink = trace.Discard
		heartbeats := 0
		hour := func() {
			for end := s.at.Add(time.Hour); s.process.Wake() <= end; {
				s.at = s.process.Wake()
				heartbeats += answerAll(s.process, s.at)
			}
		}
		hour() // until every buffer has met a heartbeat
		heartbeats = 0
		if n := testing.AllocsPerRun(1, hour); n > 0 {
			t.Errorf("%v: an hour costs %v allocations", assignors, n)
		}
		if heartbeats < 2*1190 { // 3.0018 s apart
			t.Errorf("%v: only %d heartbeats in two hours", assignors, heartbeats)
		}
	}
}
