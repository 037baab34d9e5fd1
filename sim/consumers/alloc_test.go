package consumers

import (
	"testing"
	"time"

	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// A member of a quiet group costs the allocator nothing, however long it heartbeats, polls and commits.
func TestSteadyMemberDoesNotAllocate(t *testing.T) {
	for _, processing := range []time.Duration{0, 2 * time.Second} {
		t.Run(processing.String(), func(t *testing.T) { checkSteady(t, steadyPlan(processing)) })
	}
}

// checkSteady lets a member be quiet for hours, which must not cost the allocator anything.
func checkSteady(t *testing.T, plan Plan) {
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
	hour() // until every buffer has met a heartbeat and a commit at one instant
	hour()
	heartbeats = 0
	if n := testing.AllocsPerRun(1, hour); n > 0 {
		t.Errorf("an hour costs %v allocations", n)
	}
	if heartbeats < 2*1100 { // 3.001 to 3.1 s apart
		t.Errorf("only %d heartbeats in two hours", heartbeats)
	}
}

func steadyPlan(processing time.Duration) Plan {
	return Plan{
		Name: "c", Group: "g", Topics: []string{"t"}, Config: Defaults(),
		PollTimeout: time.Second, Processing: random.Constant(processing),
	}
}

// answerAll steps a process until it sends nothing more, answers what it sends, and counts its heartbeats.
func answerAll(p Process, now clock.Time) int {
	heartbeats := 0
	for {
		sent := 0
		for _, e := range p.Step(now) {
			if e.Kind != Send {
				continue
			}
			sent++
			if e.Request.API == wire.Heartbeat {
				heartbeats++
			}
			p.Receive(e.Conn, wire.Response{Ticket: e.Request.Ticket, API: e.Request.API})
		}
		if sent == 0 {
			return heartbeats
		}
	}
}

// The same of other clients, in an idle group.
func checkDoesNotAllocate(t *testing.T, client string, heartbeats int) {
	profile, _ := FindProfile(client)
	plan := steadyPlan(0)
	plan.Client, plan.Config = client, profile.Config
	s := newScript(t)
	s.start(plan)
	s.joinGroup("stable", "c-1", []wire.TopicPartition{{Topic: "t"}})
	s.process.common().env.Sink = trace.Discard
	sent := 0
	hour := func() {
		for end := s.at.Add(time.Hour); s.process.Wake() <= end; {
			s.at = s.process.Wake()
			sent += answerAll(s.process, s.at)
		}
	}
	hour()
	sent = 0
	if n := testing.AllocsPerRun(1, hour); n > 0 {
		t.Errorf("an hour of %s costs %v allocations", client, n)
	}
	if sent < 2*heartbeats {
		t.Errorf("%s sends only %d heartbeats in two hours", client, sent)
	}
}
