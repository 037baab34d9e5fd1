package coordinator

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Snapshot is the whole memory of a group. Lists are in Kafka's order.
type Snapshot struct {
	State, Prev    wire.GroupState // Prev is Dead until the first transition
	Since          clock.Time      // of the last transition, or of the creation
	Generation     wire.Generation
	ProtocolType   string // "" when none
	Protocol       string // "" when none
	Leader         wire.MemberID
	Members        []MemberSnapshot
	PendingJoin    []wire.MemberID // ids that were handed out and not used yet
	PendingSync    []wire.MemberID // who has not synced in this generation
	NewMemberAdded bool            // the initial rebalance delay will be extended
	Awaiting       int             // Kafka's count of parked JoinGroups

	SinceUnknown bool // it was loaded from a record that does not tell

	TopicsKnown bool     // the coordinator could read what the members subscribe to
	Topics      []string // what the members of the last generation subscribe to, sorted
}

// MemberSnapshot is the memory of one member.
type MemberSnapshot struct {
	Member           wire.MemberID
	Instance         wire.InstanceID
	SessionTimeout   time.Duration
	RebalanceTimeout time.Duration
	Protocols        []wire.Protocol
	Assignment       []byte
	AwaitingJoin     bool
	AwaitingSync     bool
	New              bool // its first join phase has not ended
}

// Snapshot returns the memory of a group. It reports false when there is no such group, and while the
// shard still loads.
func (s *Shard) Snapshot(group string) (Snapshot, bool) {
	g, ok := s.groups.get(group)
	if !ok || s.serving == loading {
		return Snapshot{}, false
	}
	snapshot := Snapshot{
		State: g.state, Prev: g.prev, Since: g.since,
		Generation:   g.generation,
		ProtocolType: g.protocolType, Protocol: g.protocol,
		Leader:         g.leader,
		PendingJoin:    g.pendingJoin.keys(),
		PendingSync:    g.pendingSync.keys(),
		NewMemberAdded: g.newMemberAdded,
		Awaiting:       g.awaiting,
		SinceUnknown:   g.sinceUnknown,
		TopicsKnown:    g.subscribed.known,
		Topics:         g.subscribed.topics,
	}
	for id, m := range g.members.all() {
		snapshot.Members = append(snapshot.Members, MemberSnapshot{
			Member: id, Instance: m.instance,
			SessionTimeout: m.sessionTimeout, RebalanceTimeout: m.rebalanceTimeout,
			Protocols: m.protocols, Assignment: m.assignment,
			AwaitingJoin: m.join != nil, AwaitingSync: m.sync != nil,
			New: m.isNew,
		})
	}
	return snapshot, true
}
