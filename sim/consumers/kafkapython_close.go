package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// pythonClosing is the running close().
type pythonClosing struct {
	stage   closeStage
	timeout time.Duration // for its last commit, and again for the answer to LeaveGroup
	leaves  wire.Ticket   // of LeaveGroup, 0 when there is none to wait for
	until   clock.Time    // when it waits for that no longer
	failed  bool          // it follows an exception from poll()
}

// beginClose is the application's call of close().
// kafka-python: KafkaConsumer.close, ConsumerCoordinator.close.
func (p *kafkaPython) beginClose() {
	c := &p.closing
	c.stage, c.timeout = closeCommits, p.plan.Config.RequestTimeout
	if t := p.asked.closing.Timeout; t != nil {
		c.timeout = *t
	}
	p.poll.ends, p.poll.sleepUntil, p.poll.fetching = p.now.Add(c.timeout), 0, false
	p.commit, p.prepare = pythonCommit{}, pythonPreparation{}
	p.wait(WaitClose, p.poll.ends)
	p.continuePoll()
}

// continueClose goes on with close() as far as it goes without waiting: the last commit, the listener, LeaveGroup.
func (p *kafkaPython) continueClose() {
	c := &p.closing
	if c.stage == closeCommits {
		if p.poll.fatal == wire.None && !p.commitSync() {
			return
		}
		c.stage = closeLeaves
		if len(p.assigned) > 0 && !p.callback(givingUp, p.assigned) {
			return
		}
	}
	if c.stage == closeLeaves {
		c.stage, c.until = closeDrains, p.now.Add(c.timeout)
		p.heartbeat.enabled = false
		if p.sendLeave(leavesClosing) {
			c.leaves = p.tickets
		}
	}
	switch {
	case c.leaves > 0 && p.now < c.until:
		p.wait(WaitClose, c.until)
	case c.failed:
		p.exit(trace.Failed)
	default:
		p.exit(trace.Stopped)
	}
}

// leaveAnswered ends what waits for the answer to LeaveGroup: close(), or the heartbeat that gave the membership up.
func (p *kafkaPython) leaveAnswered(sent pendingRequest) {
	if sent.ticket == p.closing.leaves {
		p.closing.leaves = 0
	}
	if h := &p.heartbeat; h.awaits == pythonAwaitsLeave {
		h.awaits, h.wakeAt = pythonAwaitsNothing, p.now
		p.reset(wire.LeaveGroup, wire.None, "")
	}
}
