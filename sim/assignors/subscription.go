package assignors

import (
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"simulate/sim/wire"
)

// SubscriptionVersion is the version of the consumer protocol that new clients write (KIP-881).
//
//	v0  topics and user data
//	v1  KIP-429  the partitions that the member owns
//	v2  KIP-792  and the generation in which it got them
//	v3  KIP-881  client.rack
const SubscriptionVersion int16 = 3

// EncodeSubscription returns the metadata of a JoinGroup's protocol entry, in the given version of the
// consumer protocol, 0 to 3. Topics and owned partitions are sorted on the way.
// Kafka: ConsumerProtocol.serializeSubscription.
func EncodeSubscription(s Subscription, version int16) []byte {
	m := kmsg.NewConsumerMemberMetadata()
	m.Version = version
	m.Topics = slices.SortedFunc(slices.Values(s.Topics), compareJava[string])
	m.UserData = s.UserData
	m.Generation = int32(s.Generation)
	if s.Rack != "" {
		m.Rack = &s.Rack
	}
	for _, tp := range slices.SortedFunc(slices.Values(s.Owned), compareByTopic) {
		last := len(m.OwnedPartitions) - 1
		if last < 0 || m.OwnedPartitions[last].Topic != tp.Topic {
			m.OwnedPartitions = append(m.OwnedPartitions, kmsg.ConsumerMemberMetadataOwnedPartition{Topic: tp.Topic})
			last++
		}
		owned := &m.OwnedPartitions[last]
		owned.Partitions = append(owned.Partitions, tp.Partition)
	}
	return m.AppendTo(nil)
}

// DecodeSubscription reads what EncodeSubscription wrote, in any version; of a newer one than it knows it
// reads what it knows. A negative generation is wire.NoGeneration. The result shares no memory with b.
// Kafka: ConsumerProtocol.deserializeSubscription.
func DecodeSubscription(b []byte) (Subscription, error) {
	var m kmsg.ConsumerMemberMetadata
	if err := readProtocol(&m, b); err != nil {
		return Subscription{}, fmt.Errorf("subscription: %w", err)
	}
	s := Subscription{Topics: m.Topics, UserData: slices.Clone(m.UserData), Generation: max(wire.NoGeneration, wire.Generation(m.Generation))}
	for _, t := range m.OwnedPartitions {
		s.Owned = appendPartitions(s.Owned, t.Topic, t.Partitions)
	}
	if m.Rack != nil {
		s.Rack = *m.Rack
	}
	return s, nil
}

// EncodeAssignment returns the bytes that SyncGroup carries to a member: topics in the order in which
// they first appear, partitions as they come.
// Kafka: ConsumerProtocol.serializeAssignment.
func EncodeAssignment(partitions []wire.TopicPartition, userData []byte, version int16) []byte {
	m := kmsg.NewConsumerMemberAssignment()
	m.Version = version
	m.UserData = userData
	index := map[string]int{}
	for _, tp := range partitions {
		i, ok := index[tp.Topic]
		if !ok {
			i = len(m.Topics)
			index[tp.Topic] = i
			m.Topics = append(m.Topics, kmsg.ConsumerMemberAssignmentTopic{Topic: tp.Topic})
		}
		m.Topics[i].Partitions = append(m.Topics[i].Partitions, tp.Partition)
	}
	return m.AppendTo(nil)
}

// DecodeAssignment reads what EncodeAssignment wrote, in any version.
// Kafka: ConsumerProtocol.deserializeAssignment.
func DecodeAssignment(b []byte) (partitions []wire.TopicPartition, userData []byte, err error) {
	var m kmsg.ConsumerMemberAssignment
	if err := readProtocol(&m, b); err != nil {
		return nil, nil, fmt.Errorf("assignment: %w", err)
	}
	for _, t := range m.Topics {
		partitions = appendPartitions(partitions, t.Topic, t.Partitions)
	}
	return partitions, slices.Clone(m.UserData), nil
}

var errSchema = errors.New("the bytes are not of the consumer protocol; Kafka throws SchemaException")

func readProtocol(m interface{ ReadFrom([]byte) error }, b []byte) error {
	if len(b) < 2 || b[0]&0x80 != 0 || m.ReadFrom(b) != nil { // too short, a negative version, truncated
		return errSchema
	}
	return nil
}

func appendPartitions(list []wire.TopicPartition, topic string, partitions []int32) []wire.TopicPartition {
	for _, p := range partitions {
		list = append(list, wire.TopicPartition{Topic: topic, Partition: p})
	}
	return list
}
