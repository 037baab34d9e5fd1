// Package offsetslog reads and writes files with the records of the offsets topic, __consumer_offsets: JSON
// Lines with the very bytes that Kafka 4.4.0 stores. docs/offsets-log.md describes the format.
//
//	w := offsetslog.NewWriter(out, offsetslog.Header{Scenario: "deploy", Partitions: 50})
//	result, err := sim.RunWith(ctx, scenario, sink, sim.Options{Commits: w.Write})
//	...
//	entries, problems := offsetslog.Read(text, 50)
package offsetslog

import (
	"simulate/sim/coordinator"
	"simulate/sim/wire"
)

// Schema names the format; the number grows when a reader of the old one would misunderstand it.
const Schema = "simulate.offsets/1"

// Header is the first line of a file: where its records come from.
type Header struct {
	Scenario   string
	Partitions int // offsets.topic.num.partitions
}

// Entry is one committed record.
type Entry struct {
	Partition   int32 // of the offsets topic
	Offset      int64 // in that partition
	TimestampMs int64 // when it was appended
	Record      coordinator.Record
}

// GroupOf returns the group that a record is about, "" for a TransactionMarker.
func GroupOf(r coordinator.Record) string {
	switch r := r.(type) {
	case coordinator.GroupMetadataRecord:
		return r.Group
	case *coordinator.OffsetCommitRecord:
		return r.Group
	}
	return ""
}

// MembersOf returns the members that a record names.
func MembersOf(r coordinator.Record) []wire.MemberID {
	var ids []wire.MemberID
	if r, ok := r.(coordinator.GroupMetadataRecord); ok {
		for _, m := range r.Members {
			ids = append(ids, m.Member)
		}
	}
	return ids
}
