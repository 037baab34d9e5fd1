package coordinator

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"simulate/sim/wire"
)

// ErrOtherRecord says that a record of the offsets topic belongs to a newer kind of group. Kafka's
// coordinator skips what it does not know.
var ErrOtherRecord = errors.New("coordinator: the record is neither a classic group's nor an offset's")

// Decode returns the record with these bytes; a nil value is a tombstone. It reads every version that a
// broker has ever written. The error is ErrOtherRecord, or says what is malformed, which fails a load. The
// bytes of the record are those of value.
//
// Kafka: GroupCoordinatorRecordSerde.deserialize.
func Decode(key, value []byte) (Record, error) {
	if len(key) < 2 {
		return nil, fmt.Errorf("coordinator: key %x is too short for a version", key)
	}
	switch version := binary.BigEndian.Uint16(key); version {
	case 0, offsetKeyVersion:
		return decodeOffset(key, value)
	case groupKeyVersion:
		return decodeGroup(key, value)
	default:
		return nil, ErrOtherRecord
	}
}

// DecodeMarker returns the marker with the key of a control record, for the producer of its batch.
//
// Kafka: ControlRecordType.parse.
func DecodeMarker(key []byte, producerID int64, producerEpoch int16) (TransactionMarker, error) {
	m := TransactionMarker{ProducerID: producerID, ProducerEpoch: producerEpoch}
	if len(key) < 4 {
		return m, fmt.Errorf("coordinator: control key %x is too short", key)
	}
	switch kind := binary.BigEndian.Uint16(key[2:]); kind {
	case 0:
	case 1:
		m.Commit = true
	default:
		return m, fmt.Errorf("coordinator: control record of type %d ends no transaction", kind)
	}
	return m, nil
}

func decodeOffset(key, value []byte) (Record, error) {
	var k kmsg.OffsetCommitKey
	if err := k.ReadFrom(key); err != nil {
		return nil, fmt.Errorf("coordinator: offset key %x: %w", key, err)
	}
	r := &OffsetCommitRecord{Group: k.Group, Tombstone: value == nil}
	r.TopicPartition = wire.TopicPartition{Topic: k.Topic, Partition: k.Partition}
	if r.Tombstone {
		return r, nil
	}
	v := kmsg.OffsetCommitValue{LeaderEpoch: -1, ExpireTimestamp: noTimestamp} // what old versions do not tell
	if err := readValue(&v, value, offsetVersion); err != nil {
		return nil, fmt.Errorf("coordinator: offset of group %q: %w", k.Group, err)
	}
	r.Offset, r.LeaderEpoch, r.Metadata = v.Offset, v.LeaderEpoch, v.Metadata
	r.CommitTimestampMs, r.ExpireTimestampMs, r.TopicID = v.CommitTimestamp, v.ExpireTimestamp, v.TopicID
	return r, nil
}

func decodeGroup(key, value []byte) (Record, error) {
	var k kmsg.GroupMetadataKey
	if err := k.ReadFrom(key); err != nil {
		return nil, fmt.Errorf("coordinator: group key %x: %w", key, err)
	}
	r := GroupMetadataRecord{Group: k.Group, Tombstone: value == nil}
	if r.Tombstone {
		return r, nil
	}
	v := kmsg.NewGroupMetadataValue()
	if err := readValue(&v, value, latestGroupVersion); err != nil {
		return nil, fmt.Errorf("coordinator: group %q: %w", k.Group, err)
	}
	r.ProtocolType, r.Generation, r.StateTimestampMs = v.ProtocolType, wire.Generation(v.Generation), v.CurrentStateTimestamp
	r.Protocol, r.Leader = orEmpty[string](v.Protocol), orEmpty[wire.MemberID](v.Leader)
	for _, m := range v.Members {
		r.Members = append(r.Members, MemberRecord{
			Member: wire.MemberID(m.MemberID), Instance: orEmpty[wire.InstanceID](m.InstanceID),
			ClientID: m.ClientID, ClientHost: m.ClientHost,
			RebalanceTimeoutMs: m.RebalanceTimeoutMillis, SessionTimeoutMs: m.SessionTimeoutMillis,
			Subscription: m.Subscription, Assignment: m.Assignment,
		})
	}
	return r, nil
}

// latestGroupVersion is read, but not written by Kafka 4.4.0.
const latestGroupVersion = 4

// readValue refuses a version that is newer than the latest one.
func readValue(v interface{ ReadFrom([]byte) error }, value []byte, latest uint16) error {
	if len(value) < 2 {
		return fmt.Errorf("value %x is too short for a version", value)
	}
	if version := binary.BigEndian.Uint16(value); version > latest {
		return fmt.Errorf("value version %d is not known; the latest is %d", version, latest)
	}
	return v.ReadFrom(value)
}

func orEmpty[S ~string](s *string) S {
	if s == nil {
		return ""
	}
	return S(*s)
}
