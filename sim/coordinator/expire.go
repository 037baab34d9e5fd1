package coordinator

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// sessionExpired evicts a member that did not heartbeat, or forgets a pending id that was never used. A
// member with a parked request is exempt, and has no session timer until it is answered or heartbeats.
//
// Kafka: GroupMetadataManager.expireClassicGroupMemberHeartbeat.
func (s *Shard) sessionExpired(group string, id wire.MemberID) {
	g, ok := s.groups.get(group)
	if !ok {
		return
	}
	if g.pendingJoin.has(id) {
		g.remove(id, trace.Event{Reason: trace.SessionExpired})
		g.expired()
		return
	}
	m, ok := g.members.get(id)
	if !ok {
		return
	}
	m.session = clock.Never
	if !m.heartbeatSatisfied() {
		g.evict(m)
	}
}

// evict removes a member whose session ran out. Unlike a join or a leave it may even cut the initial
// rebalance delay short.
//
// Kafka: GroupMetadataManager.removeMemberAndUpdateClassicGroup.
func (g *group) evict(m *member) {
	why := trace.SessionExpired
	if m.isNew {
		why = trace.NewMemberExpired
	}
	g.refuseJoin(m, wire.UnknownMemberID, "")
	g.remove(m.id, trace.Event{Reason: why})
	switch {
	case g.state == wire.Stable || g.state == wire.CompletingRebalance:
		g.prepare(trace.Event{Reason: trace.SessionExpired, Member: m.id, Instance: m.instance})
	default:
		g.expired()
	}
}

// expired ends the join phase if nobody else is missing.
func (g *group) expired() {
	switch {
	case g.shard.old[InitialDelayUncut]:
		g.maybeCompleteJoin()
	case g.state == wire.PreparingRebalance && g.allJoined():
		g.completeJoin()
	}
}
