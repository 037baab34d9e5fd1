package assignors

import (
	"cmp"
	"maps"
	"slices"

	"simulate/sim/wire"
)

// FindKafkaJS returns the one assignor that kafkajs has.
func FindKafkaJS(name string) (Assignor, bool) {
	return Assignor{Name: name, Assign: dealAll}, name == kafkaJSAssignor
}

const kafkaJSAssignor = "RoundRobinAssigner"

// FindKafkaGo returns the balancer of kafka-go of that name. They have Kafka's names.
func FindKafkaGo(name string) (Assignor, bool) {
	switch name {
	case "range":
		return Assignor{Name: name, Assign: rangeByShare}, true
	case "roundrobin":
		return Assignor{Name: name, Assign: dealEach}, true
	}
	return Assignor{}, false
}

// FindAiokafka returns the assignor of aiokafka of that name: Kafka's, but for the cooperative one.
func FindAiokafka(name string) (Assignor, bool) {
	a, ok := Find(name)
	return a, ok && !a.Cooperative
}

// byID returns the indices of the members in the order of their ids, whether static or not.
func byID(members []Member) []int {
	order := make([]int, len(members))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(members[i].ID, members[j].ID) })
	return order
}

// dealAll deals the partitions of all topics that the leader has metadata of to the members in turn, whatever they
// subscribe to; the turn goes on from topic to topic.
// kafkajs: src/consumer/assigners/roundRobinAssigner.
func dealAll(in Input) (Output, error) {
	order := byID(in.Members)
	out := Output{Assigned: make([][]wire.TopicPartition, len(in.Members))}
	if len(order) == 0 {
		return out, nil
	}
	next := 0
	for _, topic := range slices.Sorted(maps.Keys(in.Topics)) {
		for p := range in.Topics[topic].Partitions {
			m := order[next%len(order)]
			out.Assigned[m] = append(out.Assigned[m], wire.TopicPartition{Topic: topic, Partition: int32(p)})
			next++
		}
	}
	return out, nil
}

// rangeByShare cuts each topic at whole multiples of its subscribers' share, so that those in the middle or at the end
// get the extra partitions.
// kafka-go: RangeGroupBalancer.AssignGroups.
func rangeByShare(in Input) (Output, error) {
	return assignEach(in, func(t subscribed, p int) int {
		return ((p+1)*len(t.members) - 1) / t.Partitions // the last subscriber whose range begins at p or before
	}), nil
}

// dealEach deals each topic's partitions to its subscribers in turn, which begins with the first one again.
// kafka-go: RoundRobinGroupBalancer.AssignGroups.
func dealEach(in Input) (Output, error) {
	return assignEach(in, func(t subscribed, p int) int { return p % len(t.members) }), nil
}

// assignEach gives partition p of each topic to that one of its subscribers which pick names, in the order of ids.
func assignEach(in Input, pick func(t subscribed, p int) int) Output {
	out := Output{Assigned: make([][]wire.TopicPartition, len(in.Members))}
	for _, t := range subscribedTopics(in, byID(in.Members)) {
		for p := range t.Partitions {
			m := t.members[pick(t, p)]
			out.Assigned[m] = append(out.Assigned[m], wire.TopicPartition{Topic: t.name, Partition: int32(p)})
		}
	}
	return out
}
