package coordinator

import (
	"slices"
	"unicode/utf16"

	"simulate/sim/wire"
)

// noTimestamp marks an offset that expires with its group.
const noTimestamp = -1

// commitOffsets handles an OffsetCommit. It counts as a heartbeat, even when every offset is refused
// for its size.
//
// Kafka: OffsetMetadataManager.commitOffset.
func (s *Shard) commitOffsets(r *wire.Request, body *wire.OffsetCommitRequest) {
	s.event.name = "commit-offset"
	g, m, err := s.validateCommit(r)
	if err == wire.None && m != nil {
		g.touch(m)
	}
	s.storeOffsets(r, m, body, OffsetCommitRecord{}, err)
}

// commitPending handles a TxnOffsetCommit, which is no heartbeat.
//
// Kafka: OffsetMetadataManager.commitTransactionalOffset.
func (s *Shard) commitPending(r *wire.Request, body *wire.TxnOffsetCommitRequest) {
	s.event.name = "txn-commit-offset"
	s.storeOffsets(r, nil, &body.OffsetCommitRequest, OffsetCommitRecord{
		Transactional: true, ProducerID: body.ProducerID, ProducerEpoch: body.ProducerEpoch,
	}, s.validatePending(r))
}

// storeOffsets writes a record like this one for every offset of a commit, unless the whole commit is
// refused. The member is nil when none has to be kept alive.
func (s *Shard) storeOffsets(r *wire.Request, m *member, body *wire.OffsetCommitRequest, like OffsetCommitRecord, err wire.Err) {
	response := wire.Response{Ticket: r.Ticket, API: r.API}
	if err != wire.None {
		response.Body = &wire.OffsetCommitResponse{Partitions: partitionErrors(body, err)}
		s.reply(response)
		return
	}
	like.Group, like.CommitTimestampMs, like.ExpireTimestampMs = r.Group, s.now.Millis(), noTimestamp
	if body.RetentionTimeMs != noTimestamp {
		like.ExpireTimestampMs = s.now.Millis() + body.RetentionTimeMs
	}
	s.records = pop(&s.spares.records)
	answer := m.accepts(body)
	for i, o := range body.Offsets {
		if !s.fits(o.Metadata) {
			answer = withError(answer, i, wire.OffsetMetadataTooLarge)
			continue
		}
		like.OffsetToCommit = o
		s.appendOffset(s.newCommit(like))
	}
	response.Body = answer
	s.replyAfterWrites(response)
}

// accepts returns the answer to a commit of which every offset is stored: the one before, if the member committed the same
// partitions.
func (m *member) accepts(body *wire.OffsetCommitRequest) *wire.OffsetCommitResponse {
	if m != nil && m.accepted != nil && slices.EqualFunc(body.Offsets, m.accepted.Partitions,
		func(o wire.OffsetToCommit, p wire.PartitionError) bool { return o.TopicPartition == p.TopicPartition }) {
		return m.accepted
	}
	answer := &wire.OffsetCommitResponse{Partitions: partitionErrors(body, wire.None)}
	if m != nil {
		m.accepted = answer
	}
	return answer
}

// withError returns an answer with an error for its i-th partition.
func withError(answer *wire.OffsetCommitResponse, i int, err wire.Err) *wire.OffsetCommitResponse {
	results := slices.Clone(answer.Partitions)
	results[i].Err = err
	return &wire.OffsetCommitResponse{Partitions: results}
}

// appendOffset writes the record of an offset and applies it.
func (s *Shard) appendOffset(r *OffsetCommitRecord) {
	r.position = s.logEnd + int64(len(s.records))
	s.append(r)
	s.offsets.replay(*r)
}

// appendTombstone removes an offset.
func (s *Shard) appendTombstone(group string, tp wire.TopicPartition) {
	s.appendOffset(&OffsetCommitRecord{Group: group, OffsetToCommit: wire.OffsetToCommit{TopicPartition: tp}, Tombstone: true})
}

// writeMarker ends the transaction of a producer.
//
// Kafka: CoordinatorRuntime.completeTransaction.
func (s *Shard) writeMarker(r *wire.Request, body *wire.WriteTxnMarkersRequest) {
	s.event.name = "write-txn-marker"
	marker := TransactionMarker{ProducerID: body.ProducerID, ProducerEpoch: body.ProducerEpoch, Commit: body.Commit}
	s.append(marker)
	s.endTransaction(marker)
	s.replyAfterWrites(wire.Response{Ticket: r.Ticket, API: r.API})
}

// validateCommit finds the group, creating it for a consumer that manages its partitions itself. The
// member is nil when none has to be kept alive.
//
// Kafka: OffsetMetadataManager.validateOffsetCommit, ClassicGroup.validateOffsetCommit.
func (s *Shard) validateCommit(r *wire.Request) (*group, *member, wire.Err) {
	g, ok := s.groups.get(r.Group)
	if !ok {
		switch {
		case r.Generation < 0:
			return s.newGroup(r.Group, wire.OffsetCommit.String()), nil, wire.None
		case r.Version >= 9 && !s.old[CommitNoGroup]:
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

// validatePending is validateCommit for a transaction, whose producer may be no member and may commit while
// the group is in CompletingRebalance.
//
// Kafka: OffsetMetadataManager.validateTransactionalOffsetCommit.
func (s *Shard) validatePending(r *wire.Request) wire.Err {
	if r.Group == "" {
		return wire.InvalidGroupID
	}
	g, ok := s.groups.get(r.Group)
	switch {
	case !ok && r.Generation >= 0 && s.old[TxnCommitCreates]:
		g = s.newGroup(r.Group, "")
	case !ok && r.Generation >= 0:
		return wire.IllegalGeneration
	case !ok:
		s.newGroup(r.Group, "")
		return wire.None
	case r.Generation < 0 && (g.state == wire.Empty || r.Member == "" && r.Instance == ""):
		return wire.None
	}
	_, err := g.validate(r.Member, r.Instance, "offset-commit") // Kafka logs the name of the other API
	if err == wire.None && r.Generation != g.generation {
		err = wire.IllegalGeneration
	}
	return err
}

// fits compares the length that Java sees with offset.metadata.max.bytes.
func (s *Shard) fits(metadata string) bool {
	return len(metadata) <= s.cfg.MaxOffsetMetadata ||
		len(utf16.Encode([]rune(metadata))) <= s.cfg.MaxOffsetMetadata
}
