package coordinator

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"simulate/sim/wire"
)

// golden is a record with its bytes, from Kafka's own record helpers and message classes.
type golden struct {
	ID, What     string
	Type         int
	Lossy        bool // the version drops a field that was set
	KeyHex       string
	ValueHex     *string
	ValueVersion *int
	Key          struct {
		Group, Topic string
		Partition    int32
	}
	Value *goldenValue
}

type goldenValue struct {
	Offset                int64
	LeaderEpoch           *int32
	Metadata              string
	CommitTimestamp       int64
	ExpireTimestamp       *int64
	TopicID               string
	ProtocolType          string
	Generation            int32
	Protocol, Leader      string
	CurrentStateTimestamp *int64
	Members               []struct {
		MemberID, GroupInstanceID, ClientID, ClientHost string
		RebalanceTimeout                                *int32
		SessionTimeout                                  int32
		Subscription, Assignment                        []byte
	}
}

func goldens(t *testing.T) []golden {
	f, err := os.Open("testdata/records.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var list []golden
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		list = append(list, g)
	}
	if len(list) == 0 || lines.Err() != nil {
		t.Fatal("no goldens", lines.Err())
	}
	return list
}

// TestRecordBytes decodes Kafka's records of every version, compares every field, and encodes those again
// that are of a version which Kafka 4.4.0 writes.
func TestRecordBytes(t *testing.T) {
	decoded, encoded, others := 0, 0, 0
	for _, g := range goldens(t) {
		key, value := unhex(t, g.KeyHex), []byte(nil)
		if g.ValueHex != nil {
			value = unhex(t, *g.ValueHex)
		}
		got, err := Decode(key, value)
		if g.Type > groupKeyVersion {
			if !errors.Is(err, ErrOtherRecord) {
				t.Errorf("%s %s: got %v, want %v", g.ID, g.What, err, ErrOtherRecord)
			}
			others++
			continue
		}
		if err != nil {
			t.Errorf("%s %s: %v", g.ID, g.What, err)
			continue
		}
		if diff := cmp.Diff(g.record(t), got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(OffsetCommitRecord{})); diff != "" {
			t.Errorf("%s %s differs from Kafka's (-want +got):\n%s", g.ID, g.What, diff)
		}
		decoded++
		if !g.written() {
			continue
		}
		k, v := Encode(got)
		if !bytes.Equal(k, key) || !bytes.Equal(v, value) || (v == nil) != (value == nil) {
			t.Errorf("%s %s: got %x and %x, want %x and %x", g.ID, g.What, k, v, key, value)
		}
		encoded++
	}
	t.Logf("%d records decoded, %d of them encoded, %d of other kinds", decoded, encoded, others)
	if decoded < 90 || encoded < 80 || others < 90 {
		t.Error("that is fewer than there were")
	}
}

// written reports whether Kafka 4.4.0 writes such a value.
func (g golden) written() bool {
	switch {
	case g.ValueVersion == nil:
		return true
	case g.Type == offsetKeyVersion:
		return *g.ValueVersion == offsetVersion || *g.ValueVersion == offsetExpiryVersion
	default:
		return *g.ValueVersion == groupVersion
	}
}

func (g golden) record(t *testing.T) Record {
	v := g.Value
	if g.Type == groupKeyVersion {
		if v == nil {
			return GroupMetadataRecord{Group: g.Key.Group, Tombstone: true}
		}
		r := GroupMetadataRecord{
			Group: g.Key.Group, ProtocolType: v.ProtocolType, Generation: wire.Generation(v.Generation),
			Protocol: v.Protocol, Leader: wire.MemberID(v.Leader), StateTimestampMs: orMinusOne(v.CurrentStateTimestamp),
		}
		for _, m := range v.Members {
			r.Members = append(r.Members, MemberRecord{
				Member: wire.MemberID(m.MemberID), Instance: wire.InstanceID(m.GroupInstanceID),
				ClientID: m.ClientID, ClientHost: m.ClientHost,
				RebalanceTimeoutMs: orMinusOne(m.RebalanceTimeout), SessionTimeoutMs: m.SessionTimeout,
				Subscription: m.Subscription, Assignment: m.Assignment,
			})
		}
		return r
	}
	r := &OffsetCommitRecord{Group: g.Key.Group, Tombstone: v == nil}
	r.TopicPartition = wire.TopicPartition{Topic: g.Key.Topic, Partition: g.Key.Partition}
	if v != nil {
		r.Offset, r.LeaderEpoch, r.Metadata = v.Offset, orMinusOne(v.LeaderEpoch), v.Metadata
		r.CommitTimestampMs, r.ExpireTimestampMs = v.CommitTimestamp, orMinusOne(v.ExpireTimestamp)
		id, err := base64.RawURLEncoding.DecodeString(v.TopicID)
		if err != nil {
			t.Fatal(err)
		}
		copy(r.TopicID[:], id)
	}
	return r
}

func orMinusOne[N int32 | int64](n *N) N {
	if n == nil {
		return -1
	}
	return *n
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestMarkerBytes(t *testing.T) {
	for _, want := range []TransactionMarker{{ProducerID: 7, ProducerEpoch: 2, Commit: true}, {ProducerID: 8}} {
		key, value := Encode(want)
		got, err := DecodeMarker(key, want.ProducerID, want.ProducerEpoch)
		if err != nil || got != want || len(value) != 6 {
			t.Errorf("got %+v, %v with value %x, want %+v", got, err, value, want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	group, _ := Encode(GroupMetadataRecord{Group: "g"})
	offset, _ := Encode(&OffsetCommitRecord{Group: "g"})
	tests := []struct {
		key, value []byte
		want       string
	}{
		{[]byte{0}, nil, "coordinator: key 00 is too short for a version"},
		{offset[:5], nil, "coordinator: offset key 0001000167: response did not contain enough data to be valid"},
		{group[:3], nil, "coordinator: group key 000200: response did not contain enough data to be valid"},
		{group, []byte{0, 5}, `coordinator: group "g": value version 5 is not known; the latest is 4`},
		{group, []byte{0}, `coordinator: group "g": value 00 is too short for a version`},
		{offset, []byte{0, 4, 1}, `coordinator: offset of group "g": response did not contain enough data to be valid`},
	}
	for _, test := range tests {
		if _, err := Decode(test.key, test.value); err == nil || err.Error() != test.want {
			t.Errorf("Decode(%x, %x): got %v, want %s", test.key, test.value, err, test.want)
		}
	}
	if _, err := DecodeMarker([]byte{0, 0, 0, 3}, 1, 0); err == nil {
		t.Error("a leader change counts as the end of a transaction")
	}
}
