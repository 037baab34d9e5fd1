package coordinator

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

func (s *Shard) armRetention() {
	interval := s.cfg.RetentionCheckInterval
	at := s.now.Add(interval)
	if s.old[RetentionFromStart] {
		at = clock.At(at.SinceStart().Truncate(interval))
	}
	s.setTimer(TimerKey{Kind: RetentionTimer}, at)
}

// cleanUp removes the offsets that expired and the Empty groups that have none left.
//
// Kafka: GroupCoordinatorShard.cleanupGroupMetadata.
func (s *Shard) cleanUp() {
	for id, g := range s.groups.all() {
		if s.expireOffsets(g) && g.state == wire.Empty {
			s.append(GroupMetadataRecord{Group: id, Tombstone: true})
		}
	}
	if n := len(s.records); n > 0 {
		s.sink.Record(trace.Event{At: s.now, Kind: trace.OffsetsExpired, Members: int32(n)})
	}
	s.armRetention()
	s.bury()
}

// bury applies the tombstones of a run, which looks at every group before it changes any.
func (s *Shard) bury() {
	records := s.records
	s.records = nil
	for _, r := range records {
		switch r := r.(type) {
		case *OffsetCommitRecord:
			s.appendOffset(r)
		case GroupMetadataRecord:
			g, _ := s.groups.get(r.Group)
			s.removeGroup(g, trace.Retired)
		}
	}
}

// expireOffsets writes tombstones for the offsets of a group that expired. It reports whether the group
// has no other, stored or pending.
//
// Kafka: OffsetMetadataManager.cleanupExpiredOffsets.
func (s *Shard) expireOffsets(g *group) bool {
	none := true
	base, mayExpire := g.expiration()
	s.offsets.stored.each(g.id, func(o OffsetCommitRecord) {
		if mayExpire && !g.subscribesTo(o.Topic) && !s.offsets.open.of(g.id, o.TopicPartition) && s.isExpired(o, base) {
			s.append(&OffsetCommitRecord{
				Group: g.id, OffsetToCommit: wire.OffsetToCommit{TopicPartition: o.TopicPartition}, Tombstone: true,
			})
			return
		}
		none = false
	})
	return none && !s.offsets.open.ofGroup(g.id)
}

// expiration returns the clock that the offsets of a group share, or nothing when each counts from its
// own commit (KIP-211). It reports false while nothing of the group may expire.
//
// Kafka: ClassicGroup.offsetExpirationCondition.
func (g *group) expiration() (sharedMs *int64, mayExpire bool) {
	switch {
	case g.protocolType == "":
		return nil, true
	case g.state == wire.Empty && g.sinceUnknown:
		return nil, true
	case g.state == wire.Empty:
		ms := g.since.Millis()
		return &ms, true
	default:
		return nil, g.state == wire.Stable && g.protocolType == consumerProtocol && g.subscribed.known
	}
}

// isExpired counts from the shared clock, or from the commit, unless the offset brought its own expiry.
//
// Kafka: OffsetExpirationConditionImpl.isOffsetExpired.
func (s *Shard) isExpired(o OffsetCommitRecord, sharedMs *int64) bool {
	now := s.now.Millis()
	if o.ExpireTimestampMs != noTimestamp {
		return now >= o.ExpireTimestampMs
	}
	base := o.CommitTimestampMs
	if sharedMs != nil {
		base = *sharedMs
	}
	return time.Duration(now-base)*time.Millisecond >= s.cfg.OffsetsRetention
}

// Topic names a topic and its id, in the text form of Kafka's Uuid.
type Topic struct{ Name, ID string }

// DeleteTopics takes the news that topics were deleted: their offsets go at once, the groups wait for the
// next retention run.
//
// Kafka: GroupCoordinatorShard.onTopicsDeleted.
func (s *Shard) DeleteTopics(now clock.Time, topics []Topic) []Effect {
	s.begin(now)
	if s.serving == active {
		s.event.name = "on-topics-deleted"
		s.topicsDeleted(topics)
	}
	s.end()
	return s.effects
}

func (s *Shard) topicsDeleted(topics []Topic) {
	deleted := map[string]bool{}
	for _, t := range topics {
		deleted[t.Name] = true
	}
	type doomed struct {
		group string
		tp    wire.TopicPartition
	}
	var list []doomed
	collect := func(o OffsetCommitRecord) {
		if deleted[o.Topic] {
			list = append(list, doomed{o.Group, o.TopicPartition})
		}
	}
	for group := range s.offsets.stored.groups.all() {
		s.offsets.stored.each(group, collect)
	}
	for _, pending := range s.offsets.pending.all() {
		for group := range pending.groups.all() {
			pending.each(group, collect)
		}
	}
	for _, d := range list {
		s.appendTombstone(d.group, d.tp)
	}
	for _, t := range topics {
		s.sink.Record(trace.Event{
			At: s.now, Kind: trace.TopicDeleted, Members: int32(len(list)), Text: t.ID,
			Partitions: []wire.TopicPartition{{Topic: t.Name}},
		})
	}
}
