package consumers

import (
	"time"

	"simulate/sim/assignors"
	"simulate/sim/clock"
)

// Stall keeps the handlers from returning for d, beginning with the next batch, or now if handling them takes no time and
// topics hold no records; in any case not before the member has claims. It adds to a stall that has begun.
func (p *sarama) Stall(d time.Duration, _ bool) {
	if p.handlers.Kind == WaitStall {
		p.handlers.Until = p.handlers.Until.Add(d)
		return
	}
	p.asked.stall += d
}

// Commit makes a handler mark what it has got, and commit it at once.
func (p *sarama) Commit() { p.asked.commit = true }

// Subscribe makes the application cancel Consume(), and call it with other topics; with none it waits, and nobody is
// told. For a pattern it looks which topics there are before each Consume().
func (p *sarama) Subscribe(to Subscription, _ bool) {
	p.asked.subscribes = append(p.asked.subscribes, to)
	p.interrupt()
}

// EnforceRebalance makes the application cancel Consume() and call it again, for sarama has no such order.
func (p *sarama) EnforceRebalance(bool) {
	p.asked.enforce = true
	p.interrupt()
}

// Stop makes the application call Close(), which waits until Consume() has returned.
func (p *sarama) Stop(o CloseOptions) {
	p.asked.stop, p.asked.closing = true, o
	p.interrupt()
}

// interrupt ends a wait in which the application, or Consume(), looks whether it is to go on.
func (p *sarama) interrupt() {
	switch p.consume.stage {
	case saramaUnsubscribed, saramaRetries:
		p.consume.wait.Until = p.now
	case saramaPauses:
		if p.asked.stop {
			p.consume.wait.Until = p.now
		}
	}
}

// TopicsChanged tells that the cluster has these topics from now on. The process learns of it by its next refresh,
// every Metadata.RefreshFrequency, or when it calls Consume().
func (p *sarama) TopicsChanged(now clock.Time, topics map[string]assignors.Topic) {
	p.now = now
	m := &p.metadata
	m.show(now)
	m.learn(topics, firstTick(p.started, p.plan.Config.MetadataMaxAge, now.Add(1)))
}
