package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// saramaProfile is IBM/sarama. Sources of what the machine does: consumer_group.go, consumer_group_session.go,
// consumer_group_cooperative.go, offset_manager.go, consumer.go, client.go and broker.go of v1.61.1.
var saramaProfile = Profile{
	Name: "sarama", About: "IBM/sarama v1.61 (Go): eager range, session 10 s, rebalance timeout 60 s, heartbeats from a goroutine of the session",
	Config: saramaDefaults(), PollAgain: 100 * time.Millisecond,
	Call: "Consume()", Handler: true, Heartbeats: "heartbeat goroutine",
	start:       startSarama,
	versions:    versions{join: 7, sync: 5, heartbeat: 4, leave: 4, commit: 8, fetch: 7, find: 3, protocol: 1},
	dialTimeout: 30 * time.Second, // config.go: Net.DialTimeout
	Options: []Option{
		{"session.timeout.ms", "Consumer.Group.Session.Timeout", "config.go: NewConfig"},
		{"heartbeat.interval.ms", "Consumer.Group.Heartbeat.Interval", "config.go: NewConfig"},
		{"rebalance.timeout.ms", "Consumer.Group.Rebalance.Timeout", "config.go: NewConfig"},
		{"Consumer.Group.Rebalance.Retry.Backoff", "Consumer.Group.Rebalance.Retry.Backoff", "config.go: NewConfig"},
		{"request.timeout.ms", "Net.ReadTimeout", "config.go: NewConfig"},
		{"retry.backoff.ms", "Metadata.Retry.Backoff", "config.go: NewConfig"},
		{"metadata.max.age.ms", "Metadata.RefreshFrequency", "config.go: defaultMetadataRefreshFrequency"},
		{"enable.auto.commit", "Consumer.Offsets.AutoCommit.Enable", "config.go: NewConfig"},
		{"auto.commit.interval.ms", "Consumer.Offsets.AutoCommit.Interval", "config.go: NewConfig"},
		{"auto.offset.reset", "Consumer.Offsets.Initial", "config.go: NewConfig"},
		{"partition.assignment.strategy", "Consumer.Group.Rebalance.GroupStrategies", "config.go: NewConfig"},
	},
	Modelled: []string{
		"no limit on processing: a handler that does not return keeps the member in its group, which waits for it in a rebalance",
		"one request at a time on the connection to a broker: heartbeats and commits wait for the Fetch in flight, up to 500 ms",
		"heartbeats only within a session, the first at once; they go on while handlers finish",
		"JoinGroup is read for Net.ReadTimeout (30 s): a longer join phase ends Consume() with an error, and the next one joins again with the same id",
		"an error of the coordinator in JoinGroup or SyncGroup is tried again after 2 s, four times; a lost connection ends Consume() at once",
		"a rebalance begins when the Fetch in flight has returned and all handlers have; Consume() then runs anew",
		"the leader looks for new partitions when its session begins and every Metadata.RefreshFrequency (10 min)",
		"a subscription to nothing, or a cancelled Consume(), leaves nobody a word: the member stays until its session expires",
	},
	Remember: []string{
		"A join phase longer than Net.ReadTimeout (30 s) ends Consume() with an i/o timeout: call it again in a loop, the member keeps its place.",
		"Processing has no limit: one handler that does not return stops its whole group in a rebalance, for Rebalance.Timeout (60 s).",
		"Heartbeats share a connection with Fetch and stop between two sessions; with a session of 10 s little must go wrong.",
	},
	NotModelled: []string{
		"sarama: its sticky strategies hand out new partitions in an order that changes from run to run (Go's maps)",
		"sarama: Metadata.Retry.Max, Consumer.Group.Rebalance.Retry.Max and Consumer.Offsets.Retry.Max are 3, 4 and 3",
		"sarama: with several brokers, the coordinator counts as a leader of what a member consumes, so that its Fetch delays heartbeats",
	},
}

func saramaDefaults() Config {
	c := Defaults()
	c.SessionTimeout = 10 * time.Second
	c.MaxPollInterval = 0
	c.RebalanceTimeout = time.Minute
	c.RetryBackoff, c.RetryBackoffMax = 250*time.Millisecond, 250*time.Millisecond
	c.ReconnectBackoff, c.ReconnectMax = 0, 0
	c.MetadataMaxAge = 10 * time.Minute
	c.AutoCommitInterval = time.Second
	c.Assignors = []string{"range"}
	c.JoinRetryBackoff = 2 * time.Second
	return c
}

