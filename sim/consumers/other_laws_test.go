package consumers

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"simulate/sim/random"
	"simulate/sim/records"
)

// TestLawsOfOtherClients holds the other libraries to the laws of TestLaws. Each closes within a time of its own.
func TestLawsOfOtherClients(t *testing.T) {
	for _, test := range []struct {
		client string
		closes func(Config) time.Duration
	}{
		// Commits, each of which may be deferred for a session, and LeaveGroup.
		{"librdkafka", func(c Config) time.Duration {
			return 2*c.RequestTimeout + c.SessionTimeout + rdLeaveTimeout + 2*rdMainSleep
		}},
		// JoinGroup and SyncGroup, with their tries, commits when it gives partitions up, and LeaveGroup, which it tries.
		{"franz-go", func(c Config) time.Duration {
			tries := 2*c.SessionTimeout + 2*franzRetryTime
			return tries + 2*c.rebalanceTimeout() + 8*c.RequestTimeout
		}},
		// What it awaits: at most a JoinGroup, a SyncGroup, a Fetch, LeaveGroup, and back-offs.
		{"kafkajs", func(c Config) time.Duration {
			return c.rebalanceTimeout() + 4*max(c.RequestTimeout, closeTimeout) + 2*c.FetchMaxWait + 2*time.Minute
		}},
		// A JoinGroup that is parked, a SyncGroup, OffsetFetch, the Fetches, and connections on the way to leave.
		{"kafka-go", func(c Config) time.Duration {
			return c.rebalanceTimeout() + c.SessionTimeout + 8*c.RequestTimeout + 4*kafkaGoProfile.dialTimeout + goFetchWait(c.FetchMaxWait)
		}},
		{"kafka-python", closesPython},
		{"aiokafka", closesPython},
	} {
		t.Run(test.client, func(t *testing.T) { checkLaws(t, test.client, test.closes) })
	}
}

// closesPython is for a join or a commit that is under way, the last commit, and LeaveGroup.
func closesPython(c Config) time.Duration { return 4 * c.RequestTimeout }

// The laws hold with records too, whatever the handler takes.
func TestLoadedLaws(t *testing.T) {
	for _, client := range []string{Newest, "librdkafka", "kafkajs", "kafka-python", "kafka-go"} {
		t.Run(client, func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { checkLoadedLaws(t, client) }) })
	}
}

func checkLoadedLaws(t *rapid.T, client string) {
	plan := anyPlan(t, client)
	plan.Config.EachBatch = rapid.Bool().Draw(t, "each batch")
	plan.Config.HandlerHeartbeat = rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(t, "handler's heartbeat")
	plan.Config.CommitInterval = rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(t, "commit interval")
	plan.PerRecord = random.Constant(rapid.SampledFrom([]time.Duration{0, 30 * time.Millisecond, 7 * time.Second}).Draw(t, "per-record"))
	l := newLawsOf(t, plan, heldRecords(200))
	actions := l.disturbances()
	actions["subscribe"], actions["topics"] = l.subscribeAtRandom, l.topicsAtRandom
	t.Repeat(l.settled(actions))
	l.mustStop(time.Hour) // a batch of kafkajs takes long
}

// TestSaramaLaws holds sarama to the laws of TestLaws, but for two: a cooperative member whose JoinGroup failed sends
// heartbeats of its old generation until its session is released; told to stop, it waits for everything that it has
// asked for, until Net.ReadTimeout is over for each.
func TestSaramaLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var held *records.Group
		if rapid.Bool().Draw(t, "records") {
			held = heldRecords(10)
		}
		l := newLawsOf(t, anySaramaPlan(t), held)
		l.beatsOn = true
		actions := l.disturbances()
		actions["slowAssign"], actions["slowRevoke"] = l.slowAssignAtRandom, l.slowRevokeAtRandom
		actions["throw"] = func(*rapid.T) { l.process.ThrowInCallback() }
		actions["enforce"] = func(*rapid.T) { l.process.EnforceRebalance(true); l.step() }
		actions["loseFetch"] = func(*rapid.T) { l.process.LoseFetch(l.at); l.step() }
		if rapid.Bool().Draw(t, "topics change") { // then Consume() often fails
			actions["subscribe"], actions["topics"] = l.subscribeAtRandom, l.topicsAtRandom
		}
		t.Repeat(l.settled(actions))
		l.mustStop(20 * time.Minute)
	})
}

func anySaramaPlan(t *rapid.T) Plan {
	p := anyPlan(t, "sarama")
	p.PollAgain = 100 * time.Millisecond
	p.Config.MaxPollInterval, p.Config.ReconnectBackoff, p.Config.ReconnectMax = 0, 0, 0
	p.Config.Assignors = rapid.SampledFrom([][]string{{"range"}, {"cooperative-sticky"}}).Draw(t, "assignors")
	p.PerRecord = random.Constant(rapid.SampledFrom([]time.Duration{0, 30 * time.Millisecond}).Draw(t, "per-record"))
	return p
}

// heldRecords returns a group whose topic has a backlog and gets 8 records a second.
func heldRecords(backlog int64) *records.Group {
	logs := records.NewLogs()
	logs.Create("t", 4, records.Rate{Records: 8, Per: time.Second}, backlog)
	return logs.NewGroup()
}

// disturbances is what may happen to a process; it is refused and frozen for a while only.
func (l *laws) disturbances() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"":        func(*rapid.T) {},
		"advance": l.advanceAtRandom,
		"answer":  l.answerAtRandom,
		"settle":  l.settle,
		"close":   l.closeAtRandom,
		"refuse":  func(t *rapid.T) { l.refusing = true; l.advanceAtRandom(t); l.refusing = false },
		"freeze": func(t *rapid.T) {
			l.process.Freeze()
			l.frozen = true
			l.advanceAtRandom(t)
			l.frozen = false
			l.step()
		},
		"stall":  l.stallAtRandom,
		"commit": func(*rapid.T) { l.process.Commit(); l.step() },
	}
}

// settled lets the process make up for what it has left out in a stride, before anything happens to it.
func (l *laws) settled(actions map[string]func(*rapid.T)) map[string]func(*rapid.T) {
	for name, do := range actions {
		actions[name] = func(t *rapid.T) { l.step(); do(t) }
	}
	return actions
}
