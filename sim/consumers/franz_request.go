package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// franzRequest is a request to the coordinator, over all its tries: kgo looks for the coordinator and tries again by
// itself, and whoever asks sees only how that ends. kgo: retryable.Request, Client.handleReqWithCoordinator.
type franzRequest struct {
	stage  franzRequestStage
	api    wire.API
	tries  int
	since  clock.Time
	until  clock.Time  // no try begins after it
	at     clock.Time  // end of the back-off
	ticket wire.Ticket // of the try that is in flight
	redial bool        // nobody listened where it looked for the coordinator; it looks once more, without a back-off
}

// franzRequestStage is what a request waits for.
type franzRequestStage uint8

const (
	franzRequestIdle  franzRequestStage = iota
	franzRequestLooks                   // for the coordinator
	franzRequestSent
	franzRequestBacksOff
)

// requestOf returns the request that is answered by an answer of that kind.
func (p *franz) requestOf(api wire.API) *franzRequest {
	switch api {
	case wire.OffsetCommit:
		return &p.commit
	case wire.OffsetFetch:
		return &p.offsets
	}
	return &p.group
}

// requests lists all of them, those of the manage goroutine first.
func (p *franz) requests() [3]*franzRequest {
	return [...]*franzRequest{&p.group, &p.commit, &p.offsets}
}

// ask begins a request.
func (p *franz) ask(api wire.API) {
	r := p.requestOf(api)
	*r = franzRequest{api: api, since: p.now, until: p.now.Add(franzRetryTime)}
	if api == wire.JoinGroup || api == wire.SyncGroup || api == wire.Heartbeat {
		r.until = p.now.Add(p.plan.Config.SessionTimeout)
	}
	p.try(r)
}

// try makes the next try.
func (p *franz) try(r *franzRequest) {
	r.tries++
	if p.coordinator < 0 {
		r.stage = franzRequestLooks
		p.lookUp()
		return
	}
	p.transmit(r)
}

// transmit sends a request to the coordinator. JoinGroup and SyncGroup, which may wait there for long, have a
// connection of their own. One that was idle for too long is replaced. kgo: broker.loadConnection.
func (p *franz) transmit(r *franzRequest) {
	c := CoordinatorConn
	if r.api == wire.JoinGroup || r.api == wire.SyncGroup {
		c = JoinConn
	}
	conn := &p.conns[c]
	idle := conn.state == ready && p.now >= conn.usedAt.Add(p.plan.Config.IdleTimeout) && p.pendingOn(c) < 0
	if idle || conn.state != disconnected && conn.broker != p.coordinator {
		p.disconnect(c)
	}
	if cold := p.started.Add(p.plan.JoinNotBefore); r.api == wire.JoinGroup && p.now < cold {
		p.connect(c)
		r.stage, r.at, r.tries = franzRequestBacksOff, cold, 0
		return
	}
	if r.api == wire.JoinGroup {
		p.rejoinReason = p.manage.why
		p.recordJoin()
	}
	body, timeout := p.compose(r.api)
	r.stage, r.ticket = franzRequestSent, p.send(c, body, timeout)
}

// compose returns the request as it is sent now, and how long its answer may take. kgo: connTimeouter.timeouts.
func (p *franz) compose(api wire.API) (r wire.Request, timeout time.Duration) {
	c := &p.plan.Config
	switch timeout = c.RequestTimeout; api {
	case wire.JoinGroup:
		return p.joinRequest(), timeout + c.rebalanceTimeout()
	case wire.SyncGroup:
		return p.syncRequest(p.manage.plan), c.rebalanceTimeout()
	case wire.Heartbeat:
		return p.heartbeatRequest(), timeout
	case wire.OffsetCommit:
		r = p.commitRequest()
		r.Body = p.commits.body // of the first try
		return r, timeout
	case wire.OffsetFetch:
		return p.positionsRequest(), timeout
	}
	return p.leaveRequest(franzLeaves), timeout
}

// lookUp asks any broker for the coordinator, once for all who want to know it. kgo: Client.doLoadCoordinators.
func (p *franz) lookUp() {
	if p.finding == 0 {
		p.finding = p.send(NodeConn, p.findRequest(), p.plan.Config.RequestTimeout)
	}
}

