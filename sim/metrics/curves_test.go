package metrics

import (
	"fmt"
	"strings"
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
// consumers have no such metrics. Every minute somebody asks.
func TestClients(t *testing.T) {
	two := []wire.TopicPartition{{Topic: "t"}, {Topic: "t", Partition: 1}}
	clients := NewClients()
	for _, e := range []trace.Event{
		{At: at(1), Kind: trace.ProcessStarted, Who: "c-1"},
		{At: at(1), Kind: trace.ProcessStarted, Who: "d-1", Text: "librdkafka"},
		{At: at(2), Kind: trace.JoinSent, Who: "c-1"},
		{At: at(3), Kind: trace.JoinSent, Who: "c-1"},
		{At: at(6), Kind: trace.PartitionsAssigned, Who: "c-1", Partitions: two},
		{At: at(10), Kind: trace.HeartbeatAnswered, Who: "c-1"},
		{At: at(40), Kind: trace.HeartbeatAnswered, Who: "c-1"},
		{At: at(41), Kind: trace.CommitAnswered, Who: "c-1"},
		{At: at(66), Kind: trace.PartitionsRevoked, Who: "c-1", Partitions: two[:1]},
		{At: at(66), Kind: trace.JoinSent, Who: "c-1"},
		{At: at(68), Kind: trace.PartitionsAssigned, Who: "c-1"},
		{At: at(70), Kind: trace.ProcessExited, Who: "c-1"},
		{At: at(90), Kind: trace.ProcessStarted, Who: "c-1"},
	} {
		clients.Record(e)
	}
	all := clients.Curves(at(125))
	if len(all) != 1 || all[0].Who != "c-1" {
		t.Fatalf("got the curves of %d clients", len(all))
	}
	c := all[0]
	var got strings.Builder
	for _, curve := range []struct {
		name string
		list []Reading
	}{
		{"assigned", c.Assigned}, {"since rebalance", c.SinceRebalance}, {"rebalances", c.Rebalances.Total},
		{"an hour", c.Rebalances.Hourly()}, {"latency", c.Rebalances.Sum}, {"mean", c.Rebalances.Mean}, {"most", c.Rebalances.Most},
		{"failed", c.Failed.Total}, {"heartbeats", c.Heartbeats.Total}, {"a second", c.Heartbeats.Rate}, {"commits", c.Commits.Total},
	} {
		fmt.Fprintf(&got, "%s:", curve.name)
		for _, r := range curve.list {
			fmt.Fprintf(&got, " %v=%.4g", r.At.SinceStart(), r.Value)
		}
		got.WriteByte('\n')
	}
	const want = `
assigned: 1s=0 6s=2 1m6s=1 1m10s=-Inf 1m30s=0
since rebalance: 1s=-1 6s=0 1m0s=54 1m8s=0 1m10s=-Inf 1m30s=-1
rebalances: 1s=0 6s=1 1m8s=2 1m10s=-Inf 1m30s=0
an hour: 1s=0 6s=120 1m0s=66.67 1m8s=120 1m10s=-Inf 1m30s=0
latency: 1s=0 6s=4000 1m8s=6000 1m10s=-Inf 1m30s=0
mean: 1s=NaN 6s=4000 1m8s=2000 1m10s=-Inf 1m30s=NaN
most: 1s=NaN 6s=4000 1m8s=2000 1m10s=-Inf 1m30s=NaN
failed: 1s=0 3s=1 1m10s=-Inf 1m30s=0
heartbeats: 1s=0 1m0s=2 1m10s=-Inf 1m30s=0
a second: 1s=0 1m0s=0.04 1m8s=0.03448 1m10s=-Inf 1m30s=0
commits: 1s=0 1m0s=1 1m10s=-Inf 1m30s=0
`
	if got := "\n" + got.String(); got != want {
		t.Errorf("curves are %s, want %s", got, want)
	}
}

// A rate counts in windows of 30 s, over 30 s at least, and forgets a window a minute after its last event.
func TestRates(t *testing.T) {
	got := ""
	for _, r := range Rates([]clock.Time{at(10), at(20), at(50)}, 20*time.Second, at(140)) {
		got += fmt.Sprintf("%v %.4f\n", r.At.SinceStart(), r.Value)
	}
	const want = `0s 0.0000
10s 0.0333
20s 0.0500
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
