package consumers

import "simulate/sim/wire"

// pythonPreparation is what poll() does before a join: commit, then give up what must not be held any more.
type pythonPreparation struct {
	stage pythonPrepareStage
	lost  bool // the membership was forgotten before it began
}

// pythonPrepareStage is how far it has come.
type pythonPrepareStage uint8

const (
	pythonNotPreparing pythonPrepareStage = iota
	pythonPrepareCommits
	pythonPrepareListens
)

// prepared does that once for a rebalance, however often its joins fail. It reports false while it waits; when the
// time of poll() is over it commits no longer, but goes on. Heartbeats end only behind it.
// kafka-python: ConsumerCoordinator._on_join_prepare_async.
func (p *kafkaPython) prepared() bool {
	if p.rejoining {
		return true
	}
	if p.prepare.stage == pythonNotPreparing {
		p.prepare = pythonPreparation{stage: pythonPrepareCommits, lost: p.isLost() && len(p.assigned) > 0}
		p.commit = pythonCommit{}
	}
	if p.prepare.stage == pythonPrepareCommits {
		if !p.prepare.lost && !p.commitSync() {
			return false
		}
		p.prepare.stage = pythonPrepareListens
		if given := p.unwanted(); len(given) > 0 && !p.callback(givingUp, given) {
			return false
		}
	}
	p.prepare = pythonPreparation{}
	p.leading, p.rejoining, p.heartbeat.enabled = false, true, false
	return true
}

// isLost reports whether what is assigned counts as lost. kafka-python: Generation.is_lost.
func (p *kafkaPython) isLost() bool { return p.generation == wire.NoGeneration || p.member == "" }

// unwanted returns what a member gives up before it rejoins: everything when it is eager or has lost its membership,
// else the partitions of topics that it does not subscribe to any more.
func (p *kafkaPython) unwanted() []wire.TopicPartition {
	if !p.cooperative || p.prepare.lost {
		return p.assigned
	}
	return p.noLongerSubscribed()
}

// callback calls the listener on the event loop. It reports whether the call has returned already, and poll() goes on.
func (p *kafkaPython) callback(kind callbackKind, partitions []wire.TopicPartition) bool {
	losing := kind == givingUp && (p.prepare.lost || p.closing.stage != notClosing && p.isLost())
	p.poll.listener = listenerCall{kind: kind, losing: losing, partitions: partitions}
	if d := p.beginCall(&p.poll.listener); d > 0 {
		p.occupy(pythonListens, p.now.Add(d))
		return false
	}
	return p.callbackReturned()
}

// listenerReturned goes on when a call that took time is over. It reports whether poll() goes on.
func (p *kafkaPython) listenerReturned() bool {
	revoked := p.poll.listener.kind == revoking
	if !p.callbackReturned() {
		return false
	}
	return !revoked || p.takeAssignment()
}

// callbackReturned does what follows the callback. It reports false when the callback has raised: poll() then raises
// too, after all of that; close() only notes it.
func (p *kafkaPython) callbackReturned() bool {
	call := p.poll.listener
	p.poll.listener = listenerCall{}
	threw := p.throwsNow(call.partitions)
	switch call.kind {
	case revoking:
		p.poll.thrown, threw = threw, false
	case taking:
		threw, p.poll.thrown = threw || p.poll.thrown, false
	}
	since := p.poll.wait.Since
	p.settle(call)
	p.endCall(call, since)
	if !threw || p.closing.stage != notClosing {
		return true
	}
	p.prepare = pythonPreparation{}
	p.throws(wire.None, "KafkaError")
	return false
}

// settle applies a callback to what is held.
func (p *kafkaPython) settle(call listenerCall) {
	if call.kind == taking {
		return
	}
	p.letGo(call)
	if call.kind == revoking {
		p.requestRejoin("need to revoke partitions and re-join")
	}
}
