package consumers

import (
	"time"

	"simulate/sim/wire"
)

// Stall keeps the application from polling for d, beginning when the running poll() returns or what it
// returned last is processed; it adds to a stall that has begun. With atOnce it begins now even inside
// poll().
func (p *java) Stall(d time.Duration, atOnce bool) {
	p.asked.stall += d
	if p.poll.wait.Kind == WaitStall {
		p.poll.wait.Until = p.poll.wait.Until.Add(p.asked.stall)
		p.asked.stall = 0
		return
	}
	p.returnFromPoll(atOnce)
}

// Commit makes the application call commitAsync() before it calls poll() again: at once when it sits in
// poll(), which returns then. A member that is not in its group at that moment commits nothing.
func (p *java) Commit() {
	p.asked.commit = true
	p.returnFromPoll(true)
}

// Subscribe makes the application subscribe to something else, or with the zero Subscription to nothing, before
// it calls poll() again; with atOnce poll() returns now. Without a subscription the application does not poll.
// From topics to a pattern, or back, the way is over the zero Subscription; else subscribe() throws.
func (p *java) Subscribe(to Subscription, atOnce bool) {
	p.asked.subscribes = append(p.asked.subscribes, to)
	if p.poll.wait.Kind == WaitSubscription {
		p.poll.wait.Until = p.now
		return
	}
	p.returnFromPoll(atOnce)
}

// EnforceRebalance makes the application call enforceRebalance() before it calls poll() again; with atOnce
// poll() returns now.
func (p *java) EnforceRebalance(atOnce bool) {
	p.asked.enforce = true
	p.returnFromPoll(atOnce)
}

// Stop asks the application to end: it wakes poll() up and calls close(). An application that is between
// two polls, or in a callback, notices when it calls poll() again.
func (p *java) Stop(o CloseOptions) {
	p.asked.stop, p.asked.closing = true, o
	switch k := p.poll.wait.Kind; {
	case k == WaitBackoff || k == WaitSubscription || k.readsNetwork() && !p.closing():
		p.poll.wait.Until = p.now
	}
}

// returnFromPoll ends the running poll(), if it is to be at once.
func (p *java) returnFromPoll(atOnce bool) {
	if atOnce && p.poll.wait.Kind.readsNetwork() && !p.closing() {
		p.poll.ends = p.now
		p.poll.wait.Until = p.now
	}
}

// obey carries out what the application was asked to do before it polls again. It reports false when the poll
// thread has to wait for that.
func (p *java) obey() bool {
	asked := &p.asked
	if asked.commit {
		asked.commit = false
		if p.canCommit() {
			p.requestCommit()
		}
	}
	if asked.enforce {
		asked.enforce = false
		p.requestRejoin("rebalance enforced by user")
	}
	for to, ok := p.nextSubscription(); ok; to, ok = p.nextSubscription() {
		if p.subscription.excludes(to) {
			p.throws(wire.None, "IllegalStateException")
			return false
		}
		p.changeSubscription(to)
		p.asksForNewTopics()
		if p.subscription.none() {
			p.poll.hook = preJoinHook{}
			if !p.unsubscribed() {
				return false
			}
		}
	}
	return true
}

// unsubscribed gives up what is assigned and leaves the group, without a commit. It reports false while the
// callback runs.
// Kafka: KafkaConsumer.unsubscribe, ConsumerCoordinator.onLeavePrepare.
func (p *java) unsubscribed() bool {
	p.poll.unsubscribing = true
	if p.poll.hook.stage != hookDone && !p.giveUp(p.assigned) {
		return false
	}
	p.poll.unsubscribing, p.poll.hook = false, preJoinHook{}
	p.sendLeave(LeaveByDefault, leavesUnsubscribed)
	p.reset("LeaveGroup", wire.None, leavingReason)
	p.subscription.sent = false
	return true
}
