package consumers

import (
	"slices"

	"simulate/sim/assignors"
	"simulate/sim/clock"
)

// metadata is what a process knows of the cluster's topics. Refreshes that show nothing new are not
// computed; whether one is due follows from the first one and the interval. The maps are never changed.
// Kafka: Metadata, ConsumerMetadata.
type metadata struct {
	topics map[string]assignors.Topic
	newer  map[string]assignors.Topic // what the refresh at due will show, nil when that is nothing new
	due    clock.Time

	// Of a leader: the topics of its group, and what the last assignment was computed from.
	// Kafka: ConsumerCoordinator.assignmentSnapshot.

	watched  []string
	snapshot map[string]assignors.Topic
}

// TopicsChanged tells that the cluster has these topics from now on. The process learns of it by its next
// refresh: after metadata.max.age.ms, counted from its first one, or sooner because it asks anew.
func (p *Process) TopicsChanged(now clock.Time, topics map[string]assignors.Topic) {
	p.now = now
	p.refresh()
	m := &p.metadata
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

// misses reports whether a topic that the process asks for is not there. It asks again and again then,
// after some attempts every retry.backoff.max.ms.
func (p *Process) misses(topics map[string]assignors.Topic) bool {
	return slices.ContainsFunc(p.plan.Topics, func(name string) bool { return topics[name].Partitions == 0 })
}

// nextRefresh returns the instant of the next periodic refresh.
func (p *Process) nextRefresh() clock.Time {
	age := max(p.plan.Config.MetadataMaxAge, p.plan.Config.RetryBackoff)
	if p.now < p.bootstrapped {
		return p.bootstrapped
	}
	return p.bootstrapped.Add((p.now.Sub(p.bootstrapped)/age + 1) * age)
}

// refresh takes what a refresh has shown since the last look.
func (p *Process) refresh() {
	if m := &p.metadata; m.newer != nil && p.now >= m.due {
		m.topics, m.newer = m.newer, nil
	}
}

// nextMetadata returns when the wait for records has to end because a leader learns of new metadata.
func (p *Process) nextMetadata() clock.Time {
	if p.metadata.newer == nil || !p.leading {
		return clock.Never
	}
	return p.metadata.due
}

// watch notes what an assignment is computed from: the leader looks after all topics of its group, so that
// it finds out when another assignment is due.
func (p *Process) watch(members []assignors.Member) {
	m := &p.metadata
	m.watched, m.snapshot = m.watched[:0], m.topics
	for i := range members {
		for _, topic := range members[i].Topics {
			if !slices.Contains(m.watched, topic) {
				m.watched = append(m.watched, topic)
			}
		}
	}
}

// noticeMetadata lets a leader rejoin when its topics have other partitions than its assignment knew. Other
// members do nothing about it. Kafka: ConsumerCoordinator.rejoinNeededOrPending.
func (p *Process) noticeMetadata() {
	p.refresh()
	m := &p.metadata
	if !p.leading || p.state != stable || p.rejoinNeeded || p.join.stage != noJoin {
		return
	}
	for _, topic := range m.watched {
		if m.topics[topic].Partitions != m.snapshot[topic].Partitions {
			p.requestRejoin("cached metadata has changed")
			return
		}
	}
}
