package consumers

import (
	"simulate/sim/assignors"
	"simulate/sim/wire"
)

// findRequest returns the FindCoordinator for the group.
func (p *client) findRequest() wire.Request {
	return wire.Request{API: wire.FindCoordinator, Version: p.profile.versions.find}
}

// joinRequest returns the JoinGroup that the client sends now.
func (p *client) joinRequest() wire.Request {
	c := &p.plan.Config
	body := &wire.JoinGroupRequest{
		SessionTimeoutMs: ms(c.SessionTimeout), RebalanceTimeoutMs: ms(p.plan.RebalanceTimeout()),
		ProtocolType: "consumer", Protocols: p.protocols(),
	}
	if p.profile.versions.join >= 8 { // it can say why (KIP-800)
		body.Reason = p.rejoinReason
	}
	return wire.Request{
		API: wire.JoinGroup, Version: p.profile.versions.join, ClientID: p.who.Name, Group: p.plan.Group,
		Member: p.member, Instance: p.instance(), Body: body,
	}
}

// syncRequest returns the SyncGroup with the assignments, if this member leads.
func (p *client) syncRequest(given []wire.Assignment) wire.Request {
	return wire.Request{
		API: wire.SyncGroup, Version: p.profile.versions.sync, Member: p.member, Instance: p.instance(),
		Generation: p.generation,
		Body:       &wire.SyncGroupRequest{ProtocolType: "consumer", Protocol: p.protocol, Assignments: given},
	}
}

// heartbeatRequest returns the Heartbeat of the membership.
func (p *client) heartbeatRequest() wire.Request {
	return wire.Request{
		API: wire.Heartbeat, Version: p.profile.versions.heartbeat, Member: p.member, Instance: p.instance(),
		Generation: p.generation,
	}
}

// commitRequest returns the OffsetCommit of all positions.
func (p *client) commitRequest() wire.Request {
	return wire.Request{
		API: wire.OffsetCommit, Version: p.profile.versions.commit, Member: p.member, Instance: p.instance(),
		Generation: p.generation, Body: p.commitBody(),
	}
}

// requestCommit sends an OffsetCommit of all positions.
func (p *client) requestCommit() wire.Ticket {
	return p.send(CoordinatorConn, p.commitRequest(), p.plan.Config.RequestTimeout)
}

// positionsRequest returns the OffsetFetch of what is newly assigned.
func (p *client) positionsRequest() wire.Request {
	return wire.Request{
		API: wire.OffsetFetch, Version: p.profile.versions.fetch, Member: p.member, Generation: p.generation,
		Body: p.offsetFetchBody(),
	}
}

// leaveRequest returns the LeaveGroup of the member, with why it leaves if the version can tell that (KIP-800).
func (p *client) leaveRequest(reason string) wire.Request {
	leaving := wire.LeavingMember{Member: p.member}
	if p.profile.versions.leave >= 5 {
		leaving.Reason, leaving.HasReason = reason, reason != ""
	}
	return wire.Request{
		API: wire.LeaveGroup, Version: p.profile.versions.leave,
		Body: &wire.LeaveGroupRequest{Members: []wire.LeavingMember{leaving}},
	}
}

// FirstJoin returns the JoinGroup with which a process that is started from plan asks for a member id.
func FirstJoin(who Identity, plan *Plan) wire.Request {
	p := &client{who: who, plan: plan, profile: profileOf(plan.Client), generation: wire.NoGeneration, memory: newMemory()}
	p.subscribe(Subscription{plan.Topics, plan.Pattern})
	return p.joinRequest()
}

// protocols lists the assignors with the subscription in the form that each writes.
func (p *client) protocols() []wire.Protocol {
	list := make([]wire.Protocol, len(p.plan.Config.Assignors))
	for i, name := range p.plan.Config.Assignors {
		subscription, version := p.subscriptionOf(name)
		list[i] = wire.Protocol{Name: name, Metadata: assignors.EncodeSubscription(subscription, version)}
	}
	return list
}

// subscriptionOf returns what an assignor writes, and in which version of the consumer protocol. In Java the bytes
// name the current generation, so that a member that has learned a new one never looks unchanged.
func (p *client) subscriptionOf(assignor string) (assignors.Subscription, int16) {
	if p.profile.subscriptionOf != nil {
		return p.profile.subscriptionOf(p, assignor)
	}
	return assignors.Subscription{
		Topics: p.subscription.topics, UserData: p.memory.userData(assignor),
		Owned: p.assigned, Generation: p.generation, Rack: p.plan.Config.Rack,
	}, p.profile.versions.protocol
}

// assign runs the assignor that the group voted for over the members' subscriptions, unless it is to be skipped. The
// error is the exception that the Java assignor throws.
func (p *client) assign(answer *wire.JoinGroupResponse) ([]wire.Assignment, error) {
	joined := answer.Members
	assignor, ok := p.profile.Assignor(p.protocol)
	if !ok {
		return nil, assignors.Exception("IllegalStateException")
	}
	in := assignors.Input{Members: make([]assignors.Member, len(joined)), MaxGeneration: p.memory.highest[p.protocol]}
	for i, m := range joined {
		s, err := assignors.DecodeSubscription(m.Metadata)
		if err != nil {
			return nil, assignors.Exception("SchemaException")
		}
		in.Members[i] = assignors.Member{ID: m.Member, Instance: m.Instance, Subscription: s}
	}
	p.watch(in.Members)
	if anyIllegal(p.metadata.watched) {
		return nil, invalidTopic
	}
	if answer.SkipAssignment {
		return nil, nil
	}
	in.Topics = p.metadata.topics
	given, err := assignor.Assign(in)
	if _, remembers := p.memory.highest[p.protocol]; remembers {
		p.memory.highest[p.protocol] = given.MaxGeneration
	}
	if err != nil {
		return nil, err
	}
	list := make([]wire.Assignment, len(joined))
	for i, m := range joined {
		list[i] = wire.Assignment{Member: m.Member, Bytes: assignors.EncodeAssignment(given.Assigned[i], nil, p.profile.versions.protocol)}
	}
	return list, nil
}

// commitBody lists the positions. Without records they do not move, and it is the same value until the assignment
// changes.
func (p *client) commitBody() *wire.OffsetCommitRequest {
	if p.loaded() {
		return p.handledBody(false)
	}
	if p.positions.commit == nil {
		body := &wire.OffsetCommitRequest{RetentionTimeMs: -1}
		for _, tp := range without(p.assigned, p.positions.missing) {
			body.Offsets = append(body.Offsets, wire.OffsetToCommit{TopicPartition: tp, LeaderEpoch: -1})
		}
		p.positions.commit = body
	}
	return p.positions.commit
}
