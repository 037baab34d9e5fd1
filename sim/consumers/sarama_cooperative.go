package consumers

import (
	"slices"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// rejoinCooperative joins again within a session, which keeps its claims meanwhile and sends no heartbeats.
// sarama: consumerGroup.rejoinCooperative.
func (p *sarama) rejoinCooperative() {
	p.session.rejoin, p.session.rejoining = false, true
	p.consume.retries = saramaJoinRetries
	p.joinSync()
}

// reconcile gives up what the member holds and did not get again, waiting for the handlers, and takes what is new.
// sarama: consumerGroupSession.reconcileAssignment.
func (p *sarama) reconcile(given []wire.TopicPartition) {
	s := &p.session
	s.rejoining, s.reconciling = false, true
	s.added, s.revoked = without(given, p.assigned), without(p.assigned, given)
	p.consume.tries = saramaMetadataRetries
	if len(s.revoked) == 0 {
		p.adopt()
		return
	}
	s.revokeUntil = p.now.Add(p.plan.Config.rebalanceTimeout())
	p.beginRelease()
}

// revoke goes on when the claims that are given up have ended.
func (p *sarama) revoke() {
	p.recordGivenUp(p.session.revoked, false)
	p.beginFlush()
}

// adopt takes what is new, after a look at its metadata.
func (p *sarama) adopt() {
	kept := without(p.assigned, p.session.revoked)
	if len(kept) == 0 {
		p.fetchEnds()
	}
	p.hold(slices.Concat(kept, p.session.added))
	if len(p.session.added) == 0 {
		p.claimsManaged()
		return
	}
	p.at(saramaRefreshes, WaitCoordinator, clock.Never)
	p.inquire(saramaConsumeCaller, wire.Metadata)
}

// reconciled goes on with the session. A member that gave anything up joins again at once, so that somebody gets it.
func (p *sarama) reconciled() {
	s := &p.session
	again := len(s.revoked) > 0
	s.reconciling, s.revoked = false, nil
	if again && !s.over {
		p.requestRejoin("need to revoke partitions and re-join")
		p.rejoinCooperative()
	}
}

// reconcileFails ends the session, and Consume() with an error.
func (p *sarama) reconcileFails(f failure) {
	p.session.reconciling = false
	p.hold(without(p.assigned, p.session.added)) // it has not got them yet
	p.consume.err = f
	p.cancel("rebalance failed due to " + f.exception)
	p.beginRelease()
}
