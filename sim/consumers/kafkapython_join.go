package consumers

import (
	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// pythonJoin is the join task of the event loop: JoinGroup, then SyncGroup. It ends by itself; poll() takes what came
// of it only if it waits at that moment.
// kafka-python: BaseCoordinator._join_task, join_group_async, _do_join_and_sync_async.
type pythonJoin struct {
	joinFuture
	awaited bool       // the running poll() waited when it ended
	retryAt clock.Time // end of the back-off after a failed one
	asked   bool       // the process has asked for a member id before
}

// inGroup lets poll() join if it has to. It reports whether the member is in its group.
// kafka-python: BaseCoordinator.ensure_active_group_async.
func (p *kafkaPython) inGroup() bool {
	if !p.poll.joined {
		p.noticeChanges()
		if p.rejoinNeeded && !p.joins() {
			return false
		}
	}
	p.heartbeat.polledAt = p.now
	p.autoCommit()
	return true
}

// joins drives the join as far as it goes without waiting. It reports whether it has succeeded.
func (p *kafkaPython) joins() bool {
	switch j := &p.join; {
	case j.stage == joinSucceeded && j.awaited:
		return p.complete()
	case j.stage == joinFailed && j.awaited:
		return p.retries()
	case p.now < j.retryAt:
		p.wait(WaitBackoff, min(j.retryAt, p.poll.ends))
	case j.stage == joinSent:
		p.wait(WaitJoinResponse, p.poll.ends)
	case j.stage == syncSent:
		p.wait(WaitSyncResponse, p.poll.ends)
	case p.prepared():
		p.buildJoin()
	}
	return false
}

// buildJoin begins the join task. The first JoinGroup of a process waits for what a cold start does first.
func (p *kafkaPython) buildJoin() {
	if p.join.stage == joinSucceeded || p.join.stage == joinFailed {
		p.requestRejoin("its last join ended while the application was not inside poll()")
	}
	if p.subscription.pattern != nil {
		p.refreshNow()
	}
	p.join.joinFuture, p.join.retryAt = joinFuture{}, 0
	at := p.work(pythonJoinCost)
	if p.member == "" && !p.join.asked {
		at = max(p.now, p.started.Add(p.plan.JoinNotBefore))
		p.join.asked = true
	}
	p.occupy(pythonBuildsJoin, at)
}

func (p *kafkaPython) sendJoin() {
	if p.coordinatorUnknown() {
		p.joinEnds(joinFuture{stage: joinFailed, failure: failureOf(wire.CoordinatorNotAvailable)})
		return
	}
	p.state = preparing
	p.subscription.joined, p.subscription.sent = p.subscription.topics, true
	p.recordJoin()
	c := &p.plan.Config
	p.send(CoordinatorConn, p.joinRequest(), max(c.RequestTimeout, c.MaxPollInterval+joinGrace))
	p.join.joinFuture = joinFuture{stage: joinSent}
	if !p.outside() {
		p.wait(WaitJoinResponse, p.poll.ends)
	}
}

// joinEnds ends the join task.
func (p *kafkaPython) joinEnds(f joinFuture) {
	p.join.joinFuture = f
	switch p.poll.wait.Kind {
	case WaitJoinResponse, WaitSyncResponse, WaitRejoin, WaitAssign:
		p.join.awaited = true
	default:
		p.join.awaited = false
	}
}

// joinFails ends the join task with an error. kafka-python: errors.RetriableError.
func (p *kafkaPython) joinFails(err wire.Err) {
	f := failureOf(err)
	if f.then == throwIt && mayPass(err) {
		f.then = rejoinLater
	}
	p.joinEnds(joinFuture{stage: joinFailed, failure: f})
}

// retries decides what follows a failed join that poll() has waited for.
func (p *kafkaPython) retries() bool {
	f := p.join.failure
	p.join.joinFuture = joinFuture{}
	if f.err != wire.MemberIDRequired {
		p.requestRejoin("rebalance failed due to " + pythonError(f.exception))
	}
	switch f.then {
	case rejoinAtOnce:
		return p.coordinatorReady() && p.joins()
	case rejoinLater:
		p.join.retryAt = p.now.Add(p.plan.Config.RetryBackoff)
		p.wait(WaitBackoff, min(p.join.retryAt, p.poll.ends))
	default:
		p.throws(f.err, pythonError(f.exception))
	}
	return false
}

// joinAnswered handles a JoinGroup response. kafka-python: BaseCoordinator._process_join_group_response.
func (p *kafkaPython) joinAnswered(r wire.Response) {
	switch r.Err {
	case wire.None:
		p.joined(r.Member, r.Generation, r.Body.(*wire.JoinGroupResponse))
		return
	case wire.MemberIDRequired:
		p.member, p.generation, p.state = r.Member, wire.NoGeneration, unjoined
		p.requestRejoin("need to re-join with the given member-id: " + string(r.Member))
	case wire.UnknownMemberID:
		p.reset(wire.JoinGroup, r.Err, "")
	case wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.coordinatorDead("JoinGroup failed: " + r.Err.String())
	}
	p.joinFails(r.Err)
}

// joined takes the membership in a generation, and has SyncGroup built, whether or not the application polls.
func (p *kafkaPython) joined(id wire.MemberID, generation wire.Generation, answer *wire.JoinGroupResponse) {
	if p.state != preparing {
		p.joinEnds(joinFuture{stage: joinFailed, failure: failure{exception: "UnjoinedGroupException", then: rejoinLater}})
		return
	}
	p.member, p.generation, p.protocol = id, generation, answer.Protocol
	p.leading = answer.Leader == id
	p.join.joinFuture = joinFuture{stage: joinAnswered, answer: answer}
	if !p.leading {
		p.occupy(pythonBuildsSync, p.work(pythonFollowerCost))
		return
	}
	p.occupy(pythonAssigns, p.work(pythonLeadCost).Add(p.slowsAssign()))
}

// sendSync sends SyncGroup; an exception of the leader's assignor ends the join.
func (p *kafkaPython) sendSync() {
	var given []wire.Assignment
	if p.leading {
		var err error
		if given, err = p.assign(p.join.answer); err != nil {
			p.joinEnds(joinFuture{stage: joinFailed, failure: thrown(err)})
			return
		}
		p.asksForMetadata()
	}
	p.join.joinFuture = joinFuture{stage: syncSent}
	p.send(CoordinatorConn, p.syncRequest(given), p.plan.Config.RequestTimeout)
	if !p.outside() {
		p.wait(WaitSyncResponse, p.poll.ends)
	}
}

// syncAnswered handles a SyncGroup response. kafka-python: BaseCoordinator._process_sync_group_response.
func (p *kafkaPython) syncAnswered(r wire.Response) {
	if r.Err == wire.None {
		p.synced(r.Body.(*wire.SyncGroupResponse))
		return
	}
	switch r.Err {
	case wire.IllegalGeneration:
		p.reset(wire.SyncGroup, r.Err, p.member)
	case wire.UnknownMemberID:
		p.reset(wire.SyncGroup, r.Err, "")
	case wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.coordinatorDead("SyncGroup failed: " + r.Err.String())
	}
	p.joinFails(r.Err)
}

// synced ends the join task with an assignment.
func (p *kafkaPython) synced(answer *wire.SyncGroupResponse) {
	if answer.Protocol != "" && p.protocol != "" && answer.Protocol != p.protocol {
		p.joinFails(wire.InconsistentGroupProtocol)
		return
	}
	assigned, _, err := assignors.DecodeAssignment(answer.Assignment)
	if err != nil {
		p.joinEnds(joinFuture{stage: joinFailed, failure: thrown(err)})
		return
	}
	p.joinEnds(joinFuture{stage: joinSucceeded, assignment: assigned, generation: p.generation})
	if p.state != preparing { // unsubscribe() returns behind this answer: the poll() after it comes too late
		p.join.awaited = false
	}
}

// complete takes the assignment of a join that poll() has waited for. It reports false while the listener runs.
// kafka-python: ConsumerCoordinator._on_join_complete_async.
func (p *kafkaPython) complete() bool {
	given := p.join.assignment
	p.rejoining, p.rejoinNeeded, p.rejoinReason, p.state = false, false, "", stable
	p.poll.joined = true
	p.enableHeartbeat()
	for _, tp := range given {
		if !p.subscription.wants(tp.Topic) {
			p.join.joinFuture = joinFuture{}
			p.requestRejoin("received assignment does not match the current subscription")
			return true
		}
	}
	if revoked := without(p.assigned, given); len(revoked) > 0 && !p.callback(revoking, revoked) {
		return false
	}
	return p.takeAssignment()
}

// takeAssignment is the rest of that.
func (p *kafkaPython) takeAssignment() bool {
	given := p.join.assignment
	added := without(given, p.assigned)
	p.memory.assigned(p.protocol, given, p.join.generation)
	p.poll.autoCommitAt = p.now.Add(p.plan.Config.AutoCommitInterval)
	p.join.joinFuture = joinFuture{}
	p.hold(given)
	return p.callback(taking, added)
}
