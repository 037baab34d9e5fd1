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

// encountered is why a member rejoins that has forgotten its membership because of an error.
func encountered(api wire.API, err wire.Err) string {
	return "encountered " + err.String() + " from " + apiKeys[api] + " response"
}
