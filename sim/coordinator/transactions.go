package coordinator

import (
	"iter"

	"simulate/sim/wire"
)

// openTransactions knows which producers have pending offsets for which partitions of which groups.
//
// Kafka: OffsetMetadataManager.OpenTransactions.
type openTransactions struct {
	history *history
	groups  *timelineMap[string, openTopics]
}

type (
	openTopics     = *timelineMap[string, openPartitions]
	openPartitions = *timelineMap[int32, producerSet]
	producerSet    = *timelineMap[int64, struct{}]
)

func newOpenTransactions(h *history) *openTransactions {
	return &openTransactions{h, newTimelineMap[string, openTopics](h, wire.StringHash)}
}

// ofGroup reports whether a transaction has anything pending for the group.
func (t *openTransactions) ofGroup(group string) bool {
	_, ok := t.groups.get(group)
	return ok
}

// of reports whether a transaction has an offset pending for the partition.
func (t *openTransactions) of(group string, tp wire.TopicPartition) bool {
	_, ok := t.set(group, tp)
	return ok
}

func (t *openTransactions) set(group string, tp wire.TopicPartition) (producerSet, bool) {
	if topics, ok := t.groups.get(group); ok {
		if partitions, ok := topics.get(tp.Topic); ok {
			return partitions.get(tp.Partition)
		}
	}
	return nil, false
}

// producers walks those with a pending offset for the partition.
func (t *openTransactions) producers(group string, tp wire.TopicPartition) iter.Seq2[int64, struct{}] {
	if set, ok := t.set(group, tp); ok {
		return set.all()
	}
	return func(func(int64, struct{}) bool) {}
}

// partitions walks the partitions of a group that have pending offsets, in Kafka's order.
func (t *openTransactions) partitions(group string) iter.Seq[wire.TopicPartition] {
	return func(yield func(wire.TopicPartition) bool) {
		topics, ok := t.groups.get(group)
		if !ok {
			return
		}
		for topic, partitions := range topics.all() {
			for p := range partitions.all() {
				if !yield(wire.TopicPartition{Topic: topic, Partition: p}) {
					return
				}
			}
		}
	}
}

func (t *openTransactions) add(group string, tp wire.TopicPartition, producer int64) {
	topics, ok := t.groups.get(group)
	if !ok {
		topics = newTimelineMap[string, openPartitions](t.history, wire.StringHash)
		t.groups.put(group, topics)
	}
	partitions, ok := topics.get(tp.Topic)
	if !ok {
		partitions = newTimelineMap[int32, producerSet](t.history, intHash)
		topics.put(tp.Topic, partitions)
	}
	set, ok := partitions.get(tp.Partition)
	if !ok {
		set = newTimelineMap[int64, struct{}](t.history, longHash)
		partitions.put(tp.Partition, set)
	}
	set.put(producer, struct{}{})
}

func (t *openTransactions) remove(group string, tp wire.TopicPartition, producer int64) {
	if set, ok := t.set(group, tp); ok {
		set.remove(producer)
		if set.live == 0 {
			t.removeAll(group, tp)
		}
	}
}

// removeAll forgets the partition.
func (t *openTransactions) removeAll(group string, tp wire.TopicPartition) {
	topics, _ := t.groups.get(group)
	if topics == nil {
		return
	}
	partitions, _ := topics.get(tp.Topic)
	if partitions == nil {
		return
	}
	partitions.remove(tp.Partition)
	if partitions.live > 0 {
		return
	}
	topics.remove(tp.Topic)
	if topics.live == 0 {
		t.groups.remove(group)
	}
}
