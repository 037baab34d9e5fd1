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
func TestSteadyMembersDoNotAllocate(t *testing.T) {
	const busy = 2 * time.Second
	eager, cooperative := []string{"range"}, []string{"cooperative-sticky"}
	for _, test := range []struct {
		name       string
		client     string
		assignors  []string      // nil: the client's own
		processing time.Duration // of nothing, after each poll
		heartbeats int           // at least, in an hour
	}{
		{"java", Newest, nil, 0, 1100}, // 3.001 to 3.1 s apart
		{"java, busy", Newest, nil, busy, 1100},
		{"librdkafka", "librdkafka", eager, busy, 1190}, // 3.0018 s apart
		{"librdkafka, cooperative", "librdkafka", cooperative, busy, 1190},
		{"franz-go", "franz-go", nil, busy, 1100},
		{"sarama", "sarama", nil, 0, 1100},
		{"kafkajs", "kafkajs", nil, 0, 710}, // after empty fetches, 5 s apart
		{"kafka-python", "kafka-python", nil, 0, 1100},
		{"kafka-go", "kafka-go", nil, 0, 1190},
		{"aiokafka", "aiokafka", nil, 0, 1100},
	} {
		t.Run(test.name, func(t *testing.T) {
			profile, _ := FindProfile(test.client)
			plan := steadyPlan(test.processing)
			plan.Client, plan.Config = test.client, profile.Config
			if test.assignors != nil {
				plan.Config.Assignors = test.assignors
			}
			checkSteady(t, plan, test.heartbeats)
		})
	}
}

// checkSteady lets a member be quiet for hours, which must not cost the allocator anything. An hour has at least so many
// heartbeats.
func checkSteady(t *testing.T, plan Plan, least int) {
	s := newScript(t)
	s.start(plan)
	s.joinGroup("stable", "c-1", []wire.TopicPartition{{Topic: "t"}})
	clientOf(s.process).env.Sink = trace.Discard
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
	if heartbeats < 2*least { // AllocsPerRun runs it once more before
		t.Errorf("only %d heartbeats in two hours", heartbeats)
	}
}

func steadyPlan(processing time.Duration) Plan {
	return Plan{
		Group: "g", Topics: []string{"t"}, Config: Defaults(),
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
