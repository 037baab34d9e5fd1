package consumers

import (
	"simulate/sim/assignors"
	"simulate/sim/wire"
)

// joinRequest returns the JoinGroup that the client sends now.
func (p *client) joinRequest() wire.Request {
	c := &p.plan.Config
	return wire.Request{
		API: wire.JoinGroup, Version: p.profile.versions.join, ClientID: p.plan.Name, Group: p.plan.Group,
		Member: p.member, Instance: p.instance(),
		Body: &wire.JoinGroupRequest{
			SessionTimeoutMs: ms(c.SessionTimeout), RebalanceTimeoutMs: ms(c.rebalanceTimeout()),
			ProtocolType: "consumer", Protocols: p.protocols(), Reason: p.reason(p.profile.versions.join >= 8, p.rejoinReason),
		},
	}
}

// FirstJoin returns the JoinGroup with which a process that is started from plan asks for a member id.
func FirstJoin(plan Plan) wire.Request {
	p := &client{plan: plan, generation: wire.NoGeneration, memory: newMemory()}
	p.profile, _ = FindProfile(plan.Client)
	p.subscribe(Subscription{plan.Topics, plan.Pattern})
	return p.joinRequest()
}

// reason returns what a request says about why it is sent, if its version can (KIP-800).
func (p *client) reason(can bool, text string) string {
	if can {
		return text
	}
	return ""
}

// protocols lists the assignors with the subscription in the form that each writes. The bytes name the
// current generation, so that a member that has learned a new one never looks unchanged.
func (p *client) protocols() []wire.Protocol {
	list := make([]wire.Protocol, len(p.plan.Config.Assignors))
	for i, name := range p.plan.Config.Assignors {
		list[i] = wire.Protocol{Name: name, Metadata: assignors.EncodeSubscription(assignors.Subscription{
			Topics: p.subscription.topics, UserData: p.memory.userData(name),
			Owned: p.assigned, Generation: p.generation, Rack: p.plan.Config.Rack,
		}, p.profile.versions.protocol)}
	}
	return list
}

// assign runs the assignor that the group voted for over the members' subscriptions, unless it is to be skipped. The
// error is the exception that the Java assignor throws.
func (p *client) assign(answer *wire.JoinGroupResponse) ([]wire.Assignment, error) {
	joined := answer.Members
	assignor, ok := assignors.Find(p.protocol)
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

// commitBody lists the positions. It is the same value until the assignment changes: positions do not move
// while topics hold no records.
func (p *client) commitBody() *wire.OffsetCommitRequest {
	if p.positions.commit == nil {
		body := &wire.OffsetCommitRequest{RetentionTimeMs: -1}
		for _, tp := range without(p.assigned, p.positions.missing) {
			body.Offsets = append(body.Offsets, wire.OffsetToCommit{TopicPartition: tp, LeaderEpoch: -1})
		}
		p.positions.commit = body
	}
	return p.positions.commit
}
