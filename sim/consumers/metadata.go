package consumers

import (
	"slices"
	"strings"

	"simulate/sim/assignors"
	"simulate/sim/clock"
)

// metadata is what a process knows of the cluster's topics. Refreshes that show nothing new are not
// computed; whether one is due follows from the first one and the interval. The maps are never changed.
// Kafka: Metadata, ConsumerMetadata.
type metadata struct {
	topics    map[string]assignors.Topic
	newer     map[string]assignors.Topic // what the refresh at due will show, nil when that is nothing new
	due       clock.Time
	refreshed clock.Time // a refresh, from which the next ones are counted
	news      bool       // topics, subscription or what the leader watches have changed since the last look
	unmatched bool       // topics have changed since the pattern was matched

	// Of a leader: the topics of its group, and what the last assignment was computed from.
	// Kafka: ConsumerCoordinator.assignmentSnapshot.

	watched  []string
	snapshot map[string]assignors.Topic
}

// show makes what the refresh at due has shown the current metadata.
func (m *metadata) show(now clock.Time) {
	if m.newer != nil && now >= m.due {
		m.topics, m.newer, m.news, m.unmatched = m.newer, nil, true, true
	}
}

// learn notes that the cluster has these topics from now on, which a refresh at due will show; an earlier one that was to
// show older news shows these.
func (m *metadata) learn(topics map[string]assignors.Topic, due clock.Time) {
	if m.newer != nil {
		due = min(due, m.due)
	}
	m.newer, m.due = topics, due
}

// hasten lets a refresh that shows something new come no later than at.
func (m *metadata) hasten(at clock.Time) {
	if m.newer != nil {
		m.due = min(m.due, at)
	}
}

// misses reports whether a topic that the process asks for by name is not there. It asks again and again then,
// after some attempts every retry.backoff.max.ms.
func (p *client) misses(topics map[string]assignors.Topic) bool {
	return p.subscription.pattern == nil && slices.ContainsFunc(p.subscription.topics, func(name string) bool { return topics[name].Partitions == 0 })
}

// missesIn reports whether something that is assigned does not exist any more. A Fetch of that is answered
// at once with an error, for which the client asks for metadata.
func (p *client) missesIn(topics map[string]assignors.Topic) bool {
	for _, tp := range p.assigned {
		if int(tp.Partition) >= topics[tp.Topic].Partitions {
			return true
		}
	}
	return false
}

// refresh takes what a refresh has shown since the last look.
func (p *client) refresh() {
	m := &p.metadata
	if m.show(p.now); m.unmatched {
		m.unmatched = false
		before := p.subscription.topics
		p.matchPattern()
		p.recordSubscription(before)
	}
}

// refreshNow asks for the metadata without waiting for the next refresh, as a consumer does that subscribes by
// pattern before it joins. Kafka: ConsumerCoordinator.poll.
func (p *client) refreshNow() {
	p.metadata.refreshed = p.now
	p.metadata.hasten(p.now)
	p.refresh()
}

// watch notes what an assignment is computed from: the leader looks after all topics of its group, so that
// it finds out when another assignment is due. For topics to which it does not subscribe itself it asks anew.
// Kafka: ConsumerCoordinator.onLeaderElected, updateGroupSubscription.
func (p *client) watch(members []assignors.Member) {
	m := &p.metadata
	m.watched = m.watched[:0]
	for i := range members {
		for _, topic := range members[i].Topics {
			if !slices.Contains(m.watched, topic) {
				m.watched = append(m.watched, topic)
			}
		}
	}
	if slices.ContainsFunc(m.watched, func(topic string) bool { return !slices.Contains(p.subscription.topics, topic) }) {
		p.refreshNow()
	}
	p.refresh()
	m.snapshot = m.topics
}

// nextMetadata returns when a leader, or a member that subscribes by pattern, learns of new metadata: who waits then has
// to look.
func (p *client) nextMetadata() clock.Time {
	if p.metadata.newer == nil || !p.leading && p.subscription.pattern == nil {
		return clock.Never
	}
	return p.metadata.due
}

// takeNews returns why a member has to rejoin because of what has changed since the last look, "" when nothing has that
// matters: another subscription, or for a leader other partitions than its assignment knew; about partitions other
// members do nothing.
// Kafka: ConsumerCoordinator.rejoinNeededOrPending.
func (p *client) takeNews() (reason string) {
	if !p.metadata.news {
		return ""
	}
	p.metadata.news = false
	switch {
	case p.leading && p.partitionsChanged():
		return "cached metadata has changed"
	case p.subscriptionChanged():
		return "subscription has changed"
	}
	return ""
}

// partitionsChanged reports whether the topics of the leader's group have other partitions than its assignment knew.
func (p *client) partitionsChanged() bool {
	m := &p.metadata
	return slices.ContainsFunc(m.watched, func(topic string) bool {
		return m.topics[topic].Partitions != m.snapshot[topic].Partitions
	})
}

// IsLegalTopic reports whether brokers accept the name of a topic. For any other one they answer Metadata with an
// error that leaves poll(). Kafka: org.apache.kafka.common.internals.Topic.validate.
func IsLegalTopic(name string) bool {
	const legal = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
	if name == "" || name == "." || name == ".." || len(name) > 249 {
		return false
	}
	return strings.Trim(name, legal) == ""
}

func anyIllegal(topics []string) bool {
	return slices.ContainsFunc(topics, func(t string) bool { return !IsLegalTopic(t) })
}
