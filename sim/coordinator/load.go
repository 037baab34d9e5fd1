package coordinator

import (
	"slices"
	"strconv"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// service says what a shard does with requests.
type service uint8

const (
	active   service = iota // handles them
	loading                 // COORDINATOR_LOAD_IN_PROGRESS
	resigned                // NOT_COORDINATOR
)

// Load makes the shard coordinate the groups and offsets that the records of its partition describe. It
// begins with empty memory and arms the timers that a fail-over gives everybody anew.
//
// Kafka: CoordinatorRuntime.scheduleLoadOperation.
func (s *Shard) Load(now clock.Time, records []Record) []Effect {
	s.BeginLoad(now, records)
	return s.EndLoad(now)
}

// BeginLoad reads the records. Until EndLoad, requests are answered COORDINATOR_LOAD_IN_PROGRESS.
func (s *Shard) BeginLoad(now clock.Time, records []Record) {
	s.begin(now)
	s.forget(loading)
	s.history.loading = true
	for _, r := range records {
		s.replay(r)
	}
	s.history.loading = false
}

// EndLoad ends a load: requests are handled from now on.
//
// Kafka: GroupMetadataManager.onLoaded, GroupCoordinatorShard.onLoaded.
func (s *Shard) EndLoad(now clock.Time) []Effect {
	s.begin(now)
	s.serving = active
	for _, g := range s.groups.all() {
		g.loaded()
	}
	s.armRetention()
	return s.effects
}

// loaded gives every member a whole session, and lets a group that is larger than group.max.size
// rebalance: those who come last are turned away then.
func (g *group) loaded() {
	g.record(trace.Event{Kind: trace.GroupCreated, To: g.state, Generation: g.generation})
	for id, m := range g.members.all() {
		g.record(trace.Event{Kind: trace.MemberAdded, Member: id, Instance: m.instance, To: g.state, Reason: trace.Loaded})
	}
	if g.leader != "" {
		g.record(trace.Event{Kind: trace.LeaderElected, Member: g.leader})
	}
	size, limit := g.members.len(), g.shard.cfg.MaxSize
	g.record(trace.Event{Kind: trace.GroupLoaded, To: g.state, Generation: g.generation, Members: int32(size)})
	early := g.shard.old[OverCapacityBeforeTimer]
	tooLarge := trace.Event{Reason: trace.OverCapacity, Members: int32(size), Text: strconv.Itoa(limit)}
	if size > limit && early {
		g.prepare(tooLarge)
	}
	for _, m := range g.members.all() {
		g.touch(m)
	}
	if size > limit && !early {
		g.prepare(tooLarge)
	}
}

// replay applies a record of the log.
//
// Kafka: GroupCoordinatorShard.replay.
func (s *Shard) replay(r Record) {
	switch r := r.(type) {
	case GroupMetadataRecord:
		if r.Tombstone {
			s.groups.remove(r.Group)
		} else {
			s.groups.put(r.Group, s.restored(r))
		}
	case *OffsetCommitRecord:
		s.replayOffset(r)
	case TransactionMarker:
		s.endTransaction(r)
	}
	s.logEnd++
}

// replayOffset applies the record of an offset. One without a group belongs to a consumer that manages
// its partitions itself.
func (s *Shard) replayOffset(r *OffsetCommitRecord) {
	o := *r
	o.position = s.logEnd
	if o.ExpireTimestampMs != noTimestamp {
		o.LeaderEpoch = -1 // the version of the value that has an expiry has no leader epoch
	}
	if _, ok := s.groups.get(o.Group); !ok && !o.Tombstone {
		s.groups.put(o.Group, s.emptyGroup(o.Group))
	}
	s.offsets.replay(o)
}

// restored returns the group that a record describes. Of each member's protocols only the one that was
// chosen is known, so that a member which joins again with its whole list seems to have changed it.
//
// Kafka: GroupMetadataManager.replay(GroupMetadataKey, GroupMetadataValue).
func (s *Shard) restored(r GroupMetadataRecord) *group {
	g := s.emptyGroup(r.Group)
	g.generation, g.protocolType, g.protocol = r.Generation, r.ProtocolType, r.Protocol
	g.since, g.sinceUnknown = clock.At(time.Duration(r.StateTimestampMs)*time.Millisecond), r.StateTimestampMs == noTimestamp
	if len(r.Members) > 0 {
		g.state = wire.Stable
	}
	for _, mr := range r.Members {
		m := &member{
			id: mr.Member, instance: mr.Instance, clientID: mr.ClientID, host: mr.ClientHost,
			terms: terms{
				rebalanceTimeout: millis(mr.RebalanceTimeoutMs),
				sessionTimeout:   millis(mr.SessionTimeoutMs),
				protocols:        []wire.Protocol{{Name: r.Protocol, Metadata: mr.Subscription}},
			},
			protocolType: r.ProtocolType, assignment: mr.Assignment,
			session: clock.Never,
		}
		if mr.RebalanceTimeoutMs == -1 {
			m.rebalanceTimeout = m.sessionTimeout
		}
		if m.static() {
			g.static[m.instance] = m.id
		}
		g.members.put(m.id, m)
		g.count(m.protocols, 1)
	}
	g.leader = r.Leader
	g.computeSubscribed()
	return g
}

// Unload makes the shard resign: what waits for the log fails, parked requests are answered
// NOT_COORDINATOR, and all memory is lost. The host forgets every timer of the shard; Appended calls for
// batches from before are ignored.
//
// Kafka: CoordinatorRuntime.scheduleUnloadOperation, GroupMetadataManager.onUnloaded.
func (s *Shard) Unload(now clock.Time) []Effect {
	s.begin(now)
	s.failOutstanding()
	for _, g := range s.groups.all() {
		g.unload()
	}
	s.forget(resigned)
	// Callbacks of refused batches may arm timers. In Kafka they outlive the shard and find nothing to do.
	s.effects = slices.DeleteFunc(s.effects, func(e Effect) bool { return e.Kind != Reply })
	return s.effects
}

// failOutstanding fails what waits for the commit of what the log has, and then, as if the log had
// refused it, what the log does not have.
func (s *Shard) failOutstanding() {
	writes := s.writes[s.oldest:]
	s.writes, s.oldest = nil, 0
	open := slices.IndexFunc(writes, func(w write) bool { return !w.written })
	if open < 0 {
		open = len(writes)
	}
	for i := range writes[:open] {
		s.failAll(&writes[i], wire.NotCoordinator)
	}
	for i := range writes[open:] {
		s.rollBack(writes[open+i].id, wire.NotCoordinator)
	}
	if open < len(writes) {
		s.rollBack(s.lastAppend+1, wire.NotCoordinator)
	}
	for i := range writes[open:] {
		s.failAll(&writes[open+i], wire.NotCoordinator)
	}
}

// unload ends the group. Only the requests that belong to the phase it is in are answered.
func (g *group) unload() {
	g.record(trace.Event{Kind: trace.GroupUnloaded, Generation: g.generation})
	g.become(wire.Dead, trace.Event{Reason: trace.Unloaded})
	switch g.prev {
	case wire.PreparingRebalance:
		for id, m := range g.members.all() {
			g.refuseJoin(m, wire.NotCoordinator, id)
		}
	case wire.CompletingRebalance, wire.Stable:
		for _, m := range g.members.all() {
			if m.sync != nil {
				g.shard.refuse(m.sync, wire.NotCoordinator, "")
				m.sync = nil
			}
		}
	}
	g.gone = true
}

func (s *Shard) forget(now service) {
	s.serving = now
	s.memory = newMemory()
	s.pipeline = pipeline{lastAppend: s.lastAppend, lastEvent: s.lastEvent, forgotten: s.lastAppend}
	s.history.batch = s.lastAppend + 1
}
