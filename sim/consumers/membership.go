package consumers

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// memberState is what a consumer knows of its membership. Kafka: AbstractCoordinator.MemberState.
type memberState uint8

const (
	unjoined   memberState = iota
	preparing              // JoinGroup is outstanding
	completing             // JoinGroup was answered, SyncGroup is outstanding
	stable
)

func (p *Process) hasNotJoined() bool { return p.state == unjoined || p.state == preparing }

// unchanged reports whether the membership is still the one that a request was sent under. An answer that
// finds another one must not reset it. Kafka: CoordinatorResponseHandler.generationUnchanged.
func (p *Process) unchanged(sent pendingRequest) bool {
	return sent.member == p.member && sent.generation == p.generation
}

// membershipIsLost reports whether what is assigned counts as lost, not as handed back: the membership was
// forgotten, or close() came in the middle of a rebalance.
func (p *Process) membershipIsLost() bool {
	rebalancing := p.state == preparing || p.state == completing
	return p.generation == wire.NoGeneration || p.member == "" || p.poll.closing != notClosing && rebalancing
}

// reset forgets the generation and, unless the id is kept, the member id; the next poll() starts over.
// Kafka: AbstractCoordinator.resetStateAndRejoin.
func (p *Process) reset(keepMember bool, err wire.Err, where, reason string) {
	e := trace.Event{Kind: trace.MembershipReset, Other: p.member, Generation: p.generation, Err: err, Text: where}
	if keepMember {
		e.Member = p.member
	} else {
		p.member = ""
	}
	p.generation = wire.NoGeneration
	p.state = unjoined
	p.needsPrepare = true
	p.record(e)
	p.requestRejoin(reason)
}

func (p *Process) requestRejoin(reason string) {
	p.rejoinNeeded, p.rejoinReason = true, reason
	p.record(trace.Event{Kind: trace.RejoinRequested, Member: p.member, Text: reason})
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
