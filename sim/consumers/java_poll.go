package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// pollThread is the application's thread: it calls poll() in a loop and runs every callback.
type pollThread struct {
	wait Wait

	// The running poll().

	ends    clock.Time // when it returns at the latest
	records clock.Time // when it returns with records; clock.Never while none are on their way
	lookups lookups
	fetchAt clock.Time // when the Fetch that is in flight was sent
	fatal   wire.Err   // what the next poll() throws

	noOffset bool // it throws, because auto.offset.reset is none and nothing is committed

	throwsAt clock.Time // when the answer to Metadata makes it throw InvalidTopicException

	// What it does for the group.

	hook         preJoinHook
	listener     listenerCall
	thrown       bool // onPartitionsRevoked has thrown in the post-join hook that runs
	commit       awaitedCommit
	autoCommitAt clock.Time
	idGiven      bool // a member id was just handed out: the JoinGroup with it needs no time
	warm         warmth

	// The end.

	closing       closing
	unsubscribing bool
}

// warmth says what the process has done before, and does quicker from then on.
type warmth struct {
	joined   bool          // asked for a member id
	coldness time.Duration // how long it waited to do so; 0 once it has joined with the id
	led      bool          // computed an assignment
}

// wait blocks the poll thread.
func (p *java) wait(kind WaitKind, until clock.Time) {
	if p.poll.wait.Kind.readsNetwork() && !kind.readsNetwork() {
		p.leaveSelector()
	}
	since := p.now
	if kind == p.poll.wait.Kind && kind.readsNetwork() {
		since = p.poll.wait.Since
	}
	p.poll.wait = Wait{Kind: kind, Since: since, Until: until}
}

// waitInPoll blocks the poll thread inside poll(), at most until poll() has to return; not at all after
// wakeup().
func (p *java) waitInPoll(kind WaitKind, until clock.Time) {
	if p.asked.stop {
		until = p.now
	}
	if kind.returnsRecords() {
		until = min(until, p.poll.records)
	}
	p.wait(kind, min(until, p.poll.ends, p.poll.throwsAt))
}

// pollThreadWakes goes on after whatever the poll thread waited for.
func (p *java) pollThreadWakes() {
	switch p.poll.wait.Kind {
	case WaitBoot:
		p.asksForNewTopics()
		p.poll.autoCommitAt = p.now.Add(p.plan.Config.AutoCommitInterval)
		p.bootstrapped = p.now.Add(bootstrapCost)
		p.connect(NodeConn)
		p.beginPoll()
	case WaitProcessing, WaitStall, WaitSubscription:
		if p.poll.wait.Kind == WaitStall {
			p.recordStallEnd(p.poll.wait.Since)
		}
		p.betweenPolls()
	case WaitListener:
		revoked := p.poll.listener.kind == revoking
		if !p.callbackReturned() || revoked && !p.takeAssignment() {
			return
		}
		switch {
		case p.closing():
			p.continueClose()
		case p.poll.unsubscribing:
			p.unsubscribed()
			if p.obey() {
				p.callPoll()
			}
		default:
			p.resumePoll()
		}
	case WaitRejoin, WaitAssign:
		p.built()
	case WaitClose:
		p.pollNetwork()
		p.heartbeatRound(false)
		p.continueClose()
	default:
		p.pollNetwork()
		p.heartbeatRound(false)
		switch {
		case p.join.stage == joinAnswered && !p.asked.stop:
			p.buildSync() // still inside the handler of the response
		case p.pollReturns() && !p.asked.stop:
			p.betweenPolls() // without another membership step
		default:
			p.continuePoll()
		}
	}
}

// beginPoll is the application's call of poll().
func (p *java) beginPoll() {
	p.done.Polls++
	if p.now >= p.poll.fetchAt.Add(fetchCycle) {
		p.poll.fetchAt = p.now // the answer to the last Fetch was waiting; the next one goes out now
	}
	p.poll.ends = p.now.Add(p.plan.PollTimeout + pollCost)
	p.poll.records = clock.Never
	p.poll.lookups = lookups{}
	p.continuePoll()
}

