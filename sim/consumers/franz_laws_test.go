package consumers

import (
	"testing"
	"time"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Close waits for JoinGroup and SyncGroup, with their tries, commits when it gives partitions up, and tries to leave.
func TestFranzLaws(t *testing.T) {
	checkLaws(t, franzGoProfile.Name, func(c Config) time.Duration {
		tries := 2*c.SessionTimeout + 2*franzRetryTime
		return tries + 2*c.rebalanceTimeout() + 8*c.RequestTimeout
	})
}

// A member of a quiet group costs the allocator nothing.
func TestFranzSteadyMember(t *testing.T) {
	s := newScript(t)
	plan := steadyPlan(2 * time.Second)
	plan.Client, plan.Config = franzGoProfile.Name, franzGoProfile.Config
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
	hour()
	heartbeats = 0
	if n := testing.AllocsPerRun(1, hour); n > 0 {
		t.Errorf("an hour costs %v allocations", n)
	}
	if heartbeats < 2*1190 {
		t.Errorf("only %d heartbeats in two hours", heartbeats)
	}
}
