package consumers

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// commitSync commits for as long as the running poll(), or close(), lasts. It reports whether that is over, with
// whatever result. kafka-python: ConsumerCoordinator._commit_offsets_sync_async.
func (p *kafkaPython) commitSync() bool {
	c := &p.commit
	if !p.plan.Config.AutoCommit || !p.hasPositions() || c.state == commitDone || p.now >= p.poll.ends {
		return true
	}
	switch {
	case c.state == commitSent:
		p.wait(WaitCommit, p.poll.ends)
		return false
	case p.now < c.retryAt:
		p.wait(WaitBackoff, min(c.retryAt, p.poll.ends))
		return false
	case !p.coordinatorReady():
		return false
	case p.state != stable:
		return true
	}
	c.awaitedCommit = awaitedCommit{state: commitSent, ticket: p.requestCommit()}
	p.wait(WaitCommit, p.poll.ends)
	return false
}

// autoCommit commits in poll() once the interval has passed; nobody waits for the answer.
// kafka-python: ConsumerCoordinator._maybe_auto_commit_offsets_async.
func (p *kafkaPython) autoCommit() {
	if !p.plan.Config.AutoCommit || p.now < p.poll.autoCommitAt {
		return
	}
	p.poll.autoCommitAt = p.now.Add(p.plan.Config.AutoCommitInterval)
	p.commitAsync()
}

// commitAsync commits if there is anything to commit, and a membership to commit it under.
func (p *kafkaPython) commitAsync() {
	if p.hasPositions() && p.state == stable && !p.coordinatorUnknown() {
		p.requestCommit()
	}
}

// commitAnswered handles an OffsetCommit response, whatever has become of the membership that it was sent under.
// kafka-python: ConsumerCoordinator._handle_offset_commit_response.
func (p *kafkaPython) commitAnswered(sent pendingRequest, err wire.Err) {
	p.recordAnswer(trace.CommitAnswered, sent.member, err)
	awaited := p.commit.state == commitSent && p.commit.ticket == sent.ticket
	fate := commitDone
	switch err {
	case wire.CoordinatorLoadInProgress, wire.UnknownTopicOrPartition:
		fate = commitRetriable
	case wire.NetworkException, wire.NotCoordinator, wire.CoordinatorNotAvailable, wire.RequestTimedOut:
		p.coordinatorDead("commit failed: " + err.String())
		fate = commitRetriable
	case wire.RebalanceInProgress:
		p.requestRejoin("offset commit failed since group is already rebalancing")
	case wire.IllegalGeneration:
		p.reset(wire.OffsetCommit, err, p.member)
	case wire.UnknownMemberID:
		p.reset(wire.OffsetCommit, err, "")
	case wire.FencedInstanceID:
		if !awaited {
			p.poll.fatal = err
			p.cutLull()
		}
	}
	if err != wire.None {
		p.commitLost()
	}
	again := p.now.Add(p.plan.Config.RetryBackoff)
	switch {
	case awaited:
		p.commit.state, p.commit.retryAt = fate, again
	case fate == commitRetriable:
		p.poll.autoCommitAt = min(p.poll.autoCommitAt, again)
	}
}
