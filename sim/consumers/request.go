package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// pendingRequest is a request in flight. Member and generation are those it was sent under.
type pendingRequest struct {
	ticket     wire.Ticket
	api        wire.API
	conn       Conn
	deadline   clock.Time
	member     wire.MemberID
	generation wire.Generation
}

// send sends a request on a connection, or keeps it until the connection is ready.
func (p *Process) send(c Conn, r wire.Request, timeout time.Duration) {
	p.tickets++
	r.Ticket = p.tickets
	r.ClientID = p.plan.Name
	r.Group = p.plan.Group
	p.pending = append(p.pending, pendingRequest{
		ticket: r.Ticket, api: r.API, conn: c, deadline: p.now.Add(timeout),
		member: p.member, generation: p.generation,
	})
	conn := &p.conns[c]
	if conn.state == ready {
		conn.usedAt = p.now
		p.emit(Effect{Kind: Send, Conn: c, Request: r})
		return
	}
	conn.unsent = append(conn.unsent, r)
	p.connect(c)
}

// handleResponse hands a response to whoever sent the request. One that nobody waits for any more is
// dropped.
func (p *Process) handleResponse(r wire.Response) {
	for i := range p.pending {
		if p.pending[i].ticket == r.Ticket {
			p.answered(p.takePending(i), r)
			return
		}
	}
}

// failed hands the loss of its connection to whoever sent the request.
func (p *Process) failed(sent pendingRequest) {
	if sent.conn == CoordinatorConn {
		p.coordinatorLost("disconnected", false)
	}
	p.answered(sent, wire.Response{Ticket: sent.ticket, API: sent.api, Err: wire.NetworkException})
}

func (p *Process) answered(sent pendingRequest, r wire.Response) {
	switch sent.api {
	case wire.JoinGroup:
		p.joinWasAnswered(sent, r)
	case wire.SyncGroup:
		p.syncWasAnswered(sent, r)
	case wire.Heartbeat:
		p.heartbeatAnswered(sent, r.Err)
	case wire.OffsetCommit:
		p.commitAnswered(sent, commitError(r))
	case wire.OffsetFetch:
		p.positionsAnswered(sent, r.Err)
	case wire.FindCoordinator:
		p.coordinatorFound(r)
	case wire.LeaveGroup, wire.Fetch: // only logged
	}
}

func (p *Process) pendingOn(c Conn) int {
	for i := range p.pending {
		if p.pending[i].conn == c {
			return i
		}
	}
	return -1
}

func (p *Process) takePending(i int) pendingRequest {
	r := p.pending[i]
	p.pending = append(p.pending[:i], p.pending[i+1:]...)
	return r
}
