package coordinator

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// syncGroup handles a SyncGroup.
//
// Kafka: GroupMetadataManager.classicGroupSyncToClassicGroup.
func (s *Shard) syncGroup(r *wire.Request, body *wire.SyncGroupRequest) {
	sync := newRequest(r)
	s.event.name, s.event.request = "classic-group-sync", sync
	g, m, err := s.validateSync(r, body)
	if err != wire.None {
		s.refuse(sync, err, "")
		return
	}
	if g.state == wire.CompletingRebalance {
		m.sync = sync
		g.synced(m.id)
		if m.id == g.leader {
			g.storeAssignments(m, body.Assignments)
		}
		return
	}
	g.synced(m.id)
	s.answer(sync, g.syncResponse(m))
	if s.old[SyncIsHeartbeat] {
		g.touch(m)
	}
}

// validateSync checks a SyncGroup. Without an error the group is in CompletingRebalance or Stable.
//
// Kafka: GroupMetadataManager.validateSyncGroup.
func (s *Shard) validateSync(r *wire.Request, body *wire.SyncGroupRequest) (*group, *member, wire.Err) {
	if r.Group == "" {
		return nil, nil, wire.InvalidGroupID
	}
	g, ok := s.groups.get(r.Group)
	if !ok || g.state == wire.Empty {
		return nil, nil, wire.UnknownMemberID
	}
	m, err := g.validate(r.Member, r.Instance, "sync-group")
	switch {
	case err != wire.None:
		return nil, nil, err
	case r.Generation != g.generation:
		return nil, nil, wire.IllegalGeneration
	case s.differ(body.ProtocolType, g.protocolType) || s.differ(body.Protocol, g.protocol):
		return nil, nil, wire.InconsistentGroupProtocol
	case g.state == wire.PreparingRebalance:
		return nil, nil, wire.RebalanceInProgress
	}
	return g, m, wire.None
}

// differ reports whether the name in a request is not the group's, where both are given.
func (s *Shard) differ(given, own string) bool {
	return given != "" && given != own && (own != "" || s.old[SyncNamesMustExist])
}

// synced notes that a member owes no SyncGroup any more.
//
// Kafka: GroupMetadataManager.removePendingSyncMember.
func (g *group) synced(id wire.MemberID) {
	g.pendingSync.remove(id)
	if g.pendingSync.len() == 0 {
		g.stopSync()
	}
}

// storeAssignments writes what the leader assigned to the log. Nobody is told before it is committed;
// until then the members keep what they had.
func (g *group) storeAssignments(leader *member, given []wire.Assignment) {
	g.record(trace.Event{
		Kind: trace.AssignmentReceived, Member: leader.id, Generation: g.generation,
		Members: int32(g.members.len()), Static: int32(len(g.static)),
	})
	assignments := make(map[wire.MemberID][]byte, len(given))
	for _, a := range given {
		assignments[a.Member] = a.Bytes
	}
	var missing []wire.MemberID
	for id := range g.members.all() {
		if _, ok := assignments[id]; !ok {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		g.record(trace.Event{Kind: trace.AssignmentMissing, Generation: g.generation, List: missing})
	}
	g.shard.append(g.metadata(assignments))
	g.shard.event.after = assignmentsStored{g, leader.id, g.generation, assignments}
}

// assignmentsStored waits for the assignments of a generation.
type assignmentsStored struct {
	g           *group
	leader      wire.MemberID
	generation  wire.Generation
	assignments map[wire.MemberID][]byte
}

// current reports whether the group still waits for this. Else another rebalance has begun and
// answered the parked SyncGroups.
func (a assignmentsStored) current() bool {
	return a.g.state == wire.CompletingRebalance && a.g.generation == a.generation
}

// committed hands the assignments out and makes the group Stable. Members that have not synced yet
// get theirs when they do.
//
// Kafka: GroupMetadataManager.setAndPropagateAssignment.
func (a assignmentsStored) committed(*Shard) {
	if !a.current() {
		return
	}
	g := a.g
	for id, m := range g.members.all() {
		m.assignment = a.assignments[id]
		if len(m.assignment) == 0 {
			g.record(trace.Event{Kind: trace.AssignmentEmpty, Member: id, Generation: g.generation})
		}
		if m.sync != nil {
			g.answerSync(m, g.syncResponse(m))
		}
	}
	g.become(wire.Stable, trace.Event{Reason: trace.AssignmentStored})
}

// refused lets everybody join again.
func (a assignmentsStored) refused(s *Shard, why failure) {
	if !a.current() {
		return
	}
	err := s.metadataError(why.err)
	a.g.resetAssignments(err)
	a.g.prepareOrComplete(trace.Event{Reason: trace.AppendFailed, Member: a.leader, Err: err})
}

// resetAssignments takes every assignment back and answers the parked SyncGroups with an error.
//
// Kafka: GroupMetadataManager.resetAndPropagateAssignmentWithError.
func (g *group) resetAssignments(err wire.Err) {
	for _, m := range g.members.all() {
		m.assignment = nil
		if m.sync != nil {
			g.answerSync(m, wire.Response{Err: err, Body: &wire.SyncGroupResponse{}})
		}
	}
}

// answerSync answers the parked SyncGroup of m, which counts as a heartbeat.
func (g *group) answerSync(m *member, response wire.Response) {
	g.shard.answer(m.sync, response)
	m.sync = nil
	g.touch(m)
}

func (g *group) syncResponse(m *member) wire.Response {
	return wire.Response{Body: &wire.SyncGroupResponse{
		ProtocolType: g.protocolType, Protocol: g.protocol, Assignment: m.assignment,
	}}
}

// syncExpired evicts the members that joined a generation and never synced, static ones too. It also
// comes in Stable, where the others have their assignments (KAFKA-13214).
//
// Kafka: GroupMetadataManager.expirePendingSync.
func (s *Shard) syncExpired(id string) {
	armedFor := s.syncTimers[id]
	g, ok := s.groups.get(id)
	if !ok {
		return
	}
	g.syncDeadline = clock.Never
	if armedFor != g.generation || g.state == wire.Empty || g.state == wire.PreparingRebalance {
		// The timer outlived the group that armed it; this is another one of the same name.
		g.record(trace.Event{Kind: trace.SyncTimerUnexpected, Generation: armedFor, Members: int32(g.generation), To: g.state})
		return
	}
	late := g.pendingSync.keys()
	if len(late) == 0 {
		return
	}
	var evicted []wire.MemberID
	for _, id := range late {
		if g.members.has(id) { // not an id that a static member gave up before it synced
			evicted = append(evicted, id)
		}
		g.remove(id, trace.Event{Reason: trace.SyncExpired})
		s.stopTimer(g.sessionTimer(id))
	}
	if len(evicted) > 0 {
		g.record(trace.Event{Kind: trace.SyncTimedOut, List: evicted})
	}
	g.prepare(trace.Event{Reason: trace.SyncExpired, List: late})
}
