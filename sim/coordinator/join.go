package coordinator

import (
	"time"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// joinRequest is a JoinGroup that is being handled.
type joinRequest struct {
	*wire.Request
	*wire.JoinGroupRequest
	*request
}

func (r joinRequest) terms() terms {
	t := terms{
		rebalanceTimeout: millis(r.RebalanceTimeoutMs),
		sessionTimeout:   millis(r.SessionTimeoutMs),
		protocols:        r.Protocols,
	}
	if r.Version == 0 {
		t.rebalanceTimeout = t.sessionTimeout
	}
	return t
}

// cause says that a rebalance begins because of the member behind this request.
func (r joinRequest) cause(why trace.Reason, id wire.MemberID) trace.Event {
	return trace.Event{Reason: why, Member: id, Instance: r.Instance, Text: r.Reason, HasText: r.Reason != ""}
}

func millis(ms int32) time.Duration { return time.Duration(ms) * time.Millisecond }

// joinGroup handles a JoinGroup.
//
// Kafka: GroupCoordinatorService.joinGroup, GroupMetadataManager.classicGroupJoinToClassicGroup.
func (s *Shard) joinGroup(r *wire.Request, body *wire.JoinGroupRequest) {
	join := joinRequest{r, body, newRequest(r)}
	s.event.name, s.event.request = "classic-group-join", join.request
	if err, refused := s.invalidJoin(r, body); refused {
		s.refuseJoin(join, err)
		return
	}
	g, ok := s.groups.get(r.Group)
	switch {
	case ok:
		s.joinExisting(g, join)
	case r.Member != "":
		s.refuseJoin(join, wire.UnknownMemberID)
	default:
		g = s.newGroup(r.Group, "")
		s.joinExisting(g, join)
		s.announce(g, join.request)
	}
}

// invalidJoin says what is wrong with a JoinGroup wherever its group is.
func (s *Shard) invalidJoin(r *wire.Request, body *wire.JoinGroupRequest) (wire.Err, bool) {
	if r.Group == "" {
		return wire.InvalidGroupID, true
	}
	session := millis(body.SessionTimeoutMs)
	return wire.InvalidSessionTimeout, session < s.cfg.MinSessionTimeout || session > s.cfg.MaxSessionTimeout
}

// refuseJoin answers a JoinGroup with an error and the member id that it came with.
func (s *Shard) refuseJoin(r joinRequest, err wire.Err) {
	s.refuse(r.request, err, r.Member)
}

func (s *Shard) joinExisting(g *group, r joinRequest) {
	if !g.accepts(r.Member) {
		// The join phase is not checked for completion, even if this was the last member it waited for.
		g.remove(r.Member, trace.Event{Reason: trace.OverCapacity})
		s.refuse(r.request, wire.GroupMaxSizeReached, "")
		if s.old[EvictionEndsJoinPhase] {
			g.maybeCompleteJoin()
		}
		return
	}
	if !g.supports(r.ProtocolType, r.Protocols) {
		s.refuseJoin(r, wire.InconsistentGroupProtocol)
		return
	}
	switch {
	case r.Member != "":
		g.joinKnown(r)
	case r.Instance != "":
		g.joinStatic(r)
	default:
		g.joinDynamic(r)
	}
}

// announce writes the record of a group that this event created, unless the event wrote one anyway.
func (s *Shard) announce(g *group, r *request) {
	if len(s.records) == 0 && s.failure == "" && !s.old[NewGroupUnwritten] {
		s.append(g.emptyMetadata())
		s.event.after = groupAnnounced{g, r}
	}
}

// groupAnnounced waits for the first record of a group. If the log refuses it, the group vanishes with
// the member, whose JoinGroup is answered; if the append only takes too long, the member stays and goes
// on counting as joined.
type groupAnnounced struct {
	g    *group
	join *request
}

func (groupAnnounced) committed(*Shard) {}

func (a groupAnnounced) refused(s *Shard, why failure) {
	a.g.mention(trace.Event{Kind: trace.GroupRecordRefused, Err: why.err, For: why.late, Operation: why.event})
	s.refuse(a.join, s.metadataError(why.err), "")
}

// joinDynamic gives an id to a consumer that has none. Since version 4 it must join again with it, so
// that a client which never reads the answer leaves no member behind (KIP-394).
//
// Kafka: GroupMetadataManager.classicGroupJoinNewDynamicMember.
func (g *group) joinDynamic(r joinRequest) {
	id := g.shard.ids.NewMemberID(*r.Request)
	if r.Version < 4 {
		g.add(id, r, trace.NewDynamic)
		return
	}
	deadline := g.after(millis(r.SessionTimeoutMs))
	g.record(trace.Event{Kind: trace.MemberIDIssued, Member: id, To: g.state, Until: deadline})
	g.pendingJoin.put(id, deadline)
	g.shard.setTimer(g.sessionTimer(id), deadline)
	g.shard.refuse(r.request, wire.MemberIDRequired, id)
}

// joinKnown handles a consumer that comes with the id it was given.
//
// Kafka: GroupMetadataManager.classicGroupJoinExistingMember.
func (g *group) joinKnown(r joinRequest) {
	if g.pendingJoin.has(r.Member) {
		if r.Instance != "" {
			g.shard.fail("Received unexpected JoinGroup with groupInstanceId=" + string(r.Instance) +
				" for pending member with memberId=" + string(r.Member))
			return
		}
		g.add(r.Member, r, trace.PendingJoined)
		return
	}
	m, err := g.validate(r.Member, r.Instance, "join-group")
	if err != wire.None {
		g.shard.refuseJoin(r, err)
		return
	}
	why := trace.MemberRejoined
	switch g.state {
	case wire.CompletingRebalance:
		if m.lists(r.Protocols) {
			// It may have missed the answer to its JoinGroup.
			g.shard.answer(r.request, g.joinResponse(m))
			return
		}
	case wire.Stable:
		if m.id == g.leader {
			// The leader joins again to trigger an assignment, even with an unchanged list.
			why = trace.LeaderRejoined
		} else if m.lists(r.Protocols) {
			g.shard.answer(r.request, g.joinResponse(m))
			return
		}
	}
	g.update(m, r.terms(), r.request)
	g.prepareOrComplete(r.cause(why, m.id))
}

// add makes a consumer a member and begins a rebalance, or adds it to the one in its join phase.
//
// Kafka: GroupMetadataManager.addMemberThenRebalanceOrCompleteJoin.
func (g *group) add(id wire.MemberID, r joinRequest, why trace.Reason) {
	g.record(trace.Event{Kind: trace.MemberAdded, Member: id, Instance: r.Instance, To: g.state, Reason: why})
	firstLife := g.generation == 0 || !g.shard.old[InitialDelayFirstLife]
	if g.state == wire.PreparingRebalance && g.prev == wire.Empty && firstLife {
		g.newMemberAdded = true
	}
	m := &member{
		id:           id,
		instance:     r.Instance,
		clientID:     r.ClientID,
		host:         clientHost,
		terms:        r.terms(),
		protocolType: r.ProtocolType,
		isNew:        true,
	}
	g.insert(m)
	g.parkJoin(m, r.request)
	g.armSession(m, firstJoinTimeout)
	g.prepareOrComplete(r.cause(trace.MemberJoined, id))
}
