package metrics

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simulate/sim/clock"
	"simulate/sim/records"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

func at(seconds int) clock.Time { return clock.At(time.Duration(seconds) * time.Second) }

// The curves of a group are what summaries of all instants would say.
func TestCurves(t *testing.T) {
	fold := NewFold(Options{
		Topics: map[string]int{"t": 2}, Fleets: []Fleet{{Name: "c", Group: "g", Topics: []string{"t"}}},
		Loads: map[string]Load{"t": {Rate: records.Rate{Records: 4, Per: time.Second}}},
	})
	both := []wire.TopicPartition{{Topic: "t"}, {Topic: "t", Partition: 1}}
	for _, e := range []trace.Event{
		{At: at(1), Kind: trace.GroupCreated, Group: "g", To: wire.Empty},
		{At: at(1), Kind: trace.MemberAdded, Group: "g", Member: "m"},
		{At: at(1), Kind: trace.GroupBecame, Group: "g", From: wire.Empty, To: wire.PreparingRebalance, Reason: trace.MemberJoined},
		{At: at(4), Kind: trace.GroupBecame, Group: "g", From: wire.PreparingRebalance, To: wire.CompletingRebalance, Generation: 1},
		{At: at(5), Kind: trace.GroupBecame, Group: "g", From: wire.CompletingRebalance, To: wire.Stable, Generation: 1},
		{At: at(6), Kind: trace.PartitionsAssigned, Who: "c-1", Group: "g", Member: "m", Partitions: both},
		{At: at(6), Kind: trace.PositionsSet, Who: "c-1", Group: "g", Member: "m", Partitions: both, Offsets: []int64{0, 0}},
		{At: at(10), Kind: trace.MemberRemoved, Group: "g", Member: "m", Reason: trace.SessionExpired},
	} {
		fold.Record(e)
	}
	want := []Curves{{
		Group:      "g",
		State:      []StateAt{{0, wire.NoGroup}, {at(1), wire.Empty}, {at(1), wire.PreparingRebalance}, {at(4), wire.CompletingRebalance}, {at(5), wire.Stable}},
		Members:    []Level{{at(1), 1}, {at(10), 0}},
		Generation: []Level{{0, 0}, {at(4), 1}},
		Unassigned: []Level{{at(4), 2}, {at(6), 0}},
		Completed:  []clock.Time{at(5)},
		Began:      map[trace.Reason][]Level{trace.MemberJoined: {{at(1), 1}}},
		Evicted:    map[trace.Reason][]Level{trace.SessionExpired: {{at(10), 1}}},
	}}
	for s := range 13 { // nothing counts before a member knows where it begins to read
		n := 4 * int64(s)
		if s < 6 {
			n = 0
		}
		want[0].Lag = append(want[0].Lag, Level{at(s), n})
	}
	got := fold.Curves(at(12))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("curves (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Level{{0, 0}, {at(1), 1}, {at(5), 0}}, GroupsIn(got, wire.Empty, wire.PreparingRebalance, wire.CompletingRebalance)); diff != "" {
		t.Errorf("groups in states (-want +got):\n%s", diff)
	}
}

// A client counts from its first JoinGroup to its assignment, and begins at 0 when it starts again; others than Java
// consumers have no such metrics.
func TestCurvesOfClients(t *testing.T) {
	two := []wire.TopicPartition{{Topic: "t"}, {Topic: "t", Partition: 1}}
	got := CurvesOfClients([]trace.Event{
		{At: at(1), Kind: trace.ProcessStarted, Who: "c-1"},
		{At: at(1), Kind: trace.ProcessStarted, Who: "d-1", Text: "librdkafka"},
		{At: at(2), Kind: trace.JoinSent, Who: "c-1"},
		{At: at(3), Kind: trace.JoinSent, Who: "c-1"},
		{At: at(6), Kind: trace.PartitionsAssigned, Who: "c-1", Partitions: two},
		{At: at(7), Kind: trace.PartitionsRevoked, Who: "c-1", Partitions: two[:1]},
		{At: at(8), Kind: trace.ProcessExited, Who: "c-1"},
		{At: at(9), Kind: trace.ProcessStarted, Who: "c-1"},
	})
	want := []*ClientCurves{{
		Who:        "c-1",
		Assigned:   []Level{{at(1), 0}, {at(6), 2}, {at(7), 1}, {at(8), Gone}, {at(9), 0}},
		Rebalances: []Level{{at(1), 0}, {at(6), 1}, {at(8), Gone}, {at(9), 0}},
		LatencyMs:  []Level{{at(1), 0}, {at(6), 4000}, {at(8), Gone}, {at(9), 0}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("curves (-want +got):\n%s", diff)
	}
}

// A rate counts in windows of 30 s, over 30 s at least, and forgets a window a minute after its last event.
func TestRates(t *testing.T) {
	got := ""
	for _, r := range Rates([]clock.Time{at(10), at(20), at(50)}, 20*time.Second, at(140)) {
		got += fmt.Sprintf("%v %.4f\n", r.At.SinceStart(), r.Second)
	}
	const want = `0s 0.0000
10s 0.0333
20s 0.0667
40s 0.0667
50s 0.0750
1m0s 0.0600
1m20s 0.0333
1m40s 0.0200
2m0s 0.0000
2m20s 0.0000
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rates (-want +got):\n%s", diff)
	}
}
