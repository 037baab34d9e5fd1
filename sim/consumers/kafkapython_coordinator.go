package consumers

import "simulate/sim/wire"

// answered hands an answer to whoever sent the request. The loss of a connection says nothing about the coordinator
// unless the request was a heartbeat, a commit or an OffsetFetch. kafka-python: BaseCoordinator._failed_request.
func (p *kafkaPython) answered(sent pendingRequest, r wire.Response) {
	switch sent.api {
	case wire.JoinGroup:
		p.joinAnswered(r)
	case wire.SyncGroup:
		p.syncAnswered(r)
	case wire.Heartbeat:
		p.heartbeatAnswered(sent, r.Err)
	case wire.OffsetCommit:
		p.commitAnswered(sent, commitError(r))
	case wire.OffsetFetch:
		p.positionsAnswered(sent, r)
	case wire.FindCoordinator:
		p.coordinatorFound(r)
	case wire.LeaveGroup:
		p.leaveAnswered(sent)
	}
}

// coordinatorUnknown reports whether there is no coordinator to talk to. Asking counts: one whose connection could not
// be opened and must not be tried yet is forgotten. kafka-python: BaseCoordinator.coordinator.
func (p *kafkaPython) coordinatorUnknown() bool {
	if p.coordinator >= 0 && p.conns[CoordinatorConn].unavailable(p.now) {
		p.coordinatorDead("node disconnected")
	}
	return p.coordinator < 0
}

// coordinatorDead forgets the coordinator; its connection stays.
func (p *kafkaPython) coordinatorDead(why string) {
	if p.forgetCoordinator(why) {
		p.cutLull()
	}
}

// coordinatorReady reports whether the coordinator is known; if not it looks for it, for as long as poll() lasts.
// kafka-python: BaseCoordinator.ensure_coordinator_ready_async.
func (p *kafkaPython) coordinatorReady() bool {
	if !p.coordinatorUnknown() {
		p.poll.sleepUntil = 0
		return true
	}
	if sleeps := p.poll.sleepUntil; sleeps > 0 {
		if p.now < sleeps {
			p.wait(WaitBackoff, sleeps)
			return false
		}
		p.poll.sleepUntil = 0
		if p.now >= p.poll.ends {
			return false
		}
	}
	p.wait(WaitCoordinator, p.poll.ends)
	if p.now < p.bootstrapped {
		p.poll.sleepUntil = p.bootstrapped
	} else if !p.findCoordinator() {
		p.poll.sleepUntil = p.now.Add(p.plan.Config.RetryBackoff)
	}
	if p.poll.sleepUntil > 0 {
		p.wait(WaitBackoff, p.poll.sleepUntil)
	}
	return false
}

// findCoordinator asks a broker who coordinates the group, unless that is under way. It reports false when there is no
// broker to ask, because the connection is in its back-off.
func (p *kafkaPython) findCoordinator() bool {
	if p.lookingUp {
		return true
	}
	if p.conns[NodeConn].unavailable(p.now) {
		return false
	}
	p.lookingUp = true
	p.send(NodeConn, p.findRequest(), p.plan.Config.RequestTimeout)
	return true
}

// coordinatorFound handles the answer. kafka-python: BaseCoordinator._handle_find_coordinator_response.
func (p *kafkaPython) coordinatorFound(r wire.Response) {
	p.lookingUp = false
	if r.Err != wire.None {
		if !mayPass(r.Err) {
			p.poll.fatal = r.Err
			p.cutLull()
		}
		p.heartbeatLookupFailed()
		if k := p.poll.wait.Kind; k == WaitCoordinator || k == WaitClose {
			p.poll.sleepUntil = p.now.Add(p.plan.Config.RetryBackoff)
		}
		return
	}
	found := r.Body.(*wire.FindCoordinatorResponse).Broker
	if c := &p.conns[CoordinatorConn]; c.broker != found {
		p.disconnect(CoordinatorConn)
		c.failed, c.failures = false, 0 // the back-off is that of the connection to another broker
	}
	p.takeCoordinator(found)
	p.connect(CoordinatorConn)
	p.resetTimeouts()
	if h := &p.heartbeat; h.awaits == pythonAwaitsLookup {
		h.awaits, h.wakeAt = pythonAwaitsNothing, p.now
	}
}

// reset forgets the generation, and keeps of the member id what is given: because of an error that was answered, or
// because the member has left. The next poll() starts over. kafka-python: BaseCoordinator.reset_generation.
func (p *kafkaPython) reset(where wire.API, err wire.Err, keeps wire.MemberID) {
	p.recordReset(where.String(), err, keeps)
	p.requestRejoin(reasonOfReset(where, err))
}

func (p *kafkaPython) requestRejoin(reason string) {
	p.rejoinNeeded = true
	p.client.requestRejoin(reason)
	p.looksAgain()
}

// sendLeave tells the coordinator that a dynamic member goes, but not why. It reports whether there is an answer to wait for.
// kafka-python: BaseCoordinator.maybe_leave_group_async.
func (p *kafkaPython) sendLeave(reason string) bool {
	if p.who.Instance != "" || p.state == unjoined || p.member == "" || p.coordinatorUnknown() {
		return false
	}
	p.recordLeave(reason)
	p.send(CoordinatorConn, p.leaveRequest(""), p.plan.Config.RequestTimeout)
	return true
}

// positioned lets poll() fetch the committed offsets of what is newly assigned. It reports false while it waits.
// kafka-python: ConsumerCoordinator.fetch_committed_offsets_async.
func (p *kafkaPython) positioned() bool {
	positions := &p.positions
	switch {
	case len(positions.missing) == 0:
		return true
	case positions.ticket == 0 && p.now < positions.retryAt:
		p.wait(WaitRecords, min(positions.retryAt, p.poll.ends))
		return false
	case positions.ticket == 0:
		positions.ticket = p.send(CoordinatorConn, p.positionsRequest(), p.plan.Config.RequestTimeout)
	}
	p.wait(WaitRecords, p.poll.ends)
	return false
}

// positionsAnswered handles an OffsetFetch response.
func (p *kafkaPython) positionsAnswered(sent pendingRequest, r wire.Response) {
	if p.positions.ticket != sent.ticket {
		return
	}
	p.positions.ticket = 0
	switch r.Err {
	case wire.None:
		p.poll.fetchAt = p.now
		if !p.takeOffsets(r) {
			p.throws(wire.None, "NoOffsetForPartitionError")
		}
		return
	case wire.NetworkException, wire.NotCoordinator:
		p.coordinatorDead("OffsetFetch failed: " + r.Err.String())
	default:
		if !mayPass(r.Err) {
			p.poll.fatal = r.Err
		}
	}
	p.positions.retryAt = p.now.Add(p.plan.Config.RetryBackoff)
}
