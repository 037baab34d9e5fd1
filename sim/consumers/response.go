package consumers

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

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
		p.coordinatorFound(sent, r)
	case wire.LeaveGroup: // only logged
	}
}

// commitError is the error of a commit: the coordinator reports a group-level error on every partition.
func commitError(r wire.Response) wire.Err {
	if body, ok := r.Body.(*wire.OffsetCommitResponse); ok && r.Err == wire.None {
		for _, tp := range body.Partitions {
			if tp.Err != wire.None {
				return tp.Err
			}
		}
	}
	return r.Err
}

// sendLeave tells the coordinator that a dynamic member goes. Nobody waits for the answer, and it is never
// sent again. Kafka: AbstractCoordinator.maybeLeaveGroup.
func (p *Process) sendLeave(reason string) {
	if p.plan.Instance != "" || p.state == unjoined || p.member == "" || p.coordinatorUnknown() {
		return
	}
	p.record(trace.Event{Kind: trace.LeaveSent, Member: p.member, Generation: p.generation, Text: reason})
	p.send(CoordinatorConn, wire.Request{
		API: wire.LeaveGroup, Version: leaveVersion,
		Body: &wire.LeaveGroupRequest{Members: []wire.LeavingMember{{Member: p.member, Reason: reason, HasReason: true}}},
	}, p.plan.Config.RequestTimeout)
}
