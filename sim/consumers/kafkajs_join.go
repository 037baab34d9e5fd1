package consumers

import (
	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// rejoins begins a join because of an answer, with retries of its own.
func (p *kafkaJS) rejoins() {
	p.loop.joining = jsRetry{}
	p.joinAndSync()
}

// joinAndSync looks for the coordinator, joins and syncs. Until that has succeeded nothing is consumed.
// kafkajs: ConsumerGroup.joinAndSync.
func (p *kafkaJS) joinAndSync() {
	p.giveUp(false)
	p.await(jsRejoins, p.now.Add(jsRejoinCost))
}

// joinFails tries again from the lookup on, or leaves the rest to the runner.
func (p *kafkaJS) joinFails(err wire.Err) {
	if p.loop.idOnly {
		p.member, p.loop.idOnly = "", false
	}
	switch {
	case err == wire.UnknownMemberID:
		p.forgets(err, "JoinGroup")
	case !jsRebalancing(err) && err != wire.CoordinatorNotAvailable:
		p.throws(err)
		return
	}
	d, ok := p.again(&p.loop.joining)
	if !ok {
		p.crashes(err, jsNonRetriable, p.plan.Config.RetryBackoff)
		return
	}
	p.requestRejoin(failedWith("joining", err))
	p.backsOff(jsLooksUp, d)
}

func (p *kafkaJS) lookedUp(r wire.Response) {
	if r.Err != wire.None {
		p.joinFails(r.Err)
		return
	}
	broker := r.Body.(*wire.FindCoordinatorResponse).Broker
	if c := &p.conns[CoordinatorConn]; c.state != disconnected && c.broker != broker {
		p.disconnect(CoordinatorConn)
	}
	p.takeCoordinator(broker)
	p.connect(CoordinatorConn)
	p.await(jsReaches, clock.Never)
}

func (p *kafkaJS) sendJoin() {
	p.first, p.state = true, preparing
	p.recordJoin()
	p.ask(CoordinatorConn, jsJoins, p.joinRequest(), p.plan.Config.rebalanceTimeout()+jsJoinGrace)
}

func (p *kafkaJS) joinAnswered(r wire.Response) {
	switch r.Err {
	case wire.None:
	case wire.MemberIDRequired:
		p.member, p.loop.idOnly = r.Member, true
		p.requestRejoin("need to re-join with the given member-id: " + string(r.Member))
		p.sendJoin()
		return
	default:
		p.joinFails(r.Err)
		return
	}
	p.loop.joined, p.loop.idOnly = p.takeGeneration(r), false
	if !p.leading {
		p.await(jsAssigns, p.now.Add(jsFollowerCost))
		return
	}
	p.refreshMetadata()
	p.await(jsAssigns, p.work(jsLeadCost).Add(p.slowsAssign()))
}

func (p *kafkaJS) sendSync() {
	var given []wire.Assignment
	if p.leading {
		var err error
		if given, err = p.assign(p.loop.joined); err != nil {
			p.crashes(wire.UnknownServerError, jsNonRetriable, 0)
			return
		}
	}
	p.loop.joined = nil
	p.seen = p.seen[:0]
	for _, topic := range p.subscription.topics {
		p.seen = append(p.seen, p.metadata.topics[topic].Partitions)
	}
	p.ask(CoordinatorConn, jsSyncs, p.syncRequest(given), 0)
}

// stale reports whether the metadata show other partitions than they did at the last SyncGroup.
func (p *kafkaJS) stale() bool {
	for i, topic := range p.subscription.topics {
		if p.metadata.topics[topic].Partitions != p.seen[i] {
			return true
		}
	}
	return false
}

// syncAnswered takes the assignment, without what the consumer does not subscribe to, and begins to consume.
func (p *kafkaJS) syncAnswered(r wire.Response) {
	if r.Err != wire.None {
		p.joinFails(r.Err)
		return
	}
	assigned, _, err := assignors.DecodeAssignment(r.Body.(*wire.SyncGroupResponse).Assignment)
	if err != nil {
		p.crashes(wire.UnknownServerError, jsNonRetriable, 0)
		return
	}
	wanted := p.subscription.wanted(assigned)
	p.state, p.running, p.suspended, p.rejoinReason = stable, true, false, ""
	p.loop.outer = jsRetry{}
	p.hold(nil) // whatever it held before, it begins where the group has committed
	p.hold(wanted)
	p.recordAssigned(wanted)
	p.fetch()
}

func (p *kafkaJS) sendLeave(reason string) {
	p.recordLeave(reason)
	p.ask(CoordinatorConn, jsLeaves, p.leaveRequest(reason), 0)
}

// leaves ends the consumer's membership when it is to stop. One that has never been in its group just ends.
// kafkajs: Runner.stop.
func (p *kafkaJS) leaves() {
	p.giveUp(false)
	if p.member == "" || !p.running || p.coordinator < 0 {
		p.stopped()
		return
	}
	p.sendLeave("")
}

func (p *kafkaJS) hasLeft() {
	p.member, p.generation, p.state = "", wire.NoGeneration, unjoined
	p.hold(nil)
	p.stopped()
}

// stopped ends the process, or runs the consumer with other topics.
func (p *kafkaJS) stopped() {
	p.running, p.suspended = false, false
	if p.asked.stop {
		p.await(jsStops, p.now.Add(jsCloseCost))
		return
	}
	p.closing, p.rejoinReason = false, ""
	for to, ok := p.nextSubscription(); ok; to, ok = p.nextSubscription() {
		p.metadata.topics, p.metadata.news = p.cluster, true
		p.changeSubscription(to)
	}
	if p.subscription.none() {
		p.await(jsIdles, clock.Never)
		return
	}
	p.restarts()
}
