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

// TopicsChanged tells that the cluster has these topics from now on. The process learns of it by its next
// refresh: after metadata.max.age.ms, counted from its first one, or sooner because it asks anew.
func (p *Process) TopicsChanged(now clock.Time, topics map[string]assignors.Topic) {
	p.now = now
	m := &p.metadata
	m.show(now) // a frozen process looks at that later
	due := p.nextRefresh()
	if p.missesIn(topics) {
		due = min(due, now.Add(p.plan.Config.RetryBackoff))
	}
	if p.misses(m.topics) && !p.misses(topics) {
		due = min(due, now.Add(p.plan.Config.RetryBackoffMax))
	}
	if m.newer != nil {
		due = min(due, m.due)
	}
	m.newer, m.due = topics, due
	if p.poll.wait.Kind == WaitRecords {
		p.poll.wait.Until = min(p.poll.wait.Until, p.nextMetadata())
	}
}

// missesIn reports whether something that is assigned does not exist any more. A Fetch of that is answered
// at once with an error, for which the client asks for metadata.
func (p *Process) missesIn(topics map[string]assignors.Topic) bool {
	for _, tp := range p.assigned {
		if int(tp.Partition) >= topics[tp.Topic].Partitions {
			return true
		}
	}
	return false
}

// misses reports whether a topic that the process asks for by name is not there. It asks again and again then,
// after some attempts every retry.backoff.max.ms.
func (p *Process) misses(topics map[string]assignors.Topic) bool {
	return p.subscription.pattern == nil && slices.ContainsFunc(p.subscription.topics, func(name string) bool { return topics[name].Partitions == 0 })
}

// nextRefresh returns the instant of the next periodic refresh. While the process fetches, the answer comes
// behind that of the Fetch in flight, for both use one connection.
func (p *Process) nextRefresh() clock.Time {
	age := max(p.plan.Config.MetadataMaxAge, p.plan.Config.RetryBackoff)
	at := max(p.metadata.refreshed, p.bootstrapped)
	if at == 0 {
		return clock.Never
	}
	for at <= p.now {
		at = at.Add(age)
		if behind := at.Sub(p.poll.fetchAt) % fetchCycle; behind > 0 && p.hasPositions() {
			at = at.Add(fetchCycle - behind)
		}
		p.metadata.refreshed = at.Add(-age)
	}
	return at
}

// show makes what the refresh at due has shown the current metadata.
func (m *metadata) show(now clock.Time) {
	if m.newer != nil && now >= m.due {
		m.topics, m.newer, m.news, m.unmatched = m.newer, nil, true, true
	}
}

// refresh takes what a refresh has shown since the last look.
func (p *Process) refresh() {
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
func (p *Process) refreshNow() {
	p.metadata.refreshed = p.now
	if p.metadata.newer != nil {
		p.metadata.due = min(p.metadata.due, p.now)
	}
	p.refresh()
}

// nextMetadata returns when the wait for records has to end because a leader, or a member that subscribes by
// pattern, learns of new metadata.
func (p *Process) nextMetadata() clock.Time {
	if p.metadata.newer == nil || !p.leading && p.subscription.pattern == nil {
		return clock.Never
	}
	return p.metadata.due
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

// asksForNewTopics lets the metadata of a new subscription come behind the Fetch in flight: topics that are younger
// than the last refresh are known from then on. With an illegal name among the topics they make poll() throw.
// Kafka: KafkaConsumer.subscribe, Metadata.requestUpdateForNewTopics.
func (p *Process) asksForNewTopics() {
	m, answered := &p.metadata, p.now
	if p.hasPositions() {
		answered = p.poll.fetchAt.Add((p.now.Sub(p.poll.fetchAt)/fetchCycle + 1) * fetchCycle)
	}
	m.refreshed = answered
	if m.newer != nil {
		m.due = min(m.due, answered)
	}
	p.poll.throwsAt = clock.Never
	if anyIllegal(p.subscription.topics) {
		p.poll.throwsAt = answered
	}
}

// watch notes what an assignment is computed from: the leader looks after all topics of its group, so that
// it finds out when another assignment is due. For topics to which it does not subscribe itself it asks anew.
// Kafka: ConsumerCoordinator.onLeaderElected, updateGroupSubscription.
func (p *Process) watch(members []assignors.Member) {
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

// noticeChanges lets a member rejoin whose subscription has changed, and a leader whose topics have other
// partitions than its assignment knew; about partitions other members do nothing.
// Kafka: ConsumerCoordinator.rejoinNeededOrPending.
func (p *Process) noticeChanges() {
	p.refresh()
	if !p.metadata.news || p.state != stable || p.rejoinNeeded || p.join.stage != noJoin {
		return
	}
	p.metadata.news = false
	switch {
	case p.leading && p.partitionsChanged():
		p.requestRejoin("cached metadata has changed")
	case p.subscriptionChanged():
		p.requestRejoin("subscription has changed")
	}
}

func (p *Process) partitionsChanged() bool {
	m := &p.metadata
	return slices.ContainsFunc(m.watched, func(topic string) bool {
		return m.topics[topic].Partitions != m.snapshot[topic].Partitions
	})
}
