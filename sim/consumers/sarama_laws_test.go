package consumers

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"simulate/sim/random"
	"simulate/sim/records"
)

// TestSaramaLaws holds sarama to the laws of TestLaws, but for two: a cooperative member whose JoinGroup failed sends
// heartbeats of its old generation until its session is released; told to stop, it waits for everything that it has
// asked for, until Net.ReadTimeout is over for each.
func TestSaramaLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var held *records.Group
		if rapid.Bool().Draw(t, "records") {
			logs := records.NewLogs()
			logs.Create("t", 4, records.Rate{Records: 8, Per: time.Second}, 10)
			held = logs.NewGroup()
		}
		l := newLawsOf(t, anySaramaPlan(t), held)
		l.beatsOn = true
		actions := map[string]func(*rapid.T){
			"":           func(*rapid.T) {},
			"advance":    l.advanceAtRandom,
			"answer":     l.answerAtRandom,
			"settle":     l.settle,
			"close":      l.closeAtRandom,
			"refuse":     func(t *rapid.T) { l.refusing = true; l.advanceAtRandom(t); l.refusing = false },
			"freeze":     func(t *rapid.T) { l.frozen = true; l.advanceAtRandom(t); l.frozen = false; l.step() },
			"stall":      l.stallAtRandom,
			"slowAssign": l.slowAssignAtRandom,
			"slowRevoke": l.slowRevokeAtRandom,
			"throw":      func(*rapid.T) { l.process.ThrowInCallback() },
			"commit":     func(*rapid.T) { l.process.Commit(); l.step() },
			"enforce":    func(*rapid.T) { l.process.EnforceRebalance(true); l.step() },
			"loseFetch":  func(*rapid.T) { l.process.LoseFetch(l.at); l.step() },
		}
		if rapid.Bool().Draw(t, "topics change") { // then Consume() often fails
			actions["subscribe"], actions["topics"] = l.subscribeAtRandom, l.topicsAtRandom
		}
		t.Repeat(actions)
		l.process.Stop(CloseOptions{})
		l.step()
		l.advance(l.at.Add(20*time.Minute + l.busy))
		if k := l.process.PollWait().Kind; k != WaitExited {
			t.Fatalf("told to stop long ago, the process is in %s", waitNames[k])
		}
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
