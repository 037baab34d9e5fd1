package reports

import (
	"testing"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

func TestBrokerLog(t *testing.T) { golden(t, "log", BrokerLog) }

// Texts that Apache Kafka 4.4.0 logged, as recorded.
func TestLogLines(t *testing.T) {
	became := func(e trace.Event) trace.Event {
		e.Kind, e.Group, e.To = trace.GroupBecame, "g", wire.PreparingRebalance
		return e
	}
	tests := []struct {
		event trace.Event
		want  string
		level string
	}{
		{became(trace.Event{Reason: trace.MemberJoined, Member: "M2", Generation: 0}), "Preparing to rebalance group g in state PreparingRebalance with old generation 0 (reason: Adding new member M2 with group instance id null; client reason: not provided).", "INFO"},
		{became(trace.Event{Reason: trace.MemberJoined, Member: "M1", Instance: "i2", Text: "rebalance enforced by user"}), "Preparing to rebalance group g in state PreparingRebalance with old generation 0 (reason: Adding new member M1 with group instance id i2; client reason: rebalance enforced by user).", "INFO"},
		{became(trace.Event{Reason: trace.SessionExpired, Member: "M2", Generation: 2}), "Preparing to rebalance group g in state PreparingRebalance with old generation 2 (reason: removing member M2 on heartbeat expiration.).", "INFO"},
		{became(trace.Event{Reason: trace.Left, List: []wire.MemberID{"M2", "M1", "M3"}, Generation: 2}), "Preparing to rebalance group g in state PreparingRebalance with old generation 2 (reason: explicit `LeaveGroup` request for (M2, M1, M3) members.).", "INFO"},
		{became(trace.Event{Reason: trace.PendingLeft, List: []wire.MemberID{"M35", ""}, Generation: 5}), "Preparing to rebalance group g in state PreparingRebalance with old generation 5 (reason: explicit `LeaveGroup` request for (M35, ) members.).", "INFO"},
		{became(trace.Event{Reason: trace.LeaderRejoined, From: wire.Stable, Member: "M6", Generation: 10}), "Preparing to rebalance group g in state PreparingRebalance with old generation 10 (reason: Leader M6 re-joining group during Stable; client reason: not provided).", "INFO"},
		{became(trace.Event{Reason: trace.MemberRejoined, From: wire.CompletingRebalance, Member: "M7", Generation: 1}), "Preparing to rebalance group g in state PreparingRebalance with old generation 1 (reason: Updating metadata for member M7 during CompletingRebalance; client reason: not provided).", "INFO"},
		{became(trace.Event{Reason: trace.SyncExpired, List: []wire.MemberID{"M3", "M15"}, Generation: 5}), "Preparing to rebalance group g in state PreparingRebalance with old generation 5 (reason: Removing [M3, M15] on pending sync request expiration).", "INFO"},
		{became(trace.Event{Reason: trace.StaticReplaced, From: wire.CompletingRebalance, Member: "M2", Instance: "i1", Generation: 1}), "Preparing to rebalance group g in state PreparingRebalance with old generation 1 (reason: Updating metadata for static member M2 with instance id i1; client reason: not provided).", "INFO"},
		{became(trace.Event{Reason: trace.StaticReplaced, From: wire.Stable, Member: "M8", Instance: "i1", Generation: 2}), "Preparing to rebalance group g in state PreparingRebalance with old generation 2 (reason: Group's selectedProtocol will change because static member M8 with instance id i1 joined with change of protocol; client reason: not provided).", "INFO"},
		{became(trace.Event{Reason: trace.AppendFailed, Err: wire.CoordinatorNotAvailable, Member: "M2", Generation: 3}), "Preparing to rebalance group g in state PreparingRebalance with old generation 3 (reason: Error COORDINATOR_NOT_AVAILABLE when storing group assignmentduring SyncGroup (member: M2).).", "INFO"},
		{became(trace.Event{Reason: trace.OverCapacity, Members: 3, Text: "2", Generation: 1}), "Preparing to rebalance group g in state PreparingRebalance with old generation 1 (reason: Freshly-loaded group g (size 3) is over capacity 2. Rebalancing in order to give a chance for consumers to commit offsets).", "INFO"},
		{trace.Event{Kind: trace.MemberIDIssued, Group: "g", To: wire.PreparingRebalance, Member: "M3"}, "Dynamic member with unknown member id joins group g in PreparingRebalance state. Created a new member id M3 and requesting the member to rejoin with this id.", "INFO"},
		{trace.Event{Kind: trace.MemberAdded, Reason: trace.NewDynamic, Group: "g", To: wire.PreparingRebalance, Member: "M4"}, "Dynamic member with unknown member id joins group g in state PreparingRebalance. Created a new member id M4 and added the member to the group.", "INFO"},
		{trace.Event{Kind: trace.MemberAdded, Reason: trace.NewStatic, Group: "g", To: wire.PreparingRebalance, Member: "M4", Instance: "i2"}, "Static member with groupInstanceId=i2 and unknown member id joins group g in PreparingRebalance state. Created a new member id M4 for this member and added to the group.", "INFO"},
		{trace.Event{Kind: trace.MemberAdded, Reason: trace.PendingJoined, Group: "g", To: wire.PreparingRebalance, Member: "M4"}, "Pending dynamic member with id M4 joins group g in PreparingRebalance state. Adding to the group now.", "INFO"},
		{trace.Event{Kind: trace.MemberAdded, Reason: trace.StaticReplaced, Group: "g", To: wire.Stable, Member: "M9", Other: "M3", Instance: "i2"}, "Static member with groupInstanceId=i2 and unknown member id joins group g in Stable state. Replacing previously mapped member M3 with this groupInstanceId.", "INFO"},
		{trace.Event{Kind: trace.ReplacementRefused, Group: "g", Member: "M3", Other: "M1", Instance: "i1", Err: wire.NotCoordinator}, "Failed to persist metadata for group g static member M3 with group instance id i1 due to This is not the correct coordinator.. Reverting to old member id M1.", "WARN"},
		{trace.Event{Kind: trace.StaticNoRebalance, Group: "g"}, "Static member which joins during Stable stage and doesn't affect the selected protocol will not trigger a rebalance.", "INFO"},
		{trace.Event{Kind: trace.MemberRemoved, Reason: trace.SessionExpired, Group: "g", Member: "M2"}, "Member M2 in group g has failed, removing it from the group.", "INFO"},
		{trace.Event{Kind: trace.MemberRemoved, Reason: trace.Left, Group: "g", Member: "M2", Text: "the consumer is being closed", HasText: true}, "[Group g] Member M2 has left group through explicit `LeaveGroup` request; client reason: the consumer is being closed", "INFO"},
		{trace.Event{Kind: trace.MemberRemoved, Reason: trace.Left, Group: "g", Member: "M2"}, "[Group g] Member M2 has left group through explicit `LeaveGroup` request; client reason: not provided", "INFO"},
		{trace.Event{Kind: trace.MemberRemoved, Reason: trace.Left, Group: "g", Member: "M2", HasText: true}, "[Group g] Member M2 has left group through explicit `LeaveGroup` request; client reason: ", "INFO"},
		{trace.Event{Kind: trace.PendingRemoved, Reason: trace.SessionExpired, Group: "g", Member: "M2"}, "Pending member M2 in group g has been removed after session timeout expiration.", "INFO"},
		{trace.Event{Kind: trace.PendingRemoved, Reason: trace.Left, Group: "g", Member: "M2"}, "[Group g] Pending member M2 has left group through explicit `LeaveGroup` request; client reason: not provided", "INFO"},
		{trace.Event{Kind: trace.GroupBecame, To: wire.CompletingRebalance, Group: "g", Generation: 2, Members: 3}, "Stabilized group g generation 2 with 3 members.", "INFO"},
		{trace.Event{Kind: trace.GroupBecame, To: wire.Empty, Group: "g", Generation: 2}, "Group g with generation 2 is now empty.", "INFO"},
		{trace.Event{Kind: trace.NotRejoined, Group: "g", List: []wire.MemberID{"M1", "M2"}}, "Group g removed dynamic members who haven't joined: [M1, M2]", "INFO"},
		{trace.Event{Kind: trace.AssignmentReceived, Group: "g", Member: "M2", Generation: 2, Members: 1, Static: 1}, "Assignment received from leader M2 for group g for generation 2. The group has 1 members, 1 of which are static.", "INFO"},
		{trace.Event{Kind: trace.AssignmentMissing, Group: "g", Generation: 1, List: []wire.MemberID{"M3", "M6"}}, "Setting empty assignments for members {M3=[B@?, M6=[B@?} of g for generation 1.", "WARN"},
		{trace.Event{Kind: trace.AssignmentEmpty, Group: "g", Generation: 3, Member: "M4"}, "Sending empty assignment to member M4 of g for generation 3 with no errors", "WARN"},
		{trace.Event{Kind: trace.Fenced, Group: "g", Member: "M6", Instance: "i2", Other: "M2", Text: "heartbeat"}, "Request memberId=M6 for static member with groupInstanceId=i2 is fenced by existing memberId=M2 during operation heartbeat", "INFO"},
		{trace.Event{Kind: trace.SyncTimerUnexpected, Group: "g", Generation: 1, Members: 0, To: wire.Empty}, "Received unexpected notification of sync expiration for g with an old generation 1 while the group has 0.", "ERROR"},
		{trace.Event{Kind: trace.LeaderReplaced, Group: "g", Member: "M4", Other: "M1", Instance: "i1", Details: &trace.MemberDetails{
			InstanceID: "i2", ClientID: "c4", ClientHost: "/127.0.0.1", RebalanceTimeoutMs: 60000, SessionTimeoutMs: 30000, ProtocolType: "consumer", Protocols: []string{"cooperative-sticky"},
		}}, "Group leader [memberId: M1, groupInstanceId: i1] failed to join before the rebalance timeout. Member ClassicGroupMember(memberId='M4', groupInstanceId='i2', clientId='c4', clientHost='/127.0.0.1', rebalanceTimeoutMs=60000, sessionTimeoutMs=30000, protocolType='consumer', supportedProtocols=[cooperative-sticky]) was elected as the new leader.", "INFO"},
	}
	for _, test := range tests {
		lines := LogLines(test.event)
		if len(lines) != 1 || lines[0].Text != test.want || lines[0].Level != test.level {
			t.Errorf("%v %v:\ngot  %v\nwant %s %s", test.event.Kind, test.event.Reason, lines, test.level, test.want)
		}
	}
}

// When nobody rejoins, the group says so after the search for a leader did.
func TestLogLinesNobodyRejoined(t *testing.T) {
	got := LogLines(trace.Event{Kind: trace.NobodyRejoined, Group: "g", Other: "M5", Instance: "i1"})
	want := []LogLine{
		{"INFO", "Group leader [memberId: M5, groupInstanceId: i1] failed to join before the rebalance timeout and the group couldn't proceed to the next generation because no member joined.", groupLogger},
		{"ERROR", "Group g could not complete rebalance because no members rejoined.", managerLogger},
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What a broker does not log, or only at DEBUG, is not in the log.
func TestLogLinesSilence(t *testing.T) {
	for _, e := range []trace.Event{
		{Kind: trace.GroupCreated, To: wire.Empty},
		{Kind: trace.GroupBecame, To: wire.Stable},
		{Kind: trace.MemberRemoved, Reason: trace.NotRejoinedInTime},
		{Kind: trace.MemberRemoved, Reason: trace.SyncExpired},
		{Kind: trace.MemberRemoved, Reason: trace.StaticReplaced},
		{Kind: trace.LeaderElected},
		{Kind: trace.SyncTimedOut},
		{Kind: trace.Blocked},
		{Kind: trace.JoinSent},
	} {
		if lines := LogLines(e); len(lines) != 0 {
			t.Errorf("%v: %v", e.Kind, lines)
		}
	}
}

// Partitions of the specification, V-2.
func TestOffsetsPartition(t *testing.T) {
	for group, want := range map[string]int{"g": 3, "orders": 31, "payments": 13, "group-id": 13, "": 0, "polygenelubricants": 0} {
		if got := offsetsPartition(group, 50); got != want {
			t.Errorf("%q: %d, want %d", group, got, want)
		}
	}
}
