package assignors

import (
	"encoding/binary"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"simulate/sim/wire"
)

// EncodeStickyUserData returns what a member with the sticky assignor puts into its subscription: the
// assignment that it was given last, and in which generation (not negative). Before its first one it
// sends null.
// Kafka: StickyAssignor.serializeTopicPartitionAssignment.
func EncodeStickyUserData(last []wire.TopicPartition, generation wire.Generation) []byte {
	m := kmsg.NewStickyMemberMetadata()
	m.Generation = int32(generation)
	for _, tp := range byTopicHash(last) {
		n := len(m.CurrentAssignment)
		if n == 0 || m.CurrentAssignment[n-1].Topic != tp.Topic {
			m.CurrentAssignment = append(m.CurrentAssignment, kmsg.StickyMemberMetadataCurrentAssignment{Topic: tp.Topic})
			n++
		}
		topic := &m.CurrentAssignment[n-1]
		topic.Partitions = append(topic.Partitions, tp.Partition)
	}
	return m.AppendTo(nil)
}

// EncodeCooperativeUserData returns what a member with the cooperative-sticky assignor puts into its
// subscription: the generation in which that assignor last gave it something, or wire.NoGeneration.
// Kafka: CooperativeStickyAssignor.subscriptionUserData.
func EncodeCooperativeUserData(generation wire.Generation) []byte {
	return binary.BigEndian.AppendUint32(nil, uint32(generation))
}

// byTopicHash groups the partitions by topic, in the order of a java.util.HashMap that computeIfAbsent
// filled: unlike put, it grows the table one key later and adds at the front of a bucket.
// Kafka: CollectionUtils.groupPartitionsByTopic.
func byTopicHash(list []wire.TopicPartition) []wire.TopicPartition {
	byTopic := map[string][]wire.TopicPartition{}
	var topics []string // the last one first
	for _, tp := range list {
		if byTopic[tp.Topic] == nil {
			topics = slices.Insert(topics, 0, tp.Topic)
		}
		byTopic[tp.Topic] = append(byTopic[tp.Topic], tp)
	}
	var grouped []wire.TopicPartition
	for _, i := range hashOrder(topics, tableSize(len(topics)-1)) {
		grouped = append(grouped, byTopic[topics[i]]...)
	}
	return grouped
}

// claims is what a member says it owned, and in which generation.
// Kafka: AbstractStickyAssignor.MemberData.
type claims struct {
	partitions []wire.TopicPartition
	generation wire.Generation // wire.NoGeneration when it does not say
}

// stickyClaims reads the user data of the sticky assignor, version 1 or, if that fails, 0. Bytes that are
// neither claim nothing.
// Kafka: StickyAssignor.memberData.
func stickyClaims(s *Subscription) claims {
	c := claims{generation: wire.NoGeneration}
	r := reader{b: s.UserData}
	partitions := r.partitions()
	if r.failed {
		return c
	}
	c.partitions = partitions
	if generation := wire.Generation(r.int32()); !r.failed {
		c.generation = generation
	}
	return c
}

// cooperativeClaims reads what the subscription says of itself; members that write version 0 or 1 of it
// give the generation in the user data.
// Kafka: CooperativeStickyAssignor.memberData.
func cooperativeClaims(s *Subscription) claims {
	c := claims{partitions: s.Owned, generation: s.Generation}
	if c.generation == wire.NoGeneration {
		r := reader{b: s.UserData}
		if generation := wire.Generation(r.int32()); !r.failed {
			c.generation = generation
		}
	}
	return c
}

// reader reads Kafka's primitive types. Once failed, it reads zeros.
type reader struct {
	b      []byte
	failed bool
}

func (r *reader) take(n int) []byte {
	if r.failed || n < 0 || n > len(r.b) {
		r.failed = true
		return nil
	}
	taken := r.b[:n]
	r.b = r.b[n:]
	return taken
}

func (r *reader) int32() int32 {
	if b := r.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (r *reader) string() string {
	if b := r.take(2); b != nil {
		return string(r.take(int(int16(binary.BigEndian.Uint16(b)))))
	}
	return ""
}

func (r *reader) length() int {
	n := r.int32()
	r.failed = r.failed || n < 0
	return int(n)
}

func (r *reader) partitions() []wire.TopicPartition {
	var list []wire.TopicPartition
	for n := r.length(); n > 0 && !r.failed; n-- {
		topic := r.string()
		for p := r.length(); p > 0 && !r.failed; p-- {
			list = append(list, wire.TopicPartition{Topic: topic, Partition: r.int32()})
		}
	}
	return list
}
