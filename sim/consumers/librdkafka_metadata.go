package consumers

import (
	"slices"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// rdTopic is a topic of the subscription that exists. librdkafka: rd_kafka_topic_info_t.
type rdTopic struct {
	name       string
	partitions int
}

// lookAtTopics notes what the metadata show of the subscription. It reports whether that is something else than before.
// librdkafka: rd_kafka_cgrp_update_subscribed_topics.
func (p *librdkafka) lookAtTopics() bool {
	var topics []rdTopic
	for _, name := range p.existing() {
		topics = append(topics, rdTopic{name, p.metadata.topics[name].Partitions})
	}
	changed := !slices.Equal(topics, p.main.effective)
	p.main.effective = topics
	return changed
}

// TopicsChanged tells that the cluster has these topics from now on. The process learns of it by its next refresh: after
// topic.metadata.refresh.interval.ms, counted from its start, or sooner because something is missing.
func (p *librdkafka) TopicsChanged(now clock.Time, topics map[string]assignors.Topic) {
	p.now = now
	m := &p.metadata
	m.show(now) // a frozen process looks at that later
	due := firstTick(m.refreshed, p.plan.Config.MetadataMaxAge, now.Add(1))
	if p.missesIn(topics) {
		due = min(due, now.Add(p.plan.Config.RetryBackoff))
	}
	if p.misses(m.topics) && !p.misses(topics) {
		due = min(due, now.Add(rdJoinInterval))
	}
	m.learn(topics, due)
}

// metadataDue returns when the next refresh shows something new.
func (p *librdkafka) metadataDue() clock.Time {
	if p.metadata.newer == nil {
		return clock.Never
	}
	return max(p.metadata.due, p.main.servedAt.Add(1))
}

// checkMetadata lets every member rejoin whose topics are others now, or have other partitions; a cooperative one gives up
// first what does not exist any more. librdkafka: rd_kafka_cgrp_metadata_update_check.
func (p *librdkafka) checkMetadata() {
	m := &p.metadata
	if m.newer == nil || p.now < m.due {
		return
	}
	p.refresh()
	p.takeTopics()
}

// takeTopics goes on after a look at new metadata.
func (p *librdkafka) takeTopics() {
	const reason = "cached metadata has changed"
	if !p.lookAtTopics() || p.main.join == rdJoinInit || p.main.terminating {
		return
	}
	gone := slices.DeleteFunc(slices.Clone(p.assigned), func(tp wire.TopicPartition) bool {
		return slices.Contains(p.existing(), tp.Topic)
	})
	switch {
	case !p.cooperative || p.rebalancing():
		p.revokeAllUnlessRebalancing(false, reason)
	case len(gone) > 0:
		p.main.lost, p.main.rejoins = true, p.leading
		p.offer(listenerCall{kind: revoking, partitions: gone})
	default:
		p.rejoin(reason)
	}
}