// found handles the answer to a lookup.
func (p *franz) found(r wire.Response) {
	p.finding = 0
	switch r.Err {
	case wire.None:
	case wire.CoordinatorNotAvailable, wire.CoordinatorLoadInProgress, wire.NotCoordinator:
		p.lookupFailed(false)
		return
	default:
		p.eachLooking(p.gaveUp)
		return
	}
	p.takeCoordinator(r.Body.(*wire.FindCoordinatorResponse).Broker)
	p.eachLooking(func(r *franzRequest) {
		if r.redial {
			r.redial = false
			p.backOff(r)
			return
		}
		p.transmit(r)
	})
}

// lookupFailed goes on with those who wait for a lookup. Where nobody listens they look at once among the other
// brokers that they know, and give up when nobody listens there either.
func (p *franz) lookupFailed(refused bool) {
	p.eachLooking(func(r *franzRequest) {
		switch {
		case r.redial:
			p.gaveUp(r)
		case refused:
			r.redial = true
			p.lookUp()
		default:
			p.backOff(r)
		}
	})
}

func (p *franz) eachLooking(do func(*franzRequest)) {
	for _, r := range p.requests() {
		if r.stage == franzRequestLooks {
			do(r)
		}
	}
}

// backOff lets a request wait before its next try, or ends it when there must be none.
func (p *franz) backOff(r *franzRequest) {
	if !p.waitToTry(r) {
		p.gaveUp(r)
	}
}

// waitToTry lets a request wait before its next try. It reports whether there may be one.
func (p *franz) waitToTry(r *franzRequest) bool {
	at := p.now.Add(p.franzBackoff(r.tries))
	if r.tries > franzRetries || at > r.until {
		return false
	}
	r.stage, r.at = franzRequestBacksOff, at
	return true
}

// retryDue returns a request whose back-off is over, nil when there is none.
func (p *franz) retryDue() *franzRequest {
	for _, r := range p.requests() {
		if r.stage == franzRequestBacksOff && p.now >= r.at {
			return r
		}
	}
	return nil
}

// failed handles the loss of the connection of a request, or its time-out. A coordinator that does not listen is
// looked for anew.
func (p *franz) failed(sent pendingRequest) {
	refused := p.conns[sent.conn].refused
	if sent.api == wire.FindCoordinator {
		p.finding = 0
		p.lookupFailed(refused)
		return
	}
	r := p.requestOf(sent.api)
	if r.stage != franzRequestSent || r.ticket != sent.ticket {
		return
	}
	if refused {
		p.forgetCoordinator("the coordinator does not listen")
	}
	p.backOff(r)
}

// answered handles the answer to a request. One that somebody has given up is dropped.
func (p *franz) answered(sent pendingRequest, response wire.Response) {
	if response.Err == wire.NetworkException {
		p.failed(sent)
		return
	}
	if sent.api == wire.FindCoordinator {
		p.found(response)
		return
	}
	r := p.requestOf(sent.api)
	if r.stage != franzRequestSent || r.ticket != sent.ticket {
		return
	}
	response.Err = commitError(response)
	if p.triesAgain(r, response.Err) {
		return
	}
	r.stage = franzRequestIdle
	p.ends(r.api, response)
}

// triesAgain reports whether a request is tried again after an answer.
func (p *franz) triesAgain(r *franzRequest, err wire.Err) bool {
	switch err {
	case wire.NotCoordinator, wire.CoordinatorNotAvailable, wire.CoordinatorLoadInProgress:
		p.forgetCoordinator("error response " + err.String())
	case wire.UnstableOffsetCommit:
	default:
		return false
	}
	return p.waitToTry(r)
}

// gaveUp ends a request that is not tried again.
func (p *franz) gaveUp(r *franzRequest) {
	r.stage = franzRequestIdle
	p.ends(r.api, wire.Response{API: r.api, Err: wire.NetworkException})
}

// ends hands the end of a request to whoever asked.
func (p *franz) ends(api wire.API, r wire.Response) {
	switch api {
	case wire.JoinGroup:
		p.joined(r)
	case wire.SyncGroup:
		p.synced(r)
	case wire.Heartbeat:
		p.beaten(r.Err)
	case wire.OffsetCommit:
		p.committed(r.Err)
	case wire.OffsetFetch:
		p.offsetsFetched(r)
	case wire.LeaveGroup:
		p.exit(trace.Stopped)
	}
}
