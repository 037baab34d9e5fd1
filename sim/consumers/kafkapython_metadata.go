package consumers

import (
	"simulate/sim/assignors"
	"simulate/sim/clock"
)

// bootstraps begins the life of the client: it learns of the brokers on a connection of its own, then asks for the
// topics on the one that it will fetch on.
func (p *kafkaPython) bootstraps() {
	p.bootstrapped = p.now.Add(pythonBootstrapCost)
	p.connect(NodeConn)
	p.asksForMetadata()
}

// asksForMetadata lets the process learn, as soon as a Fetch in flight allows, of topics that are newer than the last
// refresh; the next ones count from there.
// kafka-python: ClusterMetadata.request_update.
func (p *kafkaPython) asksForMetadata() {
	m := &p.metadata
	m.refreshed = p.afterFetch(p.now)
	if m.newer != nil {
		m.due = min(m.due, m.refreshed)
	}
}

// afterFetch returns when something is answered that is asked for at t, behind a Fetch on the same connection.
func (p *kafkaPython) afterFetch(t clock.Time) clock.Time {
	if behind := t.Sub(p.poll.fetchAt) % fetchCycle; p.hasPositions() && behind > 0 {
		return t.Add(fetchCycle - behind)
	}
	return t
}

// TopicsChanged tells that the cluster has these topics from now on. The process learns of it by its next refresh:
// metadata.max.age.ms after the answer to the last one, or sooner when something that it fetches is not there any more.
func (p *kafkaPython) TopicsChanged(now clock.Time, topics map[string]assignors.Topic) {
	p.now = now
	m := &p.metadata
	m.show(now) // a frozen process looks at that later
	for m.refreshed <= now {
		m.refreshed = p.afterFetch(m.refreshed.Add(p.plan.Config.MetadataMaxAge))
	}
	due := m.refreshed
	if p.missesIn(topics) || p.misses(m.topics) && !p.misses(topics) {
		due = min(due, now.Add(p.plan.Config.RetryBackoff))
	}
	if m.newer != nil {
		due = min(due, m.due)
	}
	m.newer, m.due = topics, due
	if p.poll.fetching {
		p.poll.wait.Until = min(p.poll.wait.Until, p.nextMetadata())
	}
}

// nextMetadata returns when the wait for records ends because a leader, or a member that subscribes by pattern, learns
// of new metadata.
func (p *kafkaPython) nextMetadata() clock.Time {
	if p.metadata.newer == nil || !p.leading && p.subscription.pattern == nil {
		return clock.Never
	}
	return max(p.metadata.due, p.now)
}

// noticeChanges lets a member rejoin whose subscription has changed, and a leader whose topics have other partitions
// than its assignment knew. kafka-python: ConsumerCoordinator.need_rejoin.
func (p *kafkaPython) noticeChanges() {
	p.refresh()
	if !p.metadata.news || p.rejoinNeeded {
		return
	}
	p.metadata.news = false
	switch {
	case p.leading && p.partitionsChanged():
		p.requestRejoin("the partitions of the group's topics have changed")
	case p.subscriptionChanged():
		p.requestRejoin("the subscription has changed")
	}
}
