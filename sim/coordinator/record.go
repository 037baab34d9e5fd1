package coordinator

import "simulate/sim/wire"

// Record is one record of the offsets topic: a GroupMetadataRecord, an *OffsetCommitRecord or a
// TransactionMarker.
type Record interface{ record() }

// GroupMetadataRecord is what the log remembers of a group (Kafka: GroupMetadataKey and -Value).
type GroupMetadataRecord struct {
	Group            string
	Tombstone        bool   // the group does not exist any more; no other field counts
	ProtocolType     string // "" when none
	Generation       wire.Generation
	Protocol         string // "" when none
	Leader           wire.MemberID
	StateTimestampMs int64 // -1 when unknown
	Members          []MemberRecord
}

// MemberRecord is one member of a GroupMetadataRecord. Subscription is what the member said for the
// chosen protocol; what it said for others is lost with the coordinator.
type MemberRecord struct {
	Member             wire.MemberID
	Instance           wire.InstanceID
	ClientID           string
	ClientHost         string
	RebalanceTimeoutMs int32 // -1 in records of old brokers: the session timeout counts
	SessionTimeoutMs   int32
	Subscription       []byte
	Assignment         []byte
}

// OffsetCommitRecord is one committed offset (Kafka: OffsetCommitKey and -Value). The producer stands in
// the header of the record's batch.
type OffsetCommitRecord struct {
	Group string
	wire.OffsetToCommit
	CommitTimestampMs int64
	ExpireTimestampMs int64    // -1 when none
	TopicID           [16]byte // zero when unknown

	Tombstone     bool // the offset is gone; no value counts
	Transactional bool // it waits for the TransactionMarker of ProducerID
	ProducerID    int64
	ProducerEpoch int16

	position int64 // in the log
}

// TransactionMarker ends the transaction of a producer (Kafka: EndTransactionMarker in a control batch).
type TransactionMarker struct {
	ProducerID    int64
	ProducerEpoch int16
	Commit        bool
}

func (GroupMetadataRecord) record() {}
func (*OffsetCommitRecord) record() {}
func (TransactionMarker) record()   {}
