package consumers

import "simulate/sim/wire"

// failed hands the loss of its connection to whoever sent the request.
func (p *java) failed(sent pendingRequest) {
	if sent.conn == CoordinatorConn {
		p.coordinatorLost("disconnected", false)
	}
	p.answered(sent, sent.lost())
}

func (p *java) answered(sent pendingRequest, r wire.Response) {
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
		p.positionsAnswered(sent, r)
	case wire.FindCoordinator:
		p.coordinatorFound(r)
	case wire.LeaveGroup, wire.Fetch: // only logged
	}
}
