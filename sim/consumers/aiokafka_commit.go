package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// commitsAll makes the commit before a join, or the last one, and repeats it while that may help. It reports whether it
// is over. aiokafka: GroupCoordinator.commit_offsets.
func (p *aiokafka) commitsAll() bool {
	c := &p.coordination.commit
	switch {
	case !p.plan.Config.AutoCommit || !p.hasPositions() || c.state == commitDone:
		return true
	case p.coordination.closing && p.coordinator < 0: // for which nobody looks any more
		return true
	case c.state == commitSent:
		return p.waits(WaitCommit, clock.Never)
	case p.now < c.retryAt:
		return p.waits(WaitBackoff, c.retryAt)
	case !p.coordinatorKnown():
		return p.waits(WaitCoordinator, p.lookup.retryAt)
	}
	p.sendCommit()
	return p.waits(WaitCommit, clock.Never)
}

// autoCommits commits once the interval has passed. It reports whether the coordination awaits the answer.
// aiokafka: GroupCoordinator._maybe_do_autocommit.
func (p *aiokafka) autoCommits() bool {
	c := &p.coordination
	if !p.plan.Config.AutoCommit || p.now < c.autoCommitAt {
		return false
	}
	c.autoCommitAt = p.now.Add(p.plan.Config.AutoCommitInterval)
	if !p.hasPositions() {
		return false
	}
	p.sendCommit()
	return true
}

func (p *aiokafka) sendCommit() {
	p.coordination.commit.awaitedCommit = awaitedCommit{state: commitSent, ticket: p.requestCommit()}
}

// commitAnswered handles an OffsetCommit response. aiokafka: GroupCoordinator._do_commit_offsets.
func (p *aiokafka) commitAnswered(sent pendingRequest, err wire.Err) {
	p.recordAnswer(trace.CommitAnswered, sent.member, err)
	if err != wire.None {
		p.commitLost()
	}
	switch err {
	case wire.NotCoordinator, wire.CoordinatorNotAvailable, wire.RequestTimedOut:
		p.coordinatorDead("commit failed: " + err.String())
	case wire.RebalanceInProgress:
		p.requestRejoin("offset commit failed since group is already rebalancing")
	case wire.IllegalGeneration, wire.UnknownMemberID:
		p.reset(wire.OffsetCommit, err)
	}
	c := &p.coordination
	if c.commit.state != commitSent || c.commit.ticket != sent.ticket {
		return
	}
	again := p.now.Add(p.plan.Config.RetryBackoff)
	c.commit.state, c.commit.retryAt, c.runs = commitDone, again, true
	lost := err == wire.RebalanceInProgress || err == wire.IllegalGeneration || err == wire.UnknownMemberID
	switch {
	case mayPass(err) && c.stage != aioCommits:
		c.commit.state = commitRetriable
	case mayPass(err) || lost:
		c.autoCommitAt = min(c.autoCommitAt, again)
	case err != wire.None && c.stage == aioCommits:
		p.pushError(err)
		return
	}
	if c.stage == aioCommits {
		c.stage = aioLooks
	}
}

// positionsAnswered handles an OffsetFetch response.
func (p *aiokafka) positionsAnswered(sent pendingRequest, r wire.Response) {
	if p.positions.ticket != sent.ticket {
		return
	}
	p.positions.ticket = 0
	p.positions.retryAt, p.coordination.runs = p.now.Add(p.plan.Config.RetryBackoff), true
	switch {
	case r.Err == wire.None && p.takeOffsets(r):
		a := &p.application
		a.fetchAt = p.now
		if a.fetching {
			a.wait.Until = min(a.wait.Until, max(p.nextRecord(), p.now.Add(pollCost)))
		}
	case r.Err == wire.None:
		p.pushException(wire.None, "NoOffsetForPartitionError")
	case !mayPass(r.Err):
		p.pushError(r.Err)
	}
}
