package consumers

import (
	"simulate/sim/random"
	"simulate/sim/trace"
)

// listenerCall is the call of the application's ConsumerRebalanceListener that runs.
type listenerCall struct {
	kind   callbackKind
	losing bool // onPartitionsLost, not onPartitionsRevoked
}

// callbackKind names a call of the listener.
type callbackKind uint8

const (
	noCallback callbackKind = iota
	givingUp                // onPartitionsRevoked or onPartitionsLost, of everything that is assigned
	taking                  // onPartitionsAssigned
)

// callback calls the listener. It reports whether the call has returned already; if not, the poll thread
// waits in it. Kafka also calls the listener with empty sets; such calls take no time here.
func (p *Process) callback(kind callbackKind, takes random.Distribution) bool {
	p.poll.listener = listenerCall{kind: kind, losing: p.membershipIsLost()}
	if kind == taking {
		p.record(trace.Event{
			Kind: trace.PartitionsAssigned, Member: p.member, Generation: p.generation, Partitions: p.assigned,
		})
	}
	if len(p.assigned) > 0 {
		if d := p.env.Listen.Draw(takes); d > 0 {
			p.wait(WaitListener, p.now.Add(d))
			return false
		}
	}
	p.callbackReturned()
	return true
}

// callbackReturned does what follows the callback. What was revoked counts as held until it returns.
func (p *Process) callbackReturned() {
	switch p.poll.listener.kind {
	case givingUp:
		kind := trace.PartitionsRevoked
		if p.poll.listener.losing {
			kind = trace.PartitionsLost
		}
		if len(p.assigned) > 0 {
			p.record(trace.Event{Kind: kind, Member: p.member, Generation: p.generation, Partitions: p.assigned})
		}
		p.assigned, p.positions = nil, positions{}
		p.poll.hook.stage = hookDone
	case taking:
		p.join = joinFuture{}
		p.needsPrepare = true
	}
	p.poll.listener = listenerCall{}
}
