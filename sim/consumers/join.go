package consumers

import (
	"slices"

	"simulate/sim/assignors"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// buildJoin lets the poll thread build a JoinGroup. Joining again with the id that was just handed out
// takes no time; the first request of a process waits for what a cold JVM does first.
func (p *Process) buildJoin() {
	at := p.now.Add(joinCost)
	if p.poll.idGiven {
		at, p.poll.idGiven = p.now, false
	}
	if p.member == "" && !p.poll.askedBefore {
		at = max(p.now, p.started.Add(p.plan.JoinNotBefore))
		p.poll.askedBefore = true
	}
	p.wait(WaitRejoin, at)
}

// buildSync lets the poll thread build a SyncGroup; the leader computes the assignment, holding the lock.
func (p *Process) buildSync() {
	if !p.leading {
		p.wait(WaitRejoin, p.now.Add(followerCost))
		return
	}
	takes := leadCost
	if !p.poll.ledBefore {
		takes = firstLeadCost
	}
	p.poll.ledBefore = true
	p.wait(WaitAssign, p.now.Add(takes+p.poll.slowAssign))
	p.poll.slowAssign = 0
}

// sendBuilt sends what was built.
func (p *Process) sendBuilt() {
	if p.poll.hook == hookBegun {
		p.continuePoll()
		return
	}
	if p.join.stage == noJoin {
		p.sendJoin()
		p.waitInPoll(WaitJoinResponse, p.nextHeartbeat())
		return
	}
	if p.sendSync(); p.join.stage == joinFailed {
		p.continuePoll()
		return
	}
	p.waitInPoll(WaitSyncResponse, p.nextHeartbeat())
}

// sendJoin sends a JoinGroup. The client waits for it longer than for other requests.
// Kafka: AbstractCoordinator.sendJoinGroupRequest.
func (p *Process) sendJoin() {
	p.state = preparing
	p.record(trace.Event{Kind: trace.JoinSent, Member: p.member, Generation: p.generation, Text: p.rejoinReason})
	c := &p.plan.Config
	p.send(CoordinatorConn, p.joinRequest(), max(c.RequestTimeout, c.MaxPollInterval+joinGrace))
	p.join = joinFuture{stage: joinSent, ticket: p.tickets}
}

func (p *Process) joinRequest() wire.Request {
	c := &p.plan.Config
	return wire.Request{
		API: wire.JoinGroup, Version: joinVersion, ClientID: p.plan.Name, Group: p.plan.Group,
		Member: p.member, Instance: p.instance(),
		Body: &wire.JoinGroupRequest{
			SessionTimeoutMs: ms(c.SessionTimeout), RebalanceTimeoutMs: ms(c.MaxPollInterval),
			ProtocolType: "consumer", Protocols: p.protocols(), Reason: p.rejoinReason,
		},
	}
}

// protocols lists the assignors with the subscription in the form that each writes. The bytes name the
// current generation, so that a member that has learned a new one never looks unchanged.
func (p *Process) protocols() []wire.Protocol {
	list := make([]wire.Protocol, len(p.plan.Config.Assignors))
	for i, name := range p.plan.Config.Assignors {
		s := assignors.Subscription{Topics: p.plan.Topics, Generation: p.generation, Rack: p.plan.Config.Rack}
		if name == "cooperative-sticky" {
			s.UserData = assignors.EncodeCooperativeUserData(wire.NoGeneration) // it never gave this member anything
		}
		list[i] = wire.Protocol{Name: name, Metadata: assignors.EncodeSubscription(s, protocolBytes)}
	}
	return list
}

// joinWasAnswered handles a JoinGroup response. Kafka: JoinGroupResponseHandler.
func (p *Process) joinWasAnswered(sent pendingRequest, r wire.Response) {
	if p.join.stage != joinSent || p.join.ticket != sent.ticket {
		return
	}
	switch r.Err {
	case wire.None:
		p.joined(r.Member, r.Generation, r.Body.(*wire.JoinGroupResponse))
		return
	case wire.MemberIDRequired:
		p.member, p.generation, p.poll.idGiven = r.Member, wire.NoGeneration, true
		p.requestRejoin("need to re-join with the given member-id: " + string(r.Member))
	case wire.UnknownMemberID:
		if p.unchanged(sent) {
			p.reset(false, r.Err, "JoinGroup", "encountered "+r.Err.String()+" from JOIN_GROUP response")
		}
	case wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.coordinatorLost("error response "+r.Err.String(), true)
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
func (p *Process) joined(id wire.MemberID, generation wire.Generation, answer *wire.JoinGroupResponse) {
	if p.state != preparing {
		p.joinFails(failure{exception: "UnjoinedGroupException", then: rejoinLater})
		return
	}
	p.state, p.member, p.generation, p.protocol = completing, id, generation, answer.Protocol
	p.leading = answer.Leader == id
	p.enableHeartbeat()
	p.join = joinFuture{stage: joinAnswered, answer: answer}
}

// sendSync sends a SyncGroup: everybody's assignment if this member leads, nothing otherwise. The join fails
// with what the assignor throws.
// Kafka: AbstractCoordinator.onLeaderElected, onJoinFollower.
func (p *Process) sendSync() {
	if p.coordinatorUnknown() {
		p.joinFails(failureOf(wire.CoordinatorNotAvailable))
		return
	}
	body := &wire.SyncGroupRequest{ProtocolType: "consumer", Protocol: p.protocol}
	if p.leading && !p.join.answer.SkipAssignment {
		given, err := p.assign(p.join.answer.Members)
		if err != nil {
			p.joinFails(thrown(err))
			return
		}
		body.Assignments = given
	}
	p.send(CoordinatorConn, wire.Request{
		API: wire.SyncGroup, Version: syncVersion, Member: p.member, Instance: p.instance(),
		Generation: p.generation, Body: body,
	}, p.plan.Config.RequestTimeout)
	p.join = joinFuture{stage: syncSent, ticket: p.tickets}
}

// syncWasAnswered handles a SyncGroup response, in whichever thread reads it. Kafka: SyncGroupResponseHandler.
func (p *Process) syncWasAnswered(sent pendingRequest, r wire.Response) {
	if p.join.stage != syncSent || p.join.ticket != sent.ticket {
		return
	}
	switch r.Err {
	case wire.None:
		p.synced(r.Body.(*wire.SyncGroupResponse).Assignment)
		return
	case wire.IllegalGeneration, wire.UnknownMemberID:
		if p.unchanged(sent) {
			p.reset(r.Err == wire.IllegalGeneration, r.Err, "SyncGroup", "encountered "+r.Err.String()+" from SYNC_GROUP response")
		}
	case wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.coordinatorLost("error response "+r.Err.String(), true)
	case wire.NetworkException, wire.RebalanceInProgress, wire.FencedInstanceID:
	default:
		p.joinFails(unexpected(r.Err))
		return
	}
	p.joinFails(failureOf(r.Err))
}

// synced ends the join, unless the membership was given up while the SyncGroup was outstanding.
func (p *Process) synced(assignment []byte) {
	if p.generation == wire.NoGeneration || p.state != completing {
		p.joinFails(failureOf(wire.IllegalGeneration)) // so that the next attempt follows at once
		return
	}
	assigned, _, err := assignors.DecodeAssignment(assignment)
	if err != nil {
		p.joinFails(thrown(assignors.Exception("SchemaException")))
		return
	}
	p.state, p.rejoinNeeded, p.rejoinReason = stable, false, ""
	p.join = joinFuture{stage: joinSucceeded, assignment: assigned}
}

// completeJoin is the post-join hook: take the assignment, unless it contains what the member does not want.
// It reports false while a callback runs.
// Kafka: ConsumerCoordinator.onJoinComplete.
func (p *Process) completeJoin() bool {
	for _, tp := range p.join.assignment {
		if !slices.Contains(p.plan.Topics, tp.Topic) {
			p.join, p.needsPrepare = joinFuture{}, true
			p.requestRejoin("received assignment does not match the current subscription")
			return true
		}
	}
	p.assigned, p.positions = p.join.assignment, positions{}
	p.poll.commitAt = p.now.Add(p.plan.Config.AutoCommitInterval)
	return p.callback(taking, p.plan.OnAssign)
}

// assign runs the assignor that the group voted for over the members' subscriptions. The error is the
// exception that the Java assignor throws.
func (p *Process) assign(joined []wire.JoinedMember) ([]wire.Assignment, error) {
	assignor, ok := assignors.Find(p.protocol)
	if !ok {
		return nil, assignors.Exception("IllegalStateException")
	}
	in := assignors.Input{Topics: p.env.Topics, Members: make([]assignors.Member, len(joined))}
	for i, m := range joined {
		s, err := assignors.DecodeSubscription(m.Metadata)
		if err != nil {
			return nil, assignors.Exception("SchemaException")
		}
		in.Members[i] = assignors.Member{ID: m.Member, Instance: m.Instance, Subscription: s}
	}
	given, err := assignor.Assign(in)
	if err != nil {
		return nil, err
	}
	list := make([]wire.Assignment, len(joined))
	for i, m := range joined {
		list[i] = wire.Assignment{Member: m.Member, Bytes: assignors.EncodeAssignment(given.Assigned[i], nil, protocolBytes)}
	}
	return list, nil
}

// FirstJoin returns the JoinGroup with which a process that is started from plan asks for a member id.
func FirstJoin(plan Plan) wire.Request {
	p := &Process{plan: plan, generation: wire.NoGeneration}
	return p.joinRequest()
}
