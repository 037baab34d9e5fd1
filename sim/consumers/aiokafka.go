package consumers

import (
	"time"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// aiokafkaProfile is aiokafka 0.14.0. Its defaults and request versions were recorded; what it does in a fault was
// only read in its source.
var aiokafkaProfile = Profile{
	Name: "aiokafka", About: "aiokafka 0.14.0: everything on one asyncio loop; unverified, no fault was recorded with it",
	Config: aiokafkaDefaults(), PollTimeout: time.Second,
	Options: []Option{
		{"session.timeout.ms", "session_timeout_ms", aioConsumer},
		{"heartbeat.interval.ms", "heartbeat_interval_ms", aioConsumer},
		{"max.poll.interval.ms", "max_poll_interval_ms", aioConsumer},
		{"rebalance.timeout.ms", "rebalance_timeout_ms", aioConsumer + "; unset it is session_timeout_ms"},
		{"request.timeout.ms", "request_timeout_ms", aioConsumer},
		{"retry.backoff.ms", "retry_backoff_ms", aioConsumer},
		{"metadata.max.age.ms", "metadata_max_age_ms", aioConsumer},
		{"enable.auto.commit", "enable_auto_commit", aioConsumer},
		{"auto.commit.interval.ms", "auto_commit_interval_ms", aioConsumer},
		{"auto.offset.reset", "auto_offset_reset", aioConsumer},
		{"max.poll.records", "max_poll_records", aioConsumer + "; unset it is no bound"},
		{"partition.assignment.strategy", "partition_assignment_strategy", aioConsumer},
		{"connections.max.idle.ms", "connections_max_idle_ms", aioConsumer},
	},
	Modelled: []string{
		"`processing` and `per-record` are CPU-bound handlers: they block the event loop, and with it heartbeats and rebalances.",
		"A `stall` awaits something else than the consumer: heartbeats and rebalances go on without the application.",
		"Who does not fetch for max.poll.interval.ms leaves the group, and rejoins only when the application fetches again.",
		"The rebalance timeout is the session timeout unless it is set: members have 10 s to rejoin.",
		"A rebalance begins at the heartbeat's answer, with the commit and the listener; heartbeats go on until JoinGroup.",
		"A lost assignment is revoked, too: there is no onPartitionsLost.",
		"The commit before a rejoin, and the last one, are repeated until they succeed or fail for good.",
		"JoinGroup is waited for no longer than request.timeout.ms.",
		"stop() waits for a join that is under way; enforceRebalance() does not exist and does nothing.",
	},
	Remember: []string{
		"A handler that computes for longer than session.timeout.ms (10 s) costs the membership: its heartbeats run on the same loop.",
		"A member that was idle for max.poll.interval.ms is out of the group until it fetches again.",
		"The rebalance timeout is as short as the session: whoever is busy for 10 s when a rebalance begins is dismissed.",
	},
	NotModelled: []string{
		"handlers that await while they process; take a stall for them",
		"a request_timeout_ms other than 40 s does not count for setting a connection up",
		"rebalance listeners that block the loop; here they await",
		"stop() without a coordinator repeats its last commit for ever; here it does not try",
	},
	Call:             "getmany()",
	Heartbeats:       "heartbeat task",
	AnyHeartbeat:     true,
	HandlerSilent:    true,
	start:            startAiokafka,
	versions:         versions{join: 5, sync: 3, heartbeat: 1, leave: 1, commit: 3, fetch: 3, find: 1},
	subscriptionOf:   pythonSubscription,
	reconnectsAtOnce: true, constantRetry: true, rebalancesInSession: true, planner: assignors.FindAiokafka, dialTimeout: 40 * time.Second,
}

const aioConsumer = "aiokafka/consumer/consumer.py AIOKafkaConsumer.__init__"

func aiokafkaDefaults() Config {
	c := Defaults()
	c.SessionTimeout = 10 * time.Second
	c.RebalanceTimeout = 0
	c.RequestTimeout = 40 * time.Second
	c.ReconnectBackoff, c.ReconnectMax = 0, 0
	c.MaxPollRecords = 0
	c.Assignors = []string{"roundrobin"}
	return c
}

// aiokafka is the consumer of aiokafka: three coroutines on one event loop. The application's fetches in a loop, and
// blocks all of them while it processes; another one coordinates, which needs no call of the application; the third one
// sends heartbeats while the group is joined.
// aiokafka: aiokafka/consumer/group_coordinator.py.
type aiokafka struct {
	client

	application  aioApplication
	coordination aioCoordination
	heartbeat    aioHeartbeat
	lookup       aioLookup

	rejoinNeeded bool
	blockedUntil clock.Time // the assignor computes
}

func startAiokafka(c client) Process {
	p := &aiokafka{client: c, rejoinNeeded: true}
	p.owner = p
	p.application.wait = Wait{Kind: WaitBoot, Since: p.now, Until: p.now.Add(p.env.Work.Draw(p.plan.Boot))}
	return p
}

// blocked returns until when the event loop does nothing else than to compute.
func (p *aiokafka) blocked() clock.Time {
	switch w := p.application.wait; w.Kind {
	case WaitBoot, WaitProcessing:
		return max(w.Until, p.blockedUntil)
	}
	return p.blockedUntil
}

// Step lets the coroutines go on as far as they can at this instant.
func (p *aiokafka) Step(now clock.Time) []Effect {
	p.out = p.out[:0]
	p.makeUp(p, now)
	p.now = now
	for p.application.wait.Kind != WaitExited {
		switch {
		case now < p.blocked():
			p.strideUntil = p.strides()
			return p.out
		case now >= p.application.wait.Until:
			p.applicationWakes()
		case len(p.inbox) > 0 || now >= p.nextTimeout():
			p.pollNetwork()
		case now >= p.heartbeat.due():
			p.heartbeatWakes()
		case p.coordination.runs || now >= p.coordination.wait.Until:
			p.coordinate()
		default:
			p.strideUntil = p.strides()
			return p.out
		}
	}
	return p.out
}

// Wake returns the instant of the next step that is due without any arrival, clock.Never when there is none.
func (p *aiokafka) Wake() clock.Time {
	if p.application.wait.Kind == WaitExited {
		return clock.Never
	}
	if p.strideUntil != 0 {
		return p.strideUntil
	}
	if b := p.blocked(); b > p.now {
		return b
	}
	return min(p.application.wait.Until, p.nextTimeout(), p.heartbeat.due(), p.coordination.wait.Until)
}

// PollWait returns what keeps the loop from going on with the group: a handler that blocks it, what the coordination
// waits for, or if that is nothing what the application does.
func (p *aiokafka) PollWait() Wait {
	a, c := p.application.wait, p.coordination.wait
	switch {
	case a.Kind == WaitBoot || a.Kind == WaitProcessing || a.Kind == WaitExited:
		return a
	case c.Kind == WaitRecords || c.Kind == WaitSubscription:
		return a
	case p.coordination.idle: // it waits for the application to fetch again
		return a
	}
	return c
}

// Aware reports whether the client knows that it has to rejoin, or is on its way.
func (p *aiokafka) Aware() bool { return p.rejoinNeeded || p.coordination.stage >= aioPrepares }

// Heartbeating reports whether heartbeats are sent.
func (p *aiokafka) Heartbeating() bool { return p.heartbeat.runs && p.now >= p.blocked() }

// PollDeadline returns when max.poll.interval.ms makes the member leave, clock.Never while it fetches.
func (p *aiokafka) PollDeadline() clock.Time {
	if !p.heartbeat.runs || p.application.fetching {
		return clock.Never
	}
	return p.application.fetchedAt.Add(p.plan.Config.MaxPollInterval)
}

// requestRejoin wakes the coordination up to rejoin. aiokafka: GroupCoordinator.request_rejoin.
func (p *aiokafka) requestRejoin(reason string) {
	p.coordination.runs = true
	if p.rejoinNeeded {
		return
	}
	p.rejoinNeeded = true
	p.client.requestRejoin(reason)
}

// reset forgets the generation and the member id, without which no heartbeat makes sense.
// aiokafka: GroupCoordinator.reset_generation.
func (p *aiokafka) reset(where wire.API, err wire.Err) {
	p.recordReset(where.String(), err, "")
	p.heartbeat.runs = false
	p.requestRejoin(reasonOfReset(where, err))
}
