package consumers

import (
	"slices"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// rebalancing reports whether the application, or its last commit, is waited for: nothing starts a rebalance then.
// librdkafka: RD_KAFKA_CGRP_REBALANCING.
func (p *librdkafka) rebalancing() bool {
	switch p.main.join {
	case rdWaitAssignCall, rdWaitUnassignCall, rdWaitUnassigned, rdWaitPartlyUnassigned:
		return true
	}
	return false
}

// revokeAllUnlessRebalancing is revokeAll, unless a rebalance is under way: then it goes on as it began, and what was not
// lost before is not lost now. librdkafka: rd_kafka_cgrp_revoke_all_rejoin_maybe.
func (p *librdkafka) revokeAllUnlessRebalancing(lost bool, reason string) {
	switch {
	case !p.rebalancing():
		p.revokeAll(lost, reason)
	case lost:
		p.needsJoin(reason)
	}
}

// revokeAll lets the application give up everything; JoinGroup follows. An eager member asks it even about an empty
// assignment. librdkafka: rd_kafka_cgrp_revoke_all_rejoin.
func (p *librdkafka) revokeAll(lost bool, reason string) {
	m := &p.main
	m.lost = m.lost || lost
	if len(p.assigned) == 0 && (p.cooperative || !m.given) {
		p.rejoin(reason)
		return
	}
	p.needsJoin(reason)
	m.rejoins, m.incurred = p.cooperative, false
	kind := givingUp
	if p.cooperative {
		kind = revoking
	}
	p.offer(listenerCall{kind: kind, partitions: p.assigned})
}

// offer queues a rebalance callback, which runs when the application polls. librdkafka: rd_kafka_rebalance_op.
func (p *librdkafka) offer(call listenerCall) {
	p.app.offered = call
	if call.kind == taking {
		p.becomes(rdWaitAssignCall)
	} else {
		p.becomes(rdWaitUnassignCall)
	}
}

// assignCalled is the application's call of assign(), or incremental_assign(), in its callback.
// librdkafka: rd_kafka_cgrp_assign, rd_kafka_cgrp_incremental_assign.
func (p *librdkafka) assignCalled() {
	m := &p.main
	m.ticksFrom = p.now
	p.becomes(rdSteady)
}

// unassignCalled is the application's call of unassign(), or incremental_unassign(), in its callback: what was handled is
// committed, unless the assignment is lost. librdkafka: rd_kafka_assignment_serve_removals.
func (p *librdkafka) unassignCalled(call listenerCall) {
	m := &p.main
	if p.plan.Config.AutoCommit && p.toCommit() && !m.lost {
		p.commitNow()
	}
	p.hold(without(p.assigned, call.partitions))
	if call.kind == givingUp {
		m.given = false
		p.becomes(rdWaitUnassigned)
		return
	}
	p.becomes(rdWaitPartlyUnassigned)
}

// serveAssignment asks for positions, and does what follows when all operations are done.
// librdkafka: rd_kafka_assignment_serve, rd_kafka_cgrp_assignment_done.
func (p *librdkafka) serveAssignment() {
	m := &p.main
	if len(m.commits) > 0 {
		return
	}
	switch m.join {
	case rdWaitUnassigned:
		m.lost = false
		p.unassigned()
	case rdWaitPartlyUnassigned:
		p.partlyUnassigned()
	case rdSteady:
		p.fetchPositions()
		if m.rejoins && p.positions.ticket == 0 {
			m.rejoins = false
			p.needsJoin("rejoining group to redistribute previously owned partitions to other group members")
			p.unassigned()
		}
	}
}

// partlyUnassigned goes on with the new assignment that took partitions away, or joins at once where they are lost.
// librdkafka: rd_kafka_cgrp_incr_unassign_done.
func (p *librdkafka) partlyUnassigned() {
	m := &p.main
	m.lost = false
	switch {
	case m.terminating && len(p.assigned) > 0:
		p.offer(listenerCall{kind: revoking, partitions: p.assigned})
	case m.terminating:
		p.unassigned()
	case m.incurred:
		m.incurred, m.rejoins = false, true
		p.offer(listenerCall{kind: taking, partitions: m.added})
	case m.rejoins:
		m.rejoins = false
		p.unassigned()
	default:
		p.becomes(rdSteady)
	}
}

// unassigned rejoins without the pause between two JoinGroups, or leaves.
// librdkafka: rd_kafka_cgrp_unassign_done.
func (p *librdkafka) unassigned() {
	p.main.joinAfter = 0
	p.joinsAnew()
	p.serveCoordinator()
}

// fetchPositions asks for the committed offsets of what is newly assigned.
func (p *librdkafka) fetchPositions() {
	if p.now < p.nextPositions() {
		return
	}
	p.positions.ticket = p.send(CoordinatorConn, p.positionsRequest(), p.plan.Config.RequestTimeout)
}

// nextPositions returns when the next OffsetFetch is due, clock.Never when none is.
func (p *librdkafka) nextPositions() clock.Time {
	if len(p.positions.missing) == 0 || p.positions.ticket != 0 || p.main.join != rdSteady || !p.reachable() {
		return clock.Never
	}
	return p.positions.retryAt
}

// positionsAnswered handles an OffsetFetch response; an error lets it be sent again after the retry back-off.
func (p *librdkafka) positionsAnswered(sent pendingRequest, r wire.Response) {
	if p.positions.ticket != sent.ticket {
		return
	}
	p.positions.ticket = 0
	if r.Err == wire.None {
		if !p.takeOffsets(r) {
			p.positions.retryAt = clock.Never
			p.record(trace.Event{Kind: trace.PollThrew, Member: p.member, Text: "no committed offset, and auto.offset.reset is none"})
		}
		p.awaitRecords()
		return
	}
	p.positions.retryAt = p.now.Add(p.retryBackoff(p.positions.failed))
	p.positions.failed++
}

// reachable reports whether requests reach the coordinator, as far as the client knows.
func (p *librdkafka) reachable() bool {
	return p.main.coordinator == rdCoordinatorUp && p.conns[CoordinatorConn].state == ready
}

// rdCommit is a commit that is in flight, or waits for a coordinator.
type rdCommit struct {
	request       wire.Request
	ticket        wire.Ticket // 0: it waits
	deferredUntil clock.Time  // when it is given up; 0: it has not had to wait
}

// commitNow commits, as soon as there is a coordinator. librdkafka: rd_kafka_cgrp_offsets_commit.
func (p *librdkafka) commitNow() {
	p.main.commits = append(p.main.commits, rdCommit{request: p.commitRequest()})
	p.sendCommit(&p.main.commits[len(p.main.commits)-1])
}

// sendCommit sends a commit under the membership of this moment, or defers it for at most a session.
// librdkafka: rd_kafka_cgrp_defer_offset_commit.
func (p *librdkafka) sendCommit(c *rdCommit) {
	if p.reachable() {
		c.request.Member, c.request.Generation = p.member, p.generation
		c.ticket = p.send(CoordinatorConn, c.request, p.plan.Config.RequestTimeout)
		return
	}
	c.ticket, c.deferredUntil = 0, p.now.Add(p.plan.Config.SessionTimeout)
}

// commitDeferred sends what was deferred; the coordinator is up.
func (p *librdkafka) commitDeferred() {
	for i := range p.main.commits {
		if c := &p.main.commits[i]; c.ticket == 0 {
			p.sendCommit(c)
		}
	}
}

// deferralDue returns when the next deferred commit is given up.
func (p *librdkafka) deferralDue() clock.Time {
	at := clock.Never
	for _, c := range p.main.commits {
		if c.ticket == 0 {
			at = min(at, c.deferredUntil)
		}
	}
	return at
}

// expireDeferred gives up the commits that have waited for too long. librdkafka: rd_kafka_cgrp_timeout_scan.
func (p *librdkafka) expireDeferred() {
	before := len(p.main.commits)
	p.main.commits = slices.DeleteFunc(p.main.commits, func(c rdCommit) bool {
		return c.ticket == 0 && p.now >= c.deferredUntil
	})
	if len(p.main.commits) < before {
		p.commitLost()
	}
}

// commitAnswered handles an OffsetCommit response: one that found no coordinator is sent once more.
// librdkafka: rd_kafka_cgrp_op_handle_OffsetCommit.
func (p *librdkafka) commitAnswered(sent pendingRequest, err wire.Err) {
	m := &p.main
	p.recordAnswer(trace.CommitAnswered, sent.member, err)
	i := slices.IndexFunc(m.commits, func(c rdCommit) bool { return c.ticket == sent.ticket })
	if i < 0 {
		return
	}
	noCoordinator := err == wire.NotCoordinator || err == wire.CoordinatorNotAvailable || err == wire.NetworkException
	if noCoordinator && m.commits[i].deferredUntil == 0 {
		m.commits[i].ticket, m.commits[i].deferredUntil = 0, p.now.Add(p.plan.Config.SessionTimeout)
	} else {
		m.commits = slices.Delete(m.commits, i, i+1)
		if err != wire.None {
			p.commitLost()
		}
	}
	switch err {
	case wire.NotCoordinator, wire.CoordinatorNotAvailable, wire.NetworkException:
		p.coordinatorDead("OffsetCommitRequest failed")
	case wire.UnknownMemberID, wire.IllegalGeneration:
		p.forget(wire.OffsetCommit, err)
		if m.join >= rdWaitAssignCall {
			p.revokeAllUnlessRebalancing(true, rdRefusal(wire.OffsetCommit, err))
		}
	case wire.FencedInstanceID:
		p.fails(err)
	}
}

// autoCommit commits what the application has handled since it did so last.
// librdkafka: rd_kafka_cgrp_offset_commit_tmr_cb.
func (p *librdkafka) autoCommit() {
	if p.now >= p.nextAutoCommit() {
		p.commitNow()
	}
}

// nextAutoCommit returns the next tick of the auto-commit timer, clock.Never when there is nothing to commit.
func (p *librdkafka) nextAutoCommit() clock.Time {
	c := &p.plan.Config
	if !c.AutoCommit || p.main.join != rdSteady || !p.toCommit() {
		return clock.Never
	}
	return firstTick(p.main.committing, c.AutoCommitInterval, p.main.servedAt.Add(1))
}
