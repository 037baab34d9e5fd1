package coordinator

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Waiting says what a group waits for.
type Waiting struct {
	State     wire.GroupState
	Since     clock.Time // when it entered State
	Deadline  clock.Time // when the join or sync timer ends the wait; clock.Never when none is armed
	Parked    int        // requests that are parked
	Appending bool       // the leader's assignments are on their way to the log
	Owes      []Owed     // who is missing, in Kafka's order; pending ids come last
}

// Owed is a request that the group waits for.
type Owed struct {
	Member   wire.MemberID
	Instance wire.InstanceID
	API      wire.API   // wire.JoinGroup or wire.SyncGroup
	Pending  bool       // an id that was handed out and not used yet
	Session  clock.Time // when its session timer ends the wait; clock.Never when it is not armed
	Leader   bool
}

// Waiting reports what the group waits for now: members and pending ids in PreparingRebalance, the
// leader or the log in CompletingRebalance, nobody in Empty and Stable. It reports false when there is
// no such group.
func (s *Shard) Waiting(group string) (Waiting, bool) {
	g, ok := s.groups.get(group)
	if !ok {
		return Waiting{}, false
	}
	w := Waiting{State: g.state, Since: g.since, Deadline: clock.Never}
	for _, m := range g.members.all() {
		if m.join != nil || m.sync != nil {
			w.Parked++
		}
	}
	switch g.state {
	case wire.PreparingRebalance:
		w.Deadline = g.joinDeadline
		w.Owes = g.unjoined()
	case wire.CompletingRebalance:
		w.Deadline = g.syncDeadline
		w.Appending = s.appending(g)
		if m, ok := g.members.get(g.leader); ok && m.sync == nil {
			w.Owes = []Owed{g.owed(m, wire.SyncGroup)}
		}
	}
	return w, true
}

func (g *group) unjoined() []Owed {
	var owes []Owed
	for _, m := range g.members.all() {
		if m.join == nil {
			owes = append(owes, g.owed(m, wire.JoinGroup))
		}
	}
	for id, deadline := range g.pendingJoin.all() {
		owes = append(owes, Owed{Member: id, API: wire.JoinGroup, Pending: true, Session: deadline})
	}
	return owes
}

func (g *group) owed(m *member, api wire.API) Owed {
	return Owed{Member: m.id, Instance: m.instance, API: api, Session: m.session, Leader: m.id == g.leader}
}

func (s *Shard) appending(g *group) bool {
	for _, w := range s.writes[s.oldest:] {
		for _, e := range w.events {
			if a, ok := e.after.(assignmentsStored); ok && a.g == g && a.current() {
				return true
			}
		}
	}
	return false
}
