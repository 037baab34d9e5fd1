package consumers

import (
	"strings"
	"time"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// What the two Python clients have in common: aiokafka began as kafka-python.

// What a consumer of kafka-python 3.0.12 spends on things that are neither network nor configuration: medians over the
// recorded runs. aiokafka, of which there are none, takes the same.
const (
	pythonBootstrapCost = 30 * time.Millisecond // KafkaConsumer() -> FindCoordinator: bootstrap on a connection of its own
	pythonJoinCost      = 3 * time.Millisecond  // MEMBER_ID_REQUIRED -> JoinGroup with the id
	pythonFollowerCost  = 3 * time.Millisecond  // JoinGroup answer -> a follower's SyncGroup
	pythonLeadCost      = 4 * time.Millisecond  // JoinGroup answer -> the leader's SyncGroup
	pythonWakeCost      = 1 * time.Millisecond  // the heartbeat's sleep lasts that much longer than asked for
)

// pythonSubscription is what the assignors of both write: neither the generation nor, but for
// cooperative-sticky, what is owned, and that as it was assigned last, even if it is lost since.
// kafka-python: RangePartitionAssignor.metadata, StickyPartitionAssignor.metadata, CooperativeStickyAssignor.metadata.
func pythonSubscription(p *client, assignor string) (assignors.Subscription, int16) {
	s := assignors.Subscription{Topics: p.subscription.topics, Generation: wire.NoGeneration}
	switch assignor {
	case "cooperative-sticky":
		s.Owned = p.memory.owned
		return s, 1
	case "sticky":
		s.UserData = p.memory.userData(assignor)
	}
	return s, 0
}

// pythonCommit is the commit that a join waits for, or the end.
type pythonCommit struct {
	awaitedCommit
	retryAt clock.Time
}

// pythonAwaits is what the heartbeat coroutine waits for when it does not sleep.
type pythonAwaits uint8

const (
	pythonAwaitsNothing pythonAwaits = iota
	pythonAwaitsHeartbeat
	pythonAwaitsLookup
	pythonAwaitsLeave
)

// pythonError returns their name of an exception that Java calls name.
func pythonError(name string) string { return strings.TrimSuffix(name, "Exception") + "Error" }

// The metadata are refreshed metadata.max.age.ms after the answer to the last request for them, on the connection that
// the consumer fetches on, where every answer comes behind that to the Fetch in flight.
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
