package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// heartbeatThread is the background thread of a Java consumer. While the poll thread sits in the
// network client's selector it cannot act by itself: it is blocked on that client, gets its turn when the
// selector returns, and then goes before the poll thread's next membership step. While the application
// is outside poll() it wakes on a tick. Kafka: AbstractCoordinator.HeartbeatThread, Heartbeat.
type heartbeatThread struct {
	enabled  bool
	failures int // in a row

	sendAt       clock.Time // heartbeat.interval.ms
	sessionUntil clock.Time // session.timeout.ms, as the client sees it
	pollUntil    clock.Time // max.poll.interval.ms
	polledAt     clock.Time // last membership step

	tickFrom clock.Time // ticks are at tickFrom + k x heartbeatTick
	clearing bool       // alternate ticks start a lookup and clear a finished one
}

// enableHeartbeat starts all three timers anew. Kafka: HeartbeatThread.enable, Heartbeat.resetTimeouts.
func (p *java) enableHeartbeat() {
	h := &p.heartbeat
	h.enabled, h.failures = true, 0
	h.sendAt = p.now.Add(p.plan.Config.HeartbeatInterval)
	h.sessionUntil = p.now.Add(p.plan.Config.SessionTimeout)
	h.pollUntil = p.now.Add(p.plan.Config.MaxPollInterval)
	h.polledAt = p.now
}

// leaveSelector notes that the poll thread has left the network client: from now on the heartbeat thread
// acts on its own, beginning at once.
func (p *java) leaveSelector() { p.heartbeat.tickFrom = p.now }

// nextTick returns the first tick at which the heartbeat thread has something to do, clock.Never when it
// cannot run.
func (p *java) nextTick() clock.Time {
	h := &p.heartbeat
	if !h.enabled || p.poll.wait.Kind.holdsLock() {
		return clock.Never
	}
	due := min(h.sendAt, h.sessionUntil, h.pollUntil)
	if len(p.inbox) > 0 || p.coordinator < 0 || p.hasNotJoined() {
		due = p.now
	}
	for i := range p.pending {
		due = min(due, p.pending[i].deadline)
	}
	if due <= h.tickFrom {
		return h.tickFrom
	}
	ticks := (due.Sub(h.tickFrom) + heartbeatTick - 1) / heartbeatTick
	return h.tickFrom.Add(ticks * heartbeatTick)
}

// heartbeatTicks runs one round of the heartbeat thread if its tick has come. It reports whether it ran.
func (p *java) heartbeatTicks() bool {
	if p.now < p.nextTick() {
		return false
	}
	p.pollNetwork()
	p.heartbeatRound(true)
	p.heartbeat.tickFrom = p.now.Add(heartbeatTick)
	return true
}

// heartbeatRound does what is due: session, then poll time-out, then heartbeat. On a tick, when the poll
// thread is outside poll(), it also looks for an unknown coordinator.
// Kafka: HeartbeatThread.run.
func (p *java) heartbeatRound(onTick bool) {
	h := &p.heartbeat
	if !h.enabled {
		return
	}
	if p.hasNotJoined() {
		h.enabled = false
		return
	}
	if !p.coordinatorUnknown() && p.now >= h.sessionUntil {
		p.coordinatorLost("session timed out without receiving a heartbeat response", true)
	}
	switch {
	case p.coordinatorUnknown():
		if onTick {
			p.lookUpOnTick()
		}
	case p.now >= h.pollUntil:
		p.pollTimedOut()
	case p.now >= h.sendAt:
		h.sendAt = p.now.Add(p.plan.Config.HeartbeatInterval)
		if !onTick {
			h.sendAt = h.sendAt.Add(selectorCost)
		}
		p.send(CoordinatorConn, p.heartbeatRequest(), p.plan.Config.RequestTimeout)
	}
}

// lookUpOnTick alternately starts a lookup and clears a finished one, so that a period is two ticks.
func (p *java) lookUpOnTick() {
	if p.heartbeat.clearing {
		p.heartbeat.clearing = false
		return
	}
	p.heartbeat.clearing = true
	p.findCoordinator()
}

// pollTimedOut gives the membership up because the application has not polled for too long. A static
// member does not tell the coordinator.
// Kafka: AbstractCoordinator.HeartbeatThread.handlePollTimeoutExpiry.
func (p *java) pollTimedOut() {
	p.recordPollTimeout(p.heartbeat.polledAt)
	p.sendLeave(LeaveByDefault, leavesUnpolled)
	p.reset("LeaveGroup", wire.None, leavingReason)
}

// nextHeartbeat returns when the selector has to return so that the heartbeat thread gets its turn.
func (p *java) nextHeartbeat() clock.Time {
	h := &p.heartbeat
	if !h.enabled || p.coordinator < 0 || p.hasNotJoined() {
		return clock.Never
	}
	if h.sessionUntil < h.sendAt { // nothing wakes the selector for it, but what is fetched does
		return min(h.sendAt, p.nextFetched(h.sessionUntil))
	}
	return h.sendAt
}

// heartbeatAnswered handles a heartbeat's answer. Kafka: HeartbeatResponseHandler.
func (p *java) heartbeatAnswered(sent pendingRequest, err wire.Err) {
	p.recordAnswer(trace.HeartbeatAnswered, sent.member, err)
	switch err {
	case wire.None:
		p.heartbeatSucceeded()
	case wire.RebalanceInProgress:
		if p.state == stable {
			p.requestRejoin("group is already rebalancing")
		}
		p.heartbeatSucceeded()
	case wire.IllegalGeneration, wire.UnknownMemberID, wire.FencedInstanceID:
		if !p.unchanged(sent) {
			p.heartbeatSucceeded()
			return
		}
		p.resetOnError(wire.Heartbeat, err)
		if err == wire.FencedInstanceID {
			p.poll.fatal = err
			return
		}
		p.heartbeatFailed()
	case wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.coordinatorErred(err)
		p.heartbeatFailed()
	default:
		p.heartbeatFailed()
	}
}

func (p *java) heartbeatSucceeded() {
	p.heartbeat.failures = 0
	p.heartbeat.sessionUntil = p.now.Add(p.plan.Config.SessionTimeout)
}

// heartbeatFailed makes the next heartbeat due after the retry back-off. Kafka: Heartbeat.failHeartbeat.
func (p *java) heartbeatFailed() {
	p.heartbeat.sendAt = p.now.Add(p.retryBackoff(p.heartbeat.failures))
	p.heartbeat.failures++
}
