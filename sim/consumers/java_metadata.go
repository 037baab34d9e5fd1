package consumers

import (
	"simulate/sim/assignors"
	"simulate/sim/clock"
)

// TopicsChanged tells that the cluster has these topics from now on. The process learns of it by its next
// refresh: after metadata.max.age.ms, counted from its first one, or sooner because it asks anew.
func (p *java) TopicsChanged(now clock.Time, topics map[string]assignors.Topic) {
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
	m.learn(topics, due)
	if p.poll.wait.Kind == WaitRecords {
		p.poll.wait.Until = min(p.poll.wait.Until, p.nextMetadata())
	}
}

// nextRefresh returns the instant of the next periodic refresh. While the process fetches, the answer comes
// behind that of the Fetch in flight, for both use one connection.
func (p *java) nextRefresh() clock.Time {
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

// asksForNewTopics lets the metadata of a new subscription come behind the Fetch in flight: topics that are younger
// than the last refresh are known from then on. With an illegal name among the topics they make poll() throw.
// Kafka: KafkaConsumer.subscribe, Metadata.requestUpdateForNewTopics.
func (p *java) asksForNewTopics() {
	m, answered := &p.metadata, p.now
	if p.hasPositions() {
		answered = p.poll.fetchAt.Add((p.now.Sub(p.poll.fetchAt)/fetchCycle + 1) * fetchCycle)
	}
	m.refreshed = answered
	m.hasten(answered)
	p.poll.throwsAt = clock.Never
	if anyIllegal(p.subscription.topics) {
		p.poll.throwsAt = answered
	}
}

// noticeChanges lets a member of a stable group rejoin because of what has changed.
func (p *java) noticeChanges() {
	p.refresh()
	if p.state != stable || p.rejoinNeeded || p.join.stage != noJoin {
		return
	}
	if reason := p.takeNews(); reason != "" {
		p.requestRejoin(reason)
	}
}
