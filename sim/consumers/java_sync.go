package consumers

import (
	"fmt"

	"simulate/sim/assignors"
	"simulate/sim/wire"
)

// buildSync lets the poll thread build a SyncGroup; the leader computes the assignment, holding the lock.
func (p *java) buildSync() {
	if !p.leading {
		p.wait(WaitRejoin, p.work(followerCost))
		return
	}
	takes := leadCost
	if !p.poll.warm.led {
		takes = firstLeadCost
	}
	p.poll.warm.led = true
	p.wait(WaitAssign, p.work(takes).Add(p.slowsAssign()))
}

// sendSync sends a SyncGroup: everybody's assignment if this member leads, nothing otherwise. The join fails
// with what the assignor throws.
// Kafka: AbstractCoordinator.onLeaderElected, onJoinFollower.
func (p *java) sendSync() {
	if p.coordinatorUnknown() {
		p.joinFails(failureOf(wire.CoordinatorNotAvailable))
		return
	}
	var given []wire.Assignment
	if p.leading {
		var err error
		if given, err = p.assign(p.join.answer); err != nil {
			p.joinFails(thrown(err))
			return
		}
	}
	p.send(CoordinatorConn, p.syncRequest(given), p.plan.Config.RequestTimeout)
	p.join = joinFuture{stage: syncSent}
}

// syncWasAnswered handles a SyncGroup response, in whichever thread reads it. Kafka: SyncGroupResponseHandler.
func (p *java) syncWasAnswered(sent pendingRequest, r wire.Response) {
	switch r.Err {
	case wire.None:
		p.synced(r.Body.(*wire.SyncGroupResponse))
		return
	case wire.IllegalGeneration, wire.UnknownMemberID:
		if p.unchanged(sent) {
			p.resetOnError(wire.SyncGroup, r.Err)
		}
	case wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.coordinatorErred(r.Err)
	case wire.NetworkException, wire.RebalanceInProgress, wire.FencedInstanceID:
	default:
		p.joinFails(unexpected(r.Err))
		return
	}
	p.joinFails(failureOf(r.Err))
}

// synced ends the join, unless the membership was given up while the SyncGroup was outstanding.
func (p *java) synced(answer *wire.SyncGroupResponse) {
	if p.generation == wire.NoGeneration || p.state != completing {
		p.joinFails(failureOf(wire.IllegalGeneration)) // so that the next attempt follows at once
		return
	}
	if answer.Protocol != "" && answer.Protocol != p.protocol {
		p.joinFails(failureOf(wire.InconsistentGroupProtocol))
		return
	}
	assigned, _, err := assignors.DecodeAssignment(answer.Assignment)
	if err != nil {
		p.joinFails(thrown(assignors.Exception("SchemaException")))
		return
	}
	p.state, p.rejoinNeeded, p.rejoinReason = stable, false, ""
	if p.profile.beatsIfStable {
		p.enableHeartbeat()
	}
	p.join = joinFuture{stage: joinSucceeded, assignment: assigned, generation: p.generation}
}

// completeJoin is the post-join hook: take the assignment, unless it contains what the member does not want.
// A cooperative member revokes first what it does not get again, and will rejoin so that somebody else gets
// it. It reports false while a callback runs.
// Kafka: ConsumerCoordinator.onJoinComplete.
func (p *java) completeJoin() bool {
	if p.generation == wire.NoGeneration || p.state != stable {
		p.resetMeanwhile()
		return true
	}
	for _, tp := range p.join.assignment {
		if !p.subscription.wants(tp.Topic) {
			p.join, p.needsPrepare = joinFuture{}, true
			p.requestRejoin("received assignment does not match the current subscription")
			return true
		}
	}
	if lost := without(p.assigned, p.join.assignment); len(lost) > 0 && !p.callback(revoking, lost) {
		return false
	}
	return p.takeAssignment()
}

// takeAssignment is the rest of the post-join hook, which nothing keeps from following: not even the loss of the
// membership in the callback before it.
func (p *java) takeAssignment() bool {
	given := p.join.assignment
	added := without(given, p.assigned)
	p.adoptTopics(given)
	p.memory.assigned(p.protocol, given, p.join.generation)
	p.poll.autoCommitAt = p.now.Add(p.plan.Config.AutoCommitInterval)
	p.hold(given)
	return p.callback(taking, added)
}

// resetMeanwhile starts over: the heartbeat thread took the member out of its group after SyncGroup was
// answered and before poll() took the assignment.
func (p *java) resetMeanwhile() {
	p.join = joinFuture{}
	p.reset("SyncGroup", wire.None, fmt.Sprintf("rebalance failed since the generation/state was modified by heartbeat "+
		"thread to Generation{generationId=%d, memberId='%s', protocol='null'}/UNJOINED before the rebalance callback "+
		"triggered", p.generation, p.member))
}
