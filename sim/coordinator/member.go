package coordinator

import (
	"bytes"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// clientHost is what every client's address looks like to the coordinator.
const clientHost = "/127.0.0.1"

// member is what the coordinator knows of a consumer (Kafka: ClassicGroupMember).
type member struct {
	id       wire.MemberID
	instance wire.InstanceID // "" for a dynamic member
	clientID string          // of the first JoinGroup; a rejoin does not refresh it
	host     string          // the client's address, from the same request

	terms
	protocolType string
	assignment   []byte
	accepted     *wire.OffsetCommitResponse // to its last commit that was not refused as a whole; nil when there was none

	join *request // the parked JoinGroup; nil when the member has not joined this phase
	sync *request // the parked SyncGroup

	// isNew until its first join phase ends. A new member does not heartbeat yet, so its session
	// expires even while it is parked.
	isNew bool

	armed   clock.Time // when its session timer was last armed
	session clock.Time // when that timer fires; clock.Never when it is not armed
}

// terms is the part of a JoinGroup that a member may change by joining again.
type terms struct {
	rebalanceTimeout time.Duration
	sessionTimeout   time.Duration
	protocols        []wire.Protocol
}

// static reports whether the member has a group.instance.id (KIP-345).
func (m *member) static() bool { return m.instance != "" }

// heartbeatSatisfied reports whether the member need not heartbeat because a request of it is parked.
//
// Kafka: ClassicGroupMember.hasSatisfiedHeartbeat.
func (m *member) heartbeatSatisfied() bool {
	return !m.isNew && (m.join != nil || m.sync != nil)
}

// lists reports whether the member listed exactly these protocols: names, order and bytes.
//
// Kafka: ClassicGroupMember.matches.
func (m *member) lists(protocols []wire.Protocol) bool {
	if len(m.protocols) != len(protocols) {
		return false
	}
	for i, p := range protocols {
		if p.Name != m.protocols[i].Name || !bytes.Equal(p.Metadata, m.protocols[i].Metadata) {
			return false
		}
	}
	return true
}

// metadata returns what the member said for the protocol.
func (m *member) metadata(protocol string) []byte {
	for _, p := range m.protocols {
		if p.Name == protocol {
			return p.Metadata
		}
	}
	return nil
}

func (m *member) details() *trace.MemberDetails {
	d := &trace.MemberDetails{
		InstanceID:         string(m.instance),
		ClientID:           m.clientID,
		ClientHost:         m.host,
		RebalanceTimeoutMs: int32(m.rebalanceTimeout.Milliseconds()),
		SessionTimeoutMs:   int32(m.sessionTimeout.Milliseconds()),
		ProtocolType:       m.protocolType,
	}
	for _, p := range m.protocols {
		d.Protocols = append(d.Protocols, p.Name)
	}
	return d
}

// request is a JoinGroup or SyncGroup that is not answered yet, or was. It stays the same while it is
// parked in a member and while its event waits for the log: whoever comes first answers it.
type request struct {
	ticket   wire.Ticket
	api      wire.API
	version  int16
	answered bool
}

func newRequest(r *wire.Request) *request {
	return &request{ticket: r.Ticket, api: r.API, version: r.Version}
}
