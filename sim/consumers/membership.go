package consumers

import (
	"fmt"

	"simulate/sim/wire"
)

// joinStage is how far the join that is under way has come. Kafka: AbstractCoordinator.joinFuture.
type joinStage uint8

const (
	noJoin        joinStage = iota
	joinSent                // JoinGroup is outstanding
	joinAnswered            // SyncGroup has to be built
	syncSent                // SyncGroup is outstanding
	joinSucceeded           // SyncGroup was answered; the post-join hook is due
	joinFailed
)

type joinFuture struct {
	stage      joinStage
	ticket     wire.Ticket
	answer     *wire.JoinGroupResponse
	assignment []wire.TopicPartition
	failure    failure
}

// hookStage says how far the pre-join hook has come, which poll() may leave and enter again.
type hookStage uint8

const (
	hookNone   hookStage = iota
	hookBegun            // the poll thread has noticed that it has to rejoin
	hookCommit           // waits for its commit
	hookDone             // its callback has run
)

// membershipStep does what poll() does for the group: a member that has nothing to do in its group still
// looks for the coordinator first. It reports false when the poll thread waits for something else than
// records.
func (p *Process) membershipStep() bool { return p.ensureCoordinator() && p.joinStep() }

// joinStep advances the join as far as it goes without blocking. It reports whether the member is in its
// group. Kafka: AbstractCoordinator.joinGroupIfNeeded.
func (p *Process) joinStep() bool {
	for p.rejoinNeeded || p.join.stage != noJoin {
		if !p.ensureCoordinator() {
			return false
		}
		if p.needsPrepare {
			if !p.prepareJoin() {
				return false
			}
			p.needsPrepare, p.poll.hook, p.poll.hookUntil = false, hookNone, 0
		}
		switch p.join.stage {
		case noJoin:
			p.buildJoin()
			return false
		case joinSent:
			p.waitInPoll(WaitJoinResponse, p.nextHeartbeat())
			return false
		case joinAnswered:
			p.buildSync()
			return false
		case syncSent:
			p.waitInPoll(WaitSyncResponse, p.nextHeartbeat())
			return false
		case joinSucceeded:
			if p.generation == wire.NoGeneration || p.state != stable {
				p.join = joinFuture{}
				p.reset(false, wire.None, "SyncGroup", p.resetMeanwhile())
				continue
			}
			if !p.completeJoin() {
				return false
			}
		case joinFailed:
			if !p.retryJoin() {
				return false
			}
		}
	}
	return true
}

// resetMeanwhile is the reason of a member that the heartbeat thread took out of its group after SyncGroup was
// answered and before poll() took the assignment.
func (p *Process) resetMeanwhile() string {
	return fmt.Sprintf("rebalance failed since the generation/state was modified by heartbeat thread to "+
		"Generation{generationId=%d, memberId='%s', protocol='null'}/UNJOINED before the rebalance callback triggered",
		p.generation, p.member)
}

// prepareJoin is the pre-join hook: commit, then give up what is held. It reports whether it is done.
// Kafka: ConsumerCoordinator.onJoinPrepare.
func (p *Process) prepareJoin() bool {
	switch p.poll.hook {
	case hookNone:
		if len(p.assigned) > 0 {
			p.poll.hook = hookBegun
			p.wait(WaitRejoin, p.now.Add(noticeCost))
			return false
		}
		fallthrough
	case hookBegun:
		if p.poll.hookUntil == 0 {
			p.poll.hookUntil = p.now.Add(p.plan.Config.MaxPollInterval)
		}
		p.poll.hook = hookCommit
		p.poll.commit = commitNone
		if p.plan.Config.AutoCommit && p.canCommit() {
			p.sendCommit()
		}
	case hookDone:
		return true
	}
	switch p.poll.commit {
	case commitSent:
		if p.now < p.poll.hookUntil {
			p.waitInPoll(WaitCommit, min(p.poll.hookUntil, p.nextHeartbeat()))
			return false
		}
	case commitRetriable:
		if p.now < p.poll.hookUntil {
			p.poll.hook = hookBegun
			p.waitInPoll(WaitBackoff, p.now.Add(p.plan.Config.RetryBackoff))
			return false
		}
	}
	return p.giveUp()
}

// giveUp takes away everything that is assigned: lost when the membership is, revoked otherwise. It
// reports false while a callback runs.
func (p *Process) giveUp() bool {
	p.leading = false
	takes := p.plan.OnRevoke
	if p.membershipIsLost() {
		takes = p.plan.OnLost
	}
	if len(p.assigned) == 0 {
		p.poll.hook = hookDone
		return true
	}
	return p.callback(givingUp, takes)
}
