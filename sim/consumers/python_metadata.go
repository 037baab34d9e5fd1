package consumers

import (
	"simulate/sim/assignors"
	"simulate/sim/clock"
)

// What the two Python clients have in common: metadata are refreshed metadata.max.age.ms after the answer to the last
// request for them, on the connection that they fetch on, where every answer comes behind that to the Fetch in flight.
// kafka-python: ClusterMetadata.ttl; aiokafka: AIOKafkaClient._md_synchronizer.

// refreshBehind asks for the metadata, behind the Fetch in flight of those that began at fetchAt.
func (p *client) refreshBehind(fetchAt clock.Time) {
	m := &p.metadata
	m.refreshed = p.behindFetch(p.now, fetchAt)
	m.hasten(m.refreshed)
}

// behindFetch returns when something is answered that is asked for at t.
func (p *client) behindFetch(t, fetchAt clock.Time) clock.Time {
	if behind := t.Sub(fetchAt) % fetchCycle; p.hasPositions() && behind > 0 {
		return t.Add(fetchCycle - behind)
	}
	return t
}

// learnsLater notes the topics that the cluster has from now on: the next refresh will show them, which comes sooner
// when something that is fetched is not there any more.
func (p *client) learnsLater(topics map[string]assignors.Topic, fetchAt clock.Time) {
	m := &p.metadata
	m.show(p.now) // a frozen process looks at that later
	for m.refreshed <= p.now {
		m.refreshed = p.behindFetch(m.refreshed.Add(p.plan.Config.MetadataMaxAge), fetchAt)
	}
	due := m.refreshed
	if p.missesIn(topics) || p.misses(m.topics) && !p.misses(topics) {
		due = min(due, p.now.Add(p.plan.Config.RetryBackoff))
	}
	m.learn(topics, due)
}
