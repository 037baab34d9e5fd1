package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// librdkafka is librdkafka 2.16, on which confluent-kafka-python, -go, -dotnet and -js are built: a main thread with
// two state machines, that of the coordinator and that of the membership, and the application's thread, which runs the
// rebalance callbacks inside poll(). The threads of brokers are the connections of client.
//
// The application polls in a loop. What the library has not does nothing here: EnforceRebalance, and the options of
// close().
type librdkafka struct {
	client

	main rdMainThread
	app  rdAppThread
}

// rdMainThread is the main thread. Kafka: none; librdkafka: rd_kafka_thread_main, rd_kafka_cgrp_t.
type rdMainThread struct {
	runs       bool       // the application has made the consumer
	servedAt   clock.Time // when it looked at everything last
	ticksFrom  clock.Time // when the timer began that looks after max.poll.interval.ms; 0: it does not run
	committing clock.Time // when the timer of auto-commits began

	// The coordinator.

	coordinator rdCoordinatorState
	dialed      bool       // the first connection was opened
	queried     bool       // and the next query needs a pause
	queriedAt   clock.Time // when it was asked for last

	// The membership.

	join         rdJoinState
	since        clock.Time  // when it became that
	awaited      wire.Ticket // of the JoinGroup or SyncGroup that is outstanding, 0 when none is
	joined       bool        // a JoinGroup was sent
	joinAfter    clock.Time  // no JoinGroup before it; 0: at once
	joinedAt     clock.Time  // when the last JoinGroup was sent
	reconnected  bool        // since the last JoinGroup was refused
	answer       *wire.JoinGroupResponse
	assignAt     clock.Time // when a leader has run the assignor
	heartbeatAt  clock.Time // when the next heartbeat is due
	beating      bool       // one is in flight
	sessionUntil clock.Time // when the membership counts as expired; 0: it has expired, or there was none
	pollExceeded bool       // it left because the application had not polled; no JoinGroup before that does
	leaves       bool       // LeaveGroup follows when everything is given up
	leaving      wire.Ticket
	terminating  bool

	// The assignment.

	given     bool                  // the coordinator has given one, maybe an empty one
	lost      bool                  // it counts as lost
	added     []wire.TopicPartition // what the application gets once it has given up what it does not get again
	incurred  bool                  // an incremental revocation runs because of a new assignment
	rejoins   bool                  // JoinGroup follows when all operations are done
	commits   []rdCommit
	effective []rdTopic // what the last look at the metadata has shown of the subscription
}

// rdCoordinatorState is the state of the coordinator's state machine. librdkafka: rkcg_state.
type rdCoordinatorState uint8

const (
	rdQueryCoordinator rdCoordinatorState = iota
	rdWaitCoordinator                     // FindCoordinator is outstanding
	rdWaitTransport                       // the connection to the coordinator is being set up
	rdCoordinatorUp
)

// rdJoinState is the state of the membership's state machine. librdkafka: rkcg_join_state.
type rdJoinState uint8

const (
	rdJoinInit rdJoinState = iota
	rdWaitJoin
	rdWaitMetadata // the leader gets the metadata for its assignor
	rdWaitSync
	rdWaitAssignCall       // the application has to take an assignment
	rdWaitUnassignCall     // it has to give one up
	rdWaitUnassigned       // its last commit, before all is given up
	rdWaitPartlyUnassigned // the same of some partitions. librdkafka: WAIT_INCR_UNASSIGN_TO_COMPLETE
	rdSteady
)

func startLibrdkafka(c client) Process {
	p := &librdkafka{client: c}
	p.owner = p
	k := &p.plan.Config // it would spin where these are 0; in a run no time would pass
	k.ReconnectBackoff = max(k.ReconnectBackoff, time.Millisecond)
	k.ReconnectMax = max(k.ReconnectMax, time.Millisecond)
	p.appWaits(WaitBoot, p.now.Add(p.env.Work.Draw(p.plan.Boot)))
	return p
}

// Step lets both threads go on as far as they can at this instant. The effects are valid until the next step.
func (p *librdkafka) Step(now clock.Time) []Effect {
	p.out = p.out[:0]
	p.makeUp(p, now)
	p.now = now
	for p.app.wait.Kind != WaitExited {
		p.cutWork()
		switch {
		case len(p.inbox) > 0 || p.now >= p.mainWakes():
			p.mainRuns()
		case p.appCanGoOn():
			p.appRuns()
		default:
			p.strideUntil = p.strides()
			return p.out
		}
	}
	return p.out
}

// Wake returns the instant of the next step that is due without any arrival, clock.Never when there is none. After a
// step it is later than that step.
func (p *librdkafka) Wake() clock.Time {
	if p.app.wait.Kind == WaitExited {
		return clock.Never
	}
	if p.strideUntil != 0 {
		return p.strideUntil
	}
	return min(p.mainWakes(), p.app.wait.Until)
}

// PollWait returns what the application's thread waits for: inside poll() that is what the main thread waits for.
func (p *librdkafka) PollWait() Wait {
	if p.app.wait.Kind != WaitRecords {
		return p.app.wait
	}
	m := &p.main
	wait := Wait{Kind: WaitRecords, Since: m.since, Until: clock.Never}
	switch {
	case m.join == rdWaitUnassigned || m.join == rdWaitPartlyUnassigned:
		wait.Kind = WaitCommit
	case m.coordinator != rdCoordinatorUp:
		wait.Kind = WaitCoordinator
	case m.join == rdWaitJoin:
		wait.Kind = WaitJoinResponse
	case m.join == rdWaitSync:
		wait.Kind = WaitSyncResponse
	case m.join == rdWaitMetadata:
		wait.Kind, wait.Until = WaitAssign, m.assignAt
	case m.join == rdJoinInit && p.subscription.none():
		wait.Kind = WaitSubscription
	case m.join == rdJoinInit:
		wait.Kind, wait.Until = WaitBackoff, p.wakes(p.joinDue())
	default:
		return p.app.wait
	}
	return wait
}

// Aware reports whether the main thread knows that it has to rejoin, or is on its way.
func (p *librdkafka) Aware() bool { return p.main.join != rdSteady || p.main.rejoins }

// Heartbeating reports whether heartbeats are sent: not while JoinGroup or SyncGroup is outstanding.
func (p *librdkafka) Heartbeating() bool {
	return p.beats() && p.main.coordinator == rdCoordinatorUp && !p.main.pollExceeded
}

// PollDeadline returns when max.poll.interval.ms makes the member leave, clock.Never while the application polls. It is
// looked after twice a second.
func (p *librdkafka) PollDeadline() clock.Time {
	if p.main.ticksFrom == 0 || p.inPoll() {
		return clock.Never
	}
	return firstTick(p.main.ticksFrom, rdPollCheckInterval, p.app.polledAt.Add(p.plan.Config.MaxPollInterval))
}

// Committing reports since when a commit waits for the coordinator, before which no JoinGroup leaves.
func (p *librdkafka) Committing() (since clock.Time, ok bool) {
	m := &p.main
	if m.join != rdWaitUnassigned && m.join != rdWaitPartlyUnassigned {
		return 0, false
	}
	for _, c := range m.commits {
		if c.deferredUntil > 0 {
			return m.since, true
		}
	}
	return 0, false
}

func (p *librdkafka) exit(reason trace.Reason) {
	p.appWaits(WaitExited, clock.Never)
	p.exits(reason)
}
