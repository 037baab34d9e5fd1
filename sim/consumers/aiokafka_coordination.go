package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// aioCoordination is the coroutine that keeps the member in its group. It does one thing at a time, and waits for each.
// aiokafka: GroupCoordinator.__coordination_routine.
type aioCoordination struct {
	stage        aioStage
	wait         Wait
	runs         bool // something that it may wait for has happened
	closing      bool
	prepared     bool // the commit and the listener before a join: not again before that has succeeded
	assigned     bool // it has had an assignment before
	idle         bool // it waits for the application to fetch again
	resubscribed bool // while it joined, whose result does not count then
	asked        bool // the process has asked for a member id before
	sleepUntil   clock.Time
	autoCommitAt clock.Time
	commit       pythonCommit
	listener     listenerCall
	answer       *wire.JoinGroupResponse
}

// aioStage is what the coordination is about.
type aioStage uint8

const (
	aioLooks   aioStage = iota // for what is to do next
	aioRests                   // there is nothing to do
	aioCommits                 // awaits a periodic commit
	aioErrs                    // an exception waits for the application to fetch it
	aioCloses                  // the last commit
	aioLeaves                  // awaits the answer to LeaveGroup

	// From here on it rejoins.

	aioPrepares // commits, and gives up what is assigned
	aioListens  // awaits the listener
	aioBuilds   // builds JoinGroup
	aioJoins    // awaits its answer
	aioAssigns  // builds SyncGroup, as leader with the assignment
	aioSyncs    // awaits its answer
)

// waits makes the coordination wait. It reports false, as advance does then.
func (p *aiokafka) waits(kind WaitKind, until clock.Time) bool {
	w := &p.coordination.wait
	since := p.now
	if w.Kind == kind {
		since = w.Since
	}
	*w = Wait{Kind: kind, Since: since, Until: until}
	return false
}

// coordinate lets the coordination go on until it waits.
func (p *aiokafka) coordinate() {
	p.coordination.runs = false
	for p.application.wait.Kind != WaitExited && p.advance() {
	}
}

// advance does what follows. It reports false when the coordination has to wait.
func (p *aiokafka) advance() bool {
	c := &p.coordination
	switch c.stage {
	case aioLooks, aioRests:
		return p.looks()
	case aioErrs:
		if p.application.exception != "" && !c.closing {
			return p.waits(WaitRecords, clock.Never)
		}
		c.stage = aioLooks
		return true
	case aioCloses:
		return p.closes()
	case aioPrepares:
		return p.prepares()
	case aioListens:
		return p.now >= c.wait.Until && p.listened()
	case aioBuilds:
		return p.now >= c.wait.Until && p.sendJoin()
	case aioAssigns:
		return p.now >= c.wait.Until && p.sendSync()
	}
	return false // an answer moves it on
}

// looks finds out what is to do next, and does it or waits for it.
func (p *aiokafka) looks() bool {
	c := &p.coordination
	c.stage = aioLooks
	switch {
	case p.now < c.sleepUntil:
		return p.waits(WaitBackoff, c.sleepUntil)
	case c.closing:
		c.stage, c.commit = aioCloses, pythonCommit{}
		return true
	case p.subscription.none():
		return p.waits(WaitSubscription, clock.Never)
	case !p.coordinatorKnown():
		return p.waits(WaitCoordinator, p.lookup.retryAt)
	}
	c.idle, c.resubscribed = false, false
	if p.noticeChanges(); p.rejoinNeeded {
		c.stage, c.commit = aioPrepares, pythonCommit{}
		return true
	}
	p.fetchPositions()
	if p.autoCommits() {
		c.stage = aioCommits
		return p.waits(WaitRecords, clock.Never)
	}
	c.stage = aioRests
	until := min(max(p.nextMetadata(), p.now.Add(pollCost)), p.nextPositions())
	if p.plan.Config.AutoCommit {
		until = min(until, c.autoCommitAt)
	}
	return p.waits(WaitRecords, until)
}

