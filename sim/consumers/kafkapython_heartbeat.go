package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// pythonHeartbeat is the coroutine that sends heartbeats. It sleeps, or waits for one answer; only when it wakes it
// looks at the session, at max.poll.interval.ms and at whether the next heartbeat is due.
// kafka-python: BaseCoordinator._heartbeat_loop, Heartbeat.
type pythonHeartbeat struct {
	enabled  bool
	awaits   pythonAwaits
	wakeAt   clock.Time // end of its sleep
	failed   bool       // the last heartbeat: the next one follows after retry.backoff.ms
	sentAt   clock.Time
	resetAt  clock.Time // of all time-outs
	gotAt    clock.Time // the last successful answer
	polledAt clock.Time
}

// enableHeartbeat wakes the coroutine up, with all time-outs started anew.
func (p *kafkaPython) enableHeartbeat() {
	p.heartbeat.enabled = true
	p.resetTimeouts()
	p.heartbeat.wakeAt = p.now
}

func (p *kafkaPython) resetTimeouts() {
	h := &p.heartbeat
	h.resetAt, h.polledAt, h.failed = p.now, p.now, false
}

// heartbeatDue returns when the coroutine goes on by itself.
func (p *kafkaPython) heartbeatDue() clock.Time {
	if h := &p.heartbeat; h.enabled && h.awaits == pythonAwaitsNothing {
		return h.wakeAt
	}
	return clock.Never
}

// nextHeartbeat returns when the next heartbeat is due.
func (p *kafkaPython) nextHeartbeat() clock.Time {
	h := &p.heartbeat
	if h.failed {
		return max(h.sentAt, h.resetAt).Add(p.plan.Config.RetryBackoff)
	}
	return max(h.sentAt, h.resetAt).Add(p.plan.Config.HeartbeatInterval)
}

// heartbeatRound lets the coroutine go on until it sleeps or waits.
func (p *kafkaPython) heartbeatRound() {
	h := &p.heartbeat
	if p.state == stable && !p.coordinatorUnknown() && p.now >= max(h.gotAt, h.resetAt).Add(p.plan.Config.SessionTimeout) {
		p.coordinatorDead("Heartbeat session expired")
	}
	switch next := p.nextHeartbeat(); {
	case p.state != stable:
		h.enabled = false
	case p.coordinatorUnknown():
		if h.awaits = pythonAwaitsLookup; !p.findCoordinator() {
			p.heartbeatLookupFailed()
		}
	case p.now >= p.polledAt().Add(p.plan.Config.MaxPollInterval):
		p.pollTimedOut()
	case p.now < next:
		h.wakeAt = next.Add(pythonWakeCost)
	default:
		h.sentAt, h.failed, h.awaits = p.now, false, pythonAwaitsHeartbeat
		p.send(CoordinatorConn, p.heartbeatRequest(), p.plan.Config.RequestTimeout)
	}
}

// heartbeatLookupFailed lets the coroutine sleep before it looks for the coordinator again.
func (p *kafkaPython) heartbeatLookupFailed() {
	if h := &p.heartbeat; h.awaits == pythonAwaitsLookup {
		h.awaits, h.wakeAt = pythonAwaitsNothing, p.now.Add(p.plan.Config.RetryBackoff)
	}
}

// pollTimedOut gives the membership up because the application has not polled for too long: when LeaveGroup is
// answered, or at once if none is sent.
func (p *kafkaPython) pollTimedOut() {
	p.recordPollTimeout(p.polledAt())
	if p.sendLeave(leavesUnpolled) {
		p.heartbeat.awaits = pythonAwaitsLeave
		return
	}
	p.reset(wire.LeaveGroup, wire.None, "")
}

// heartbeatAnswered handles a heartbeat's answer, whatever has become of the membership that it was sent under.
// kafka-python: BaseCoordinator._handle_heartbeat_response, _do_heartbeat.
func (p *kafkaPython) heartbeatAnswered(sent pendingRequest, err wire.Err) {
	p.recordAnswer(trace.HeartbeatAnswered, sent.member, err)
	h := &p.heartbeat
	h.awaits, h.wakeAt = pythonAwaitsNothing, p.now
	switch err {
	case wire.None:
		h.gotAt = p.now
		return
	case wire.RebalanceInProgress:
		h.gotAt = p.now
		if !p.rejoinNeeded {
			p.requestRejoin("group is already rebalancing")
		}
		return
	case wire.IllegalGeneration:
		p.reset(wire.Heartbeat, err, p.member)
	case wire.UnknownMemberID:
		p.reset(wire.Heartbeat, err, "")
	case wire.NetworkException, wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.coordinatorDead("heartbeat failed: " + err.String())
	case wire.FencedInstanceID:
		h.enabled = false // nothing else tells the application; its next commit will
	}
	h.failed = true
}
