package coordinator

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// offsetTable holds offsets by group, topic and partition.
//
// Kafka: OffsetMetadataManager.Offsets.
type offsetTable struct {
	partitionMap[OffsetCommitRecord]
}

func newOffsetTable(h *history) *offsetTable {
	return &offsetTable{newPartitionMap[OffsetCommitRecord](h)}
}

func (t *offsetTable) put(o OffsetCommitRecord) {
	t.partitionMap.put(o.Group, o.TopicPartition, o)
}

// each walks the offsets of a group in Kafka's order.
func (t *offsetTable) each(group string, visit func(OffsetCommitRecord)) {
	for _, o := range t.of(group) {
		visit(o)
	}
}

// offsets is the storage of a shard: what is committed, and what waits for the end of a transaction.
//
// Kafka: OffsetMetadataManager.
type offsets struct {
	stored  *offsetTable
	pending *timelineMap[int64, *offsetTable] // by producer id
	open    *openTransactions
}

func newOffsets(h *history) *offsets {
	return &offsets{
		stored:  newOffsetTable(h),
		pending: newTimelineMap[int64, *offsetTable](h, longHash),
		open:    newOpenTransactions(h),
	}
}

// replay applies a record of an offset.
//
// Kafka: OffsetMetadataManager.replay.
func (o *offsets) replay(r OffsetCommitRecord) {
	switch {
	case r.Tombstone:
		o.remove(r.Group, r.TopicPartition)
	case r.Transactional:
		table, ok := o.pending.get(r.ProducerID)
		if !ok {
			table = newOffsetTable(o.stored.history)
			o.pending.put(r.ProducerID, table)
		}
		table.put(r)
		o.open.add(r.Group, r.TopicPartition, r.ProducerID)
	default:
		o.stored.put(r)
	}
}

// remove forgets an offset, and what transactions have pending for the partition.
func (o *offsets) remove(group string, tp wire.TopicPartition) {
	o.stored.remove(group, tp)
	for id := range o.open.producers(group, tp) {
		if table, ok := o.pending.get(id); ok {
			table.remove(group, tp)
		}
	}
	o.open.removeAll(group, tp)
}

// endTransaction makes the pending offsets of a producer count, or drops them. One that is older in the
// log than the offset that is stored does not replace it.
//
// Kafka: OffsetMetadataManager.replayEndTransactionMarker.
func (s *Shard) endTransaction(m TransactionMarker) {
	o := s.offsets
	pending, ok := o.pending.get(m.ProducerID)
	if !ok {
		return
	}
	o.pending.remove(m.ProducerID)
	for group := range pending.groups.all() {
		pending.each(group, func(r OffsetCommitRecord) { o.open.remove(group, r.TopicPartition, m.ProducerID) })
	}
	if !m.Commit {
		return
	}
	for group := range pending.groups.all() {
		pending.each(group, func(r OffsetCommitRecord) {
			old, ok := o.stored.get(group, r.TopicPartition)
			if ok && old.position >= r.position {
				s.superseded(r, old)
				return
			}
			o.stored.put(r)
		})
	}
}

// superseded records that a transaction's offset lost against one that was committed later.
func (s *Shard) superseded(r, by OffsetCommitRecord) {
	s.sink.Record(trace.Event{
		At: s.now, Kind: trace.OffsetSuperseded, Group: r.Group, Partitions: []wire.TopicPartition{r.TopicPartition},
		Offset: &trace.OffsetDetails{
			Offset: r.Offset, LeaderEpoch: r.LeaderEpoch, Metadata: r.Metadata, CommitTimestampMs: r.CommitTimestampMs,
			ProducerID: r.ProducerID, RecordOffset: r.position, LastRecordOffset: by.position,
		},
	})
}
