package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// saramaSession is the session that runs: from SyncGroup until Consume() returns, or for a cooperative member over
// many generations. sarama: consumerGroupSession.
type saramaSession struct {
	over  bool                  // its context is cancelled
	added []wire.TopicPartition // what SyncGroup gave, and the member had not
	watch clock.Time            // the leader's next look at the number of partitions; clock.Never of others

	// Of a cooperative one.

	rejoin      bool                  // a rebalance was signalled
	rejoining   bool                  // it joins again, and heartbeats wait for that
	reconciling bool                  // it gives up and takes partitions after that
	revoked     []wire.TopicPartition // what it gives up then
	revokeUntil clock.Time            // until when their handlers have to return
}

// beginSession starts the goroutines of a session, and asks for the offsets of its claims.
// sarama: newConsumerGroupSession.
func (p *sarama) beginSession(given []wire.TopicPartition) {
	p.session = saramaSession{added: given, watch: clock.Never}
	p.hold(given)
	p.heartBegins()
	p.offsetsBegin()
	p.consume.tries = saramaMetadataRetries
	p.manageClaims()
}

// manageClaims asks for the committed offsets of new claims, from a coordinator that it looks for once in a session.
// sarama: offsetManager.fetchInitialOffset.
func (p *sarama) manageClaims() {
	if len(p.session.added) == 0 {
		p.claimsManaged()
		return
	}
	if p.offsets.knows {
		p.fetchOffsets()
		return
	}
	p.at(saramaManages, WaitCoordinator, clock.Never)
	p.inquire(saramaConsumeCaller, wire.FindCoordinator)
}

func (p *sarama) fetchOffsets() {
	if !p.offsets.knows {
		p.offsetsFetched(wire.Response{Err: wire.NetworkException})
		return
	}
	p.at(saramaInitializes, WaitCommit, clock.Never)
	p.call(saramaConsumeCaller, CoordinatorConn, p.positionsRequest())
}

// offsetsFetched handles an OffsetFetch response. What may pass is tried again, three times.
func (p *sarama) offsetsFetched(r wire.Response) {
	wait := p.now
	switch r.Err {
	case wire.None:
		p.takeOffsets(r)
		p.claimsManaged()
		return
	case wire.NetworkException:
		p.offsets.knows = false
	case wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.offsets.knows = false
		wait = p.now.Add(p.plan.Config.RetryBackoff)
	case wire.CoordinatorLoadInProgress, wire.UnstableOffsetCommit:
		wait = p.now.Add(p.plan.Config.RetryBackoff)
	default:
		p.consume.tries = 0
	}
	if p.consume.tries > 0 {
		p.consume.tries--
		p.at(saramaInitializes, WaitBackoff, wait)
		return
	}
	if p.session.reconciling {
		p.reconcileFails(saramaError(r.Err))
		return
	}
	p.consume.err = saramaError(r.Err)
	p.requestRejoin("rebalance failed due to " + p.consume.err.exception)
	p.beginQuieting()
}

func (p *sarama) claimsManaged() {
	p.recordAssigned(p.session.added)
	if p.session.reconciling || !p.callsListener(saramaSetsUp, "Setup", taking) {
		p.setUp()
	}
}

// setUp starts the claims when Setup() has returned without an error.
func (p *sarama) setUp() {
	if !p.session.reconciling && p.listenerReturned("Setup") {
		p.consume.err = failure{exception: "Setup"}
		p.requestRejoin("rebalance failed due to Setup")
		p.beginRelease()
		return
	}
	if len(p.assigned) > 0 {
		p.fetchBegins()
	}
	p.session.watch = clock.Never
	if p.leading {
		p.session.watch = p.now
	}
	p.at(saramaInSession, WaitRecords, clock.Never)
	if p.session.reconciling {
		p.reconciled()
	}
}

// sessionEnds ends a session that is over, and lets a cooperative one take part in a rebalance. It reports whether
// anything was to be done.
func (p *sarama) sessionEnds() bool {
	s := &p.session
	switch {
	case s.over:
		p.beginRelease()
	case p.interrupted():
		if !p.asked.stop {
			p.requestRejoin("the application cancelled Consume()")
		}
		p.beginRelease()
	case s.rejoin:
		p.rejoinCooperative()
	case p.now >= s.watch:
		p.lookForPartitions()
	default:
		return false
	}
	return true
}

// interrupted reports whether the application wants Consume() to return: it closes the consumer, or cancels the
// context to consume something else.
func (p *sarama) interrupted() bool {
	return p.asked.stop || p.asked.enforce || len(p.asked.subscribes) > 0
}

// lookForPartitions lets the leader compare the numbers of partitions with those that it assigned.
// sarama: consumerGroup.loopCheckPartitionNumbers.
func (p *sarama) lookForPartitions() {
	p.refresh()
	if p.partitionsChanged() {
		p.session.watch = clock.Never
		p.triggerRebalance("partitions were added to a subscribed topic")
		return
	}
	p.session.watch = p.now.Add(p.plan.Config.MetadataMaxAge)
}

// triggerRebalance ends the session of an eager member, and makes a cooperative one join again.
// sarama: consumerGroupSession.triggerRebalance.
func (p *sarama) triggerRebalance(reason string) {
	if p.cooperative {
		if !p.session.rejoin {
			p.session.rejoin = true
			p.requestRejoin(reason)
		}
		return
	}
	p.cancel(reason)
}

// cancel ends the session.
func (p *sarama) cancel(reason string) {
	if !p.session.over {
		p.session.over = true
		p.requestRejoin(reason)
	}
}

// beginRelease waits until the claims have ended: the handlers have returned, and so has the Fetch in flight.
// sarama: consumerGroupSession.release.
func (p *sarama) beginRelease() {
	p.session.over = p.session.over || !p.session.reconciling
	p.session.watch = clock.Never
	p.at(saramaReleases, WaitRejoin, clock.Never)
}

// release goes on when that is so. It reports whether it did.
func (p *sarama) release() bool {
	if p.session.reconciling && p.now >= p.session.revokeUntil {
		p.reconcileFails(failure{exception: "ErrRebalanceTimedOut"})
		return true
	}
	if p.now < p.claimsEnd() {
		return false
	}
	if !p.session.reconciling {
		p.fetch.claims = false
	}
	if p.handlersBusy() {
		return false
	}
	if p.session.reconciling {
		p.revoke()
		return true
	}
	p.fetchEnds()
	if !p.callsListener(saramaCleansUp, "Cleanup", givingUp) {
		p.cleanedUp()
	}
	return true
}

// cleanedUp goes on when Cleanup() has returned: with the last commit.
func (p *sarama) cleanedUp() {
	if p.listenerReturned("Cleanup") {
		p.consume.err = failure{exception: "Cleanup"}
	}
	if len(p.assigned) > 0 {
		p.recordGivenUp(p.assigned, false)
	}
	p.beginFlush()
}

// beginQuieting ends the heartbeats, and waits until the one in flight is answered.
func (p *sarama) beginQuieting() {
	p.hold(nil)
	p.offsetsEnd()
	p.heart.dying = true
	p.at(saramaQuiets, WaitRejoin, clock.Never)
}

func (p *sarama) quiet() bool {
	if p.heart.running {
		return false
	}
	p.consumeReturns()
	return true
}
