package consumers

import "simulate/sim/wire"

// callback calls the listener. It reports whether the call has returned already; if not, the poll thread
// waits in it.
func (p *java) callback(kind callbackKind, partitions []wire.TopicPartition) bool {
	p.poll.listener = listenerCall{kind: kind, losing: kind == givingUp && p.membershipIsLost(), partitions: partitions}
	if d := p.beginCall(&p.poll.listener); d > 0 {
		p.wait(WaitListener, p.now.Add(d))
		return false
	}
	return p.callbackReturned()
}

// callbackReturned does what follows the callback. What was revoked counts as held until it returns. It reports
// false when the callback has thrown: poll() then throws too, after all of that; close() only notes it.
func (p *java) callbackReturned() bool {
	call := p.poll.listener
	p.poll.listener = listenerCall{}
	threw := p.throwsNow(call.partitions)
	switch call.kind { // what onPartitionsRevoked throws in the post-join hook waits for onPartitionsAssigned
	case revoking:
		p.poll.thrown, threw = threw, false
	case taking:
		threw, p.poll.thrown = threw || p.poll.thrown, false
	}
	since := p.poll.wait.Since
	p.settle(call, threw)
	p.endCall(call, since)
	if threw && !p.closing() {
		p.poll.unsubscribing = false
		p.throws(wire.None, "KafkaException")
		return false
	}
	return true
}

// settle applies a callback to what is held, and to the join that it belongs to. One that has thrown does not end
// its join: the next poll() calls the post-join hook again.
func (p *java) settle(call listenerCall, threw bool) {
	switch call.kind {
	case givingUp, revoking:
		p.letGo(call)
		if call.kind == givingUp {
			p.poll.hook.stage = hookDone
			return
		}
		p.requestRejoin("need to revoke partitions and re-join")
	case taking:
		if !threw {
			p.join = joinFuture{}
			p.needsPrepare = true
		}
	}
}
