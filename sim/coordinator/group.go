package coordinator

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// group is a classic group (Kafka: ClassicGroup).
type group struct {
	shard *Shard
	id    string

	state, prev wire.GroupState // prev is Dead until the first transition
	since       clock.Time      // of the last transition, or of the creation
	generation  wire.Generation

	protocolType string // "" when none
	protocol     string // "" when none
	leader       wire.MemberID

	members     javaMap[wire.MemberID, *member]
	static      map[wire.InstanceID]wire.MemberID
	pendingJoin javaMap[wire.MemberID, clock.Time] // ids handed out and not used yet, with their deadline
	pendingSync javaMap[wire.MemberID, struct{}]   // who has not synced in this generation
	awaiting    int                                // members whose JoinGroup is parked
	supported   map[string]int                     // how many members list each protocol
	subscribed  subscription                       // of the last generation

	// newMemberAdded extends the initial rebalance delay. Nothing clears it but the join timer, so it
	// can leak into the group's next initial rebalance, as in Kafka.
	newMemberAdded bool
	initialDelay   time.Duration // of the join timer that runs, while the initial rebalance lasts
	remainingDelay time.Duration // by which the initial rebalance may still be extended
	initial        bool          // the join timer measures the initial rebalance delay

	sinceUnknown bool // it was loaded from a record of an old broker

	gone bool // it does not exist any more; events that still hold it record nothing

	joinDeadline clock.Time // clock.Never when the join timer is not armed
	syncDeadline clock.Time // clock.Never when the sync timer is not armed
}

// newGroup creates an Empty group. by is the API that did it where a broker logs that (LG-29), else "".
func (s *Shard) newGroup(id, by string) *group {
	g := s.emptyGroup(id)
	s.history.loading = s.old[NewGroupUnwritten]
	s.groups.put(id, g)
	s.history.loading = false
	g.record(trace.Event{Kind: trace.GroupCreated, To: wire.Empty, Text: by})
	return g
}

// emptyGroup returns a group that nobody knows yet.
func (s *Shard) emptyGroup(id string) *group {
	return &group{
		shard:        s,
		id:           id,
		state:        wire.Empty,
		prev:         wire.Dead,
		since:        s.now,
		members:      newJavaMap[wire.MemberID, *member](),
		static:       map[wire.InstanceID]wire.MemberID{},
		pendingJoin:  newJavaMap[wire.MemberID, clock.Time](),
		pendingSync:  newJavaMap[wire.MemberID, struct{}](),
		supported:    map[string]int{},
		joinDeadline: clock.Never,
		syncDeadline: clock.Never,
	}
}

// record says what happens to the group. Of one that is gone, nobody hears but what Kafka logs when an
// event that still holds it prepares its rebalance.
func (g *group) record(e trace.Event) {
	if g.gone {
		if e.Kind != trace.GroupBecame || e.To != wire.PreparingRebalance {
			return
		}
		e.Kind = trace.GhostPrepared
	}
	g.mention(e)
}

// mention is record for what Kafka logs of a group even when it is gone.
func (g *group) mention(e trace.Event) {
	e.At, e.Group = g.shard.now, g.id
	g.shard.sink.Record(e)
}

// sinceMs is the instant of the last transition as records have it.
func (g *group) sinceMs() int64 {
	if g.sinceUnknown {
		return noTimestamp
	}
	return g.since.Millis()
}

// allJoined reports whether the join phase waits for nobody.
func (g *group) allJoined() bool {
	return g.members.len() == g.awaiting && g.pendingJoin.len() == 0
}

// rebalanceTimeout is the longest of the members', and 0 without members.
func (g *group) rebalanceTimeout() time.Duration {
	var longest time.Duration
	for _, m := range g.members.all() {
		longest = max(longest, m.rebalanceTimeout)
	}
	return longest
}

// supports reports whether a member with these protocols could join.
//
// Kafka: ClassicGroup.supportsProtocols.
func (g *group) supports(protocolType string, protocols []wire.Protocol) bool {
	if g.state == wire.Empty {
		return protocolType != "" && len(protocols) > 0
	}
	if g.protocolType == "" || g.protocolType != protocolType {
		return false
	}
	for _, p := range protocols {
		if g.supported[p.Name] == g.members.len() {
			return true
		}
	}
	return false
}

