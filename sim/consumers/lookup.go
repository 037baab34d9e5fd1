package consumers

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Versions of the requests that a Java 4.4 consumer sends.
const (
	joinVersion      = 9
	syncVersion      = 5
	heartbeatVersion = 4
	leaveVersion     = 5
	commitVersion    = 9
	fetchVersion     = 9
	findVersion      = 6
	protocolBytes    = 3 // of the consumer protocol: subscription and assignment
)

// coordinatorUnknown reports whether there is no coordinator to talk to. Asking counts: a coordinator
// whose connection failed and is still in its back-off is forgotten.
// Kafka: AbstractCoordinator.coordinatorUnknown, checkAndGetCoordinator.
func (p *Process) coordinatorUnknown() bool {
	if p.coordinator >= 0 && p.conns[CoordinatorConn].unavailable(p.now) {
		p.coordinatorLost("coordinator unavailable", false)
	}
	return p.coordinator < 0
}

// coordinatorLost forgets the coordinator and, where we are the ones who give it up, closes its connection.
// Kafka: AbstractCoordinator.markCoordinatorUnknown.
func (p *Process) coordinatorLost(why string, disconnect bool) {
	if p.coordinator < 0 {
		return
	}
	p.coordinator = -1
	p.lookup = 0
	p.record(trace.Event{Kind: trace.CoordinatorLost, Member: p.member, Text: why})
	if disconnect {
		p.disconnect(CoordinatorConn)
	}
}

// findCoordinator asks a broker who coordinates the group, unless that is under way.
// Kafka: AbstractCoordinator.lookupCoordinator.
func (p *Process) findCoordinator() {
	if p.lookup != 0 {
		return
	}
	p.send(NodeConn, wire.Request{API: wire.FindCoordinator, Version: findVersion}, p.plan.Config.RequestTimeout)
	p.lookup = p.tickets
}

// coordinatorFound handles the answer. Kafka: FindCoordinatorResponseHandler.
func (p *Process) coordinatorFound(sent pendingRequest, r wire.Response) {
	if p.lookup != sent.ticket {
		return
	}
	p.lookup = 0
	if r.Err != wire.None {
		p.lookupFailed()
		return
	}
	p.coordinator = r.Body.(*wire.FindCoordinatorResponse).Broker
	p.record(trace.Event{Kind: trace.CoordinatorFound, Member: p.member})
	p.connect(CoordinatorConn)
	p.heartbeat.sessionUntil = p.now.Add(p.plan.Config.SessionTimeout)
}

// lookupFailed lets a poll thread that waits for the coordinator sleep before the next try.
func (p *Process) lookupFailed() {
	p.lookup = 0
	if p.poll.wait.Kind == WaitCoordinator {
		p.sleepBeforeLookup()
	}
}

// ensureCoordinator reports whether the coordinator is known; if not it looks for it, and the poll thread
// waits for the answer for as long as poll() lasts. The number of attempts starts anew at each poll().
// Kafka: AbstractCoordinator.ensureCoordinatorReady.
func (p *Process) ensureCoordinator() bool {
	if !p.coordinatorUnknown() {
		p.poll.lookedUp = false
		return true
	}
	if until := max(p.poll.backoffUntil, p.bootstrapped); p.now < until {
		p.waitInPoll(WaitBackoff, until)
		return false
	}
	if p.poll.lookedUp && p.lookup == 0 {
		// A lookup succeeded, but the connection to the coordinator is still in its back-off.
		p.poll.lookedUp = false
		p.sleepBeforeLookup()
		p.waitInPoll(WaitBackoff, p.poll.backoffUntil)
		return false
	}
	p.findCoordinator()
	p.poll.lookedUp = true
	p.waitInPoll(WaitCoordinator, p.poll.ends)
	return false
}

func (p *Process) sleepBeforeLookup() {
	p.poll.backoffUntil = p.now.Add(p.retryBackoff(p.poll.attempts))
	p.poll.attempts++
}
