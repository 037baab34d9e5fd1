package consumers

import (
	"time"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// kafkaJS is a consumer of kafkajs 2.2.4 with one worker: an event loop that fetches, handles what it got, and sends a
// heartbeat in between if one is due. Each await is one wait of the loop.
//
// It has no callbacks: SlowRevoke and ThrowInCallback never find one. Nothing makes it rebalance, so EnforceRebalance
// does nothing. It cannot subscribe to anything else while it runs: Subscribe stops it, which leaves the group, and runs it
// again.
type kafkaJS struct {
	client

	loop   jsLoop
	batch  jsBatch
	beatAt clock.Time // no heartbeat before it

	running   bool // it has joined once: Runner.start is over
	suspended bool // it rejoins, and consumes nothing of what it still holds
	closing   bool // it is to stop
	first     bool // its first JoinGroup was sent

	cluster   map[string]assignors.Topic // what the next refresh of the metadata shows
	refreshAt clock.Time
	seen      []int // the partitions of what it subscribes to, at its last SyncGroup
}

func startKafkaJS(c client) Process {
	p := &kafkaJS{client: c, cluster: c.env.Topics}
	p.owner = p
	p.beatAt = p.now.Add(p.plan.Config.HeartbeatInterval)
	p.refreshMetadata()
	p.await(jsBoots, p.now.Add(p.env.Work.Draw(p.plan.Boot)))
	return p
}

// Step lets the loop go on as far as it can at this instant.
func (p *kafkaJS) Step(now clock.Time) []Effect {
	p.now, p.out = now, p.out[:0]
	if p.loop.stage == jsExited {
		return p.out
	}
	p.pollNetwork()
	if p.asked.commit {
		p.asked.commit = false
		p.commitForUser()
	}
	if p.closing || p.asked.stall > 0 {
		p.cutShort()
	}
	for p.goes() {
	}
	return p.out
}

// Wake returns the instant of the next step that is due without any arrival, clock.Never when there is none.
func (p *kafkaJS) Wake() clock.Time {
	if p.loop.stage == jsExited {
		return clock.Never
	}
	return min(p.loop.wait.Until, p.nextTimeout())
}

// PollWait returns what the loop waits for.
func (p *kafkaJS) PollWait() Wait { return p.loop.wait }

// Aware reports whether the consumer knows that it has to rejoin, or is on its way.
func (p *kafkaJS) Aware() bool { return p.suspended || !p.running || p.batch.thrown }

// Heartbeating reports whether the loop comes by its heartbeats: a handler keeps it from them that does not call
// heartbeat().
func (p *kafkaJS) Heartbeating() bool {
	switch p.loop.wait.Kind {
	case WaitRecords, WaitCommit:
		return p.running && !p.suspended
	case WaitProcessing:
		return p.running && !p.suspended && p.plan.Config.HandlerHeartbeat > 0
	}
	return false
}

// Stop stops and disconnects the consumer, when the message that it handles is done.
func (p *kafkaJS) Stop(CloseOptions) { p.asked.stop, p.closing = true, true }

// Stall makes the next call of the handler take d longer. Where topics hold no records it is as if one came at once.
func (p *kafkaJS) Stall(d time.Duration, _ bool) { p.asked.stall += d }

// Commit commits what is handled. Nothing waits for the answer.
func (p *kafkaJS) Commit() { p.asked.commit = true }

// Subscribe stops the consumer and runs it again with other topics; with the zero Subscription, not at all.
func (p *kafkaJS) Subscribe(to Subscription, _ bool) {
	p.asked.subscribes = append(p.asked.subscribes, to)
	p.closing = true
}

// EnforceRebalance does nothing.
func (p *kafkaJS) EnforceRebalance(bool) {}

// TopicsChanged tells that the cluster has these topics from now on.
func (p *kafkaJS) TopicsChanged(_ clock.Time, topics map[string]assignors.Topic) {
	p.cluster, p.metadata.news = topics, true
}

// refreshMetadata takes what the cluster tells of the topics that the consumer subscribes to.
func (p *kafkaJS) refreshMetadata() {
	p.refreshAt = p.now.Add(p.plan.Config.MetadataMaxAge)
	if !p.metadata.news {
		return
	}
	p.metadata.news = false
	mine := map[string]assignors.Topic{}
	for _, name := range p.subscription.topics {
		if topic, ok := p.cluster[name]; ok {
			mine[name] = topic
		}
	}
	p.metadata.topics = mine
}

func (p *kafkaJS) answered(sent pendingRequest, r wire.Response) {
	switch sent.api {
	case wire.Heartbeat:
		p.recordAnswer(trace.HeartbeatAnswered, sent.member, r.Err)
	case wire.OffsetCommit:
		r.Err = commitError(r)
		p.recordAnswer(trace.CommitAnswered, sent.member, r.Err)
	}
	if sent.ticket == p.loop.ticket {
		p.loop.ticket, p.loop.answer = 0, r
	}
}
