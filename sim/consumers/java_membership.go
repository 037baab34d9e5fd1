package consumers

import "simulate/sim/wire"

// membershipIsLost reports whether what is assigned counts as lost, not as handed back: the membership was
// forgotten, or close() or unsubscribe() came in the middle of a rebalance.
func (p *java) membershipIsLost() bool {
	rebalancing := p.state == preparing || p.state == completing
	return p.generation == wire.NoGeneration || p.member == "" || (p.closing() || p.poll.unsubscribing) && rebalancing
}

// resetOnError forgets the membership because of the error in a response.
// Kafka: AbstractCoordinator.resetStateOnResponseError.
func (p *java) resetOnError(api wire.API, err wire.Err) {
	p.reset(api.String(), err, encountered(api, err))
}

// reset forgets the generation and the member id, which survives an ILLEGAL_GENERATION alone, and in old clients
// nothing; the next poll() starts over.
// Kafka: AbstractCoordinator.resetStateAndRejoin.
func (p *java) reset(where string, err wire.Err, reason string) {
	keeps := p.member
	if err != wire.IllegalGeneration || p.profile.forgetsID {
		keeps = ""
	}
	p.recordReset(where, err, keeps)
	p.needsPrepare = true
	p.requestRejoin(reason)
}

func (p *java) requestRejoin(reason string) {
	p.rejoinNeeded = true
	p.client.requestRejoin(reason)
}

// MembershipOperation says whether close() leaves the group (KIP-1092).
// Kafka: CloseOptions.GroupMembershipOperation.
type MembershipOperation uint8

// The operations.
const (
	LeaveByDefault MembershipOperation = iota // a dynamic member leaves, a static one stays
	LeaveGroup
	RemainInGroup
)

// sendLeave tells the coordinator that a member goes. Nobody waits for the answer, and it is never sent again.
// Kafka: AbstractCoordinator.maybeLeaveGroup.
func (p *java) sendLeave(operation MembershipOperation, reason string) {
	stays := operation == RemainInGroup || operation == LeaveByDefault && p.who.Instance != ""
	if stays || p.state == unjoined || p.member == "" || p.coordinatorUnknown() {
		return
	}
	p.recordLeave(reason)
	p.send(CoordinatorConn, p.leaveRequest(reason), p.plan.Config.RequestTimeout)
}
