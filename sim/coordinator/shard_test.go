package coordinator

import (
	"testing"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// TestUnknownAPI checks that a request which is not coordinated here gets an answer.
func TestUnknownAPI(t *testing.T) {
	s := New(Defaults(), &sequence{}, trace.Discard)
	got := s.Handle(0, &wire.Request{Ticket: 7, API: wire.Metadata, Group: "g"})
	want := wire.Response{Ticket: 7, API: wire.Metadata, Err: wire.UnsupportedVersion}
	if len(got) != 1 || got[0].Kind != Reply || got[0].Response != want {
		t.Errorf("got %+v, want the reply %+v", got, want)
	}
}

// TestCommitOutOfOrder checks that a host which breaks the order of the log hears of it.
func TestCommitOutOfOrder(t *testing.T) {
	s := New(Defaults(), &sequence{}, trace.Discard)
	commit := wire.Request{Ticket: 1, API: wire.OffsetCommit, Version: 9, Group: "g", Generation: -1,
		Body: &wire.OffsetCommitRequest{RetentionTimeMs: -1, Offsets: []wire.OffsetToCommit{{}}}}
	s.Handle(0, &commit)
	s.Handle(0, &commit)
	defer func() {
		if recover() == nil {
			t.Error("append 2 committed before append 1, and nobody panicked")
		}
	}()
	s.Appended(0, 2, wire.None)
}

// TestErrorTranslation checks the table of P-30 and P-31: what the log says, what a JoinGroup or
// SyncGroup is told, and what any other request is told.
func TestErrorTranslation(t *testing.T) {
	for _, test := range []struct{ log, metadata, operation wire.Err }{
		{wire.UnknownTopicOrPartition, wire.CoordinatorNotAvailable, wire.CoordinatorNotAvailable},
		{wire.NotEnoughReplicas, wire.CoordinatorNotAvailable, wire.CoordinatorNotAvailable},
		{wire.NotEnoughReplicasAfter, wire.NotEnoughReplicasAfter, wire.NotEnoughReplicasAfter},
		{wire.RequestTimedOut, wire.CoordinatorNotAvailable, wire.CoordinatorNotAvailable},
		{wire.NotLeaderOrFollower, wire.NotCoordinator, wire.NotCoordinator},
		{wire.KafkaStorageError, wire.NotCoordinator, wire.NotCoordinator},
		{wire.MessageTooLarge, wire.UnknownServerError, wire.UnknownServerError},
		{wire.RecordListTooLarge, wire.UnknownServerError, wire.UnknownServerError},
		{wire.InvalidFetchSize, wire.UnknownServerError, wire.UnknownServerError},
		{wire.NetworkException, wire.NetworkException, wire.CoordinatorLoadInProgress},
	} {
		if got := metadataError(test.log); got != test.metadata {
			t.Errorf("%v: JoinGroup is told %v, want %v", test.log, got, test.metadata)
		}
		if got := operationError(test.log); got != test.operation {
			t.Errorf("%v: other requests are told %v, want %v", test.log, got, test.operation)
		}
	}
}
