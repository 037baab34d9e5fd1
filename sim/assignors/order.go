package assignors

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"simulate/sim/wire"
)

// compareJava orders strings as java.lang.String.compareTo does, by UTF-16 code units. It differs from
// Go's order only beyond U+FFFF, whose surrogates sort before U+E000.
func compareJava[S ~string](a, b S) int {
	for len(a) > 0 && len(b) > 0 {
		ra, na := utf8.DecodeRuneInString(string(a))
		rb, nb := utf8.DecodeRuneInString(string(b))
		if ra != rb {
			if first := cmp.Compare(firstUnit(ra), firstUnit(rb)); first != 0 {
				return first
			}
			return cmp.Compare(ra, rb)
		}
		a, b = a[na:], b[nb:]
	}
	return strings.Compare(string(a), string(b))
}

// firstUnit returns the first UTF-16 code unit of r.
func firstUnit(r rune) rune {
	if high, _ := utf16.EncodeRune(r); high != utf8.RuneError {
		return high
	}
	return r
}

func compareByTopic(a, b wire.TopicPartition) int {
	return cmp.Or(compareJava(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
}

// compareByNumber orders partitions by number, then topic.
func compareByNumber(a, b wire.TopicPartition) int {
	return cmp.Or(cmp.Compare(a.Partition, b.Partition), compareJava(a.Topic, b.Topic))
}

// memberOrder returns the indices of the members in the order of range and roundrobin: static members by
// group.instance.id, then the dynamic ones by member id.
// Kafka: AbstractPartitionAssignor.MemberInfo.compareTo.
func memberOrder(members []Member) []int {
	order := make([]int, len(members))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &members[i], &members[j]
		switch {
		case a.Instance != "" && b.Instance != "":
			return compareJava(a.Instance, b.Instance)
		case a.Instance != "":
			return -1
		case b.Instance != "":
			return 1
		}
		return compareJava(a.ID, b.ID)
	})
	return order
}

// subscribed is a topic that has partitions and subscribers.
type subscribed struct {
	name string
	Topic
	members []int // indices of its subscribers
}

// subscribedTopics lists the topics by name, each with its subscribers in the given order of members. What
// the leader has no metadata of is left out.
func subscribedTopics(in Input, order []int) []subscribed {
	subscribers := map[string][]int{}
	for _, m := range order {
		for _, topic := range in.Members[m].Topics {
			subscribers[topic] = append(subscribers[topic], m)
		}
	}
	var topics []subscribed
	for _, name := range slices.SortedFunc(maps.Keys(subscribers), compareJava[string]) {
		if t := in.Topics[name]; t.Partitions > 0 {
			topics = append(topics, subscribed{name: name, Topic: t, members: subscribers[name]})
		}
	}
	return topics
}
