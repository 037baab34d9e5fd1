package consumers

import (
	"time"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// kafkaGo is the Reader of segmentio/kafka-go over its ConsumerGroup, v0.4.51. One goroutine makes generation after
// generation, each over connections of its own (kafkago_group.go); those of a generation are in kafkago_generation.go:
// heartbeats, the partition watcher, the fetchers, and the commits. The application reads in yet another one, which
// nothing of that waits for.
//
// A reader has no callbacks: SlowRevoke and ThrowInCallback never find one. Nothing makes it rebalance, so
// EnforceRebalance does nothing. It has no way to subscribe to anything else: Subscribe closes it and opens another one.
type kafkaGo struct {
	client

	group    goGroup
	beats    goTicker // Generation.heartbeatLoop
	watcher  goTicker // Generation.partitionWatcher
	seen     []int    // the partitions that it found first, by topic
	commits  goCommits
	fetching clock.Time // since when the fetchers of the generation are at work
	stood    clock.Time // when the process was to run and stood still, the last time
	woke     clock.Time // when it ran again
	app      goApp
	closing  bool // Reader.Close was called
}

func startKafkaGo(c client) Process {
	p := &kafkaGo{client: c}
	p.owner = p
	p.commits.retryAt = clock.Never
	p.appWaits(WaitRecords, clock.Never)
	p.enter(goBoots, p.now.Add(p.env.Work.Draw(p.plan.Boot)))
	return p
}

// Step lets all goroutines go on as far as they can at this instant.
func (p *kafkaGo) Step(now clock.Time) []Effect {
	if due := p.Wake(); due.Add(goCatchUp) < now {
		p.stood, p.woke = due, now
	}
	p.now, p.out = now, p.out[:0]
	if p.group.stage == goExited {
		return p.out
	}
	p.pollNetwork()
	for p.groupGoes() || p.ticks() || p.commitsGo() || p.appGoes() {
	}
	return p.out
}

// Wake returns the instant of the next step that is due without any arrival, clock.Never when there is none.
func (p *kafkaGo) Wake() clock.Time {
	if p.group.stage == goExited {
		return clock.Never
	}
	at := min(p.group.wait.Until, p.commits.retryAt, p.app.wait.Until, p.nextTimeout())
	at = min(at, p.beats.due(), p.watcher.due(), p.commits.due())
	if p.app.wait.Kind == WaitRecords && p.group.stage == goRuns {
		at = min(at, p.nextRecord())
	}
	return at
}

// PollWait returns what holds the member up: its group's goroutine, and while that has nothing to do the application.
func (p *kafkaGo) PollWait() Wait {
	if p.group.stage == goRuns {
		return p.app.wait
	}
	return p.group.wait
}

// Aware reports whether the group's goroutine is between two generations.
func (p *kafkaGo) Aware() bool { return p.group.stage != goRuns }

// Heartbeating reports whether the heartbeat goroutine is at work.
func (p *kafkaGo) Heartbeating() bool { return p.group.stage == goRuns }

// Stop closes the reader, from another goroutine than the one that reads.
func (p *kafkaGo) Stop(CloseOptions) { p.asked.stop, p.closing = true, true }

// Stall keeps the application from reading for d, beginning when it has handled its message.
func (p *kafkaGo) Stall(d time.Duration, _ bool) { p.asked.stall += d }

// Commit commits what was read last.
func (p *kafkaGo) Commit() { p.asked.commit = true }

// Subscribe closes the reader and opens one for other topics; with the zero Subscription, none.
func (p *kafkaGo) Subscribe(to Subscription, _ bool) {
	p.asked.subscribes = append(p.asked.subscribes, to)
	p.closing = true
}

// EnforceRebalance does nothing.
func (p *kafkaGo) EnforceRebalance(bool) {}

// TopicsChanged tells that the cluster has these topics from now on. The leader asks for them when it assigns, and the
// partition watcher at each of its ticks.
func (p *kafkaGo) TopicsChanged(_ clock.Time, topics map[string]assignors.Topic) {
	p.metadata.topics = topics
}

func (p *kafkaGo) answered(sent pendingRequest, r wire.Response) {
	switch sent.ticket {
	case p.beats.ticket:
		p.beats.ticket = 0
		p.recordAnswer(trace.HeartbeatAnswered, sent.member, r.Err)
		p.beatAnswered(r.Err)
	case p.commits.ticket:
		p.commits.ticket = 0
		p.recordAnswer(trace.CommitAnswered, sent.member, commitError(r))
		p.commitAnswered(commitError(r))
	case p.group.ticket:
		p.group.ticket, p.group.answer = 0, r
	}
}
