package coordinator

import (
	"encoding/binary"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// The versions in which Kafka 4.4.0 writes records.
const (
	offsetKeyVersion    = 1
	groupKeyVersion     = 2
	groupVersion        = 3
	offsetVersion       = 4
	offsetExpiryVersion = 1 // the only one that knows an expiry; it knows no leader epoch
)

// Encode returns the bytes of a record in the offsets topic; the value of a tombstone is nil. Those of a
// TransactionMarker are a control record, whose producer stands in the header of its batch.
//
// Kafka: GroupCoordinatorRecordHelpers, GroupCoordinatorRecordSerde, EndTransactionMarker.
func Encode(r Record) (key, value []byte) {
	switch r := r.(type) {
	case GroupMetadataRecord:
		return r.key(), r.value()
	case *OffsetCommitRecord:
		return r.key(), r.value()
	case TransactionMarker:
		return r.control()
	}
	panic("coordinator: a record of an unknown type")
}

func (r GroupMetadataRecord) key() []byte {
	k := kmsg.GroupMetadataKey{Version: groupKeyVersion, Group: r.Group}
	return k.AppendTo(nil)
}

func (r GroupMetadataRecord) value() []byte {
	if r.Tombstone {
		return nil
	}
	v := kmsg.GroupMetadataValue{
		Version: groupVersion, ProtocolType: r.ProtocolType, Generation: int32(r.Generation),
		Protocol: nullable(r.Protocol), Leader: nullable(r.Leader), CurrentStateTimestamp: r.StateTimestampMs,
	}
	for _, m := range r.Members {
		v.Members = append(v.Members, kmsg.GroupMetadataValueMember{
			MemberID: string(m.Member), InstanceID: nullable(m.Instance), ClientID: m.ClientID, ClientHost: m.ClientHost,
			RebalanceTimeoutMillis: m.RebalanceTimeoutMs, SessionTimeoutMillis: m.SessionTimeoutMs,
			Subscription: m.Subscription, Assignment: m.Assignment,
		})
	}
	return v.AppendTo(nil)
}

func (r *OffsetCommitRecord) key() []byte {
	k := kmsg.OffsetCommitKey{Version: offsetKeyVersion, Group: r.Group, Topic: r.Topic, Partition: r.Partition}
	return k.AppendTo(nil)
}

func (r *OffsetCommitRecord) value() []byte {
	if r.Tombstone {
		return nil
	}
	v := kmsg.OffsetCommitValue{
		Version: offsetVersion, Offset: r.Offset, LeaderEpoch: r.LeaderEpoch, Metadata: r.Metadata,
		CommitTimestamp: r.CommitTimestampMs, ExpireTimestamp: r.ExpireTimestampMs, TopicID: r.TopicID,
	}
	if r.ExpireTimestampMs != noTimestamp {
		v.Version = offsetExpiryVersion
	}
	return v.AppendTo(nil)
}

// control leaves out the epoch of the transaction coordinator, which nobody models.
func (m TransactionMarker) control() (key, value []byte) {
	key = make([]byte, 4) // version 0 and the type: 0 aborts, 1 commits
	if m.Commit {
		binary.BigEndian.PutUint16(key[2:], 1)
	}
	return key, make([]byte, 6) // version 0 and the epoch
}

func nullable[S ~string](s S) *string {
	if s == "" {
		return nil
	}
	text := string(s)
	return &text
}
