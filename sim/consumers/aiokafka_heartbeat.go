package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// aioHeartbeat is the coroutine that sends heartbeats. It runs from the end of a join to the next JoinGroup, or until
// the member id is lost. aiokafka: GroupCoordinator._heartbeat_routine.
type aioHeartbeat struct {
	runs   bool
	awaits pythonAwaits
	wakeAt clock.Time // end of its sleep
	sentAt clock.Time
	okAt   clock.Time  // the last successful answer
	ticket wire.Ticket // of the heartbeat, or the LeaveGroup, that it awaits
}

// due returns when the coroutine goes on by itself.
func (h *aioHeartbeat) due() clock.Time {
	if h.runs && h.awaits == pythonAwaitsNothing {
		return h.wakeAt
	}
	return clock.Never
}

// startHeartbeats begins with a sleep of heartbeat.interval.ms.
func (p *aiokafka) startHeartbeats() {
	p.heartbeat = aioHeartbeat{runs: true, okAt: p.now, wakeAt: p.now.Add(p.plan.Config.HeartbeatInterval)}
}

// heartbeatWakes sends the heartbeat that is due, when the coordinator is known.
func (p *aiokafka) heartbeatWakes() {
	h := &p.heartbeat
	if !p.coordinatorKnown() {
		h.awaits = pythonAwaitsLookup
		return
	}
	h.awaits, h.sentAt = pythonAwaitsHeartbeat, p.now
	h.ticket = p.send(CoordinatorConn, p.heartbeatRequest(), p.plan.Config.RequestTimeout)
}

// heartbeatAnswered handles a heartbeat's answer, unless the coroutine was stopped meanwhile.
// aiokafka: GroupCoordinator._do_heartbeat.
func (p *aiokafka) heartbeatAnswered(sent pendingRequest, err wire.Err) {
	h := &p.heartbeat
	if !h.runs || sent.ticket != h.ticket {
		return
	}
	p.recordAnswer(trace.HeartbeatAnswered, sent.member, err)
	h.awaits, h.wakeAt = pythonAwaitsNothing, p.now.Add(p.plan.Config.RetryBackoff)
	switch err {
	case wire.RebalanceInProgress:
		p.requestRejoin("group is already rebalancing")
		p.heartbeatSucceeded()
	case wire.None:
		p.heartbeatSucceeded()
	case wire.NetworkException, wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.coordinatorDead("heartbeat failed: " + err.String())
	case wire.IllegalGeneration, wire.UnknownMemberID:
		p.reset(wire.Heartbeat, err)
	default:
		h.runs = false
		p.pushError(err)
		return
	}
	if p.now > h.okAt.Add(p.plan.Config.SessionTimeout) {
		p.coordinatorDead("heartbeat session expired")
	}
	if h.runs {
		p.watchIdling()
	}
}

// heartbeatSucceeded lets the coroutine sleep for the rest of the interval.
func (p *aiokafka) heartbeatSucceeded() {
	h := &p.heartbeat
	h.okAt = p.now
	h.wakeAt = max(p.now, h.sentAt.Add(p.plan.Config.HeartbeatInterval)).Add(pythonWakeCost)
}

// idleSince reports since when the application does not fetch.
func (p *aiokafka) idleSince() (since clock.Time, ok bool) {
	return p.application.fetchedAt, !p.application.fetching
}

// idles reports whether the application has not fetched for max.poll.interval.ms.
func (p *aiokafka) idles() bool {
	since, ok := p.idleSince()
	return ok && p.now >= since.Add(p.plan.Config.MaxPollInterval)
}

// watchIdling leaves the group when the application has not fetched for too long, and wakes up for that at the latest.
func (p *aiokafka) watchIdling() {
	h := &p.heartbeat
	since, ok := p.idleSince()
	if !ok {
		return
	}
	if over := since.Add(p.plan.Config.MaxPollInterval); p.now < over {
		h.wakeAt = min(h.wakeAt, over)
		return
	}
	p.recordPollTimeout(since)
	h.awaits = pythonAwaitsLeave
	if p.sendLeave(leavesUnpolled) {
		h.ticket = p.tickets
		return
	}
	p.leftIdling()
}

// leftIdling ends the membership that was given up.
func (p *aiokafka) leftIdling() {
	p.reset(wire.LeaveGroup, wire.None)
}

// sendLeave tells the coordinator that a dynamic member of a generation goes. It reports whether there is an answer to
// wait for. aiokafka: GroupCoordinator._maybe_leave_group.
func (p *aiokafka) sendLeave(reason string) bool {
	if p.who.Instance != "" || p.generation <= 0 || p.coordinator < 0 {
		return false
	}
	p.recordLeave(reason)
	p.send(CoordinatorConn, p.leaveRequest(""), p.plan.Config.RequestTimeout)
	return true
}