// sarama is a consumer on sarama: the application calls Consume() in a loop, a session has goroutines of its own
// for heartbeats, commits and every claim, and all of them share the mutex of the connection to their broker.
type sarama struct {
	client

	consume   saramaConsumeLoop
	handlers  Wait // of ConsumeClaim(): WaitRecords while they have nothing to do
	session   saramaSession
	heart     saramaHeartbeatLoop
	offsets   saramaOffsetManager
	fetch     saramaBrokerConsumer
	lines     [NumConns]saramaLine
	inquiries [saramaNumCallers]saramaInquiry
}

// saramaCaller is the goroutine that a request is for.
type saramaCaller uint8

const (
	saramaConsumeCaller saramaCaller = iota // the application's, inside Consume() or Close()
	saramaHeartCaller
	saramaOffsetsCaller
	saramaFetchCaller
	saramaNumCallers
)

func startSarama(c client) Process {
	p := &sarama{client: c}
	p.owner = p
	p.heart.wakes, p.offsets.wakes, p.session.watch = clock.Never, clock.Never, clock.Never
	p.fetchEnds()
	for i := range p.inquiries {
		p.inquiries[i].again = clock.Never
	}
	p.wait(WaitBoot, p.now.Add(p.env.Work.Draw(p.plan.Boot)))
	return p
}

// Step lets all goroutines go on as far as they can at this instant. The effects are valid until the next step.
func (p *sarama) Step(now clock.Time) []Effect {
	p.out = p.out[:0]
	p.makeUp(p, now)
	p.now = now
	for p.consume.wait.Kind != WaitExited {
		p.pollNetwork()
		p.fetchGoesOn()
		if !p.inquireAgain() && !p.heartWakes() && !p.offsetsWake() && !p.handlersWake() && !p.consumeWakes() && !p.serveLines() {
			p.strideUntil = p.strides()
			break
		}
	}
	return p.out
}

// Wake returns the instant of the next step that is due without any arrival, clock.Never when there is none.
// After a step it is later than that step.
func (p *sarama) Wake() clock.Time {
	if p.consume.wait.Kind == WaitExited {
		return clock.Never
	}
	if p.strideUntil != 0 {
		return p.strideUntil
	}
	return min(p.nextDue(), p.handlersDue())
}

// nextDue returns when something is due that has nothing to do with the handlers.
func (p *sarama) nextDue() clock.Time {
	at := min(p.consumeDue(), p.heartDue(), p.offsetsDue(), p.fetch.yields, p.nextTimeout())
	for i := range p.inquiries {
		at = min(at, p.inquiries[i].again)
	}
	return at
}

// PollWait returns what the application waits for: its handlers, as long as Consume() waits for them.
func (p *sarama) PollWait() Wait {
	if p.handlersBusy() && (p.consume.stage == saramaInSession || p.consume.stage == saramaReleases) {
		return p.handlers
	}
	return p.consume.wait
}

// Aware reports whether the member knows that it has to rejoin, or is on its way.
func (p *sarama) Aware() bool { return p.state != stable || p.session.over }

// Heartbeating reports whether the heartbeat goroutine is at work. A cooperative member that joins again keeps it from
// that.
func (p *sarama) Heartbeating() bool { return p.heart.running && !p.session.rejoining }

// FetchConn returns the connection to the coordinator, which leads some of what the member consumes.
func (p *sarama) FetchConn() Conn { return CoordinatorConn }

func (p *sarama) exit(reason trace.Reason) {
	p.consume.wait = Wait{Kind: WaitExited, Since: p.now, Until: clock.Never}
	p.exits(reason)
}

// answered hands an answer to the goroutine that waits for it.
func (p *sarama) answered(sent pendingRequest, r wire.Response) {
	p.heard(p.lines[sent.conn].caller, sent, r)
}

func (p *sarama) heard(caller saramaCaller, sent pendingRequest, r wire.Response) {
	switch {
	case sent.api == wire.Fetch:
		p.fetchReturned()
	case sent.api == wire.Metadata || sent.api == wire.FindCoordinator:
		p.inquiryAnswered(caller, sent.api, r)
	case caller == saramaHeartCaller:
		p.heartbeatAnswered(sent, r.Err)
	case sent.api == wire.OffsetCommit:
		p.commitAnswered(caller, sent, commitError(r))
	case caller == saramaConsumeCaller:
		p.consumeAnswered(sent, r)
	}
}
