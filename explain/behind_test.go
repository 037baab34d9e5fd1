package explain

import (
	"slices"
	"testing"
	"time"

	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// behind returns what is behind the moment of a metric of group g in a trace.
func behind(t *testing.T, query string, m metrics.Miss, events ...[]trace.Event) Cause {
	t.Helper()
	all := slices.Concat(events...)
	fold := metrics.NewFold(metrics.Options{Fleets: []metrics.Fleet{{Name: "a", Group: "g"}}})
	for _, e := range all {
		fold.Record(e)
	}
	moment, ok := fold.Moment(metrics.Query{Name: query, Subject: "g"}, at(1000), m)
	if !ok {
		t.Fatalf("nothing is responsible for %s", query)
	}
	groups := Explain(all, fold)
	return groups[0].Behind(&moment)
}

func fault(seconds int, text string, until int) []trace.Event {
	return []trace.Event{{At: at(seconds), Kind: trace.FaultBegan, Who: "a-1", Group: "g", Text: text, Until: at(until), Cause: 1}}
}

// again is how that member comes back as another process, with an instance id or without.
func again(instance wire.InstanceID) []trace.Event {
	const id = wire.MemberID("a-1-00000000-0000-0000-0000-000000000002")
	return []trace.Event{
		{At: at(70), Kind: trace.ProcessStarted, Group: "g", Who: "a-1", Instance: instance, Cause: 1},
		{At: at(71), Kind: trace.JoinSent, Group: "g", Who: "a-1", Member: id},
		{At: at(71), Kind: trace.MemberAdded, Group: "g", Who: "a-1", Member: id, To: wire.Empty, Reason: trace.NewDynamic},
		{At: at(71), Kind: trace.GroupBecame, Group: "g", Who: "a-1", Member: id, From: wire.Empty, To: wire.PreparingRebalance, Generation: 2, Reason: trace.MemberJoined},
	}
}

// closes is how that process is stopped in order: it leaves when it has no instance id.
func closes() []trace.Event {
	return []trace.Event{
		{At: at(50), Kind: trace.LeaveSent, Group: "g", Who: "a-1", Member: member, Text: "the consumer is being closed", Cause: 1},
		{At: at(50), Kind: trace.MemberRemoved, Group: "g", Member: member, Reason: trace.Left, Text: "the consumer is being closed", HasText: true},
		{At: at(50), Kind: trace.GroupBecame, Group: "g", Member: member, From: wire.Stable, To: wire.PreparingRebalance, Generation: 1, Reason: trace.Left},
		{At: at(51), Kind: trace.ProcessExited, Group: "g", Who: "a-1", Reason: trace.Stopped, Cause: 1},
	}
}

// another is how a-2 is stopped, and leaves.
func another() []trace.Event {
	const id = wire.MemberID("a-2-00000000-0000-0000-0000-000000000003")
	return []trace.Event{
		{At: at(20), Kind: trace.FaultBegan, Who: "a-2", Group: "g", Text: "restart", Until: at(20), Cause: 2},
		{At: at(20), Kind: trace.LeaveSent, Group: "g", Who: "a-2", Member: id, Text: "the consumer is being closed", Cause: 2},
		{At: at(20), Kind: trace.MemberRemoved, Group: "g", Member: id, Reason: trace.Left, Text: "the consumer is being closed", HasText: true},
		{At: at(20), Kind: trace.GroupBecame, Group: "g", Member: id, From: wire.Stable, To: wire.PreparingRebalance, Generation: 1, Reason: trace.Left},
	}
}

// polls is how a-1 leaves because it did not poll.
func polls() []trace.Event {
	return []trace.Event{
		{At: at(40), Kind: trace.PollTimeout, Group: "g", Who: "a-1", Member: member, Since: at(10), For: 30 * time.Second},
		{At: at(40), Kind: trace.LeaveSent, Group: "g", Who: "a-1", Member: member, Text: metrics.PollTimeoutReason},
		{At: at(40), Kind: trace.MemberRemoved, Group: "g", Member: member, Reason: trace.Left, Text: metrics.PollTimeoutReason, HasText: true},
	}
}

// stalls is how the application of a-1 stops polling.
func stalls() []trace.Event {
	return append(fault(16, "stall", 90), trace.Event{At: at(17), Kind: trace.StallBegan, Group: "g", Who: "a-1"})
}

// waits is how a-3 starts, and the rebalance waits for the member that a-1 was.
func waits() []trace.Event {
	const id = wire.MemberID("a-3-00000000-0000-0000-0000-000000000004")
	return []trace.Event{
		{At: at(30), Kind: trace.FaultBegan, Group: "g", Who: "a", Text: "scale", Until: at(30), Cause: 2},
		{At: at(30), Kind: trace.ProcessStarted, Group: "g", Who: "a-3", Cause: 2},
		{At: at(31), Kind: trace.MemberAdded, Group: "g", Who: "a-3", Member: id, To: wire.Stable, Reason: trace.NewDynamic},
		{At: at(31), Kind: trace.GroupBecame, Group: "g", Who: "a-3", Member: id, From: wire.Stable, To: wire.PreparingRebalance, Generation: 1, Reason: trace.MemberJoined},
		{At: at(60), Kind: trace.MemberRemoved, Group: "g", Member: member, Reason: trace.SessionExpired, Since: at(15)},
		{At: at(60), Kind: trace.GroupBecame, Group: "g", From: wire.PreparingRebalance, To: wire.CompletingRebalance, Generation: 2, Reason: trace.JoinPhaseComplete},
		{At: at(61), Kind: trace.GroupBecame, Group: "g", From: wire.CompletingRebalance, To: wire.Stable, Generation: 2, Reason: trace.AssignmentStored},
	}
}

// on is how a process starts on a library that a group waits a time for.
func on(who, client string, timeout time.Duration) []trace.Event {
	return []trace.Event{{At: at(15), Kind: trace.ProcessStarted, Group: "g", Who: who, Text: client, For: timeout}}
}

// late is how a rebalance begins, and ends a minute later without a-1.
func late() []trace.Event {
	events := waits()[:4]
	return append(events,
		trace.Event{At: at(91), Kind: trace.MemberRemoved, Group: "g", Member: member, Reason: trace.NotRejoinedInTime, Since: at(15)},
		trace.Event{At: at(91), Kind: trace.GroupBecame, Group: "g", From: wire.PreparingRebalance, To: wire.CompletingRebalance, Generation: 2, Reason: trace.JoinPhaseComplete},
	)
}

// TestSettings holds which settings the run itself shows to be behind a moment.
func TestSettings(t *testing.T) {
	session := Setting{"session.timeout.ms", "a-1", "45s"}
	none := Setting{"group.instance.id", "a-1", "none"}
	killed := []trace.Event{{At: at(20), Kind: trace.ProcessExited, Group: "g", Who: "a-1", Reason: trace.Killed, Cause: 1}}
	for _, test := range []struct {
		name   string
		query  string
		miss   metrics.Miss
		events [][]trace.Event
		want   []Setting
	}{
		{"the first start", "rebalances", metrics.Miss{}, [][]trace.Event{began()},
			[]Setting{{Name: "group.initial.rebalance.delay.ms"}}},
		{"silent for longer than a session", "rebalances", metrics.Miss{Most: 1}, [][]trace.Event{began(), fault(16, "pause", 90), expires()},
			[]Setting{session}},
		{"silent for less, after a heartbeat long ago", "evictions", metrics.Miss{}, [][]trace.Event{began(), fault(50, "pause", 70), expires()},
			[]Setting{session, {Name: "heartbeat.interval.ms", Who: "a-1"}}},
		{"silent though only busy", "evictions", metrics.Miss{}, [][]trace.Event{began(), stalls(), expires()},
			[]Setting{session, {Name: "heartbeat.interval.ms", Who: "a-1"}}},
		{"stopped without an instance id", "leaves", metrics.Miss{}, [][]trace.Event{began(), fault(50, "stop", 50), closes()},
			[]Setting{none}},
		{"too few of those that stop without an instance id", "leaves", metrics.Miss{Low: true}, [][]trace.Event{began(), fault(50, "stop", 50), closes()},
			nil},
		{"stopped for good", "leaves", metrics.Miss{}, [][]trace.Event{began(), fault(50, "scale", 50), closes()},
			nil},
		{"its poll interval over in a rebalance of another", "leaves", metrics.Miss{Most: 1}, [][]trace.Event{began(), another(), polls()},
			[]Setting{{"max.poll.interval.ms", "a-1", "30s"}}},
		{"back without an instance id", "rebalances", metrics.Miss{Most: 2}, [][]trace.Event{began(), fault(50, "restart", 50), closes(), again("")},
			[]Setting{none}},
		{"back after its session", "rebalances", metrics.Miss{Most: 2}, [][]trace.Event{began(), fault(20, "restart", 20), killed, expires(), again("a-1")},
			[]Setting{session}},
		{"nobody until the session of a dead member is over", "stopped", metrics.Miss{}, [][]trace.Event{began(), fault(20, "kill", 20), killed, waits()},
			[]Setting{session}},
		{"late on a library that has a rebalance timeout", "evictions", metrics.Miss{}, [][]trace.Event{began(), on("a-1", "sarama", time.Minute), stalls(), late()},
			[]Setting{{"rebalance.timeout.ms", "a-1", "1m"}}},
		{"late in a group that waits longer for another one", "evictions", metrics.Miss{}, [][]trace.Event{began(), on("a-1", "kafka-go", 30*time.Second), on("a-2", "librdkafka", time.Minute), stalls(), late()},
			[]Setting{{"max.poll.interval.ms", "a-2", "1m"}}},
		{"refused", "members", metrics.Miss{Low: true}, [][]trace.Event{began(),
			{{At: at(9), Kind: trace.ConsumerFailed, Group: "g", Who: "a-2", Err: wire.GroupMaxSizeReached, Text: "GroupMaxSizeReachedException"}}},
			[]Setting{{Name: "group.max.size"}}},
	} {
		c := behind(t, test.query, test.miss, test.events...)
		if !slices.Equal(c.Settings, test.want) {
			t.Errorf("%s: got %+v, want %+v", test.name, c.Settings, test.want)
		}
	}
}

// TestBehind holds which rebalance a moment belongs to, and what is told of a member beside it.
func TestBehind(t *testing.T) {
	events := [][]trace.Event{began(), fault(16, "pause", 90), expires()}
	if c := behind(t, "evictions", metrics.Miss{}, events...); c.Chain == nil || c.Chain.Number != 2 || c.Steps != nil {
		t.Errorf("the eviction that began rebalance 2: got %+v", c)
	}
	if c := behind(t, "state", metrics.Miss{}, events...); c.Chain == nil || c.Chain.Number != 2 {
		t.Errorf("the state in which rebalance 2 ended: got %+v", c)
	}
	away := []trace.Event{
		{At: at(70), Kind: trace.FaultBegan, Text: "broker-restart", Until: at(90), Cause: 2},
		{At: at(71), Kind: trace.GroupBecame, Group: "g", From: wire.Empty, To: wire.Dead, Generation: 2, Reason: trace.Unloaded},
	}
	if c := behind(t, "state", metrics.Miss{}, append(events, away)...); c.Chain != nil || len(c.Steps) != 2 || c.Steps[0].Event != 2 {
		t.Errorf("a state without a coordinator: got %+v", c)
	}
	c := behind(t, "stopped", metrics.Miss{}, events...)
	if c.Chain == nil || c.Chain.Number != 1 {
		t.Errorf("a time in which rebalance 1 was the longest: got %+v", c)
	}
}
