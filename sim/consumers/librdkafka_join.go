package consumers

import (
	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// serveJoin advances the membership's state machine as far as time alone does.
// librdkafka: rd_kafka_cgrp_join_state_serve.
func (p *librdkafka) serveJoin() {
	switch {
	case p.now >= p.joinDue():
		p.sendJoin()
	case p.now >= p.assignDue():
		p.sendAssignment()
	case p.now >= p.heartbeatDue():
		p.main.heartbeatAt = p.now.Add(p.plan.Config.HeartbeatInterval)
		p.sendHeartbeat()
	}
}

// joinDue returns when the next JoinGroup is due: none while one is outstanding, or before the application has polled
// after max.poll.interval.ms. The first one of a process waits for what a cold process does first.
func (p *librdkafka) joinDue() clock.Time {
	m := &p.main
	switch {
	case m.join != rdJoinInit || !p.active() || m.awaited != 0 || m.terminating:
		return clock.Never
	case len(p.existing()) == 0 || m.pollExceeded && !p.inPoll():
		return clock.Never
	case !m.joined:
		return p.started.Add(p.plan.JoinNotBefore)
	}
	return m.joinAfter
}

// active reports whether the membership's state machine goes on: with a coordinator, and before a fatal error.
func (p *librdkafka) active() bool {
	return p.main.coordinator == rdCoordinatorUp && p.app.fatal == wire.None
}

// assignDue returns when a leader has the metadata for its assignor, and has run it.
func (p *librdkafka) assignDue() clock.Time {
	if p.main.join != rdWaitMetadata || !p.active() {
		return clock.Never
	}
	return p.main.assignAt
}

// sendJoin sends a JoinGroup. librdkafka: rd_kafka_cgrp_join.
func (p *librdkafka) sendJoin() {
	m := &p.main
	m.pollExceeded = false
	m.joined, m.joinedAt, m.joinAfter = true, p.now, p.now.Add(rdJoinInterval)
	p.recordJoin()
	m.awaited = p.send(CoordinatorConn, p.joinRequest(), p.plan.Config.MaxPollInterval+rdJoinSlack)
	p.becomes(rdWaitJoin)
}

// joinAnswered handles a JoinGroup response. One that nobody waits for any more is dropped.
// librdkafka: rd_kafka_cgrp_handle_JoinGroup.
func (p *librdkafka) joinAnswered(sent pendingRequest, r wire.Response) {
	m := &p.main
	if m.awaited == sent.ticket {
		m.awaited = 0
	}
	if m.join != rdWaitJoin {
		return
	}
	if r.Err != wire.None {
		p.joinRefused(r)
		return
	}
	m.answer = r.Body.(*wire.JoinGroupResponse)
	p.member, p.generation, p.protocol = r.Member, r.Generation, m.answer.Protocol
	if p.leading = m.answer.Leader == r.Member; !p.leading {
		p.sendSync(nil)
		return
	}
	m.assignAt = p.now.Add(rdMetadataCost + p.slowsAssign())
	p.becomes(rdWaitMetadata)
}

// joinRefused handles an error answer to JoinGroup, or the loss of it: the next one comes after the interval of
// JoinGroups and, if a broker has refused it, as much again. Metadata that a new connection has brought end that
// once (recorded).
func (p *librdkafka) joinRefused(r wire.Response) {
	m := &p.main
	if r.Err != wire.NetworkException {
		m.joinAfter = m.joinedAt.Add(2 * rdJoinInterval)
	}
	if m.reconnected {
		m.joinAfter, m.reconnected = 0, false
	}
	lost := false
	switch r.Err {
	case wire.MemberIDRequired:
		lost = p.protocol != ""
		p.member, m.joinAfter = r.Member, 0
	case wire.UnknownMemberID, wire.IllegalGeneration:
		lost = r.Err == wire.IllegalGeneration
		p.forget(wire.JoinGroup, r.Err)
	case wire.NotCoordinator, wire.CoordinatorNotAvailable, wire.NetworkException:
		p.queryForCoordinator()
	case wire.FencedInstanceID:
		p.fails(r.Err)
	case wire.InconsistentGroupProtocol, wire.InvalidSessionTimeout, wire.InvalidGroupID, wire.GroupMaxSizeReached,
		wire.UnsupportedVersion:
		p.record(trace.Event{Kind: trace.PollThrew, Member: p.member, Err: r.Err, Text: "JoinGroup failed"})
	}
	if p.cooperative && lost {
		p.revokeAll(true, rdRefusal(wire.JoinGroup, r.Err))
		return
	}
	if r.Err == wire.MemberIDRequired { // which is no reason of its own
		p.joinsAnew()
		return
	}
	p.rejoin(rdRefusal(wire.JoinGroup, r.Err))
}

// rdRefusal is why a member joins again that was answered with an error.
func rdRefusal(api wire.API, err wire.Err) string {
	if err == wire.UnknownMemberID || err == wire.IllegalGeneration || err == wire.MemberIDRequired {
		return encountered(api, err)
	}
	return "rebalance failed due to " + exceptionName(err)
}

// sendAssignment runs the assignor over fresh metadata and sends everybody's assignment. Without a result the leader
// joins again.
// librdkafka: rd_kafka_cgrp_assignor_run.
func (p *librdkafka) sendAssignment() {
	p.refreshNow()
	given, err := p.assign(p.main.answer)
	if err != nil {
		p.rejoin("the assignor failed: " + err.Error())
		return
	}
	p.sendSync(given)
}

func (p *librdkafka) sendSync(given []wire.Assignment) {
	p.main.awaited = p.send(CoordinatorConn, p.syncRequest(given), p.plan.Config.SessionTimeout+rdJoinSlack)
	p.becomes(rdWaitSync)
}

// syncAnswered handles a SyncGroup response. librdkafka: rd_kafka_cgrp_handle_SyncGroup_memberstate.
func (p *librdkafka) syncAnswered(sent pendingRequest, r wire.Response) {
	m := &p.main
	if m.awaited == sent.ticket {
		m.awaited = 0
	}
	if m.join != rdWaitSync {
		return
	}
	switch r.Err {
	case wire.None:
		if given, _, err := assignors.DecodeAssignment(r.Body.(*wire.SyncGroupResponse).Assignment); err == nil {
			p.synced(given)
			return
		}
	case wire.NotCoordinator, wire.CoordinatorNotAvailable, wire.NetworkException:
		p.queryForCoordinator()
	case wire.FencedInstanceID:
		p.fails(r.Err)
	case wire.IllegalGeneration, wire.UnknownMemberID:
		p.forget(wire.SyncGroup, r.Err)
		if p.cooperative {
			p.revokeAll(true, rdRefusal(wire.SyncGroup, r.Err))
			return
		}
	}
	p.rejoin(rdRefusal(wire.SyncGroup, r.Err))
}

// synced hands the assignment to the application. A cooperative one first has to give up what it does not get again;
// then it joins once more, so that somebody else gets that.
// librdkafka: rd_kafka_cgrp_handle_assignment, rd_kafka_cgrp_handle_assignment_cooperative.
func (p *librdkafka) synced(given []wire.TopicPartition) {
	m := &p.main
	m.sessionUntil, m.given = p.now.Add(p.plan.Config.SessionTimeout), true
	p.memory.given, p.memory.generation = given, p.generation
	m.lost = false
	added := without(given, p.assigned)
	if revoked := without(p.assigned, given); len(revoked) > 0 {
		m.added, m.incurred = added, true
		p.offer(listenerCall{kind: revoking, partitions: revoked})
		return
	}
	p.offer(listenerCall{kind: taking, partitions: added})
}

// forget gives up what an error has made worthless: UNKNOWN_MEMBER_ID the member id, both the generation.
func (p *librdkafka) forget(where wire.API, err wire.Err) {
	e := trace.Event{Kind: trace.MembershipReset, Other: p.member, Generation: p.generation, Err: err, Text: where.String()}
	p.generation = wire.NoGeneration
	if err == wire.UnknownMemberID {
		p.member = ""
	}
	e.Member = p.member
	p.record(e)
}

// forgetMember gives up the member id alone, because the membership has ended by itself.
func (p *librdkafka) forgetMember(where string) {
	p.record(trace.Event{Kind: trace.MembershipReset, Other: p.member, Generation: p.generation, Text: where})
	p.member = ""
}

// rejoin makes JoinGroup due; a member that has nothing to join for leaves.
// librdkafka: rd_kafka_cgrp_rejoin.
func (p *librdkafka) rejoin(reason string) {
	p.needsJoin(reason)
	p.joinsAnew()
}

// needsJoin notes why the member joins again, if it does.
func (p *librdkafka) needsJoin(reason string) {
	if !p.main.terminating && !p.subscription.none() {
		p.requestRejoin(reason)
	}
}

// joinsAnew goes back to where JoinGroup is sent, or for a member that goes LeaveGroup.
func (p *librdkafka) joinsAnew() {
	p.leaveIfDue()
	p.becomes(rdJoinInit)
}

// leaveIfDue sends LeaveGroup if that was put off until everything is given up.
// librdkafka: rd_kafka_cgrp_leave_maybe.
func (p *librdkafka) leaveIfDue() {
	m := &p.main
	if !m.leaves {
		return
	}
	m.leaves = false
	why := leavesUnsubscribed
	if m.terminating {
		why = leavesClosing
	}
	p.sendLeave(why)
	p.forgetMember("LeaveGroup")
}

// sendLeave tells the coordinator that the member goes, if it can be reached; it is never sent again.
// librdkafka: rd_kafka_cgrp_leave.
func (p *librdkafka) sendLeave(why string) {
	if !p.reachable() || p.member == "" {
		return
	}
	p.recordLeave(why)
	p.main.leaving = p.send(CoordinatorConn, p.leaveRequest(why), rdLeaveTimeout)
}

// existing returns the topics of the subscription that the metadata have shown. Before there are any it believes in all.
func (p *client) existing() []string {
	if p.metadata.topics == nil || !p.misses(p.metadata.topics) {
		return p.subscription.topics
	}
	var topics []string
	for _, name := range p.subscription.topics {
		if p.metadata.topics[name].Partitions > 0 {
			topics = append(topics, name)
		}
	}
	return topics
}

// terminated reports whether everything is given up and the coordinator has been told, as far as that goes.
// librdkafka: rd_kafka_cgrp_try_terminate.
func (p *librdkafka) terminated() bool {
	m := &p.main
	idle := m.join != rdWaitAssignCall && m.join != rdWaitUnassignCall && m.join != rdWaitUnassigned && m.join != rdWaitPartlyUnassigned
	return m.terminating && idle && m.leaving == 0 && len(m.commits) == 0
}

// beats reports whether the membership is in a state in which heartbeats are sent: none of a member that goes, or while a
// JoinGroup is outstanding that it does not wait for any more.
func (p *librdkafka) beats() bool {
	if p.main.terminating || p.subscription.none() || p.main.awaited != 0 {
		return false
	}
	return p.main.join == rdSteady || p.main.join == rdWaitAssignCall || p.main.join == rdWaitUnassignCall
}

// heartbeatDue returns when the next heartbeat is due. The timer goes on in the states without.
func (p *librdkafka) heartbeatDue() clock.Time {
	if !p.beats() || !p.active() {
		return clock.Never
	}
	return p.main.heartbeatAt
}
