package consumers

import (
	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// aioLookup is the search for the coordinator. aiokafka: GroupCoordinator.ensure_coordinator_known.
type aioLookup struct {
	asked   bool       // a FindCoordinator is outstanding
	retryAt clock.Time // end of the back-off after a failed one; clock.Never while one is outstanding
}

// coordinatorKnown reports whether the coordinator is known; if not it looks for it.
func (p *aiokafka) coordinatorKnown() bool {
	l := &p.lookup
	switch {
	case p.coordinator >= 0:
		return true
	case l.asked || p.now < l.retryAt:
	case p.conns[NodeConn].unavailable(p.now):
		l.retryAt = p.now.Add(p.plan.Config.RetryBackoff)
	default:
		l.asked, l.retryAt = true, clock.Never
		p.send(NodeConn, p.findRequest(), p.plan.Config.RequestTimeout)
	}
	return false
}

// coordinatorFound handles the answer.
func (p *aiokafka) coordinatorFound(r wire.Response) {
	h := &p.heartbeat
	p.lookup, p.coordination.runs = aioLookup{}, true
	if r.Err != wire.None {
		p.lookup.retryAt = p.now.Add(p.plan.Config.RetryBackoff)
		if !mayPass(r.Err) {
			p.pushError(r.Err)
		}
	} else {
		found := r.Body.(*wire.FindCoordinatorResponse).Broker
		if p.conns[CoordinatorConn].broker != found {
			p.disconnect(CoordinatorConn)
		}
		p.takeCoordinator(found)
		p.connect(CoordinatorConn)
	}
	if h.awaits == pythonAwaitsLookup {
		h.awaits, h.wakeAt = pythonAwaitsNothing, max(p.now, p.lookup.retryAt)
	}
}

// coordinatorDead forgets the coordinator, for which the coordination looks at once.
func (p *aiokafka) coordinatorDead(why string) {
	p.coordination.runs = true
	p.forgetCoordinator(why)
}

// failed hands the loss of its connection to whoever sent the request.
func (p *aiokafka) failed(sent pendingRequest) {
	if sent.conn == CoordinatorConn {
		p.coordinatorDead(sent.api.String() + " failed")
	}
	p.answered(sent, sent.lost())
}

func (p *aiokafka) answered(sent pendingRequest, r wire.Response) {
	if r.Err == wire.NotCoordinator || r.Err == wire.CoordinatorNotAvailable {
		p.coordinatorDead(sent.api.String() + " failed: " + r.Err.String())
	}
	switch sent.api {
	case wire.JoinGroup:
		p.joinAnswered(r)
	case wire.SyncGroup:
		p.syncAnswered(r)
	case wire.Heartbeat:
		p.heartbeatAnswered(sent, r.Err)
	case wire.OffsetCommit:
		p.commitAnswered(sent, commitError(r))
	case wire.OffsetFetch:
		p.positionsAnswered(sent, r)
	case wire.FindCoordinator:
		p.coordinatorFound(r)
	case wire.LeaveGroup:
		p.leaveAnswered(sent)
	}
}

// leaveAnswered ends stop(), or the membership of an idle member.
func (p *aiokafka) leaveAnswered(sent pendingRequest) {
	switch h := &p.heartbeat; {
	case sent.ticket != h.ticket:
	case p.coordination.stage == aioLeaves:
		p.exit()
	case h.awaits == pythonAwaitsLeave:
		p.leftIdling()
	}
}

// buildJoin lets the coordination build a JoinGroup. The first one of a process waits for what a cold start does first.
func (p *aiokafka) buildJoin() {
	c := &p.coordination
	at := p.work(pythonJoinCost)
	if p.member == "" && !c.asked {
		at = max(p.now, p.started.Add(p.plan.JoinNotBefore))
		c.asked = true
	}
	c.stage, c.runs = aioBuilds, true
	p.waits(WaitRejoin, at)
}

func (p *aiokafka) sendJoin() bool {
	if p.coordinator < 0 {
		p.again()
		return true
	}
	p.state = preparing
	p.subscription.joined, p.subscription.sent = p.subscription.topics, true
	p.recordJoin()
	p.send(CoordinatorConn, p.joinRequest(), p.plan.Config.RequestTimeout)
	p.coordination.stage = aioJoins
	return p.waits(WaitJoinResponse, clock.Never)
}

// joinAnswered handles a JoinGroup response. aiokafka: CoordinatorGroupRebalance.perform_group_join.
func (p *aiokafka) joinAnswered(r wire.Response) {
	c := &p.coordination
	if c.stage != aioJoins {
		return
	}
	if c.resubscribed {
		p.again()
		return
	}
	switch r.Err {
	case wire.None:
		p.joined(r)
	case wire.MemberIDRequired:
		p.member = r.Member
		p.buildJoin()
	case wire.UnknownMemberID:
		p.reset(wire.JoinGroup, r.Err)
		p.again()
	case wire.CoordinatorLoadInProgress:
		p.again()
		c.sleepUntil = c.sleepUntil.Add(p.plan.Config.RetryBackoff) // it sleeps twice
	case wire.NetworkException, wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.again()
	default:
		p.pushError(r.Err)
	}
}

// joined takes the membership in a generation and builds SyncGroup; the assignor blocks the loop.
func (p *aiokafka) joined(r wire.Response) {
	c := &p.coordination
	c.stage, c.answer, c.runs = aioAssigns, p.takeGeneration(r), true
	if !p.leading {
		p.waits(WaitRejoin, p.work(pythonFollowerCost))
		return
	}
	p.blockedUntil = p.work(pythonLeadCost).Add(p.slowsAssign())
	p.waits(WaitAssign, p.blockedUntil)
}

// sendSync sends SyncGroup. What asks for a rejoin from now on leads to another one.
func (p *aiokafka) sendSync() bool {
	var given []wire.Assignment
	if p.leading {
		var err error
		if given, err = p.assign(p.coordination.answer); err != nil {
			p.pushException(wire.UnknownServerError, "KafkaError")
			return true
		}
	}
	p.rejoinNeeded = false
	p.coordination.stage = aioSyncs
	p.send(CoordinatorConn, p.syncRequest(given), p.plan.Config.RequestTimeout)
	return p.waits(WaitSyncResponse, clock.Never)
}

// syncAnswered handles a SyncGroup response. aiokafka: CoordinatorGroupRebalance._send_sync_group_request.
func (p *aiokafka) syncAnswered(r wire.Response) {
	if p.coordination.stage != aioSyncs {
		return
	}
	if r.Err == wire.None && !p.coordination.resubscribed {
		p.synced(r.Body.(*wire.SyncGroupResponse))
		return
	}
	p.requestRejoin("rebalance failed due to " + pythonError(exceptionName(r.Err)))
	switch r.Err {
	case wire.UnknownMemberID, wire.IllegalGeneration:
		p.reset(wire.SyncGroup, r.Err)
	case wire.None, wire.RebalanceInProgress, wire.NetworkException, wire.NotCoordinator, wire.CoordinatorNotAvailable:
	default:
		p.pushError(r.Err)
		return
	}
	p.again()
}

// synced takes the assignment; what is not subscribed to ends the application.
// aiokafka: GroupCoordinator._on_join_complete.
func (p *aiokafka) synced(answer *wire.SyncGroupResponse) {
	given, _, err := assignors.DecodeAssignment(answer.Assignment)
	for _, tp := range given {
		if !p.subscription.wants(tp.Topic) {
			err = assignors.Exception("AssertionError")
		}
	}
	if err != nil {
		p.pushException(wire.UnknownServerError, "KafkaError")
		return
	}
	p.state = stable
	p.memory.assigned(p.protocol, given, p.generation)
	p.coordination.assigned, p.coordination.runs = true, true
	p.hold(given)
	p.fetchPositions()
	if p.callback(taking, given) {
		p.inGroup()
	}
}

// inGroup ends the join, with which the heartbeats begin.
func (p *aiokafka) inGroup() {
	c := &p.coordination
	c.prepared, c.stage, c.runs = false, aioLooks, true
	if p.member != "" {
		p.startHeartbeats()
	}
}
