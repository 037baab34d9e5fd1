package offsetslog

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"simulate/sim/coordinator"
	"simulate/sim/wire"
)

// partitions is how many the offsets topic has here: group "g" belongs to partition 3.
const partitions = 50

func offset(n int32, expires int64) *coordinator.OffsetCommitRecord {
	r := &coordinator.OffsetCommitRecord{Group: "g", CommitTimestampMs: 1500, ExpireTimestampMs: expires}
	r.TopicPartition = wire.TopicPartition{Topic: "t", Partition: n}
	r.Offset, r.LeaderEpoch, r.Metadata = 42, -1, "<note>"
	return r
}

func tombstone(n int32) *coordinator.OffsetCommitRecord {
	r := &coordinator.OffsetCommitRecord{Group: "g", Tombstone: true}
	r.TopicPartition = wire.TopicPartition{Topic: "t", Partition: n}
	return r
}

func someGroup() coordinator.GroupMetadataRecord {
	return coordinator.GroupMetadataRecord{
		Group: "g", ProtocolType: "consumer", Generation: 3, Protocol: "range", Leader: "a-1", StateTimestampMs: 1000,
		Members: []coordinator.MemberRecord{
			{Member: "a-1", ClientID: "a", ClientHost: "/127.0.0.1", RebalanceTimeoutMs: 300000, SessionTimeoutMs: 45000,
				Subscription: []byte("?"), Assignment: []byte("?")},
			{Member: "b-1", Instance: "b", ClientID: "b", ClientHost: "/127.0.0.1", RebalanceTimeoutMs: -1, SessionTimeoutMs: 10000,
				Subscription: []byte("?"), Assignment: []byte("?")},
		},
	}
}

func written(records ...coordinator.Record) string {
	var b strings.Builder
	w := NewWriter(&b, Header{Scenario: "s", Partitions: partitions})
	for i, r := range records {
		w.Write(Entry{Partition: coordinator.PartitionOf(GroupOf(r), partitions), Offset: int64(2 * i), TimestampMs: 1500, Record: r})
	}
	return b.String()
}

// TestRoundTrip: Read gives what was written, for records of every kind.
func TestRoundTrip(t *testing.T) {
	empty := coordinator.GroupMetadataRecord{Group: "other", StateTimestampMs: -1}
	records := []coordinator.Record{
		someGroup(), offset(0, -1), offset(1, 2000), tombstone(1), empty,
		coordinator.GroupMetadataRecord{Group: "g", Tombstone: true},
	}
	entries, problems := Read([]byte(written(records...)), partitions)
	if problems != nil {
		t.Fatal(problems)
	}
	var got []coordinator.Record
	for _, e := range entries {
		got = append(got, e.Record)
	}
	if diff := cmp.Diff(records, got, cmpopts.IgnoreUnexported(coordinator.OffsetCommitRecord{})); diff != "" {
		t.Error(diff)
	}
	if last := entries[len(entries)-1]; last.Offset != 10 || last.TimestampMs != 1500 || last.Partition != coordinator.PartitionOf("g", partitions) {
		t.Errorf("the place of the last record is %+v", last)
	}
}

// TestOtherRecords: like Kafka's coordinator, Read leaves out what belongs to newer kinds of groups.
func TestOtherRecords(t *testing.T) {
	text := written(offset(0, -1)) + `{"partition":0,"offset":0,"timestamp_ms":0,"key":"AAMAAWc=","value":null}` + "\n"
	entries, problems := Read([]byte(text), partitions)
	if len(entries) != 1 || problems != nil {
		t.Errorf("got %d entries and %v", len(entries), problems)
	}
}

// TestRefusedRecords: a record that no coordinator writes is a mistake.
func TestRefusedRecords(t *testing.T) {
	change := func(f func(*coordinator.GroupMetadataRecord)) coordinator.Record {
		r := someGroup()
		f(&r)
		return r
	}
	late := offset(0, -1)
	late.CommitTimestampMs = latestMs
	expired := offset(0, -2)
	for _, test := range []struct {
		want string
		r    coordinator.Record
	}{
		{`group "g": its timestamp is out of range`, change(func(r *coordinator.GroupMetadataRecord) { r.StateTimestampMs = -2 })},
		{`group "g": generation -1 is negative`, change(func(r *coordinator.GroupMetadataRecord) { r.Generation = -1 })},
		{`group "g": member "a-1" is there twice`, change(func(r *coordinator.GroupMetadataRecord) { r.Members[1].Member = "a-1" })},
		{`group "g": a timeout of member "b-1" is negative`, change(func(r *coordinator.GroupMetadataRecord) { r.Members[1].SessionTimeoutMs = -1 })},
		{`group "g": a timeout of member "b-1" is negative`, change(func(r *coordinator.GroupMetadataRecord) { r.Members[1].RebalanceTimeoutMs = -2 })},
		{`group "g": it has members but no leader among them or no protocol`, change(func(r *coordinator.GroupMetadataRecord) { r.Leader = "c-1" })},
		{`group "g": it has members but no leader among them or no protocol`, change(func(r *coordinator.GroupMetadataRecord) { r.Protocol = "" })},
		{`offset of group "g": a timestamp is out of range`, late},
		{`offset of group "g": a timestamp is out of range`, expired},
	} {
		_, problems := Read([]byte(written(test.r)), partitions)
		if diff := cmp.Diff([]Problem{{2, test.want}}, problems); diff != "" {
			t.Error(diff)
		}
	}
}

// TestFiles runs the scripts in testdata.
//
//	write
//	    prints a file with a group, an offset and two tombstones
//	read
//	    reads the file in the input, "\n" between its lines, and prints its mistakes
func TestFiles(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "write":
				return written(someGroup(), offset(0, 2000), tombstone(0), coordinator.GroupMetadataRecord{Group: "g", Tombstone: true})
			case "read":
				entries, problems := Read([]byte(d.Input), partitions)
				if problems == nil {
					return fmt.Sprintf("%d entries\n", len(entries))
				}
				var b strings.Builder
				for _, p := range problems {
					fmt.Fprintf(&b, "%d: %s\n", p.Line, p.Text)
				}
				return b.String()
			}
			d.Fatalf(t, "unknown command %s", d.Cmd)
			return ""
		})
	})
}

// FuzzRead: whatever the text is, Read returns; what it takes can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add(written(someGroup(), offset(0, -1), tombstone(0)))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		entries, problems := Read([]byte(text), partitions)
		if problems != nil {
			return
		}
		var b strings.Builder
		w := NewWriter(&b, Header{Partitions: partitions})
		for _, e := range entries {
			w.Write(e)
		}
		again, problems := Read([]byte(b.String()), partitions)
		if problems != nil || len(again) != len(entries) {
			t.Errorf("%d entries become %d, with %v", len(entries), len(again), problems)
		}
	})
}

// TestLines: every line is one JSON object.
func TestLines(t *testing.T) {
	for line := range strings.Lines(written(someGroup(), tombstone(0))) {
		if !json.Valid([]byte(line)) || !strings.HasPrefix(line, "{") {
			t.Errorf("no object: %s", line)
		}
	}
}
