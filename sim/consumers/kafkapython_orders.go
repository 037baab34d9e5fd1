package consumers

import (
	"time"

	"simulate/sim/wire"
)

// Stall keeps the application from polling for d, from when the running poll() returns or, with atOnce, from now on;
// it adds to a stall that has begun.
func (p *kafkaPython) Stall(d time.Duration, atOnce bool) {
	if p.poll.wait.Kind == WaitStall {
		p.poll.wait.Until = p.poll.wait.Until.Add(d)
		return
	}
	p.asked.stall += d
	p.returnFromPoll(atOnce)
}

// Commit makes the application call commit_async() before it polls again.
func (p *kafkaPython) Commit() {
	p.asked.commit = true
	p.returnFromPoll(true)
}

// Subscribe makes the application subscribe to something else, or with the zero Subscription to nothing, before it
// polls again; with atOnce poll() returns now. From topics to a pattern, or back, the way is over the zero
// Subscription; else subscribe() raises.
func (p *kafkaPython) Subscribe(to Subscription, atOnce bool) {
	p.asked.subscribes = append(p.asked.subscribes, to)
	if p.poll.wait.Kind == WaitSubscription {
		p.poll.wait.Until = p.now
		return
	}
	p.returnFromPoll(atOnce)
}

// EnforceRebalance does nothing: kafka-python has no enforceRebalance().
func (p *kafkaPython) EnforceRebalance(bool) {}

// Stop asks the application to end. It calls close() when the running poll() has returned and what that returned is
// handled.
func (p *kafkaPython) Stop(o CloseOptions) {
	p.asked.stop, p.asked.closing = true, o
	if p.poll.wait.Kind == WaitSubscription {
		p.poll.wait.Until = p.now
	}
	p.cutLull()
}

// returnFromPoll ends the running poll(), if it is to be at once.
func (p *kafkaPython) returnFromPoll(atOnce bool) {
	if atOnce && p.poll.wait.Kind.readsNetwork() && p.closing.stage == notClosing {
		p.heartbeat.polledAt, p.poll.lull = p.polledAt(), false
		p.poll.ends, p.poll.wait.Until = p.now, p.now
	}
	p.cutLull()
}

// obey carries out what the application was asked to do before it polls again. It reports false when subscribe()
// raises.
func (p *kafkaPython) obey() bool {
	asked := &p.asked
	if asked.commit {
		asked.commit = false
		p.commitAsync()
	}
	for to, ok := p.nextSubscription(); ok; to, ok = p.nextSubscription() {
		if p.subscription.excludes(to) {
			p.throws(wire.None, pythonError("IllegalStateException"))
			return false
		}
		p.changeSubscription(to)
		p.asksForMetadata()
		if p.subscription.none() {
			p.unsubscribed()
		}
	}
	return true
}

// unsubscribed commits, gives up what is assigned without a call of the listener, and leaves the group.
// kafka-python: KafkaConsumer.unsubscribe.
func (p *kafkaPython) unsubscribed() {
	p.commitAsync()
	if len(p.assigned) > 0 {
		p.settle(listenerCall{kind: givingUp, losing: p.isLost(), partitions: p.assigned})
	}
	p.prepare = pythonPreparation{}
	p.sendLeave(leavesUnsubscribed)
	p.reset(wire.LeaveGroup, wire.None, "")
	p.subscription.sent = false
}
