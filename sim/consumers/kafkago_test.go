package consumers

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"simulate/sim/random"
	"simulate/sim/records"
)

// Close waits for a JoinGroup that is parked, a SyncGroup, OffsetFetch, the Fetches, and connections on the way to leave.
func TestKafkaGoLaws(t *testing.T) {
	checkLaws(t, "kafka-go", func(c Config) time.Duration {
		return c.rebalanceTimeout() + c.SessionTimeout + 8*c.RequestTimeout + 4*kafkaGoProfile.dialTimeout + goFetchWait(c.FetchMaxWait)
	})
}

// The laws hold with records too, whatever the handler takes.
func TestLoadedLaws(t *testing.T) {
	for _, client := range []string{"kafka-go", "kafkajs"} {
		t.Run(client, func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { checkLoadedLaws(t, client) }) })
	}
}

func checkLoadedLaws(t *rapid.T, client string) {
	logs := records.NewLogs()
	logs.Create("t", 4, records.Rate{Records: 8, Per: time.Second}, 200)
	plan := anyPlan(t, client)
	plan.Config.EachBatch = rapid.Bool().Draw(t, "each batch")
	plan.Config.HandlerHeartbeat = rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(t, "handler's heartbeat")
	plan.Config.CommitInterval = rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(t, "commit interval")
	plan.PerRecord = random.Constant(rapid.SampledFrom([]time.Duration{0, 30 * time.Millisecond, 7 * time.Second}).Draw(t, "per-record"))
	l := newLawsOf(t, plan, logs.NewGroup())
	t.Repeat(map[string]func(*rapid.T){
		"":          func(*rapid.T) {},
		"advance":   l.advanceAtRandom,
		"answer":    l.answerAtRandom,
		"settle":    l.settle,
		"close":     l.closeAtRandom,
		"refuse":    func(t *rapid.T) { l.refusing = true; l.advanceAtRandom(t); l.refusing = false },
		"freeze":    func(t *rapid.T) { l.frozen = true; l.advanceAtRandom(t); l.frozen = false; l.step() },
		"stall":     l.stallAtRandom,
		"commit":    func(*rapid.T) { l.process.Commit(); l.step() },
		"subscribe": l.subscribeAtRandom,
		"topics":    l.topicsAtRandom,
	})
	l.mustStop(time.Hour) // a batch of kafkajs takes long
}
