package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// saramaOffsetManager commits what the handlers have marked: every second from a goroutine of its own, and once more when
// claims end. sarama: offsetManager.
type saramaOffsetManager struct {
	running bool
	marked  bool       // without records: the application has asked for a commit
	knows   bool       // the coordinator, which it looks for itself
	calls   bool       // its goroutine waits for an answer
	wakes   clock.Time // the next tick, clock.Never while it does not run
	left    int        // tries of the last commit
}

func (p *sarama) offsetsBegin() {
	p.offsets = saramaOffsetManager{wakes: clock.Never}
	if p.plan.Config.AutoCommit {
		p.offsets.running, p.offsets.wakes = true, p.now.Add(p.plan.Config.AutoCommitInterval)
	}
}

func (p *sarama) offsetsEnd() { p.offsets = saramaOffsetManager{wakes: clock.Never} }

// dirty reports whether something is marked that is not committed.
func (p *sarama) dirty() bool { return p.offsets.marked || p.uncommitted() }

// offsetsDue returns when the goroutine has something to do: a tick with nothing to commit is no event.
func (p *sarama) offsetsDue() clock.Time {
	if !p.offsets.running || !p.dirty() {
		return clock.Never
	}
	return p.offsets.wakes
}

// offsetsWake commits if the tick has come, or if the application asks for it. It reports whether anything was done.
func (p *sarama) offsetsWake() bool {
	o := &p.offsets
	asked := p.asked.commit
	p.asked.commit = false
	if asked && p.consume.stage == saramaInSession && len(p.assigned) > 0 && !p.loaded() {
		o.marked = true
	}
	ticks := o.running && p.now >= o.wakes
	for o.running && p.now >= o.wakes {
		o.wakes = o.wakes.Add(p.plan.Config.AutoCommitInterval)
	}
	if o.calls || !ticks && !asked || p.session.rejoining || !p.dirty() {
		return false
	}
	o.calls = true
	p.commit(saramaOffsetsCaller)
	return true
}

// commit sends what is marked, after looking for the coordinator if need be. sarama: offsetManager.flushToBroker.
func (p *sarama) commit(caller saramaCaller) {
	if !p.offsets.knows {
		p.inquire(caller, wire.FindCoordinator)
		return
	}
	r := wire.Request{
		API: wire.OffsetCommit, Version: p.profile.versions.commit, Member: p.member, Instance: p.instance(),
		Generation: p.generation,
	}
	if p.loaded() {
		r.Body = p.handledBody(true)
	} else {
		r.Body = p.commitBody()
	}
	p.call(caller, CoordinatorConn, r)
}

// offsetsInformed goes on when the coordinator was looked for.
func (p *sarama) offsetsInformed(caller saramaCaller, ok bool) {
	if ok {
		p.offsets.knows = true
		p.commit(caller)
		return
	}
	p.commitEnds(caller)
}

// commitAnswered handles an OffsetCommit response. After most errors the coordinator is looked for anew.
// sarama: offsetManager.handleResponse.
func (p *sarama) commitAnswered(caller saramaCaller, sent pendingRequest, err wire.Err) {
	o := &p.offsets
	p.recordAnswer(trace.CommitAnswered, sent.member, err)
	if err != wire.None {
		p.commitLost()
	}
	switch err {
	case wire.None:
		o.marked = false
	case wire.CoordinatorLoadInProgress:
	case wire.FencedInstanceID:
		p.cancel("group instance id has been fenced")
	default:
		o.knows = false
		if err == wire.NetworkException {
			p.disconnect(sent.conn)
		}
	}
	p.commitEnds(caller)
}

func (p *sarama) commitEnds(caller saramaCaller) {
	if caller == saramaConsumeCaller {
		p.flush()
		return
	}
	p.offsets.calls = false
	if p.consume.stage == saramaFlushes {
		p.flush()
	}
}

// beginFlush commits once more what is marked, when the goroutine has ended that does so: four times at most.
// sarama: offsetManager.Close, removePartitions.
func (p *sarama) beginFlush() {
	p.at(saramaFlushes, WaitCommit, clock.Never)
	p.offsets.left = saramaCommitRetries + 1
	p.offsets.running = p.session.reconciling && p.offsets.running
	if !p.offsets.calls {
		p.flush()
	}
}

func (p *sarama) flush() {
	o := &p.offsets
	switch {
	case o.left > 0 && p.plan.Config.AutoCommit && p.dirty():
		o.left--
		p.commit(saramaConsumeCaller)
	case p.session.reconciling:
		p.adopt()
	default:
		p.beginQuieting()
	}
}