// continuePoll is one iteration inside poll(): the membership step, then the wait for records.
// Kafka: ConsumerCoordinator.poll, then the fetch.
func (p *java) continuePoll() {
	if p.asked.stop { // wakeup(): poll() throws, and the application calls close()
		p.beginClose()
		return
	}
	if p.poll.fatal != wire.None {
		p.throws(p.poll.fatal, exceptionName(p.poll.fatal))
		return
	}
	if p.now >= p.poll.throwsAt {
		p.poll.throwsAt = clock.Never
		p.throws(wire.UnknownServerError, string(invalidTopic))
		return
	}
	if p.poll.noOffset {
		p.poll.noOffset = false
		p.throws(wire.None, "NoOffsetForPartitionException")
		return
	}
	p.polled(p.now)
	p.awaitRecords()
	if p.membershipStep() {
		p.fetchPositions()
		p.autoCommit()
		p.waitInPoll(WaitRecords, p.nextDue())
	}
	if !p.closing() && p.poll.wait.Kind.readsNetwork() && p.now >= p.poll.ends {
		p.betweenPolls()
	}
}

// resumePoll goes on in the middle of a membership step, whatever has happened meanwhile: an unknown coordinator fails
// the join, and wakeup() is noticed only when the step has sent what comes next.
// Kafka: AbstractCoordinator.joinGroupIfNeeded, ConsumerNetworkClient.poll.
func (p *java) resumePoll() {
	joining := p.rejoinNeeded || p.join.stage != noJoin
	if joining && !p.joinStep() {
		return
	}
	p.continuePoll()
}

// nextDue returns when the wait for records has to end although nothing arrived.
func (p *java) nextDue() clock.Time {
	due := min(p.nextHeartbeat(), p.nextPositions(), p.nextMetadata())
	if p.plan.Config.AutoCommit {
		due = min(due, p.poll.autoCommitAt)
	}
	return due
}

// polled notes a membership step: max.poll.interval.ms counts from it.
func (p *java) polled(at clock.Time) {
	p.heartbeat.polledAt = at
	p.heartbeat.pollUntil = at.Add(p.plan.Config.MaxPollInterval)
}

// fetchesReturned accounts for the empty answers of Fetch that came while poll() waited: each one ended the
// wait and made a membership step, so max.poll.interval.ms counts from the last of them. Nothing else
// follows from them, which is why they are no events.
func (p *java) fetchesReturned() {
	if !p.hasPositions() {
		return
	}
	n := p.now.Sub(p.poll.fetchAt) / fetchCycle
	p.poll.fetchAt = p.poll.fetchAt.Add(n * fetchCycle)
	if p.poll.fetchAt > p.heartbeat.polledAt {
		p.polled(p.poll.fetchAt)
	}
}

// betweenPolls is the application outside poll(): it stalls if it was told to, else handles what poll()
// returned, then polls again.
func (p *java) betweenPolls() {
	if d := p.asked.stall; d > 0 {
		p.asked.stall = 0
		p.fetchesReturned()
		p.takeRecords() // which it hangs in
		p.wait(WaitStall, p.now.Add(d))
		p.recordStall(d)
		return
	}
	returned, n := p.poll.wait.Kind.insidePoll(), 0
	if returned {
		p.fetchesReturned()
		n = p.takeRecords()
	}
	if !p.obey() {
		return
	}
	if returned && p.handles(n) {
		return
	}
	p.callPoll()
}

// handles lets the application handle the n records that poll() returned. It reports whether that takes any time.
func (p *java) handles(n int) bool {
	d := p.takes(n)
	if d <= 0 {
		return false
	}
	p.wait(WaitProcessing, p.now.Add(d))
	p.recordProcessing(n, d)
	return true
}

// callPoll calls poll(), which throws without a subscription; then the application waits for one.
func (p *java) callPoll() {
	if p.subscription.none() && !p.asked.stop {
		p.wait(WaitSubscription, clock.Never)
		return
	}
	if !p.plan.Config.AutoCommit && p.uncommitted() && p.canCommit() {
		p.requestCommit()
	}
	p.beginPoll()
}
