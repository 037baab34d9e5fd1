package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// aioLookup is the search for the coordinator. aiokafka: GroupCoordinator.ensure_coordinator_known.
type aioLookup struct {
	asked   bool       // a FindCoordinator is outstanding
	retryAt clock.Time // end of the back-off after a failed one; clock.Never while one is outstanding
}

// coordinatorKnown reports whether the coordinator is known; if not it looks for it.
func (p *aiokafka) coordinatorKnown() bool {
	l := &p.lookup
	switch {
	case p.coordinator >= 0:
		return true
	case l.asked || p.now < l.retryAt:
	case p.conns[NodeConn].unavailable(p.now):
		l.retryAt = p.now.Add(p.plan.Config.RetryBackoff)
	default:
		l.asked, l.retryAt = true, clock.Never
		p.send(NodeConn, p.findRequest(), p.plan.Config.RequestTimeout)
	}
	return false
}

// coordinatorFound handles the answer.
func (p *aiokafka) coordinatorFound(r wire.Response) {
	h := &p.heartbeat
	p.lookup, p.coordination.runs = aioLookup{}, true
	if r.Err != wire.None {
		p.lookup.retryAt = p.now.Add(p.plan.Config.RetryBackoff)
		if !mayPass(r.Err) {
			p.pushError(r.Err)
		}
	} else {
		found := r.Body.(*wire.FindCoordinatorResponse).Broker
		if p.conns[CoordinatorConn].broker != found {
			p.disconnect(CoordinatorConn)
		}
		p.takeCoordinator(found)
		p.connect(CoordinatorConn)
	}
	if h.awaits == pythonAwaitsLookup {
		h.awaits, h.wakeAt = pythonAwaitsNothing, max(p.now, p.lookup.retryAt)
	}
}

// coordinatorDead forgets the coordinator, for which the coordination looks at once.
func (p *aiokafka) coordinatorDead(why string) {
	p.coordination.runs = true
	p.forgetCoordinator(why)
}

// failed hands the loss of its connection to whoever sent the request.
func (p *aiokafka) failed(sent pendingRequest) {
	if sent.conn == CoordinatorConn {
		p.coordinatorDead(sent.api.String() + " failed")
	}
	p.answered(sent, sent.lost())
}

func (p *aiokafka) answered(sent pendingRequest, r wire.Response) {
	if r.Err == wire.NotCoordinator || r.Err == wire.CoordinatorNotAvailable {
		p.coordinatorDead(sent.api.String() + " failed: " + r.Err.String())
	}
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

// leaveAnswered ends stop(), or the membership of an idle member.
func (p *aiokafka) leaveAnswered(sent pendingRequest) {
	switch h := &p.heartbeat; {
	case sent.ticket != h.ticket:
	case p.coordination.stage == aioLeaves:
		p.exit()
	case h.awaits == pythonAwaitsLeave:
		p.leftIdling()
	}
}
