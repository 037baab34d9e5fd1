package consumers

import (
	"slices"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// joinSync joins the group, after looking for an unknown coordinator. sarama: consumerGroup.joinSync.
func (p *sarama) joinSync() {
	if p.coordinator < 0 {
		p.at(saramaFinds, WaitCoordinator, clock.Never)
		p.inquire(saramaConsumeCaller, wire.FindCoordinator)
		return
	}
	if p.member == "" && !p.consume.warm {
		p.consume.warm = true
		if at := p.started.Add(p.plan.JoinNotBefore); at > p.now {
			p.at(saramaCold, WaitRejoin, at)
			return
		}
	}
	p.sendJoin()
}

func (p *sarama) foundToJoin(ok bool) {
	if ok {
		p.joinSync()
		return
	}
	p.retryJoin(saramaOutOfBrokers)
}

func (p *sarama) sendJoin() {
	p.state = preparing
	p.subscription.joined, p.subscription.sent = p.subscription.topics, true
	p.at(saramaJoins, WaitJoinResponse, clock.Never)
	p.call(saramaConsumeCaller, CoordinatorConn, p.joinRequest())
}

// joinWasAnswered handles a JoinGroup response.
func (p *sarama) joinWasAnswered(r wire.Response) {
	switch r.Err {
	case wire.None:
		p.joined(r)
	case wire.MemberIDRequired:
		p.member = r.Member
		p.sendJoin()
	default:
		p.joinErred(wire.JoinGroup, r.Err)
	}
}

// joinErred handles an error of JoinGroup or SyncGroup.
func (p *sarama) joinErred(api wire.API, err wire.Err) {
	switch err {
	case wire.UnknownMemberID, wire.IllegalGeneration:
		p.forget(api, err)
		if p.session.rejoining && len(p.assigned) > 0 {
			p.joinFails(saramaError(err)) // what it holds is lost
			return
		}
		p.joinSync()
	case wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.forgetCoordinator("error response " + err.String())
		p.retryJoin(saramaError(err))
	case wire.RebalanceInProgress, wire.CoordinatorLoadInProgress:
		p.retryJoin(saramaError(err))
	default:
		p.joinFails(saramaError(err))
	}
}

// forget gives up a member id that the coordinator does not know any more.
func (p *sarama) forget(api wire.API, err wire.Err) {
	p.recordReset(api.String(), err, "")
	p.requestRejoin(encountered(api, err))
}

// retryJoin waits before it looks for the coordinator and joins again. sarama: consumerGroup.retryJoinSync.
func (p *sarama) retryJoin(f failure) {
	if p.consume.retries <= 0 {
		p.joinFails(f)
		return
	}
	p.waitToJoin(f)
}

func (p *sarama) waitToJoin(f failure) {
	p.at(saramaRetries, WaitBackoff, p.now.Add(p.plan.Config.JoinRetryBackoff))
	p.requestRejoin("rebalance failed due to " + f.exception)
}

// rejoin goes on after that wait, unless Consume() is to return at once.
func (p *sarama) rejoin() {
	if p.interrupted() {
		p.joinFails(failure{})
		return
	}
	p.at(saramaFindsAgain, WaitCoordinator, clock.Never)
	p.inquire(saramaConsumeCaller, wire.FindCoordinator)
}

func (p *sarama) foundToRejoin(ok bool) {
	left := p.consume.retries
	p.consume.retries--
	switch {
	case ok:
		p.joinSync()
	case left <= 0:
		p.joinFails(saramaOutOfBrokers)
	default:
		p.waitToJoin(saramaOutOfBrokers)
	}
}

// joinFails ends the attempt to join: Consume() returns, after a cooperative member has given up what it held.
func (p *sarama) joinFails(f failure) {
	p.consume.err = f
	if f != (failure{}) {
		p.requestRejoin("rebalance failed due to " + f.exception)
	}
	if p.session.rejoining {
		p.session.rejoining = false
		p.beginRelease()
		return
	}
	p.consumeReturns()
}

// joined takes the membership in a generation. The leader asks for the metadata of all topics of the group.
// sarama: consumerGroup.balance.
func (p *sarama) joined(r wire.Response) {
	p.consume.answer = p.takeGeneration(r)
	if !p.leading {
		p.sendSync()
		return
	}
	p.at(saramaBalances, WaitCoordinator, clock.Never)
	p.inquire(saramaConsumeCaller, wire.Metadata)
}

func (p *sarama) balanced(ok bool) {
	if !ok {
		p.joinFails(saramaOutOfBrokers)
		return
	}
	p.at(saramaAssigns, WaitAssign, p.work(saramaBalanceCost).Add(p.slowsAssign()))
}

func (p *sarama) sendSync() {
	var given []wire.Assignment
	if p.leading {
		var err error
		if given, err = p.assign(p.consume.answer); err != nil {
			p.joinFails(thrown(err))
			return
		}
	}
	p.at(saramaSyncs, WaitSyncResponse, clock.Never)
	p.call(saramaConsumeCaller, CoordinatorConn, p.syncRequest(given))
}

// syncWasAnswered handles a SyncGroup response.
func (p *sarama) syncWasAnswered(r wire.Response) {
	if r.Err != wire.None {
		p.joinErred(wire.SyncGroup, r.Err)
		return
	}
	given, _, err := assignors.DecodeAssignment(r.Body.(*wire.SyncGroupResponse).Assignment)
	if err != nil {
		p.joinFails(thrown(err))
		return
	}
	p.state, p.rejoinReason = stable, ""
	p.memory.assigned(p.protocol, given, p.generation)
	if p.session.rejoining {
		p.reconcile(given)
		return
	}
	p.beginSession(given)
}

// found takes the coordinator that a broker has named. sarama: client.RefreshCoordinator.
func (p *sarama) found(broker int32) {
	if p.coordinator == broker {
		return
	}
	p.takeCoordinator(broker)
	if c := &p.conns[CoordinatorConn]; c.state != disconnected && c.broker != broker {
		p.disconnect(CoordinatorConn)
	}
}

// missCoordinator forgets a coordinator that the metadata do not list any more; its connection stays. One that cannot be
// reached is asked again and again. sarama: client.updateBroker.
func (p *sarama) missCoordinator(body any) {
	if m, ok := body.(*wire.MetadataResponse); ok && !slices.Contains(m.Brokers, p.coordinator) {
		p.forgetCoordinator("broker is not in the metadata")
	}
}
