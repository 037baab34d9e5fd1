package coordinator

import (
	"encoding/binary"
	"maps"
	"slices"

	"simulate/sim/trace"
)

// consumerProtocol is the protocol type of groups whose subscriptions the coordinator can read.
//
// Kafka: ConsumerProtocol.PROTOCOL_TYPE.
const consumerProtocol = "consumer"

// subscription says which topics the members of a generation subscribe to, where that is known.
type subscription struct {
	known  bool
	topics []string // sorted
}

// computeSubscribed reads what the members subscribe to. It happens at the end of a join phase and at
// load, so that in between it describes the generation before.
//
// Kafka: ClassicGroup.computeSubscribedTopics.
func (g *group) computeSubscribed() {
	g.subscribed = subscription{}
	switch {
	case g.protocolType != consumerProtocol:
	case g.members.len() == 0:
		g.subscribed.known = true
	case g.protocol != "":
		g.subscribed = g.readSubscriptions()
	}
}

func (g *group) readSubscriptions() subscription {
	topics := map[string]bool{}
	for _, m := range g.members.all() {
		if !readTopics(m.metadata(g.protocol), topics) {
			g.record(trace.Event{Kind: trace.SubscriptionMalformed, Protocol: g.protocol, Text: g.protocolType})
			return subscription{}
		}
	}
	return subscription{known: true, topics: slices.Sorted(maps.Keys(topics))}
}

// subscribesTo reports whether offsets of the topic are in use. A consumer group that cannot be read may
// use every topic.
//
// Kafka: ClassicGroup.isSubscribedToTopic.
func (g *group) subscribesTo(topic string) bool {
	if !g.subscribed.known {
		return g.protocolType == consumerProtocol
	}
	_, found := slices.BinarySearch(g.subscribed.topics, topic)
	return found
}

// readTopics adds the topics of a subscription, whose version does not matter: later ones only append
// fields. It reports false when the topics, or the user data behind them, are not complete.
//
// Kafka: ConsumerProtocol.deserializeConsumerProtocolSubscription.
func readTopics(b []byte, topics map[string]bool) bool {
	in := subscriptionReader{b}
	if _, ok := in.take(2); !ok {
		return false
	}
	n, ok := in.int32()
	if !ok || n < 0 {
		return false
	}
	for range n {
		length, ok := in.take(2)
		if !ok {
			return false
		}
		size := int16(binary.BigEndian.Uint16(length))
		if size < 0 {
			return false
		}
		name, ok := in.take(int(size))
		if !ok {
			return false
		}
		if !topics[string(name)] { // most members name the same topics
			topics[string(name)] = true
		}
	}
	size, ok := in.int32()
	if ok && size > 0 {
		_, ok = in.take(int(size))
	}
	return ok
}

type subscriptionReader struct{ rest []byte }

func (r *subscriptionReader) take(n int) ([]byte, bool) {
	if n > len(r.rest) {
		return nil, false
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken, true
}

func (r *subscriptionReader) int32() (int32, bool) {
	b, ok := r.take(4)
	if !ok {
		return 0, false
	}
	return int32(binary.BigEndian.Uint32(b)), true
}
