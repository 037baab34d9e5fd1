package consumers

import "simulate/sim/wire"

// joinStage is how far the join that is under way has come. Kafka: AbstractCoordinator.joinFuture.
type joinStage uint8

const (
	noJoin        joinStage = iota
	joinSent                // JoinGroup is outstanding
	joinAnswered            // SyncGroup is being built
	syncSent                // SyncGroup is outstanding
	joinSucceeded           // SyncGroup was answered; the post-join hook is due
	joinFailed
)

// joinFuture is the join that is under way; the zero one stands for none.
type joinFuture struct {
	stage      joinStage
	answer     *wire.JoinGroupResponse
	assignment []wire.TopicPartition
	generation wire.Generation // of the assignment
	failure    failure
}

// membershipStep does what poll() does for the group: a member that has nothing to do in its group still
// looks for the coordinator first. It reports false when the poll thread waits for something else than
// records.
func (p *java) membershipStep() bool {
	if !p.ensureCoordinator() {
		return false
	}
	p.noticeChanges()
	return p.joinStep()
}

// joinStep advances the join as far as it goes without blocking. It reports whether the member is in its
// group.
// Kafka: AbstractCoordinator.joinGroupIfNeeded.
func (p *java) joinStep() bool {
	for p.rejoinNeeded || p.join.stage != noJoin {
		if p.subscription.pattern != nil && !p.profile.matchesLate {
			p.refreshNow()
		}
		if !p.prepared() || !p.advanceJoin() {
			return false
		}
		p.noticeChanges() // that came while the join was under way
	}
	return true
}

// advanceJoin does what follows the stage of the join. It reports false when the poll thread has to wait.
func (p *java) advanceJoin() bool {
	switch p.join.stage {
	case noJoin:
		p.buildJoin()
	case joinSent:
		p.waitInPoll(WaitJoinResponse, p.nextHeartbeat())
	case syncSent:
		p.waitInPoll(WaitSyncResponse, p.nextHeartbeat())
	case joinSucceeded:
		return p.completeJoin()
	case joinFailed:
		return p.retryJoin()
	}
	return false
}

// built goes on when the poll thread has done what took it a moment: it begins the pre-join hook, or sends the
// request that it was building.
func (p *java) built() {
	if p.poll.hook.stage == hookNoticed {
		p.resumePoll()
		return
	}
	if p.join.stage == noJoin {
		if p.sendJoin(); p.join.stage == joinFailed {
			p.continuePoll()
			return
		}
		until := p.nextHeartbeat()
		if p.needsPrepare { // again: the membership was lost in the hook
			until = min(until, p.nextFetched(p.now))
		}
		p.waitInPoll(WaitJoinResponse, until)
		return
	}
	if p.sendSync(); p.join.stage == joinFailed {
		p.continuePoll()
		return
	}
	p.waitInPoll(WaitSyncResponse, p.nextHeartbeat())
}
