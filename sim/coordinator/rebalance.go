package coordinator

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// prepareOrComplete begins a rebalance or, when one is in its join phase, ends that phase if nobody is
// missing.
//
// Kafka: GroupMetadataManager.maybePrepareRebalanceOrCompleteJoin.
func (g *group) prepareOrComplete(why trace.Event) {
	if g.state == wire.PreparingRebalance {
		g.maybeCompleteJoin()
	} else {
		g.prepare(why)
	}
}

// prepare begins the join phase of a rebalance.
//
// Kafka: GroupMetadataManager.prepareRebalance.
func (g *group) prepare(why trace.Event) {
	if g.state == wire.CompletingRebalance {
		g.resetAssignments(wire.RebalanceInProgress)
	}
	g.pendingSync.clear()
	g.stopSync()

	g.initial = g.state == wire.Empty
	if g.initial {
		g.initialDelay = g.shard.cfg.InitialRebalanceDelay
		g.remainingDelay = max(g.rebalanceTimeout()-g.initialDelay, 0)
		g.armJoin(g.initialDelay)
	}
	g.become(wire.PreparingRebalance, why)
	switch {
	case g.initial:
	case g.allJoined():
		g.completeJoin()
	default:
		g.armJoin(g.rebalanceTimeout())
	}
}

// maybeCompleteJoin ends the join phase when nobody is missing. The initial delay is never cut short
// here: more members are expected to come up.
//
// Kafka: GroupMetadataManager.maybeCompleteJoinPhase.
func (g *group) maybeCompleteJoin() {
	if g.state == wire.PreparingRebalance && g.prev != wire.Empty && g.allJoined() {
		g.completeJoin()
	}
}

// joinExpired ends the join phase, or extends the initial delay when somebody came during its last part.
//
// Kafka: GroupMetadataManager.tryCompleteInitialRebalanceElseSchedule.
func (s *Shard) joinExpired(id string) {
	g, ok := s.groups.get(id)
	if !ok {
		return
	}
	g.joinDeadline = clock.Never
	if g.initial && g.newMemberAdded && g.remainingDelay != 0 {
		g.newMemberAdded = false
		passed := g.initialDelay
		g.initialDelay = min(s.cfg.InitialRebalanceDelay, g.remainingDelay)
		g.remainingDelay = max(g.remainingDelay-passed, 0)
		g.armJoin(g.initialDelay)
		return
	}
	g.completeJoin()
}

// completeJoin ends the join phase: the group moves to its next generation without the dynamic members
// that did not join again, and every parked JoinGroup is answered. Static members keep their place.
//
// Kafka: GroupMetadataManager.completeClassicGroupJoin.
func (g *group) completeJoin() {
	g.stopJoin()
	g.initial = false
	g.dropLaggards()
	if !g.confirmLeader() && g.members.len() > 0 {
		g.armJoin(g.rebalanceTimeout())
		return
	}
	g.generation++
	if g.members.len() == 0 {
		g.completeEmpty()
		return
	}
	protocol, ok := g.vote()
	if !ok {
		return
	}
	g.protocol = protocol
	g.computeSubscribed()
	g.become(wire.CompletingRebalance, trace.Event{
		Reason: trace.JoinPhaseComplete, Member: g.leader, Members: int32(g.members.len()), Protocol: protocol,
	})
	g.pendingSync.clear()
	g.answerJoins()
	g.armSync(g.rebalanceTimeout())
}

func (g *group) completeEmpty() {
	g.protocol = ""
	g.computeSubscribed()
	if !g.become(wire.Empty, trace.Event{Reason: trace.NoMembersLeft}) {
		return
	}
	g.pendingSync.clear()
	g.shard.append(g.metadata(nil))
	g.shard.event.after = groupEmptied{g}
}

// groupEmptied waits for the record of a group that lost its last member. Nothing comes back when the
// log refuses it.
type groupEmptied struct{ g *group }

func (groupEmptied) committed(*Shard) {}

func (a groupEmptied) refused(_ *Shard, why failure) {
	a.g.mention(trace.Event{Kind: trace.GroupRecordRefused, Err: metadataError(why.err)})
}

// dropLaggards removes the dynamic members that did not join.
func (g *group) dropLaggards() {
	var dropped []wire.MemberID
	for id, m := range g.members.all() {
		if m.join != nil || m.static() {
			continue
		}
		g.remove(id, trace.Event{Reason: trace.NotRejoinedInTime})
		g.shard.stopTimer(g.sessionTimer(id))
		dropped = append(dropped, id)
	}
	if len(dropped) > 0 {
		g.record(trace.Event{Kind: trace.NotRejoined, List: dropped})
	}
}

// confirmLeader makes sure that a member that joined leads. It reports false when there is none.
//
// Kafka: ClassicGroup.maybeElectNewJoinedLeader.
func (g *group) confirmLeader() bool {
	old, ok := g.members.get(g.leader)
	if !ok {
		return false
	}
	if old.join != nil {
		return true
	}
	for id, m := range g.members.all() {
		if m.join != nil {
			g.record(trace.Event{Kind: trace.LeaderReplaced, Member: id, Other: old.id, Instance: old.instance, Details: m.details()})
			g.lead(id)
			return true
		}
	}
	g.record(trace.Event{Kind: trace.NobodyRejoined, Other: old.id, Instance: old.instance})
	return false
}

// answerJoins answers every parked JoinGroup with the new generation. All members must now sync.
func (g *group) answerJoins() {
	for id, m := range g.members.all() {
		if m.join != nil {
			g.answerJoin(m, g.joinResponse(m))
		}
		g.touch(m)
		m.isNew = false
		g.pendingSync.put(id, struct{}{})
	}
}

// answerJoin answers and frees the parked JoinGroup of m.
func (g *group) answerJoin(m *member, response wire.Response) {
	g.shard.answer(m.join, response)
	g.unparkJoin(m)
}

// refuseJoin answers the parked JoinGroup of m, if there is one, with an error.
func (g *group) refuseJoin(m *member, err wire.Err, id wire.MemberID) {
	if m.join != nil {
		g.shard.refuse(m.join, err, id)
		g.unparkJoin(m)
	}
}

// joinResponse tells m about the current generation; the leader learns who the members are.
func (g *group) joinResponse(m *member) wire.Response {
	body := &wire.JoinGroupResponse{ProtocolType: g.protocolType, Protocol: g.protocol, Leader: g.leader}
	if m.id == g.leader {
		body.Members = g.joinedMembers()
	}
	return wire.Response{Member: m.id, Generation: g.generation, Body: body}
}

func (g *group) joinedMembers() []wire.JoinedMember {
	list := make([]wire.JoinedMember, 0, g.members.len())
	for id, m := range g.members.all() {
		list = append(list, wire.JoinedMember{Member: id, Instance: m.instance, Metadata: m.metadata(g.protocol)})
	}
	return list
}

// vanish records that the group does not exist any more: it was deleted, or the record that would have
// created it is not in the log. Its timers stay armed and find nothing, or a successor of the same name.
func (g *group) vanish(why trace.Reason, err wire.Err) {
	g.record(trace.Event{Kind: trace.GroupBecame, From: g.state, To: wire.NoGroup, Generation: g.generation, Reason: why, Err: err})
	g.gone = true
}
