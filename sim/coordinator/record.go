package coordinator

import "simulate/sim/wire"

// Record is one record of the offsets topic: a GroupMetadataRecord or an *OffsetCommitRecord.
type Record interface{ record() }

// GroupMetadataRecord is what the log remembers of a group (Kafka: GroupMetadataKey and -Value).
type GroupMetadataRecord struct {
	Group            string
	ProtocolType     string // "" when none
	Generation       wire.Generation
	Protocol         string // "" when none
	Leader           wire.MemberID
	StateTimestampMs int64
	Members          []MemberRecord
}

// MemberRecord is one member of a GroupMetadataRecord. Subscription is what the member said for the
// chosen protocol; what it said for others is lost with the coordinator.
type MemberRecord struct {
	Member             wire.MemberID
	Instance           wire.InstanceID
	ClientID           string
	ClientHost         string
	RebalanceTimeoutMs int32
	SessionTimeoutMs   int32
	Subscription       []byte
	Assignment         []byte
}

// OffsetCommitRecord is one committed offset (Kafka: OffsetCommitKey and -Value).
type OffsetCommitRecord struct {
	Group string
	wire.OffsetToCommit
	CommitTimestampMs int64
	ExpireTimestampMs int64 // -1 when none
}

func (GroupMetadataRecord) record() {}
func (*OffsetCommitRecord) record() {}
