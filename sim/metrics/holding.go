package metrics

import (
	"maps"

	"simulate/sim/wire"
)

// holding counts who holds the partitions of a group. A partition is held from PartitionsAssigned to
// PartitionsRevoked or PartitionsLost of the same process, or to the end of the process; what a frozen
// process holds is held all the same, since nobody else has it.
type holding struct {
	topics  map[string]int // the partitions that the group subscribes to
	total   int
	holders map[wire.TopicPartition]int // how many processes hold it; a zombie can be a second one
	running int                         // processes that hold something and run
}

func newHolding(topics map[string]int) holding {
	h := holding{topics: topics, holders: map[wire.TopicPartition]int{}}
	for _, n := range topics {
		h.total += n
	}
	return h
}

func (h *holding) take(p wire.TopicPartition) {
	if int(p.Partition) < h.topics[p.Topic] {
		h.holders[p]++
	}
}

func (h *holding) release(p wire.TopicPartition) {
	if h.holders[p] > 1 {
		h.holders[p]--
		return
	}
	delete(h.holders, p)
}

// resize notes how many partitions a topic has from now on. Those that do not exist any more are nobody's.
func (h *holding) resize(topic string, partitions int) {
	h.total += partitions - h.topics[topic]
	h.topics[topic] = partitions
	maps.DeleteFunc(h.holders, func(p wire.TopicPartition, _ int) bool {
		return p.Topic == topic && int(p.Partition) >= partitions
	})
}

func (h *holding) unassigned() int { return h.total - len(h.holders) }
func (h *holding) stopped() bool   { return h.running == 0 }
