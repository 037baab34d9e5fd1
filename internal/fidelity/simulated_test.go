package fidelity

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

const someUUID = "-00000000-0000-4000-8000-000000000000"

// Ids that the case pins have the recording's aliases; others are numbered on for the member whose process
// used them, or whose client.id or group.instance.id they begin with.
func TestAliases(t *testing.T) {
	c := &Case{
		MemberIDs: map[string]string{"c1#1": "c1-pinned"},
		Members: map[string]CaseMember{
			"c1": {}, "c2": {Behaviour: Behaviour{Config: map[string]any{"group.instance.id": "i2"}}},
			"c4": {Behaviour: Behaviour{Config: map[string]any{"group.instance.id": "i2"}}},
		},
	}
	second, static, taken := wire.MemberID("c1-1"+someUUID), wire.MemberID("i2"+someUUID), wire.MemberID("i2"+someUUID[:36]+"4")
	names := newAliases(c, []trace.Event{
		{Kind: trace.MemberAdded, Member: "c1-pinned"},
		{Kind: trace.MemberAdded, Member: second},
		{Kind: trace.MemberAdded, Member: static},
		{Kind: trace.MemberAdded, Member: taken},
		{Kind: trace.PartitionsAssigned, Member: taken, Who: "c4-1"},
	})
	for id, want := range map[wire.MemberID]string{
		"c1-pinned": "c1#1", second: "c1#2", static: "c2#1", taken: "c4#1", "": "", "stranger": "stranger",
	} {
		if got := names.of(id); got != want {
			t.Errorf("%q is %q, want %q", id, got, want)
		}
	}
}

func TestSimulated(t *testing.T) {
	c := &Case{
		MemberIDs: map[string]string{"c1#1": "one", "c2#1": "two"},
		Members:   map[string]CaseMember{"c1": {}, "c2": {}, "b1": {Group: "b"}},
	}
	at := func(s int) clock.Time { return clock.At(time.Duration(s) * time.Second) }
	got := Simulated(c, []trace.Event{
		{At: at(1), Kind: trace.GroupCreated, Group: "a", To: wire.Empty},
		{At: at(2), Kind: trace.GroupBecame, Group: "a", To: wire.PreparingRebalance, Generation: 4, Reason: trace.StaticReplaced},
		{At: at(3), Kind: trace.GroupBecame, Group: "b", To: wire.PreparingRebalance},
		{At: at(4), Kind: trace.NotRejoined, Group: "a", List: []wire.MemberID{"two", "one"}},
		{At: at(5), Kind: trace.GroupBecame, Group: "a", To: wire.CompletingRebalance, Generation: 5, Members: 2},
		{At: at(6), Kind: trace.MemberRemoved, Group: "a", Member: "one", Reason: trace.NewMemberExpired},
		{At: at(6), Kind: trace.MemberRemoved, Group: "a", Member: "two", Reason: trace.NotRejoinedInTime},
		{At: at(7), Kind: trace.PendingRemoved, Group: "a", Member: "two", Reason: trace.SessionExpired},
		{At: at(7), Kind: trace.PendingRemoved, Group: "a", Member: "two", Reason: trace.Left},
		{At: at(8), Kind: trace.GroupBecame, Group: "a", To: wire.NoGroup, Reason: trace.Deleted, Generation: 9},
		{At: at(9), Kind: trace.PartitionsAssigned, Who: "c2-1", Partitions: []wire.TopicPartition{{Topic: "t", Partition: 1}, {Topic: "t", Partition: 0}}},
		{At: at(9), Kind: trace.PartitionsAssigned, Who: "b1-1", Partitions: []wire.TopicPartition{{Topic: "t", Partition: 2}}},
		{At: at(9), Kind: trace.PartitionsRevoked, Who: "c2-1"},
	})
	second := func(s int) time.Duration { return time.Duration(s) * time.Second }
	want := Timeline{
		Events: []Event{
			{At: second(2), Key: Key{Kind: preparing, Generation: 4, Reason: "other"}},
			{At: second(4), Key: Key{Kind: notRejoined, Member: "c1#1,c2#1"}},
			{At: second(5), Key: Key{Kind: completing, Generation: 5, Members: 2}},
			{At: second(6), Key: Key{Kind: sessionExpired, Member: "c1#1"}},
			{At: second(7), Key: Key{Kind: pendingExpired, Member: "c2#1"}},
			{At: second(7), Key: Key{Kind: left, Member: "c2#1"}},
			{At: second(8), Key: Key{Kind: groupDeleted}},
		},
		Callbacks: []Callback{{second(9), "c2", "assigned", "t-0 t-1"}},
		Counts:    Counts{Rebalances: 1, Joined: 1, Generation: 5, State: "Dead"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
