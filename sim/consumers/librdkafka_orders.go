package consumers

import (
	"slices"
	"time"

	"simulate/sim/wire"
)

// Stall keeps the application from polling for d: it begins at once when poll() waits, for that is when the next record
// comes, and adds to a stall that has begun; else when what poll() returned last is processed.
func (p *librdkafka) Stall(d time.Duration, _ bool) {
	p.asked.stall += d
	switch p.app.wait.Kind {
	case WaitStall:
		p.app.wait.Until = p.app.wait.Until.Add(p.asked.stall)
		p.asked.stall = 0
	default:
		p.returnFromPoll()
	}
}

// Commit makes the application commit without waiting for the answer, before it polls again: at once when it sits in
// poll(), which returns then.
func (p *librdkafka) Commit() {
	p.asked.commit = true
	p.returnFromPoll()
}

// Subscribe makes the application subscribe to something else, or with the zero Subscription to nothing, before it polls
// again; with atOnce poll() returns now. It goes on polling without a subscription, which costs it nothing.
func (p *librdkafka) Subscribe(to Subscription, atOnce bool) {
	p.asked.subscribes = append(p.asked.subscribes, to)
	if atOnce {
		p.returnFromPoll()
	}
}

// EnforceRebalance does nothing: librdkafka has nothing of the kind.
func (p *librdkafka) EnforceRebalance(bool) {}

// Stop asks the application to end: it calls close(), which has no options, when poll() returns next, and at once inside
// poll().
func (p *librdkafka) Stop(o CloseOptions) { p.asked.stop, p.asked.closing = true, o }

// returnFromPoll ends the running poll().
func (p *librdkafka) returnFromPoll() {
	if p.app.wait.Kind == WaitRecords {
		p.app.wait.Until = p.now
	}
}

// resubscribe takes another subscription. An eager member gives everything up and joins with it; a cooperative one gives
// up what it does not want any more. In a rebalance that is under way it only counts for the JoinGroup at its end.
// librdkafka: rd_kafka_cgrp_subscribe, rd_kafka_cgrp_modify_subscription, rd_kafka_cgrp_unsubscribe.
func (p *librdkafka) resubscribe(to Subscription) {
	const changed = "subscription has changed"
	m, joined := &p.main, p.main.effective
	p.changeSubscription(to)
	p.refreshNow()
	p.lookAtTopics()
	unwanted := slices.DeleteFunc(slices.Clone(p.assigned), func(tp wire.TopicPartition) bool {
		return p.subscription.wants(tp.Topic)
	})
	none := p.subscription.none()
	m.leaves = none && p.member != ""
	switch {
	case p.rebalancing():
	case none || !p.cooperative:
		p.revokeAll(false, changed)
	case len(unwanted) > 0:
		p.needsJoin(changed)
		m.rejoins = true
		p.offer(listenerCall{kind: revoking, partitions: unwanted})
	case !slices.Equal(joined, m.effective):
		p.rejoin(changed)
	}
	p.serve()
}
