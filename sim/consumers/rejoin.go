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

// sendBuilt sends what was built.
func (p *Process) sendBuilt() {
	if p.poll.hook == hookBegun {
		p.continuePoll()
		return
	}
	if p.join.stage == noJoin {
		p.sendJoin()
		p.waitInPoll(WaitJoinResponse, p.nextHeartbeat())
		return
	}
	if p.sendSync(); p.join.stage == joinFailed {
		p.continuePoll()
		return
	}
	p.waitInPoll(WaitSyncResponse, p.nextHeartbeat())
}

// resetMeanwhile is the reason of a member that the heartbeat thread took out of its group after SyncGroup was
// answered and before poll() took the assignment.
func (p *Process) resetMeanwhile() string {
	return fmt.Sprintf("rebalance failed since the generation/state was modified by heartbeat thread to "+
		"Generation{generationId=%d, memberId='%s', protocol='null'}/UNJOINED before the rebalance callback triggered",
		p.generation, p.member)
}
