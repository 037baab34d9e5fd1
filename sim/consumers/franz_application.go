package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// franzApp is the application's loop: PollFetches, which returns all that has arrived, then the handling of that. The
// group does not care, unless the application blocks rebalances from the one until it polls again.
type franzApp struct{ wait Wait }

func (p *franz) appWaits(kind WaitKind, d time.Duration) {
	p.app.wait = Wait{Kind: kind, Since: p.now, Until: p.now.Add(d)}
}

// strides returns the instant until which what the application does needs no steps of its own; 0 when it does.
func (p *franz) strides() clock.Time {
	until := p.nextDue()
	if p.plan.Config.BlockRebalance || !p.mayStride(p.app.wait.Kind, until, 0) {
		return 0
	}
	return until
}

func (p *franz) readsAt() clock.Time { return p.app.wait.Until }

// readOn goes on when PollFetches returns, or what it returned is handled.
func (p *franz) readOn() {
	switch p.app.wait.Kind {
	case WaitRecords:
		p.handles()
	case WaitStall:
		p.recordStallEnd(p.app.wait.Since)
		p.polls()
	default:
		p.polls()
	}
}

// handles handles what PollFetches has returned, after a stall if one was asked for.
func (p *franz) handles() {
	if d := p.asked.stall; d > 0 {
		p.asked.stall = 0
		p.appWaits(WaitStall, d)
		p.recordStall(d)
		return
	}
	n := p.fetchable(0)
	switch {
	case n > 0:
		p.take(n)
	case p.loaded():
		p.polls() // nothing came after all
		return
	}
	d := p.takes(n)
	if d == 0 {
		p.polls()
		return
	}
	p.appWaits(WaitProcessing, d)
	p.recordProcessing(n, d)
}

// polls calls PollFetches, which allows what was blocked, and lets commits say what was returned before.
func (p *franz) polls() {
	p.handleAll()
	p.appWaits(WaitRecords, max(p.plan.PollTimeout, time.Millisecond))
	if longest, ok := p.plan.Processing.Longest(); ok && longest == 0 {
		p.app.wait.Until = clock.Never // nothing comes of it
	}
	p.awaitRecords()
	if p.call.stage == franzCallBlocked {
		p.allowCall()
	}
}

// awaitRecords lets PollFetches return when there are records, if topics hold any.
func (p *franz) awaitRecords() {
	if p.loaded() && p.app.wait.Kind == WaitRecords {
		p.app.wait.Until = max(p.nextRecord(), p.app.wait.Since.Add(franzPollCycle), p.now)
	}
}

// blocks reports whether the application keeps the client from calling it back, and from leaving.
// kgo: BlockRebalanceOnPoll, consumer.waitAndAddRebalance.
func (p *franz) blocks() bool {
	k := p.app.wait.Kind
	return p.plan.Config.BlockRebalance && (k == WaitProcessing || k == WaitStall)
}

// Stall keeps the application from polling for d, beginning when it is done with what it handles; it adds to a stall
// that has begun. Inside PollFetches it begins at once: there are always records.
func (p *franz) Stall(d time.Duration, _ bool) {
	if p.app.wait.Kind == WaitStall {
		p.app.wait.Until = p.app.wait.Until.Add(d)
		return
	}
	p.asked.stall += d
	if p.app.wait.Kind == WaitRecords {
		p.app.wait.Until = p.now
	}
}

// Commit makes the application commit at once, or when the join that is under way is over.
func (p *franz) Commit() { p.asked.commit = true }

// EnforceRebalance lets the member rejoin at once. kgo: ForceRebalance.
func (p *franz) EnforceRebalance(bool) { p.asked.enforce = true }

// Stop makes the application close the client, whatever its loop does; only one that blocks rebalances handles its
// records first.
func (p *franz) Stop(o CloseOptions) { p.asked.stop, p.asked.closing = true, o }

// obey carries out what was asked from outside. It reports whether there was anything.
func (p *franz) obey() bool {
	switch {
	case p.asked.stop && !p.stopping && !p.blocks():
		p.cancel()
	case p.asked.commit:
		p.asked.commit = false
		p.wantsCommit()
	case p.asked.enforce:
		p.asked.enforce = false
		p.wantsRejoin("from ForceRebalance")
	case len(p.asked.subscribes) > 0:
		to := p.asked.subscribes[0]
		p.asked.subscribes = p.asked.subscribes[1:]
		p.consumes(to)
	default:
		return false
	}
	return true
}

// cancel ends the context of the group: the session ends, with its heartbeat and commits on their way; a join does not,
// for its answer is waited for. kgo: groupConsumer.leave.
func (p *franz) cancel() {
	p.stopping, p.commits.at = true, clock.Never
	p.cancelCommits()
	switch p.manage.stage {
	case franzBoots, franzNeedsTopics, franzBacksOff:
		p.leave()
	case franzAwaitsCommit:
		p.startJoin()
	case franzInSession:
		p.group.stage = franzRequestIdle
		p.loopErrs(wire.None)
		p.endSession()
	}
}

// franzLeaves is why a member says that it leaves.
const franzLeaves = "client leaving group per normal operation"

// leave tells the coordinator that a dynamic member goes, and waits for the answer. A static one stays, unless it
// gave partitions up that the group assigns only when it rejoins.
func (p *franz) leave() {
	if p.member == "" || p.who.Instance != "" && !p.owesJoin {
		p.exit(trace.Stopped)
		return
	}
	p.become(franzLeavesGroup, clock.Never)
	p.recordLeave(franzLeaves)
	p.ask(wire.LeaveGroup)
}