// accepts reports whether group.max.size lets this id join. Pending ids do not count.
//
// Kafka: GroupMetadataManager.acceptJoiningMember.
func (g *group) accepts(id wire.MemberID) bool {
	limit := g.shard.cfg.MaxSize
	m, isMember := g.members.get(id)
	switch g.state {
	case wire.PreparingRebalance:
		return isMember && m.join != nil || g.awaiting < limit
	case wire.CompletingRebalance, wire.Stable:
		return isMember || g.members.len() < limit
	default:
		return true
	}
}

// validate finds the member that a request names, or the error why it may not speak for it. A static
// member may leave out its instance id.
//
// Kafka: ClassicGroup.validateMember.
func (g *group) validate(id wire.MemberID, instance wire.InstanceID, operation string) (*member, wire.Err) {
	if instance != "" {
		current, known := g.static[instance]
		if !known {
			return nil, wire.UnknownMemberID
		}
		if current != id {
			g.record(trace.Event{Kind: trace.Fenced, Member: id, Instance: instance, Other: current, To: g.state, Text: operation})
			return nil, wire.FencedInstanceID
		}
	}
	m, known := g.members.get(id)
	if !known {
		return nil, wire.UnknownMemberID
	}
	return m, wire.None
}

// insert makes m a member. The first one leads, and says which kind of group this is.
//
// Kafka: ClassicGroup.add.
func (g *group) insert(m *member) {
	if m.static() {
		g.static[m.instance] = m.id
	}
	if g.members.len() == 0 {
		g.protocolType = m.protocolType
	}
	g.members.put(m.id, m)
	g.count(m.protocols, 1)
	if g.leader == "" {
		g.lead(m.id)
	}
	g.pendingJoin.remove(m.id)
}

// remove forgets a member or a pending id. The caller answers a parked JoinGroup before; a parked
// SyncGroup is never answered. No timer is touched.
//
// Kafka: ClassicGroup.remove.
func (g *group) remove(id wire.MemberID, why trace.Event) {
	if m, ok := g.members.get(id); ok {
		why.Kind, why.Member, why.Instance, why.Since = trace.MemberRemoved, id, m.instance, m.armed
		g.record(why)
		g.unparkJoin(m)
		g.members.remove(id)
		g.count(m.protocols, -1)
		delete(g.static, m.instance)
		if g.leader == id {
			g.lead(g.firstMember())
		}
	} else if g.pendingJoin.has(id) {
		why.Kind, why.Member = trace.PendingRemoved, id
		g.record(why)
	}
	g.pendingJoin.remove(id)
	g.pendingSync.remove(id)
}

func (g *group) firstMember() wire.MemberID {
	for id := range g.members.all() {
		return id
	}
	return ""
}

func (g *group) lead(id wire.MemberID) {
	g.record(trace.Event{Kind: trace.LeaderElected, Member: id, Other: g.leader})
	g.leader = id
}

// count adds n to the number of members that list each of the protocols. A name that one member lists
// twice counts twice, so that it can seem to be listed by everybody.
func (g *group) count(protocols []wire.Protocol, n int) {
	for _, p := range protocols {
		g.supported[p.Name] += n
	}
}

// update replaces a member's terms and parks its JoinGroup, or none. A JoinGroup that was parked is
// overwritten and never answered.
//
// Kafka: ClassicGroup.updateMember.
func (g *group) update(m *member, t terms, join *request) {
	g.count(m.protocols, -1)
	m.terms = t
	g.count(m.protocols, 1)
	g.unparkJoin(m)
	if join != nil {
		g.parkJoin(m, join)
	}
}

func (g *group) parkJoin(m *member, r *request) {
	m.join = r
	g.awaiting++
}

func (g *group) unparkJoin(m *member) {
	if m.join != nil {
		m.join = nil
		g.awaiting--
	}
}
