package coordinator

import "simulate/sim/wire"

// fetchOffsets handles an OffsetFetch. It reads what is committed, or with require-stable the latest
// state once all of that is committed; then an offset that a transaction may still change is refused.
//
// Kafka: OffsetMetadataManager.fetchOffsets and fetchAllOffsets.
func (s *Shard) fetchOffsets(r *wire.Request, body *wire.OffsetFetchRequest) {
	response := wire.Response{Ticket: r.Ticket, API: wire.OffsetFetch}
	if !body.RequireStable || s.old[PlainCommitUnstable] {
		read := s.committedOffset
		if body.RequireStable {
			read = s.settledOffset
		}
		response.Body = s.fetched(r.Group, body, read)
		s.reply(response)
		return
	}
	s.event.name = "fetch-offsets"
	if body.All {
		s.event.name = "fetch-all-offsets"
	}
	response.Body = s.fetched(r.Group, body, s.stableOffset)
	s.replyAfterWrites(response)
}

// fetched lists the results of the partitions that were asked for.
func (s *Shard) fetched(group string, body *wire.OffsetFetchRequest, of func(string, wire.TopicPartition) wire.FetchedOffset) *wire.OffsetFetchResponse {
	partitions := body.Partitions
	if body.All {
		partitions = s.partitionsOf(group, body.RequireStable)
	}
	response := &wire.OffsetFetchResponse{}
	for _, tp := range partitions {
		response.Offsets = append(response.Offsets, of(group, tp))
	}
	return response
}

func (s *Shard) committedOffset(group string, tp wire.TopicPartition) wire.FetchedOffset {
	if _, ok := s.groups.committed(group); ok {
		if o, ok := s.offsets.stored.committed(group, tp); ok {
			return fetchedOffset(o)
		}
	}
	return noOffset(tp, wire.None)
}

func (s *Shard) stableOffset(group string, tp wire.TopicPartition) wire.FetchedOffset {
	if _, ok := s.groups.get(group); ok {
		if s.offsets.open.of(group, tp) {
			return noOffset(tp, wire.UnstableOffsetCommit)
		}
		if o, ok := s.offsets.stored.get(group, tp); ok {
			return fetchedOffset(o)
		}
	}
	return noOffset(tp, wire.None)
}

// settledOffset refuses an offset that any commit on its way to the log may change.
func (s *Shard) settledOffset(group string, tp wire.TopicPartition) wire.FetchedOffset {
	now, _ := s.offsets.stored.get(group, tp)
	committed, _ := s.offsets.stored.committed(group, tp)
	if now != committed || s.offsets.open.of(group, tp) {
		return noOffset(tp, wire.UnstableOffsetCommit)
	}
	return s.committedOffset(group, tp)
}

func fetchedOffset(o OffsetCommitRecord) wire.FetchedOffset {
	return wire.FetchedOffset{TopicPartition: o.TopicPartition, Offset: o.Offset, LeaderEpoch: o.LeaderEpoch, Metadata: o.Metadata}
}

func noOffset(tp wire.TopicPartition, err wire.Err) wire.FetchedOffset {
	return wire.FetchedOffset{TopicPartition: tp, Offset: -1, LeaderEpoch: -1, Err: err}
}

// partitionsOf lists the partitions of a group that have an offset, sorted. One that a transaction is
// about to add is not among them.
func (s *Shard) partitionsOf(group string, latest bool) []wire.TopicPartition {
	var list []wire.TopicPartition
	topics, ok := s.offsets.stored.groups.get(group)
	if !latest {
		topics, ok = s.offsets.stored.groups.committed(group)
	}
	if !ok {
		return nil
	}
	for topic, partitions := range topics.sorted(latest) {
		for p := range partitions.sorted(latest) {
			list = append(list, wire.TopicPartition{Topic: topic, Partition: p})
		}
	}
	return list
}
