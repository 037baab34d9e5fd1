package assignors

import "simulate/sim/wire"

// FindLibrdkafka returns the assignor of that name as librdkafka has it: range and roundrobin are Kafka's.
func FindLibrdkafka(name string) (Assignor, bool) {
	a, ok := Find(name)
	if name == cooperativeSticky {
		a.Assign = assignGenerally
	}
	return a, ok && name != "sticky"
}

// assignGenerally is cooperative-sticky by the general algorithm alone, whoever subscribes to what: it takes from those who
// hold too much their first partitions, where Kafka's leaves them those. Members go by their ids. As in Kafka, what
// members still own and lose is withheld until the next rebalance.
// librdkafka: rd_kafka_sticky_assignor_assign_cb, rd_kafka_cooperative_protocol_adjust_assignment.
func assignGenerally(in Input) (Output, error) {
	in.Ascending = true
	return cooperatively(in, func(s *sticky) [][]wire.TopicPartition {
		s.lastFirst = s.subscribeAlike()
		return s.general()
	})
}
