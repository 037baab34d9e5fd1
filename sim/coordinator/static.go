package coordinator

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// joinStatic handles a consumer with a group.instance.id and no member id: it is new, or it is back
// after a restart and takes the place of its predecessor (KIP-345).
//
// Kafka: GroupMetadataManager.classicGroupJoinNewStaticMember.
func (g *group) joinStatic(r joinRequest) {
	id := g.shard.ids.NewMemberID(*r.Request)
	if old, known := g.static[r.Instance]; known {
		g.comeBack(old, id, r)
	} else {
		g.add(id, r, trace.NewStatic)
	}
}

// comeBack replaces the static member old by id. In Stable the group goes on without a rebalance as
// long as it would vote for the same protocol.
//
// Kafka: GroupMetadataManager.updateStaticMemberThenRebalanceOrCompleteJoin.
func (g *group) comeBack(oldID, id wire.MemberID, r joinRequest) {
	leader := g.leader
	m := g.replaceStatic(oldID, id, trace.Event{Reason: trace.StaticReplaced})
	before := m.terms
	g.touch(m) // with the session timeout of its predecessor
	g.update(m, r.terms(), r.request)
	switch g.state {
	case wire.Stable:
		protocol, ok := g.vote()
		if !ok {
			return
		}
		if protocol != g.protocol {
			g.prepareOrComplete(r.cause(trace.StaticReplaced, id))
			return
		}
		g.record(trace.Event{Kind: trace.StaticNoRebalance, Member: id, Instance: r.Instance})
		g.shard.append(g.metadata(nil))
		g.shard.event.after = memberReplaced{g, m, oldID, leader, before, r.request}
	case wire.CompletingRebalance:
		g.prepare(r.cause(trace.StaticReplaced, id))
	default:
		g.maybeCompleteJoin()
	}
}

// replaceStatic gives the place of a static member to another id, which leads if the old one did. What
// the old id has parked is fenced. Its session timer and its debt to sync stay behind, as in Kafka.
//
// Kafka: ClassicGroup.replaceStaticMember.
func (g *group) replaceStatic(oldID, id wire.MemberID, why trace.Event) *member {
	old, _ := g.members.get(oldID)
	why.Instance, why.To = old.instance, g.state
	removed := why
	removed.Kind, removed.Member, removed.Since = trace.MemberRemoved, oldID, old.armed
	g.record(removed)
	g.members.remove(oldID)
	if old.join != nil || old.sync != nil {
		g.record(trace.Event{Kind: trace.Fenced, Member: oldID, Instance: old.instance, Other: id, To: g.state})
	}
	g.refuseJoin(old, wire.FencedInstanceID, oldID)
	if old.sync != nil {
		g.shard.refuse(old.sync, wire.FencedInstanceID, "")
		old.sync = nil
	}
	m := &member{
		id:           id,
		instance:     old.instance,
		clientID:     old.clientID,
		host:         old.host,
		terms:        old.terms,
		protocolType: old.protocolType,
		assignment:   old.assignment,
		isNew:        old.isNew && g.shard.old[ReplacedStaysNew],
	}
	why.Kind, why.Member, why.Other = trace.MemberAdded, id, oldID
	g.record(why)
	g.members.put(id, m)
	g.static[m.instance] = id
	if g.leader == oldID {
		g.lead(id)
	}
	return m
}

// memberReplaced waits for the record of a static member that came back without a rebalance.
type memberReplaced struct {
	g      *group
	m      *member
	old    wire.MemberID // the id that m replaces
	leader wire.MemberID // who led before
	before terms
	join   *request
}

// committed answers the JoinGroup unless something else did. Before version 9 the response names the
// old leader, so that a leader that came back does not assign again; since then skipAssignment says so
// (KIP-814).
func (a memberReplaced) committed(s *Shard) {
	g, m := a.g, a.m
	if m.join == nil {
		return
	}
	response := g.joinResponse(m)
	body := response.Body.(*wire.JoinGroupResponse)
	leads := m.id == g.leader
	switch {
	case a.join.version < 9:
		body.Leader, body.Members = a.leader, nil
	case leads && g.state == wire.PreparingRebalance:
		// Kafka cannot list the members now. The end of the join phase will answer.
		return
	case leads:
		body.SkipAssignment = true
	}
	g.answerJoin(m, response)
}

// refused gives the place back to the old id. When the new id has gone meanwhile, only the protocol
// counts are touched, which leaves them wrong, as in Kafka.
func (a memberReplaced) refused(s *Shard, why failure) {
	g, m := a.g, a.m
	g.mention(trace.Event{
		Kind: trace.ReplacementRefused, Member: m.id, Other: a.old, Instance: m.instance,
		Err: why.err, For: why.late, Operation: why.event,
	})
	before := a.before
	if s.old[RefusedStaticKeepsList] {
		before.protocols = m.protocols
	}
	g.update(m, before, nil)
	if !g.members.has(m.id) {
		return
	}
	old := g.replaceStatic(m.id, a.old, trace.Event{Reason: trace.AppendFailed, Err: why.err})
	g.touch(old)
	s.answer(a.join, wire.Response{
		Err: s.metadataError(why.err), Generation: g.generation,
		Body: &wire.JoinGroupResponse{ProtocolType: g.protocolType, Protocol: g.protocol, Leader: a.leader},
	})
}
