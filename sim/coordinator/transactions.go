package coordinator

import (
	"iter"

	"simulate/sim/wire"
)

// openTransactions knows which producers have pending offsets for which partitions of which groups.
//
// Kafka: OffsetMetadataManager.OpenTransactions.
type openTransactions struct {
	sets partitionMap[producerSet]
}

type producerSet = *timelineMap[int64, struct{}]

func newOpenTransactions(h *history) *openTransactions {
	return &openTransactions{newPartitionMap[producerSet](h)}
}

// ofGroup reports whether a transaction has anything pending for the group.
func (t *openTransactions) ofGroup(group string) bool {
	_, ok := t.sets.groups.get(group)
	return ok
}

// of reports whether a transaction has an offset pending for the partition.
func (t *openTransactions) of(group string, tp wire.TopicPartition) bool {
	_, ok := t.sets.get(group, tp)
	return ok
}

// producers walks those with a pending offset for the partition.
func (t *openTransactions) producers(group string, tp wire.TopicPartition) iter.Seq2[int64, struct{}] {
	if set, ok := t.sets.get(group, tp); ok {
		return set.all()
	}
	return func(func(int64, struct{}) bool) {}
}

// partitions walks the partitions of a group that have pending offsets, in Kafka's order.
func (t *openTransactions) partitions(group string) iter.Seq2[wire.TopicPartition, producerSet] {
	return t.sets.of(group)
}

func (t *openTransactions) add(group string, tp wire.TopicPartition, producer int64) {
	set, ok := t.sets.get(group, tp)
	if !ok {
		set = newTimelineMap[int64, struct{}](t.sets.history, longHash)
		t.sets.put(group, tp, set)
	}
	set.put(producer, struct{}{})
}

func (t *openTransactions) remove(group string, tp wire.TopicPartition, producer int64) {
	if set, ok := t.sets.get(group, tp); ok {
		set.remove(producer)
		if set.live == 0 {
			t.removeAll(group, tp)
		}
	}
}

// removeAll forgets the partition.
func (t *openTransactions) removeAll(group string, tp wire.TopicPartition) { t.sets.remove(group, tp) }
