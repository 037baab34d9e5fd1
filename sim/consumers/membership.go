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

// apiKeys are the names that Kafka logs. Kafka: ApiKeys.
var apiKeys = [wire.NumAPIs]string{
	wire.JoinGroup: "JOIN_GROUP", wire.SyncGroup: "SYNC_GROUP", wire.Heartbeat: "HEARTBEAT", wire.OffsetCommit: "OFFSET_COMMIT",
}

func (p *client) hasNotJoined() bool { return p.state == unjoined || p.state == preparing }

// unchanged reports whether the membership is still the one that a request was sent under. An answer that
// finds another one must not reset it. Kafka: CoordinatorResponseHandler.generationUnchanged.
func (p *client) unchanged(sent pendingRequest) bool {
	return sent.member == p.member && sent.generation == p.generation
}

// recordReset forgets the generation, and keeps of the member id what is given.
func (p *client) recordReset(where string, err wire.Err, keeps wire.MemberID) {
	e := trace.Event{
		Kind: trace.MembershipReset, Other: p.member, Member: keeps, Generation: p.generation, Err: err, Text: where,
	}
	p.member, p.generation, p.state = keeps, wire.NoGeneration, unjoined
	p.record(e)
}

// requestRejoin notes why the member joins again; the next JoinGroup may say so (KIP-800).
func (p *client) requestRejoin(reason string) {
	p.rejoinReason = reason
	p.record(trace.Event{Kind: trace.RejoinRequested, Member: p.member, Text: reason})
}

// recordJoin tells that a JoinGroup leaves.
func (p *client) recordJoin() {
	p.record(trace.Event{Kind: trace.JoinSent, Member: p.member, Generation: p.generation, Text: p.rejoinReason})
}

// recordLeave tells that a LeaveGroup leaves.
func (p *client) recordLeave(reason string) {
	p.record(trace.Event{Kind: trace.LeaveSent, Member: p.member, Generation: p.generation, Text: reason})
}

// takeGeneration takes the membership that a JoinGroup response gives.
func (p *client) takeGeneration(r wire.Response) *wire.JoinGroupResponse {
	answer := r.Body.(*wire.JoinGroupResponse)
	p.state, p.member, p.generation, p.protocol = completing, r.Member, r.Generation, answer.Protocol
	p.leading = answer.Leader == r.Member
	return answer
}

// takeCoordinator takes the broker that a lookup has named.
func (p *client) takeCoordinator(broker int32) {
	p.coordinator = broker
	p.record(trace.Event{Kind: trace.CoordinatorFound, Member: p.member})
}

// forgetCoordinator forgets who coordinates the group. It reports whether that was known.
func (p *client) forgetCoordinator(why string) bool {
	if p.coordinator < 0 {
		return false
	}
	p.coordinator = -1
	p.record(trace.Event{Kind: trace.CoordinatorLost, Member: p.member, Text: why})
	return true
}

// Why members leave their groups.
const (
	leavesUnpolled     = "consumer poll timeout has expired."
	leavesUnsubscribed = "the consumer unsubscribed from all topics"
	leavesClosing      = "the consumer is being closed"
)

// leavingReason is why a member joins that has left its group on its own.
const leavingReason = "consumer pro-actively leaving the group"

// reasonOfReset is why a member joins that has forgotten its membership: because of an error, or because it has left.
func reasonOfReset(where wire.API, err wire.Err) string {
	if err == wire.None {
		return leavingReason
	}
	return encountered(where, err)
}

// encountered is why a member rejoins that has forgotten its membership because of an error.
func encountered(api wire.API, err wire.Err) string {
	return "encountered " + err.String() + " from " + apiKeys[api] + " response"
}
