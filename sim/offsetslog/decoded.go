package offsetslog

import (
	"simulate/sim/assignors"
	"simulate/sim/coordinator"
	"simulate/sim/wire"
)

// The decoded forms are for people and their tools; Read ignores them.

type decodedGroup struct {
	Kind             string          `json:"kind"`
	Group            string          `json:"group"`
	ProtocolType     string          `json:"protocol_type,omitempty"`
	Generation       wire.Generation `json:"generation"`
	Protocol         string          `json:"protocol,omitempty"`
	Leader           wire.MemberID   `json:"leader,omitempty"`
	StateTimestampMs int64           `json:"state_timestamp_ms"`
	Members          []decodedMember `json:"members,omitempty"`
}

type decodedMember struct {
	Member             wire.MemberID   `json:"member"`
	Instance           wire.InstanceID `json:"instance,omitempty"`
	ClientID           string          `json:"client_id"`
	ClientHost         string          `json:"client_host"`
	RebalanceTimeoutMs int32           `json:"rebalance_timeout_ms"`
	SessionTimeoutMs   int32           `json:"session_timeout_ms"`
	Topics             []string        `json:"topics,omitempty"`     // that it subscribes to
	Assignment         []string        `json:"assignment,omitempty"` // partitions, as topic-number
}

type decodedOffset struct {
	Kind              string `json:"kind"`
	Group             string `json:"group"`
	Topic             string `json:"topic"`
	Partition         int32  `json:"partition"`
	Offset            int64  `json:"offset"`
	LeaderEpoch       int32  `json:"leader_epoch"`
	Metadata          string `json:"metadata,omitempty"`
	CommitTimestampMs int64  `json:"commit_timestamp_ms"`
	ExpireTimestampMs *int64 `json:"expire_timestamp_ms,omitempty"`
}

type decodedTombstone struct {
	Kind      string `json:"kind"`
	Group     string `json:"group"`
	Topic     string `json:"topic,omitempty"`
	Partition *int32 `json:"partition,omitempty"`
	Tombstone bool   `json:"tombstone"`
}

// The kinds of records.
const (
	groupKind  = "group-metadata"
	offsetKind = "offset-commit"
)

// decoded returns the readable form of a record; a tombstone has only its key.
func decoded(r coordinator.Record) any {
	switch r := r.(type) {
	case coordinator.GroupMetadataRecord:
		if r.Tombstone {
			return decodedTombstone{Kind: groupKind, Group: r.Group, Tombstone: true}
		}
		return decodeGroup(r)
	case *coordinator.OffsetCommitRecord:
		if r.Tombstone {
			return decodedTombstone{Kind: offsetKind, Group: r.Group, Topic: r.Topic, Partition: &r.Partition, Tombstone: true}
		}
		return decodeOffset(r)
	}
	return nil
}

func decodeGroup(r coordinator.GroupMetadataRecord) decodedGroup {
	d := decodedGroup{
		Kind: groupKind, Group: r.Group, ProtocolType: r.ProtocolType, Generation: r.Generation,
		Protocol: r.Protocol, Leader: r.Leader, StateTimestampMs: r.StateTimestampMs,
	}
	for _, m := range r.Members {
		d.Members = append(d.Members, decodeMember(m))
	}
	return d
}

// decodeMember leaves out what is not in the bytes of the consumer protocol.
func decodeMember(m coordinator.MemberRecord) decodedMember {
	d := decodedMember{
		Member: m.Member, Instance: m.Instance, ClientID: m.ClientID, ClientHost: m.ClientHost,
		RebalanceTimeoutMs: m.RebalanceTimeoutMs, SessionTimeoutMs: m.SessionTimeoutMs,
	}
	if s, err := assignors.DecodeSubscription(m.Subscription); err == nil {
		d.Topics = s.Topics
	}
	if partitions, _, err := assignors.DecodeAssignment(m.Assignment); err == nil {
		for _, tp := range partitions {
			d.Assignment = append(d.Assignment, tp.String())
		}
	}
	return d
}

func decodeOffset(r *coordinator.OffsetCommitRecord) decodedOffset {
	d := decodedOffset{
		Kind: offsetKind, Group: r.Group, Topic: r.Topic, Partition: r.Partition,
		Offset: r.Offset, LeaderEpoch: r.LeaderEpoch, Metadata: r.Metadata, CommitTimestampMs: r.CommitTimestampMs,
	}
	if r.ExpireTimestampMs != -1 {
		d.ExpireTimestampMs = &r.ExpireTimestampMs
	}
	return d
}
