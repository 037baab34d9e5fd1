package consumers

import (
	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/wire"
)

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
