package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// closing is the running close().
type closing struct {
	stage  closeStage
	until  clock.Time // when it gives up what it waits for
	failed bool       // it follows an exception from poll()
}

// closeStage is how far close() has come. Kafka: ConsumerCoordinator.close, AbstractCoordinator.close.
type closeStage uint8

const (
	notClosing   closeStage = iota
	closeCommits            // the last commit, synchronously
	closeLeaves             // callback, then LeaveGroup
	closeDrains             // waits for what is outstanding
)

func (p *java) closing() bool { return p.poll.closing.stage != notClosing }

// beginClose is the application's call of close().
func (p *java) beginClose() {
	p.poll.closing.stage = closeCommits
	timeout := closeTimeout
	if t := p.asked.closing.Timeout; t != nil {
		timeout = *t
	}
	p.poll.closing.until = p.now.Add(min(timeout, p.plan.Config.RequestTimeout))
	p.poll.commit, p.poll.hook, p.poll.lookups = awaitedCommit{}, preJoinHook{}, lookups{}
	p.continueClose()
}

func (p *java) continueClose() {
	c := &p.poll.closing
	if c.stage == closeCommits && p.commitOnClose() {
		c.stage = closeLeaves
		p.heartbeat.enabled = false
	}
	if c.stage == closeLeaves && p.leaveOnClose() {
		c.stage = closeDrains
	}
	if c.stage != closeDrains {
		return
	}
	switch {
	case p.pendingOn(CoordinatorConn) >= 0 && p.now < c.until:
		p.wait(WaitClose, c.until)
	case c.failed:
		p.exit(trace.Failed)
	default:
		p.exit(trace.Stopped)
	}
}

// commitOnClose makes the last commit, retrying within the time of close(). It reports whether that is
// over. An unknown coordinator is looked for as long.
// Kafka: ConsumerCoordinator.commitOffsetsSync.
func (p *java) commitOnClose() bool {
	commit, lookups, until := &p.poll.commit, &p.poll.lookups, p.poll.closing.until
	idle := !p.plan.Config.AutoCommit || !p.hasPositions() || p.state != stable || p.poll.fatal != wire.None
	if idle || commit.state == commitDone || p.now >= until {
		return true
	}
	if commit.state == commitRetriable {
		commit.state = commitNone
		p.sleepBeforeLookup()
	}
	if p.now >= lookups.sleepUntil {
		switch {
		case p.coordinatorUnknown():
			p.lookUp()
		case commit.state == commitNone:
			p.sendCommit()
		}
	}
	if p.now < lookups.sleepUntil {
		until = min(until, lookups.sleepUntil)
	}
	p.wait(WaitClose, min(until, p.nextHeartbeat()))
	return false
}

// leaveOnClose gives up what is assigned and leaves the group; Kafka Streams does neither. It reports false while the
// callback runs.
// Kafka: ConsumerCoordinator.onLeavePrepare, AbstractCoordinator.maybeLeaveGroup.
func (p *java) leaveOnClose() bool {
	if !p.plan.Config.LeaveOnClose {
		return true
	}
	if p.poll.hook.stage != hookDone && !p.giveUp(p.assigned) {
		return false
	}
	p.sendLeave(p.asked.closing.Operation, leavesClosing)
	p.state, p.generation, p.member = unjoined, wire.NoGeneration, ""
	return true
}
