package coordinator

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// leaveGroup handles a LeaveGroup: one member up to version 2, a batch since.
//
// Kafka: GroupMetadataManager.classicGroupLeaveToClassicGroup.
func (s *Shard) leaveGroup(r *wire.Request, body *wire.LeaveGroupRequest) {
	s.event.name = "classic-group-leave"
	response := wire.Response{Ticket: r.Ticket, API: wire.LeaveGroup}
	if r.Group == "" {
		response.Err = wire.InvalidGroupID
		if r.Version > 2 {
			response.Body = &wire.LeaveGroupResponse{}
		}
		s.reply(response)
		return
	}
	g, ok := s.groups.get(r.Group)
	if !ok {
		leaveResult(&response, r.Version, body.Members, func(int) wire.Err { return wire.UnknownMemberID })
		s.reply(response)
		return
	}
	results := make([]wire.Err, len(body.Members))
	var why trace.Event
	for i, l := range body.Members {
		results[i] = g.leave(l, &why)
		if s.old[LeaveOneByOne] && why.Reason != trace.NoReason {
			g.left(why)
			why = trace.Event{}
		}
	}
	leaveResult(&response, r.Version, body.Members, func(i int) wire.Err { return results[i] })
	s.replyAfterWrites(response)
	if why.Reason != trace.NoReason {
		g.left(why)
	}
}

// leave removes one member of a LeaveGroup, and adds it to the cause of the rebalance. An instance id
// alone is enough, so that an administrator can remove a static member; a pending id may leave too.
func (g *group) leave(l wire.LeavingMember, cause *trace.Event) wire.Err {
	id := l.Member
	why := trace.Event{Reason: trace.Left, Text: l.Reason, HasText: l.HasReason}
	if id == "" {
		id = g.static[l.Instance]
	}
	if id == "" {
		return wire.UnknownMemberID
	}
	instance := wire.InstanceID("")
	if g.pendingJoin.has(id) {
		why.Reason = trace.PendingLeft
	} else {
		m, err := g.validate(id, l.Instance, "leave-group")
		if err != wire.None {
			return err
		}
		instance = m.instance
		g.refuseJoin(m, wire.UnknownMemberID, "")
	}
	g.shard.stopTimer(g.sessionTimer(id))
	g.remove(id, why)
	leavers := append(cause.List, l.Member)
	if cause.Reason != trace.Left {
		// The first member that leaves is the one to name; a pending id only when nobody else does.
		*cause = why
		cause.Member, cause.Instance = id, instance
	}
	cause.List = leavers
	return wire.None
}

// left begins one rebalance for all who left. A pending id that leaves a Stable group is enough.
func (g *group) left(why trace.Event) {
	quiet := why.Reason == trace.PendingLeft && g.shard.old[PendingLeavesQuietly]
	if !quiet && (g.state == wire.Stable || g.state == wire.CompletingRebalance) {
		g.prepare(why)
	} else {
		g.maybeCompleteJoin()
	}
}

// leaveResult fills in what became of each member; up to version 2 its error is the response's.
func leaveResult(r *wire.Response, version int16, asked []wire.LeavingMember, result func(i int) wire.Err) {
	if version <= 2 {
		r.Err = result(0)
		return
	}
	body := &wire.LeaveGroupResponse{}
	for i, l := range asked {
		body.Members = append(body.Members, wire.LeftMember{Member: l.Member, Instance: l.Instance, Err: result(i)})
	}
	r.Body = body
}
