package consumers

import "simulate/sim/wire"

// buildJoin lets the poll thread build a JoinGroup. The first one of a process waits for what a cold JVM does
// first. Joining again with the id that was just handed out takes no time later, and then a share of that.
func (p *java) buildJoin() {
	at := p.work(joinCost)
	if p.poll.idGiven {
		at, p.poll.idGiven = p.now.Add(p.poll.warm.coldness/coldShare), false
		p.poll.warm.coldness = 0
	}
	if p.member == "" && !p.poll.warm.joined {
		at = max(p.now, p.started.Add(p.plan.JoinNotBefore))
		p.poll.warm.joined, p.poll.warm.coldness = true, at.Sub(p.now)
	}
	p.wait(WaitRejoin, at)
}

// sendJoin sends a JoinGroup. The client waits for it longer than for other requests.
// Kafka: AbstractCoordinator.sendJoinGroupRequest.
func (p *java) sendJoin() {
	p.state = preparing
	if p.profile.beatsIfStable {
		p.heartbeat.enabled = false
	}
	if p.coordinatorUnknown() {
		p.joinFails(failureOf(wire.CoordinatorNotAvailable))
		return
	}
	p.subscription.joined, p.subscription.sent = p.subscription.topics, true
	p.recordJoin()
	c := &p.plan.Config
	p.send(CoordinatorConn, p.joinRequest(), max(c.RequestTimeout, c.MaxPollInterval+joinGrace))
	p.join = joinFuture{stage: joinSent}
}

// joinWasAnswered handles a JoinGroup response. Kafka: JoinGroupResponseHandler.
func (p *java) joinWasAnswered(sent pendingRequest, r wire.Response) {
	switch r.Err {
	case wire.None:
		p.joined(r)
		return
	case wire.MemberIDRequired:
		p.member, p.generation, p.poll.idGiven = r.Member, wire.NoGeneration, true
		p.requestRejoin("need to re-join with the given member-id: " + string(r.Member))
	case wire.UnknownMemberID:
		if p.unchanged(sent) {
			p.resetOnError(wire.JoinGroup, r.Err)
		}
	case wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.coordinatorErred(r.Err)
	case wire.NetworkException, wire.CoordinatorLoadInProgress, wire.RebalanceInProgress, wire.FencedInstanceID,
		wire.InconsistentGroupProtocol, wire.InvalidSessionTimeout, wire.InvalidGroupID,
		wire.GroupMaxSizeReached, wire.UnsupportedVersion:
	default:
		p.joinFails(unexpected(r.Err))
		return
	}
	p.joinFails(failureOf(r.Err))
}

// joined takes the membership in a generation, unless it was given up while the JoinGroup was outstanding.
func (p *java) joined(r wire.Response) {
	if p.state != preparing {
		p.joinFails(failure{exception: "UnjoinedGroupException", then: rejoinLater})
		return
	}
	answer := p.takeGeneration(r)
	if !p.profile.beatsIfStable {
		p.enableHeartbeat()
	}
	p.join = joinFuture{stage: joinAnswered, answer: answer}
}
