package consumers

import (
	"simulate/sim/assignors"
	"simulate/sim/wire"
)

// memory is what the assignors of a consumer remember from one rebalance to the next.
// Kafka: StickyAssignor, CooperativeStickyAssignor, AbstractStickyAssignor.maxGeneration.
type memory struct {
	given      []wire.TopicPartition // sticky: what it gave this member last
	generation wire.Generation       // sticky: in which generation; wire.NoGeneration before the first one

	cooperative wire.Generation // cooperative-sticky: the generation in which it gave something last

	owned []wire.TopicPartition // cooperative-sticky of kafka-python: what it gave this member last

	highest map[string]wire.Generation // by assignor: the highest generation that it has seen when leading
}

func newMemory() memory {
	none := wire.NoGeneration
	return memory{
		generation: none, cooperative: none,
		highest: map[string]wire.Generation{"sticky": none, "cooperative-sticky": none},
	}
}

// assigned tells the assignor that the group voted for what it gave this member.
// Kafka: ConsumerPartitionAssignor.onAssignment.
func (m *memory) assigned(protocol string, given []wire.TopicPartition, generation wire.Generation) {
	switch protocol {
	case "sticky":
		m.given, m.generation = given, generation
	case "cooperative-sticky":
		m.cooperative, m.owned = generation, given
	}
}

// userData is what an assignor adds to the subscription. Kafka: ConsumerPartitionAssignor.subscriptionUserData.
func (m *memory) userData(protocol string) []byte {
	switch {
	case protocol == "cooperative-sticky":
		return assignors.EncodeCooperativeUserData(m.cooperative)
	case protocol == "sticky" && m.generation != wire.NoGeneration:
		return assignors.EncodeStickyUserData(m.given, m.generation)
	}
	return nil
}
