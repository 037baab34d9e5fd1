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

// any reports whether something is to be done at once, or between two polls.
func (o *orders) any() bool {
	return o.stop || o.stall > 0 || o.commit || o.enforce || len(o.subscribes) > 0
}

// nextSubscription takes the next of the subscriptions that were asked for.
func (p *client) nextSubscription() (to Subscription, ok bool) {
	asked := &p.asked
	if len(asked.subscribes) == 0 {
		return Subscription{}, false
	}
	to, asked.subscribes = asked.subscribes[0], asked.subscribes[1:]
	return to, true
}

// SlowAssign makes the next assignment that this process computes as leader take d longer.
func (p *client) SlowAssign(d time.Duration) { p.asked.slowAssign += d }

// FreezeInAssign makes the process freeze as a whole, for d, when it begins its next assignment as leader.
func (p *client) FreezeInAssign(d time.Duration) {
	p.asked.freeze = true
	p.asked.freezeInAssign += d
}

// slowsAssign returns how much longer the assignment takes that this leader begins, and freezes the process in it, if
// either was asked for.
func (p *client) slowsAssign() time.Duration {
	asked := &p.asked
	if asked.freeze {
		p.emit(Effect{Kind: Freeze, For: asked.freezeInAssign})
		asked.freeze, asked.freezeInAssign = false, 0
	}
	longer := asked.slowAssign
	asked.slowAssign = 0
	return longer
}

// SlowRevoke makes the next call of onPartitionsRevoked that revokes anything take d longer.
func (p *client) SlowRevoke(d time.Duration) { p.asked.slowRevoke += d }

// ThrowInCallback makes the next call of the listener that is about any partitions throw, when it returns.
func (p *client) ThrowInCallback() { p.asked.throw = true }

// throwsNow reports whether the call of the listener that returns, and was about these partitions, throws.
func (p *client) throwsNow(partitions []wire.TopicPartition) bool {
	threw := p.asked.throw && len(partitions) > 0
	p.asked.throw = p.asked.throw && !threw
	return threw
}

// Pending says which callbacks that were to go on differently have not come yet.
type Pending struct{ SlowAssign, FreezeInAssign, SlowRevoke, Throw bool }

// Pending returns what SlowAssign, FreezeInAssign, SlowRevoke and ThrowInCallback asked for in vain so far.
func (p *client) Pending() Pending {
	asked := &p.asked
	return Pending{asked.slowAssign > 0, asked.freeze, asked.slowRevoke > 0, asked.throw}
}

// CloseOptions are those of close() (KIP-1092). The zero value is what close() without options does.
// Kafka: CloseOptions.
type CloseOptions struct {
	Timeout   *time.Duration // how long close() waits for the coordinator, from 0; nil: 30 s
	Operation MembershipOperation
}
