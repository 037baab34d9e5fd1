package coordinator

import (
	"iter"

	"simulate/sim/wire"
)

// partitionMap holds values by group, topic and partition: a map of maps of maps, as Kafka has it, whose order
// decides in which order it is walked. An inner map that becomes empty is dropped.
type partitionMap[V any] struct {
	history *history
	groups  *timelineMap[string, byTopic[V]]
}

type (
	byTopic[V any]     = *timelineMap[string, byPartition[V]]
	byPartition[V any] = *timelineMap[int32, V]
)

func newPartitionMap[V any](h *history) partitionMap[V] {
	return partitionMap[V]{h, newTimelineMap[string, byTopic[V]](h, wire.StringHash)}
}

func (m *partitionMap[V]) get(group string, tp wire.TopicPartition) (V, bool) {
	if topics, ok := m.groups.get(group); ok {
		if partitions, ok := topics.get(tp.Topic); ok {
			return partitions.get(tp.Partition)
		}
	}
	var none V
	return none, false
}

// committed is get at the committed offset.
func (m *partitionMap[V]) committed(group string, tp wire.TopicPartition) (V, bool) {
	if topics, ok := m.groups.committed(group); ok {
		if partitions, ok := topics.committed(tp.Topic); ok {
			return partitions.committed(tp.Partition)
		}
	}
	var none V
	return none, false
}

func (m *partitionMap[V]) put(group string, tp wire.TopicPartition, v V) {
	topics, ok := m.groups.get(group)
	if !ok {
		topics = newTimelineMap[string, byPartition[V]](m.history, wire.StringHash)
		m.groups.put(group, topics)
	}
	partitions, ok := topics.get(tp.Topic)
	if !ok {
		partitions = newTimelineMap[int32, V](m.history, intHash)
		topics.put(tp.Topic, partitions)
	}
	partitions.put(tp.Partition, v)
}

func (m *partitionMap[V]) remove(group string, tp wire.TopicPartition) {
	topics, ok := m.groups.get(group)
	if !ok {
		return
	}
	partitions, ok := topics.get(tp.Topic)
	if !ok {
		return
	}
	partitions.remove(tp.Partition)
	if partitions.live > 0 {
		return
	}
	topics.remove(tp.Topic)
	if topics.live == 0 {
		m.groups.remove(group)
	}
}

// of walks what a group has, in Kafka's order.
func (m *partitionMap[V]) of(group string) iter.Seq2[wire.TopicPartition, V] {
	return func(yield func(wire.TopicPartition, V) bool) {
		topics, ok := m.groups.get(group)
		if !ok {
			return
		}
		for topic, partitions := range topics.all() {
			for p, v := range partitions.all() {
				if !yield(wire.TopicPartition{Topic: topic, Partition: p}, v) {
					return
				}
			}
		}
	}
}
