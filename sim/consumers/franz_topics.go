package consumers

import (
	"slices"

	"simulate/sim/assignors"
	"simulate/sim/clock"
)

// franzTopics is what the member consumes, and where it looks for it. It subscribes only to topics that exist.
type franzTopics struct {
	wanted []string       // by name
	using  map[string]int // partitions of the topics that it subscribes to. kgo: groupConsumer.using
	opened clock.Time     // the metadata are refreshed every metadata.max.age.ms from here on
}

// opens is the beginning of the client: the metadata, and when they have one of the topics, the group.
func (p *franz) opens() {
	p.topics.opened, p.metadata.refreshed = p.now, p.now
	p.topics.using = map[string]int{}
	p.become(franzNeedsTopics, clock.Never)
	p.connect(NodeConn)
	p.findTopics()
}

// TopicsChanged tells that the cluster has these topics from now on. The process learns of it by its next refresh:
// by its ticker, or sooner because it asks anew.
func (p *franz) TopicsChanged(now clock.Time, topics map[string]assignors.Topic) {
	p.now = now
	m := &p.metadata
	m.show(now) // a frozen process looks at that later
	due := firstTick(p.topics.opened, p.plan.Config.MetadataMaxAge, now.Add(1))
	if m.refreshed > now {
		due = min(due, m.refreshed)
	}
	if p.missesTopic() {
		due = min(due, now.Add(franzMinAge))
	}
	m.learn(topics, due)
}

// missesTopic reports whether a topic that is wanted by name does not exist; kgo asks for it every franzMinAge then.
func (p *franz) missesTopic() bool {
	return slices.ContainsFunc(p.topics.wanted, func(name string) bool { return p.topics.using[name] == 0 })
}

// nextRefresh returns when a refresh will show something new, clock.Never when none will.
func (p *franz) nextRefresh() clock.Time {
	if p.metadata.newer == nil || p.manage.stage == franzBoots {
		return clock.Never
	}
	return p.metadata.due
}

// refreshSoon asks for the metadata, as kgo does when it has new offsets to begin from.
func (p *franz) refreshSoon() {
	m := &p.metadata
	m.refreshed = max(p.now, m.refreshed.Add(franzMinAge))
	m.hasten(m.refreshed)
}

// findTopics looks what a refresh means for the group: a topic that is new lets any member rejoin, more partitions
// the leader alone. kgo: groupConsumer.findNewAssignments.
func (p *franz) findTopics() {
	p.refresh()
	if p.subscription.pattern == nil {
		before := p.subscription.topics
		p.subscription.topics = slices.DeleteFunc(slices.Clone(p.topics.wanted), func(name string) bool {
			return p.topics.using[name] == 0 && p.metadata.topics[name].Partitions == 0
		})
		p.recordSubscription(before)
	}
	isNew, grown := p.use()
	switch {
	case p.manage.stage == franzNeedsTopics && len(p.topics.using) > 0:
		p.beginManaging()
	case isNew:
		p.wantsRejoin("rejoining because there are more topics to consume, our interests have changed")
	case p.leading && grown:
		p.wantsRejoin("rejoining because we are the leader and noticed some topics have new partitions")
	case p.leading && p.othersChanged():
		p.wantsRejoin("leader detected that partitions on topics another member is consuming have changed, rejoining to trigger rebalance")
	}
}

// use notes how many partitions the topics of the subscription have. It reports whether one is new, or has more than
// before.
func (p *franz) use() (isNew, grown bool) {
	for _, name := range p.subscription.topics {
		has := p.metadata.topics[name].Partitions
		used, ok := p.topics.using[name]
		isNew = isNew || !ok && has > 0
		grown = grown || ok && has > used
		if has > used {
			p.topics.using[name] = has
		}
	}
	return isNew, grown
}

// othersChanged reports whether a topic that only other members consume has other partitions than the leader's
// assignment knew. kgo: groupExternal.updateLatest.
func (p *franz) othersChanged() bool {
	m := &p.metadata
	return slices.ContainsFunc(m.watched, func(name string) bool {
		has := m.topics[name].Partitions
		return has > 0 && has != m.snapshot[name].Partitions && !slices.Contains(p.subscription.topics, name)
	})
}

func (p *franz) beginManaging() {
	if p.plan.Config.AutoCommit {
		p.commits.at = p.now.Add(p.plan.Config.AutoCommitInterval)
	}
	p.manage.why = "beginning to manage the group lifecycle"
	p.joinAndSync()
}

// Subscribe makes the application consume other topics by name: it adds some and purges others, at once. A pattern is
// an option of the client, which nothing changes later. kgo: AddConsumeTopics, PurgeTopicsFromConsuming.
func (p *franz) Subscribe(to Subscription, _ bool) {
	p.asked.subscribes = append(p.asked.subscribes, to)
}

// consumes carries that out.
func (p *franz) consumes(to Subscription) {
	if to.Pattern != "" || p.subscription.pattern != nil {
		return
	}
	purged := false
	for _, name := range p.topics.wanted {
		if _, used := p.topics.using[name]; used && !slices.Contains(to.Topics, name) {
			delete(p.topics.using, name)
			purged = true
		}
	}
	p.topics.wanted = slices.Clone(to.Topics)
	if p.manage.stage == franzBoots {
		return
	}
	if purged {
		p.wantsRejoin("topics purged from consuming")
	}
	p.refreshNow()
	p.findTopics()
}
