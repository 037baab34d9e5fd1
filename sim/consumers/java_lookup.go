package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// lookups are those for the coordinator that the running poll(), or close(), makes.
type lookups struct {
	made       bool // one that is not known to have failed
	failed     int
	sleepUntil clock.Time // back-off before the next one
}

// coordinatorUnknown reports whether there is no coordinator to talk to. Asking counts: a coordinator
// whose connection failed and is still in its back-off is forgotten.
// Kafka: AbstractCoordinator.coordinatorUnknown, checkAndGetCoordinator.
func (p *java) coordinatorUnknown() bool {
	if p.coordinator >= 0 && p.conns[CoordinatorConn].unavailable(p.now) {
		p.coordinatorLost("coordinator unavailable", false)
	}
	return p.coordinator < 0
}

// coordinatorLost forgets the coordinator and, where we are the ones who give it up, closes its connection.
// Kafka: AbstractCoordinator.markCoordinatorUnknown.
func (p *java) coordinatorLost(why string, disconnect bool) {
	if p.forgetCoordinator(why) && disconnect {
		p.disconnect(CoordinatorConn)
	}
}

// coordinatorErred gives the coordinator up because of an error that it answered with.
func (p *java) coordinatorErred(err wire.Err) {
	p.coordinatorLost("error response "+err.String(), true)
}

// ensureCoordinator reports whether the coordinator is known; if not it looks for it, and the poll thread
// waits for the answer for as long as poll() lasts. The number of attempts starts anew at each poll().
// Kafka: AbstractCoordinator.ensureCoordinatorReady.
func (p *java) ensureCoordinator() bool {
	l := &p.poll.lookups
	if !p.coordinatorUnknown() {
		*l = lookups{}
		return true
	}
	if until := p.lookUp(); p.now < until {
		p.waitInPoll(WaitBackoff, until)
		return false
	}
	p.waitInPoll(WaitCoordinator, p.poll.ends)
	return false
}

// lookUp makes the next lookup for poll() or close(), unless one is under way. It returns until when the back-off
// before it lasts.
// Kafka: AbstractCoordinator.ensureCoordinatorReady.
func (p *java) lookUp() (sleeps clock.Time) {
	l := &p.poll.lookups
	if l.made && !p.lookingUp {
		// A lookup succeeded, but the connection to the coordinator is still in its back-off.
		p.sleepBeforeLookup()
	}
	if sleeps = max(l.sleepUntil, p.bootstrapped); p.now < sleeps {
		return sleeps
	}
	if !p.findCoordinator() {
		p.sleepBeforeLookup()
		return l.sleepUntil
	}
	l.made = true
	return sleeps
}

// findCoordinator asks a broker who coordinates the group, unless that is under way. It reports false when
// there is no broker to ask, because the connection is in its back-off.
// Kafka: AbstractCoordinator.lookupCoordinator.
func (p *java) findCoordinator() bool {
	if p.lookingUp {
		return true
	}
	if p.conns[NodeConn].unavailable(p.now) {
		return false
	}
	p.send(NodeConn, p.findRequest(), p.plan.Config.RequestTimeout)
	p.lookingUp = true
	return true
}

// coordinatorFound handles the answer. A leader whose metadata have blinked meanwhile, which it compares with those that
// it assigned from, rejoins. Kafka: FindCoordinatorResponseHandler, ConsumerCoordinator.rejoinNeededOrPending.
func (p *java) coordinatorFound(r wire.Response) {
	p.lookingUp = false
	if r.Err != wire.None {
		if !mayPass(r.Err) {
			p.poll.fatal = r.Err
		}
		p.lookupFailed()
		return
	}
	p.takeCoordinator(r.Body.(*wire.FindCoordinatorResponse).Broker)
	if c := &p.conns[CoordinatorConn]; c.state == disconnected && c.broker != p.coordinator {
		c.failed, c.failures = false, 0 // the back-off is that of the connection to another broker
	}
	p.connect(CoordinatorConn)
	p.heartbeat.sessionUntil = p.now.Add(p.plan.Config.SessionTimeout)
	if p.blinked && p.leading && p.state == stable {
		p.requestRejoin("cached metadata has changed")
	}
	p.blinked = false
}

// lookupFailed lets a poll thread that waits for the coordinator sleep before the next try.
func (p *java) lookupFailed() {
	if k := p.poll.wait.Kind; k == WaitCoordinator || k == WaitClose {
		p.sleepBeforeLookup()
	}
}

// sleepBeforeLookup makes the next lookup, or the next commit of close(), wait for the retry back-off, and
// before it for a broker that can be asked.
func (p *java) sleepBeforeLookup() {
	l := &p.poll.lookups
	from := p.now
	if node := &p.conns[NodeConn]; node.unavailable(p.now) {
		from = node.retryAt
	}
	l.sleepUntil = from.Add(p.retryBackoff(l.failed))
	l.failed++
	l.made = false
}