// noticeChanges lets a leader rejoin whose topics have other partitions than its assignment knew, and whoever
// subscribes by pattern when other topics match.
func (p *aiokafka) noticeChanges() {
	if p.refresh(); p.rejoinNeeded {
		return
	}
	if reason := p.takeNews(); reason != "" {
		p.requestRejoin(reason)
	}
}

// again lets the coordination begin anew after retry.backoff.ms.
func (p *aiokafka) again() {
	c := &p.coordination
	c.stage, c.sleepUntil, c.runs = aioLooks, p.now.Add(p.plan.Config.RetryBackoff), true
}

// fetchedAgain lets a coordination go on that has waited for the application to fetch; it looks for that every
// retry.backoff.ms.
func (p *aiokafka) fetchedAgain() {
	c := &p.coordination
	each := p.plan.Config.RetryBackoff
	c.sleepUntil = c.wait.Since.Add((p.now.Sub(c.wait.Since)/each + 1) * each)
	c.idle, c.runs = false, true
}

// pushError lets the application have an exception, and waits until it has.
// aiokafka: GroupCoordinator._push_error_to_user.
func (p *aiokafka) pushError(err wire.Err) { p.pushException(err, pythonError(exceptionName(err))) }

func (p *aiokafka) pushException(err wire.Err, exception string) {
	p.application.raises, p.application.exception = err, exception
	p.coordination.stage, p.coordination.runs = aioErrs, true
	p.returns(true)
}

// prepares commits and calls the listener once for a rebalance, then ends the heartbeats and joins, unless the
// application is idle. aiokafka: GroupCoordinator.ensure_active_group, _on_join_prepare.
func (p *aiokafka) prepares() bool {
	c := &p.coordination
	if !c.prepared {
		if !p.commitsAll() {
			return false
		}
		if c.prepared = true; len(p.assigned) > 0 && !p.callback(givingUp, p.assigned) {
			return false
		}
	}
	p.heartbeat.runs, p.leading = false, false
	if c.assigned && p.idles() {
		c.stage, c.idle = aioLooks, true
		p.waits(WaitRecords, clock.Never)
		return c.closing
	}
	if p.subscription.pattern != nil {
		p.refreshNow()
	}
	p.buildJoin()
	return false
}

// callback calls the listener, which awaits something: the loop goes on. It reports whether the call has returned
// already.
func (p *aiokafka) callback(kind callbackKind, partitions []wire.TopicPartition) bool {
	c := &p.coordination
	c.listener = listenerCall{kind: kind, partitions: partitions}
	if d := p.beginCall(&c.listener); d > 0 {
		c.stage = aioListens
		p.waits(WaitListener, p.now.Add(d))
		return false
	}
	p.settle(c.listener)
	return true
}

// listened goes on when the listener has returned.
func (p *aiokafka) listened() bool {
	c := &p.coordination
	since := c.wait.Since
	p.settle(c.listener)
	p.endCall(c.listener, since)
	if c.stage = aioPrepares; c.listener.kind == taking {
		p.inGroup()
	}
	return true
}

// settle applies a callback to what is held.
func (p *aiokafka) settle(call listenerCall) {
	p.throwsNow(call.partitions) // which is only logged
	if call.kind == taking {
		return
	}
	p.letGo(call)
}

// closes makes the last commit, gives up what is assigned without a call of the listener, and leaves the group.
// aiokafka: GroupCoordinator.close.
func (p *aiokafka) closes() bool {
	if !p.commitsAll() {
		return false
	}
	p.heartbeat = aioHeartbeat{}
	if len(p.assigned) > 0 {
		p.settle(listenerCall{kind: givingUp, partitions: p.assigned})
	}
	p.coordination.stage = aioLeaves
	if p.sendLeave(leavesClosing) {
		p.heartbeat.ticket = p.tickets
		return p.waits(WaitClose, clock.Never)
	}
	p.exit()
	return false
}

func (p *aiokafka) exit() {
	p.await(WaitExited, clock.Never)
	if p.application.failed {
		p.exits(trace.Failed)
		return
	}
	p.exits(trace.Stopped)
}
