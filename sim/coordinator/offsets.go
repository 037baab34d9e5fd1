package coordinator

import (
	"unicode/utf16"

	"simulate/sim/wire"
)

// noTimestamp marks an offset that expires with its group.
const noTimestamp = -1

// commitOffsets handles an OffsetCommit. It counts as a heartbeat, even when every offset is refused
// for its size.
//
// Kafka: OffsetMetadataManager.commitOffset.
func (s *Shard) commitOffsets(r wire.Request, body *wire.OffsetCommitRequest) {
	g, m, err := s.validateCommit(r)
	results := s.results.take(len(body.Offsets))
	for i, o := range body.Offsets {
		results[i] = wire.PartitionError{TopicPartition: o.TopicPartition, Err: err}
	}
	answer := &s.responses.take(1)[0]
	answer.Partitions = results
	response := wire.Response{Ticket: r.Ticket, API: wire.OffsetCommit, Body: answer}
	if err != wire.None {
		s.reply(response)
		return
	}
	if m != nil {
		g.touch(m)
	}
	expire := int64(noTimestamp)
	if body.RetentionTimeMs != noTimestamp {
		expire = s.now.Millis() + body.RetentionTimeMs
	}
	offsets := s.offsets.take(len(body.Offsets))
	s.records = s.arenas.records.take(len(body.Offsets))[:0]
	for i, o := range body.Offsets {
		if !s.fits(o.Metadata) {
			results[i].Err = wire.OffsetMetadataTooLarge
			continue
		}
		offsets[i] = OffsetCommitRecord{
			Group: r.Group, OffsetToCommit: o, CommitTimestampMs: s.now.Millis(), ExpireTimestampMs: expire,
		}
		s.records = append(s.records, &offsets[i])
	}
	s.replyAfterWrites(response)
}

// validateCommit finds the group, creating it for a consumer that manages its partitions itself. The
// member is nil when none has to be kept alive.
//
// Kafka: OffsetMetadataManager.validateOffsetCommit, ClassicGroup.validateOffsetCommit.
func (s *Shard) validateCommit(r wire.Request) (*group, *member, wire.Err) {
	g, ok := s.groups[r.Group]
	if !ok {
		switch {
		case r.Generation < 0:
			return s.newGroup(r.Group, wire.OffsetCommit.String()), nil, wire.None
		case r.Version >= 9:
			return nil, nil, wire.GroupIDNotFound
		default:
			return nil, nil, wire.IllegalGeneration
		}
	}
	if r.Generation < 0 && g.state == wire.Empty {
		return g, nil, wire.None
	}
	if r.Generation < 0 && r.Member == "" && r.Instance == "" {
		return nil, nil, wire.UnknownMemberID
	}
	m, err := g.validate(r.Member, r.Instance, "txn-offset-commit") // Kafka logs the name of the other API
	switch {
	case err != wire.None:
		return nil, nil, err
	case r.Generation != g.generation:
		return nil, nil, wire.IllegalGeneration
	case g.state == wire.CompletingRebalance:
		return nil, nil, wire.RebalanceInProgress
	}
	return g, m, wire.None
}

// fits compares the length that Java sees with offset.metadata.max.bytes.
func (s *Shard) fits(metadata string) bool {
	return len(metadata) <= s.cfg.MaxOffsetMetadata ||
		len(utf16.Encode([]rune(metadata))) <= s.cfg.MaxOffsetMetadata
}
