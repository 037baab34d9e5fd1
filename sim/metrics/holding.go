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
	held    int                         // of the partitions that the group subscribes to
	running int                         // processes that hold something and run
}

func newHolding(topics map[string]int) holding {
	h := holding{holders: map[wire.TopicPartition]int{}}
	h.subscribe(topics)
	return h
}

// counts reports whether the group subscribes to a partition, and it exists.
func (h *holding) counts(p wire.TopicPartition) bool { return int(p.Partition) < h.topics[p.Topic] }

func (h *holding) take(p wire.TopicPartition) {
	h.holders[p]++
	if h.holders[p] == 1 && h.counts(p) {
		h.held++
	}
}

func (h *holding) release(p wire.TopicPartition) {
	switch h.holders[p] {
	case 0: // it is nobody's since its topic was deleted
	case 1:
		delete(h.holders, p)
		if h.counts(p) {
			h.held--
		}
	default:
		h.holders[p]--
	}
}

// subscribe notes which topics count from now on, and how many partitions each has.
func (h *holding) subscribe(topics map[string]int) {
	h.topics, h.total, h.held = topics, 0, 0
	for _, n := range topics {
		h.total += n
	}
	for p := range h.holders {
		if h.counts(p) {
			h.held++
		}
	}
}

// resize notes how many partitions a topic has from now on. Those that do not exist any more are nobody's.
func (h *holding) resize(topic string, partitions int) {
	maps.DeleteFunc(h.holders, func(p wire.TopicPartition, _ int) bool {
		return p.Topic == topic && int(p.Partition) >= partitions
	})
	h.topics[topic] = partitions
	h.subscribe(h.topics)
}

func (h *holding) unassigned() int { return h.total - h.held }
func (h *holding) stopped() bool   { return h.running == 0 }
