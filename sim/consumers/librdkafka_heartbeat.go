package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// sendHeartbeat sends a heartbeat, unless one is in flight or the application has not polled for too long.
// librdkafka: rd_kafka_cgrp_heartbeat.
func (p *librdkafka) sendHeartbeat() {
	if p.main.beating || p.main.pollExceeded {
		return
	}
	p.main.beating = true
	p.send(CoordinatorConn, p.heartbeatRequest(), p.plan.Config.SessionTimeout)
}

// heartbeatAnswered handles a heartbeat's answer. One that comes while JoinGroup or SyncGroup is outstanding says
// nothing any more. librdkafka: rd_kafka_cgrp_handle_Heartbeat.
func (p *librdkafka) heartbeatAnswered(sent pendingRequest, err wire.Err) {
	m := &p.main
	m.beating = false
	p.recordAnswer(trace.HeartbeatAnswered, sent.member, err)
	if err == wire.None {
		p.renewSession()
		return
	}
	if m.join < rdWaitAssignCall {
		return
	}
	switch err {
	case wire.RebalanceInProgress:
		p.renewSession()
		p.groupRebalances()
	case wire.UnknownMemberID, wire.IllegalGeneration:
		p.forget(wire.Heartbeat, err)
		p.revokeAllUnlessRebalancing(true, rdRefusal(wire.Heartbeat, err))
	case wire.FencedInstanceID:
		p.fails(err)
	default:
		p.queryForCoordinator()
	}
}

// fails notes an error after which nothing goes on: the application learns of it when it polls, and has lost everything.
// librdkafka: rd_kafka_set_fatal_error.
func (p *librdkafka) fails(err wire.Err) { p.app.fatal, p.main.lost = err, true }

// renewSession counts the session from now on, unless it has expired already.
// librdkafka: rd_kafka_cgrp_update_session_timeout.
func (p *librdkafka) renewSession() {
	if p.main.sessionUntil > 0 {
		p.main.sessionUntil = p.now.Add(p.plan.Config.SessionTimeout)
	}
}

// groupRebalances lets an eager member give up everything before it rejoins; a cooperative one rejoins at once.
// librdkafka: rd_kafka_cgrp_group_is_rebalancing.
func (p *librdkafka) groupRebalances() {
	const reason = "group is rebalancing"
	switch {
	case !p.cooperative:
		p.revokeAllUnlessRebalancing(false, reason)
	case !p.rebalancing():
		p.rejoin(reason)
	}
}

// sessionDue returns when the membership expires by itself; it is looked at only when nothing else goes on.
func (p *librdkafka) sessionDue() clock.Time {
	if p.main.join != rdSteady || p.main.sessionUntil == 0 {
		return clock.Never
	}
	return p.main.sessionUntil
}

// rdSessionTimedOut is why a member has forgotten its membership by itself.
const rdSessionTimedOut = "session timed out"

// checkSession gives the membership up when no heartbeat was answered for session.timeout.ms, whatever the reason.
// librdkafka: rd_kafka_cgrp_session_timeout_check.
func (p *librdkafka) checkSession() {
	if p.now < p.sessionDue() {
		return
	}
	p.main.sessionUntil = 0
	p.forgetMember(rdSessionTimedOut)
	p.revokeAllUnlessRebalancing(true, "encountered no heartbeat response: "+rdSessionTimedOut)
}

// checkMaxPoll makes the member leave when the application has not polled for too long. It rejoins when that polls
// again. A static member does not tell the coordinator. librdkafka: rd_kafka_cgrp_max_poll_interval_check_tmr_cb.
func (p *librdkafka) checkMaxPoll() {
	m := &p.main
	if p.now < p.PollDeadline() {
		return
	}
	p.recordPollTimeout(p.app.polledAt)
	m.pollExceeded, m.ticksFrom = true, 0
	if p.who.Instance == "" {
		p.sendLeave(leavesUnpolled)
	}
	p.forgetMember(wire.LeaveGroup.String())
	p.revokeAllUnlessRebalancing(true, leavingReason)
}
