package consumers

import (
	"time"

	"simulate/sim/wire"
)

// orders are what was asked from outside and is not done yet.
type orders struct {
	stop    bool
	closing CloseOptions
	stall   time.Duration

	// Added to what comes next.

	slowAssign     time.Duration // the leader's assignment
	freeze         bool          // in the same, the whole process
	freezeInAssign time.Duration
	slowRevoke     time.Duration // onPartitionsRevoked
	throw          bool          // the next callback throws

	// What the application does before it polls again.

	commit     bool
	subscribes []Subscription // in turn
	enforce    bool
}

// Stall keeps the application from polling for d, beginning when the running poll() returns or what it
// returned last is processed; it adds to a stall that has begun. With atOnce it begins now even inside
// poll().
func (p *Process) Stall(d time.Duration, atOnce bool) {
	p.poll.asked.stall += d
	if p.poll.wait.Kind == WaitStall {
		p.poll.wait.Until = p.poll.wait.Until.Add(p.poll.asked.stall)
		p.poll.asked.stall = 0
		return
	}
	p.returnFromPoll(atOnce)
}

// SlowAssign makes the next assignment that this process computes as leader take d longer.
func (p *Process) SlowAssign(d time.Duration) { p.poll.asked.slowAssign += d }

// FreezeInAssign makes the process freeze as a whole, for d, when it begins its next assignment as leader.
func (p *Process) FreezeInAssign(d time.Duration) {
	p.poll.asked.freeze = true
	p.poll.asked.freezeInAssign += d
}

// SlowRevoke makes the next call of onPartitionsRevoked that revokes anything take d longer.
func (p *Process) SlowRevoke(d time.Duration) { p.poll.asked.slowRevoke += d }

// ThrowInCallback makes the next call of the listener that is about any partitions throw, when it returns.
func (p *Process) ThrowInCallback() { p.poll.asked.throw = true }

// Pending says which callbacks that were to go on differently have not come yet.
type Pending struct{ SlowAssign, FreezeInAssign, SlowRevoke, Throw bool }

// Pending returns what SlowAssign, FreezeInAssign, SlowRevoke and ThrowInCallback asked for in vain so far.
func (p *Process) Pending() Pending {
	asked := &p.poll.asked
	return Pending{asked.slowAssign > 0, asked.freeze, asked.slowRevoke > 0, asked.throw}
}

// Commit makes the application call commitAsync() before it calls poll() again: at once when it sits in
// poll(), which returns then. A member that is not in its group at that moment commits nothing.
func (p *Process) Commit() {
	p.poll.asked.commit = true
	p.returnFromPoll(true)
}

// Subscribe makes the application subscribe to something else, or with the zero Subscription to nothing, before
// it calls poll() again; with atOnce poll() returns now. Without a subscription the application does not poll.
// From topics to a pattern, or back, the way is over the zero Subscription; else subscribe() throws.
func (p *Process) Subscribe(to Subscription, atOnce bool) {
	p.poll.asked.subscribes = append(p.poll.asked.subscribes, to)
	if p.poll.wait.Kind == WaitSubscription {
		p.poll.wait.Until = p.now
		return
	}
	p.returnFromPoll(atOnce)
}

// EnforceRebalance makes the application call enforceRebalance() before it calls poll() again; with atOnce
// poll() returns now.
func (p *Process) EnforceRebalance(atOnce bool) {
	p.poll.asked.enforce = true
	p.returnFromPoll(atOnce)
}

// CloseOptions are those of close() (KIP-1092). The zero value is what close() without options does.
// Kafka: CloseOptions.
type CloseOptions struct {
	Timeout   *time.Duration // how long close() waits for the coordinator, from 0; nil: 30 s
	Operation MembershipOperation
}

// Stop asks the application to end: it wakes poll() up and calls close(). An application that is between
// two polls, or in a callback, notices when it calls poll() again.
func (p *Process) Stop(o CloseOptions) {
	p.poll.asked.stop, p.poll.asked.closing = true, o
	switch k := p.poll.wait.Kind; {
	case k == WaitBackoff || k == WaitSubscription || k.readsNetwork() && !p.closing():
		p.poll.wait.Until = p.now
	}
}

// returnFromPoll ends the running poll(), if it is to be at once.
func (p *Process) returnFromPoll(atOnce bool) {
	if atOnce && p.poll.wait.Kind.readsNetwork() && !p.closing() {
		p.poll.ends = p.now
		p.poll.wait.Until = p.now
	}
}

// obey carries out what the application was asked to do before it polls again. It reports false when the poll
// thread has to wait for that.
func (p *Process) obey() bool {
	asked := &p.poll.asked
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
	for len(asked.subscribes) > 0 {
		to := asked.subscribes[0]
		asked.subscribes = asked.subscribes[1:]
		if p.subscription.excludes(to) {
			p.throws(wire.None, "IllegalStateException")
			return false
		}
		before := p.subscription.topics
		p.subscribe(to)
		p.recordSubscription(before)
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
func (p *Process) unsubscribed() bool {
	p.poll.unsubscribing = true
	if p.poll.hook.stage != hookDone && !p.giveUp(p.assigned) {
		return false
	}
	p.poll.unsubscribing, p.poll.hook = false, preJoinHook{}
	p.sendLeave(LeaveByDefault, "the consumer unsubscribed from all topics")
	p.reset("LeaveGroup", wire.None, leavingReason)
	p.subscription.sent = false
	return true
}
