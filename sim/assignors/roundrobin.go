package assignors

import "simulate/sim/wire"

// assignRoundRobin deals all partitions, by topic and number, to the members in turn; who does not
// subscribe to the topic is passed over. The turn goes on from topic to topic.
// Kafka: RoundRobinAssignor.
func assignRoundRobin(in Input) (Output, error) {
	if len(in.Members) == 0 {
		return Output{}, Exception("IllegalArgumentException")
	}
	order := memberOrder(in.Members)
	out := Output{Assigned: make([][]wire.TopicPartition, len(in.Members))}
	next := 0
	for _, topic := range subscribedTopics(in, order) {
		subscribes := make([]bool, len(in.Members))
		for _, m := range topic.members {
			subscribes[m] = true
		}
		for p := range topic.Partitions {
			for !subscribes[order[next]] {
				next = (next + 1) % len(order)
			}
			m := order[next]
			out.Assigned[m] = append(out.Assigned[m], wire.TopicPartition{Topic: topic.name, Partition: int32(p)})
			next = (next + 1) % len(order)
		}
	}
	return out, nil
}
