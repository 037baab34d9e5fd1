package consumers

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// closeStage is how far close() has come. Kafka: ConsumerCoordinator.close, AbstractCoordinator.close.
type closeStage uint8

const (
	notClosing   closeStage = iota
	closeCommits            // the last commit, synchronously
	closeLeaves             // callback, then LeaveGroup
	closeDrains             // waits for what is outstanding
)

// beginClose is the application's call of close().
func (p *Process) beginClose() {
	p.poll.closing = closeCommits
	p.poll.commit = commitNone
	p.poll.hook = hookNone
	p.poll.lookups = lookups{}
	p.poll.closeUntil = p.now.Add(min(closeTimeout, p.plan.Config.RequestTimeout))
	p.continueClose()
}

func (p *Process) continueClose() {
	if p.poll.closing == closeCommits && p.commitOnClose() {
		p.poll.closing = closeLeaves
		p.heartbeat.enabled = false
	}
	if p.poll.closing == closeLeaves && p.leaveOnClose() {
		p.poll.closing = closeDrains
	}
	if p.poll.closing == closeDrains {
		if p.pendingOn(CoordinatorConn) < 0 || p.now >= p.poll.closeUntil {
			reason := trace.Stopped
			if p.poll.crashed {
				reason = trace.Failed
			}
			p.exit(reason)
			return
		}
		p.wait(WaitClose, p.poll.closeUntil)
	}
}

// commitOnClose makes the last commit, retrying within the time of close(). It reports whether that is
// over. An unknown coordinator is looked for as long.
// Kafka: ConsumerCoordinator.commitOffsetsSync.
func (p *Process) commitOnClose() bool {
	if !p.plan.Config.AutoCommit || p.poll.fatal != wire.None || p.now >= p.poll.closeUntil || p.state != stable || !p.positions.known || len(p.assigned) == 0 {
		return true
	}
	if p.poll.commit == commitDone {
		return true
	}
	if p.poll.commit == commitRetriable {
		p.poll.commit = commitNone
		p.sleepBeforeLookup()
	}
	again := p.poll.closeUntil
	switch {
	case p.now < p.poll.lookups.sleepUntil:
		again = min(again, p.poll.lookups.sleepUntil)
	case p.coordinatorUnknown():
		if !p.findCoordinator() {
			p.sleepBeforeLookup()
			again = min(again, p.poll.lookups.sleepUntil)
		}
	case p.poll.commit == commitNone:
		p.sendCommit()
	}
	p.wait(WaitClose, min(again, p.nextHeartbeat()))
	return false
}

// leaveOnClose gives up what is assigned and leaves the group. It reports false while the callback runs.
// Kafka: ConsumerCoordinator.onLeavePrepare, AbstractCoordinator.maybeLeaveGroup.
func (p *Process) leaveOnClose() bool {
	if p.poll.hook != hookDone && !p.giveUp() {
		return false
	}
	p.sendLeave("the consumer is being closed")
	p.state, p.generation, p.member = unjoined, wire.NoGeneration, ""
	return true
}
