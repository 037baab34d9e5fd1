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

var kafkaJSProfile = Profile{
	Name: "kafkajs", About: "kafkajs 2.2.4: eachMessage, one worker",
	Config: kafkaJSDefaults(), PollTimeout: time.Second, AlwaysDynamic: true,
	Call: "its runner", Handler: true, HandlerSilent: true, Heartbeats: "handler, which calls heartbeat(),",
	start: startKafkaJS, planner: assignors.FindKafkaJS, reconnectsAtOnce: true,
	dialTimeout: time.Second, // network/connection.js connectionTimeout
	versions:    versions{join: 5, sync: 3, heartbeat: 3, leave: 3, commit: 5, fetch: 4, find: 2, protocol: 0},
	Options: []Option{
		{Key: "session.timeout.ms", Name: "sessionTimeout", Source: "src/consumer/index.js"},
		{Key: "heartbeat.interval.ms", Name: "heartbeatInterval", Source: "src/consumer/index.js"},
		{Key: "rebalance.timeout.ms", Name: "rebalanceTimeout", Source: "src/consumer/index.js"},
		{Key: "request.timeout.ms", Name: "requestTimeout", Source: "src/cluster/index.js"},
		{Key: "retry.backoff.ms", Name: "initialRetryTime", Source: "src/retry/defaults.js"},
		{Key: "retry.backoff.max.ms", Name: "maxRetryTime", Source: "src/retry/defaults.js"},
		{Key: "retries", Name: "retries", Source: "src/retry/defaults.js"},
		{Key: "metadata.max.age.ms", Name: "metadataMaxAge", Source: "src/index.js"},
		{Key: "fetch.max.wait.ms", Name: "maxWaitTimeInMs", Source: "src/consumer/index.js"},
		{Key: "enable.auto.commit", Name: "autoCommit", Source: "src/consumer/runner.js"},
		{Key: "max.poll.records", Name: "max.poll.records", Source: "stands for maxBytesPerPartition, 1 MB of records of 1 kB; of one partition"},
		{Key: "auto.offset.reset", Name: "fromBeginning", Source: "src/consumer/index.js, subscribe: latest is false"},
		{Key: "partition.assignment.strategy", Name: "partitionAssigners", Source: "src/consumer/index.js"},
		{Key: "eachBatch", Name: "eachBatch", Source: "src/consumer/runner.js: eachMessage where it is not given"},
		{Key: "handlerHeartbeat", Name: "handlerHeartbeat", Source: "how often the handler calls heartbeat(); 0: never"},
	},
	Modelled: []string{
		"Heartbeats come only after a message, a batch or an empty fetch: a handler that takes longer than the session is evicted.",
		"A rebalance is noticed by a heartbeat; the batches of other partitions are begun, or with eachBatch finished, before it rejoins.",
		"It has no callbacks: it holds what it has until it joins.",
		"A lost connection or an error that may pass costs 300 ms, doubled up to five times until the next rebalance; then it crashes and starts again.",
		"A crash costs the member id, so a ghost stays where the coordinator could not be told.",
		"Every member, not the leader, rejoins because of new partitions, as soon as its metadata are older than metadataMaxAge.",
	},
	Remember: []string{
		"One handler call that takes longer than sessionTimeout is evicted, and gets the same message again: it makes no progress.",
		"An idle consumer sends a heartbeat only every maxWaitTimeInMs, 5 s, whatever heartbeatInterval says.",
		"Five failed retries crash the consumer: it comes back as another member, and the old one blocks rebalances for its session.",
	},
	NotModelled: []string{
		"kafkajs: partitionsConsumedConcurrently, autoCommitInterval and autoCommitThreshold, restartOnFailure; the requests of its " +
			"fetches, of which only the rhythm counts; rejoining because a broker leads other partitions than before",
	},
}

func kafkaJSDefaults() Config {
	return Config{
		SessionTimeout:    30 * time.Second,
		HeartbeatInterval: 3 * time.Second,
		RebalanceTimeout:  time.Minute,
		RequestTimeout:    30 * time.Second,
		RetryBackoff:      300 * time.Millisecond,
		RetryBackoffMax:   30 * time.Second,
		Retries:           5,
		MetadataMaxAge:    5 * time.Minute,
		FetchMaxWait:      5 * time.Second,
		AutoCommit:        true,
		AutoOffsetReset:   "latest",
		MaxPollRecords:    1000,
		Assignors:         []string{"RoundRobinAssigner"},
		LeaveOnClose:      true,
	}
}

// What it spends, as recorded (medians).
const (
	jsFollowerCost = 3 * time.Millisecond  // JoinGroup answer -> a follower's SyncGroup
	jsLeadCost     = 5 * time.Millisecond  // the same of the leader, with its Metadata request
	jsRejoinCost   = 4 * time.Millisecond  // the last answer to a heartbeat -> FindCoordinator
	jsCloseCost    = 40 * time.Millisecond // LeaveGroup answer -> exit
)

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
		p.record(trace.Event{Kind: trace.HeartbeatAnswered, Member: sent.member, Err: r.Err})
	case wire.OffsetCommit:
		r.Err = commitError(r)
		p.record(trace.Event{Kind: trace.CommitAnswered, Member: sent.member, Err: r.Err})
	}
	if sent.ticket == p.loop.ticket {
		p.loop.ticket, p.loop.answer = 0, r
	}
}
