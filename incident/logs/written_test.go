package logs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"simulate/incident/logs"
	"simulate/reports"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// written are events of runs, one for each kind and variant that a broker's log tells of, and what is read from the line: all
// of it that is printed.
var written = []struct {
	event trace.Event
	want  string
}{
	{trace.Event{Kind: trace.GroupCreated, Text: "OffsetCommit"}, "nothing"},
	{preparing(trace.Event{Reason: trace.MemberJoined, Member: "m", Generation: 4, Text: "group is already rebalancing"}),
		`preparing member="m" generation=4 reason=member-joined client-reason="group is already rebalancing"`},
	{preparing(trace.Event{Reason: trace.MemberJoined, Member: "m", Instance: "i", Generation: 4}),
		`preparing member="m" instance="i" generation=4 reason=member-joined`},
	{preparing(trace.Event{Reason: trace.MemberRejoined, Member: "m", From: wire.CompletingRebalance, Generation: 4}),
		`preparing member="m" generation=4 state=CompletingRebalance reason=member-rejoined text="Updating metadata for member m during CompletingRebalance"`},
	{preparing(trace.Event{Reason: trace.LeaderRejoined, Member: "m", From: wire.Stable, Generation: 4}),
		`preparing member="m" generation=4 state=Stable reason=leader-rejoined text="Leader m re-joining group during Stable"`},
	{preparing(trace.Event{Reason: trace.Left, List: []wire.MemberID{"m", "n"}, Generation: 4}),
		"preparing list=[\"m\" \"n\"] generation=4 reason=left"},
	{preparing(trace.Event{Reason: trace.PendingLeft, List: []wire.MemberID{"m"}, Generation: 4}), // prints as one that left
		"preparing member=\"m\" list=[\"m\"] generation=4 reason=left"},
	{preparing(trace.Event{Reason: trace.SessionExpired, Member: "m", Generation: 4}),
		`preparing member="m" generation=4 reason=session-expired`},
	{preparing(trace.Event{Reason: trace.SyncExpired, List: []wire.MemberID{"m", "n"}, Generation: 4}),
		`preparing list=["m" "n"] generation=4 reason=sync-expired`},
	{preparing(trace.Event{Reason: trace.StaticReplaced, Member: "m", Instance: "i", From: wire.Stable, Generation: 4}),
		`preparing member="m" instance="i" generation=4 reason=static-replaced text="Group's selectedProtocol will change because static member m with instance id i joined with change of protocol"`},
	{preparing(trace.Event{Reason: trace.StaticReplaced, Member: "m", Instance: "i", From: wire.CompletingRebalance, Generation: 4}),
		`preparing member="m" instance="i" generation=4 reason=static-replaced text="Updating metadata for static member m with instance id i"`},
	{preparing(trace.Event{Reason: trace.AppendFailed, Member: "m", Err: wire.CoordinatorNotAvailable, Generation: 4}),
		`preparing member="m" generation=4 reason=append-failed text="Error COORDINATOR_NOT_AVAILABLE when storing group assignmentduring SyncGroup (member: m)."`},
	{preparing(trace.Event{Reason: trace.OverCapacity, Members: 3, Text: "2", Generation: 4}),
		`preparing generation=4 reason=over-capacity text="Freshly-loaded group my group (size 3) is over capacity 2. Rebalancing in order to give a chance for consumers to commit offsets"`},
	{trace.Event{Kind: trace.GhostPrepared, To: wire.PreparingRebalance, Reason: trace.SessionExpired, Member: "m", Generation: 4},
		`preparing member="m" generation=4 reason=session-expired`},
	{trace.Event{Kind: trace.GroupBecame, To: wire.CompletingRebalance, Generation: 5, Members: 3}, "completing generation=5 members=3"},
	{trace.Event{Kind: trace.GroupBecame, To: wire.Empty, Generation: 5}, "empty-group generation=5"},

	{trace.Event{Kind: trace.MemberAdded, Reason: trace.NewDynamic, Member: "m", To: wire.Stable}, `member-added member="m" state=Stable reason=new-dynamic`},
	{trace.Event{Kind: trace.MemberAdded, Reason: trace.NewStatic, Member: "m", Instance: "i", To: wire.Empty}, `member-added member="m" instance="i" state=Empty reason=new-static`},
	{trace.Event{Kind: trace.MemberAdded, Reason: trace.PendingJoined, Member: "m", To: wire.Empty}, `member-added member="m" state=Empty reason=pending-joined`},
	{trace.Event{Kind: trace.MemberAdded, Reason: trace.StaticReplaced, Member: "m", Other: "n", Instance: "i", To: wire.Stable}, `static-replaced other="n" instance="i" state=Stable`},
	{trace.Event{Kind: trace.MemberRemoved, Reason: trace.SessionExpired, Member: "m"}, `member-failed member="m"`},
	{trace.Event{Kind: trace.MemberRemoved, Reason: trace.NewMemberExpired, Member: "m"}, `member-failed member="m"`},
	{trace.Event{Kind: trace.MemberRemoved, Reason: trace.Left, Member: "m", Text: "it (really) is over", HasText: true}, `member-left member="m" client-reason="it (really) is over"`},
	{trace.Event{Kind: trace.MemberRemoved, Reason: trace.Left, Member: "m"}, `member-left member="m"`},
	{trace.Event{Kind: trace.MemberIDIssued, Member: "m", To: wire.PreparingRebalance}, `member-id-issued member="m" state=PreparingRebalance`},
	{trace.Event{Kind: trace.PendingRemoved, Reason: trace.SessionExpired, Member: "m"}, `pending-expired member="m"`},
	{trace.Event{Kind: trace.PendingRemoved, Reason: trace.Left, Member: "m"}, `pending-left member="m"`},
	{trace.Event{Kind: trace.LeaderReplaced, Member: "m", Other: "n", Instance: "i", Details: &trace.MemberDetails{
		ClientID: "c", ClientHost: "/10.0.0.7", SessionTimeoutMs: 45000, RebalanceTimeoutMs: 300000, ProtocolType: "consumer", Protocols: []string{"range", "sticky"},
	}}, `leader-replaced member="m" other="n" instance="i" details="c","/10.0.0.7",45s,5m0s,[range sticky]`},
	{trace.Event{Kind: trace.NobodyRejoined, Other: "n", Instance: "i"}, "leader-replaced other=\"n\" instance=\"i\"\nnobody-rejoined"},
	{trace.Event{Kind: trace.NotRejoined, List: []wire.MemberID{"m", "n"}}, `not-rejoined list=["m" "n"]`},
	{trace.Event{Kind: trace.AssignmentReceived, Member: "m", Generation: 5, Members: 3, Static: 1}, `assignment-received other="m" generation=5 members=3 static=1`},
	{trace.Event{Kind: trace.AssignmentMissing, List: []wire.MemberID{"m", "n"}, Generation: 5}, `empty-assignment list=["m" "n"] generation=5`},
	{trace.Event{Kind: trace.AssignmentEmpty, Member: "m", Generation: 5}, `empty-assignment member="m" generation=5`},
	{trace.Event{Kind: trace.StaticNoRebalance, Member: "m", Instance: "i"}, "static-no-rebalance"},
	{trace.Event{Kind: trace.Fenced, Member: "m", Other: "n", Instance: "i", Text: "sync-group"}, `fenced member="m" other="n" instance="i" text="sync-group"`},
	{trace.Event{Kind: trace.SyncTimerUnexpected, Generation: 4, Members: 5}, "nothing"},
	{trace.Event{Kind: trace.GroupLoaded, Generation: 5, Members: 3}, "group-loaded members=3"},
	{trace.Event{Kind: trace.GroupUnloaded, Generation: 5}, "group-unloaded generation=5"},
	{trace.Event{Kind: trace.GroupsDeleted, Text: "my group", Members: 7}, "dead-group"},
	{trace.Event{Kind: trace.GroupsDeleted, Text: "my group, b", Members: 7}, `groups-deleted text="my group, b"`},
	{trace.Event{Kind: trace.DeletionRefused}, "nothing"},
	{trace.Event{Kind: trace.OffsetsExpired, Members: 7}, "nothing"},
	{trace.Event{Kind: trace.TopicDeleted, Members: 7, Partitions: []wire.TopicPartition{{Topic: "orders"}}}, "nothing\nnothing"},
	{trace.Event{Kind: trace.OffsetSuperseded, Offset: &trace.OffsetDetails{}, Partitions: []wire.TopicPartition{{Topic: "orders"}}}, "nothing"},
	{trace.Event{Kind: trace.SubscriptionMalformed, Text: "consumer", Protocol: "range"}, "nothing"},
	{trace.Event{Kind: trace.AppendRefused, Err: wire.NotEnoughReplicas, Members: 2, Partitions: []wire.TopicPartition{{Topic: "__consumer_offsets", Partition: 9}}},
		`append-failed text="Messages are rejected since there are fewer in-sync replicas than required."`},
	{trace.Event{Kind: trace.AppendRefused, Err: wire.MessageTooLarge, Members: 2, Text: "1000", Partitions: []wire.TopicPartition{{Topic: "__consumer_offsets", Partition: 9}}},
		`append-failed text="it is larger than the maximum batch size of 1000 bytes. This usually means that a single record is too large. Consider increasing the maximum batch size"`},
	{trace.Event{Kind: trace.GroupRecordRefused, Err: wire.NotCoordinator}, `store-failed text="This is not the correct coordinator"`},
	{trace.Event{Kind: trace.ReplacementRefused, Member: "m", Other: "n", Instance: "i", Err: wire.NotCoordinator},
		`store-failed member="m" other="n" instance="i" text="This is not the correct coordinator."`},
	{trace.Event{Kind: trace.OperationFailed, Operation: "classic-group-join", Err: wire.NotCoordinator}, "nothing"},
	{trace.Event{Kind: trace.TimerFailed, Reason: trace.JoinPhaseComplete, Err: wire.NotCoordinator}, `store-failed text="This is not the correct coordinator."`},
	{trace.Event{Kind: trace.TimerFailed, Reason: trace.SyncExpired, Err: wire.NotCoordinator}, `store-failed text="This is not the correct coordinator."`},
	{trace.Event{Kind: trace.TimerFailed, Reason: trace.SessionExpired, Member: "m", Err: wire.NotCoordinator}, "nothing"},
}

func preparing(e trace.Event) trace.Event {
	e.Kind, e.To = trace.GroupBecame, wire.PreparingRebalance
	return e
}

// What a broker would log of a run's events is read back with the same meaning. That of which nothing is read is about no state
// and no member.
func TestWritten(t *testing.T) {
	covered := map[trace.Kind]bool{}
	for _, test := range written {
		covered[test.event.Kind] = true
		e := test.event
		e.Group = "my group"
		var got []string
		for _, l := range reports.LogLines(e) {
			line := fmt.Sprintf("[2026-03-01 10:00:00,000] %s [GroupCoordinator id=3 topic=__consumer_offsets partition=9] %s (%s)", l.Level, l.Text, l.Logger)
			said := logs.Found(line)
			if said != "nothing" && !strings.Contains(said, " broker=3 partition=9") {
				t.Errorf("%s\nis read without its broker: %s", line, said)
			}
			said = strings.Replace(said, " broker=3 partition=9", "", 1)
			got = append(got, strings.Replace(said, ` group="my group"`, "", 1))
		}
		if got := strings.Join(got, "\n"); got != test.want {
			t.Errorf("%v is read as\n%s\nwant\n%s", e.Kind, got, test.want)
		}
	}
	for k := trace.NoKind; k <= trace.RoutineCounted; k++ {
		if !covered[k] && logged(k) {
			t.Errorf("there is no line for %v", k)
		}
	}
}

// logged reports whether there is a line for a kind. One that needs more than its kind is to be logged panics.
func logged(k trace.Kind) (yes bool) {
	defer func() { yes = recover() != nil || yes }()
	return slices.ContainsFunc([]wire.GroupState{wire.NoGroup, wire.PreparingRebalance, wire.Empty}, func(to wire.GroupState) bool {
		return len(reports.LogLines(trace.Event{Kind: k, To: to, Text: "x"})) > 0
	})
}
