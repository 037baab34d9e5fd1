package explain

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

const member = wire.MemberID("a-1-00000000-0000-0000-0000-000000000001")

func at(seconds int) clock.Time { return clock.At(time.Duration(seconds) * time.Second) }

// began is the trace of a group whose only member joined at 1 s.
func began() []trace.Event {
	return []trace.Event{
		{At: at(0), Kind: trace.ProcessStarted, Group: "g", Who: "a-1"},
		{At: at(1), Kind: trace.JoinSent, Group: "g", Who: "a-1", Member: member},
		{At: at(1), Kind: trace.GroupCreated, Group: "g", To: wire.Empty},
		{At: at(1), Kind: trace.MemberAdded, Group: "g", Who: "a-1", Member: member, To: wire.Empty, Reason: trace.NewDynamic},
		{At: at(1), Kind: trace.GroupBecame, Group: "g", Who: "a-1", Member: member, From: wire.Empty, To: wire.PreparingRebalance, Reason: trace.MemberJoined},
		{At: at(4), Kind: trace.GroupBecame, Group: "g", From: wire.PreparingRebalance, To: wire.CompletingRebalance, Generation: 1, Reason: trace.JoinPhaseComplete},
		{At: at(5), Kind: trace.GroupBecame, Group: "g", From: wire.CompletingRebalance, To: wire.Stable, Generation: 1, Reason: trace.AssignmentStored},
	}
}

// expires is how the session of that member ends.
func expires() []trace.Event {
	return []trace.Event{
		{At: at(60), Kind: trace.MemberRemoved, Group: "g", Member: member, Reason: trace.SessionExpired, Since: at(15)},
		{At: at(60), Kind: trace.GroupBecame, Group: "g", Member: member, From: wire.Stable, To: wire.PreparingRebalance, Generation: 1, Reason: trace.SessionExpired},
		{At: at(60), Kind: trace.GroupBecame, Group: "g", From: wire.PreparingRebalance, To: wire.Empty, Generation: 2, Reason: trace.NoMembersLeft},
	}
}

func chainsIn(t *testing.T, events ...[]trace.Event) []Chain {
	t.Helper()
	all := slices.Concat(events...)
	fold := metrics.NewFold(metrics.Options{Fleets: []metrics.Fleet{{Name: "a", Group: "g"}}})
	for _, e := range all {
		fold.Record(e)
	}
	groups := Explain(all, fold)
	if len(groups) != 1 || groups[0].Name != "g" {
		t.Fatalf("got the groups %+v", groups)
	}
	return groups[0].Chains
}

// TestExplain holds what a chain consists of.
func TestExplain(t *testing.T) {
	frozen := []trace.Event{{At: at(20), Kind: trace.FaultBegan, Who: "a-1", Group: "g", Text: "pause", Until: at(90), Cause: 3}}
	chains := chainsIn(t, began(), frozen, expires())
	if len(chains) != 2 {
		t.Fatalf("got %d chains, want 2", len(chains))
	}
	if first := chains[0].First(); first.Kind != Started || chains[0].Orphan {
		t.Errorf("the first chain begins with %+v", first)
	}
	var kinds []StepKind
	for _, s := range chains[1].Steps {
		kinds = append(kinds, s.Kind)
	}
	if want := []StepKind{Scripted, Silent, Removed, Rebalanced}; !slices.Equal(kinds, want) {
		t.Errorf("the second chain is %v, want %v", kinds, want)
	}
	if events := chains[1].Events(); !slices.Equal(events, []int32{3}) || chains[1].Orphan {
		t.Errorf("the second chain names the events %v", events)
	}
}

// TestSources holds that of what befalls a process by itself the one is blamed that kept it silent, and not the short
// pauses that come all the time.
func TestSources(t *testing.T) {
	pause := func(from, to, cause int, by string) trace.Event {
		return trace.Event{At: at(from), Kind: trace.FaultBegan, Who: "a-1", Group: "g", Text: "pause", Until: at(to), Cause: int32(cause), Operation: by}
	}
	young := pause(59, 59, -1, "pauses young")
	young.Until = young.At.Add(20 * time.Millisecond)
	chain := chainsIn(t, began(), []trace.Event{pause(20, 90, -2, "pauses full"), young}, expires())[1]
	if first := chain.First(); first.Source != "pauses full" || first.Event != -2 || chain.Orphan {
		t.Errorf("the chain begins with %+v", first)
	}
}

// TestGracePeriod holds that a kill at the end of a grace period goes back to what told the process to end, and a restart
// by a probe to what kept it from answering.
func TestGracePeriod(t *testing.T) {
	fault := func(when int, verb, by string, until clock.Time) trace.Event {
		return trace.Event{At: at(when), Kind: trace.FaultBegan, Who: "a-1", Group: "g", Text: verb, Until: until, Cause: -1, Operation: by}
	}
	stall := trace.Event{At: at(10), Kind: trace.StallBegan, Who: "a-1", Group: "g", Member: member, For: time.Hour}
	exit := trace.Event{At: at(50), Kind: trace.ProcessExited, Who: "a-1", Group: "g", Member: member, Reason: trace.Killed, Cause: -1}
	killed := []trace.Event{stall, fault(20, "restart", "liveness probe", clock.Never), fault(50, "kill", "grace period", at(50)), exit}
	var words []string
	for _, s := range chainsIn(t, began(), killed, expires())[1].Steps {
		words = append(words, fmt.Sprint(s.Kind, s.Source))
	}
	want := []string{
		fmt.Sprint(Stalled), fmt.Sprint(Scripted, "liveness probe"), fmt.Sprint(Scripted, "grace period"),
		fmt.Sprint(Ended), fmt.Sprint(Silent), fmt.Sprint(Removed), fmt.Sprint(Rebalanced),
	}
	if diff := cmp.Diff(want, words); diff != "" {
		t.Errorf("the chain (-want +got):\n%s", diff)
	}
}

// TestFailedAppend holds that an assignment which a moving coordinator could not write goes back to what moved it, and any
// other one to the log.
func TestFailedAppend(t *testing.T) {
	stops := trace.Event{At: at(4), Kind: trace.FaultBegan, Text: "broker-restart", Until: at(40), Cause: 2}
	slows := trace.Event{At: at(2), Kind: trace.FaultBegan, Text: "slow-append", Until: at(40), Cause: 1}
	fails := trace.Event{
		At: at(5), Kind: trace.GroupBecame, Group: "g", Who: "a-1", Member: member, From: wire.CompletingRebalance, To: wire.PreparingRebalance,
		Generation: 1, Reason: trace.AppendFailed,
	}
	for err, want := range map[wire.Err]int32{wire.NotCoordinator: 2, wire.RequestTimedOut: 1} {
		fails.Err = err
		chain := chainsIn(t, began()[:6], []trace.Event{slows, stops, fails})[1]
		if first := chain.First(); first.Event != want || chain.Orphan {
			t.Errorf("%v: the chain begins with %+v", err, first)
		}
	}
}

// TestBatch holds that a batch is long because of a backlog only when it is the first after the process was out of its group,
// and not a single record.
func TestBatch(t *testing.T) {
	out := trace.Event{At: at(20), Kind: trace.PollTimeout, Group: "g", Who: "a-1", Member: member, Since: at(10)}
	reads := trace.Event{At: at(30), Kind: trace.PositionsSet, Group: "g", Who: "a-1", Member: member}
	for _, test := range []struct {
		begins  int
		records int32
		want    StepKind
	}{{30, 500, TimedOut}, {30, 1, Processing}, {500, 500, Processing}} {
		batch := trace.Event{
			At: at(test.begins), Kind: trace.ProcessingBegan, Group: "g", Who: "a-1", Member: member, Members: test.records,
			Until: at(test.begins + 70), For: 70 * time.Second,
		}
		again := out
		again.At, again.Since = at(test.begins+60), batch.At
		leaves := trace.Event{At: again.At, Kind: trace.LeaveSent, Group: "g", Who: "a-1", Member: member, Text: metrics.PollTimeoutReason}
		removed := trace.Event{At: again.At, Kind: trace.MemberRemoved, Group: "g", Member: member, Reason: trace.Left}
		rebalances := trace.Event{
			At: again.At, Kind: trace.GroupBecame, Group: "g", Member: member, From: wire.Stable, To: wire.PreparingRebalance, Generation: 1,
			Reason: trace.Left,
		}
		chain := chainsIn(t, began(), []trace.Event{out, reads, batch, again, leaves, removed, rebalances})[1]
		was := slices.IndexFunc(chain.Steps, func(s *Step) bool { return s.Kind == Processing && s.At == batch.At })
		if was < 0 {
			t.Fatalf("%+v: no batch in %+v", test, chain.Steps)
		}
		if kind := chain.Steps[max(0, was-1)].Kind; kind != test.want {
			t.Errorf("%+v: before the batch comes %v", test, kind)
		}
	}
}

// TestLeaveAtRestart holds that a LeaveGroup which arrives when the process runs again is that of the one before, and a
// member that was silent after it had unsubscribed goes back to that.
func TestLeaveAtRestart(t *testing.T) {
	event := func(at clock.Time, kind trace.Kind) trace.Event {
		return trace.Event{At: at, Kind: kind, Group: "g", Who: "a-1", Member: member, Cause: 1}
	}
	left := event(at(51), trace.MemberRemoved)
	left.Reason, left.Cause = trace.Left, 0
	rebalances := trace.Event{
		At: at(51), Kind: trace.GroupBecame, Group: "g", Member: member, From: wire.Stable, To: wire.PreparingRebalance, Generation: 1, Reason: trace.Left,
	}
	exits, starts := event(at(50), trace.ProcessExited), event(at(50), trace.ProcessStarted)
	exits.Reason, starts.Member = trace.Killed, ""
	restart := []trace.Event{event(at(50), trace.LeaveSent), exits, starts, left, rebalances}
	unsubscribed := []trace.Event{{At: at(20), Kind: trace.SubscriptionChanged, Group: "g", Who: "a-1", Member: member}}
	for name, chain := range map[string]Chain{
		"restart":     chainsIn(t, began(), fault(50, "restart", 50), restart)[1],
		"unsubscribe": chainsIn(t, began(), fault(18, "unsubscribe", 18), unsubscribed, expires())[1],
	} {
		if first := chain.First(); first.Event != 1 || chain.Orphan {
			t.Errorf("%s: the chain begins with %+v", name, first)
		}
	}
}

// TestOrphan holds that nothing is made up: a session that expires while nothing is done to its member has no cause.
func TestOrphan(t *testing.T) {
	chains := chainsIn(t, began(), expires())
	if !chains[1].Orphan {
		t.Errorf("got the chain %+v", chains[1].First())
	}
	over := []trace.Event{{At: at(8), Kind: trace.FaultBegan, Who: "a-1", Group: "g", Text: "pause", Until: at(10), Cause: 3}}
	if chains := chainsIn(t, began(), over, expires()); !chains[1].Orphan {
		t.Errorf("a pause that was over is blamed: %+v", chains[1].First())
	}
}

// TestLoop holds that rebalances which come from each other the same way are counted from the third on.
func TestLoop(t *testing.T) {
	var again []trace.Event
	for i := range 5 {
		again = append(again,
			trace.Event{At: at(10 + i), Kind: trace.RejoinRequested, Group: "g", Who: "a-1", Member: member, Text: "rebalance failed due to SomeException"},
			trace.Event{At: at(10 + i), Kind: trace.GroupBecame, Group: "g", Who: "a-1", Member: member, From: wire.Stable, To: wire.PreparingRebalance, Reason: trace.LeaderRejoined},
		)
	}
	var loops, parents []int
	for _, c := range chainsIn(t, began(), again) {
		loops, parents = append(loops, c.Loop), append(parents, c.Parent)
	}
	if want := []int{0, 0, 0, 3, 4, 5}; !slices.Equal(loops, want) {
		t.Errorf("the loops are %v, want %v", loops, want)
	}
	if want := []int{0, 1, 2, 3, 4, 5}; !slices.Equal(parents, want) {
		t.Errorf("the parents are %v, want %v", parents, want)
	}
}

// TestCompare holds which rebalances count as the same in two runs.
func TestCompare(t *testing.T) {
	chain := func(number, second int, reason trace.Reason, who string) Chain {
		return Chain{Number: number, Rebalance: metrics.Rebalance{At: at(second), Reason: reason, Who: who}}
	}
	base := []Chain{chain(1, 0, trace.MemberJoined, "a-1"), chain(2, 60, trace.Left, "a-2"), chain(3, 66, trace.Left, "a-2")}
	for name, test := range map[string]struct {
		without []Chain
		missing []int
		extra   int
	}{
		"all are there":       {base, nil, 0},
		"none":                {nil, []int{1, 2, 3}, 0},
		"another process":     {[]Chain{base[0], base[1], chain(3, 66, trace.Left, "a-3")}, nil, 0},
		"another one later":   {[]Chain{base[0], base[1], chain(3, 68, trace.Left, "a-3")}, []int{3}, 1},
		"another reason":      {[]Chain{base[0], base[1], chain(3, 66, trace.SessionExpired, "a-2")}, []int{3}, 1},
		"a little later":      {[]Chain{base[0], base[1], chain(3, 76, trace.Left, "a-2")}, nil, 0},
		"too late":            {[]Chain{base[0], base[1], chain(3, 77, trace.Left, "a-2")}, []int{3}, 1},
		"one for two of them": {[]Chain{base[0], chain(2, 61, trace.Left, "a-2")}, []int{3}, 0},
	} {
		d := Compare(base, test.without)
		if !slices.Equal(d.Needed, test.missing) || d.Extra != test.extra {
			t.Errorf("%s: got %v and %d, want %v and %d", name, d.Needed, d.Extra, test.missing, test.extra)
		}
	}
}

// TestCompareTimes holds that a rebalance which takes a clearly different time is told.
func TestCompareTimes(t *testing.T) {
	taking := func(d time.Duration) []Chain {
		return []Chain{{Number: 1, Rebalance: metrics.Rebalance{At: at(10), Until: at(10).Add(d), Reason: trace.Left}}}
	}
	if d := Compare(taking(40*time.Second), taking(41*time.Second)); len(d.Changed) > 0 {
		t.Errorf("a second counts as a change: %+v", d.Changed)
	}
	want := []Changed{{1, 40 * time.Second, time.Second}}
	if d := Compare(taking(40*time.Second), taking(time.Second)); !slices.Equal(d.Changed, want) {
		t.Errorf("got %+v, want %+v", d.Changed, want)
	}
}

// TestSubscribesAgain holds that a consumer without a subscription joins because it subscribes again, not because it
// had left.
func TestSubscribesAgain(t *testing.T) {
	chains := chainsIn(t, began(), []trace.Event{
		{At: at(20), Kind: trace.FaultBegan, Who: "a-1", Group: "g", Text: "unsubscribe", Cause: 1},
		{At: at(20), Kind: trace.SubscriptionChanged, Who: "a-1", Group: "g", Member: member},
		{At: at(20), Kind: trace.RejoinRequested, Who: "a-1", Group: "g", Text: "consumer pro-actively leaving the group"},
		{At: at(40), Kind: trace.FaultBegan, Who: "a-1", Group: "g", Text: "subscribe", Cause: 2},
		{At: at(40), Kind: trace.SubscriptionChanged, Who: "a-1", Group: "g", Text: "t"},
		{At: at(41), Kind: trace.GroupBecame, Group: "g", Who: "a-1", Member: member, From: wire.Empty, To: wire.PreparingRebalance, Reason: trace.MemberJoined},
	})
	if events := chains[1].Events(); !slices.Equal(events, []int32{2}) {
		t.Errorf("the chain names the events %v, want 2", events)
	}
}

// TestPrepared holds that what an event prepared goes back to it when it happens, which the trace records once more.
func TestPrepared(t *testing.T) {
	chains := chainsIn(t, began(), []trace.Event{
		{At: at(10), Kind: trace.FaultBegan, Who: "a-1", Group: "g", Text: "freeze-in-assign", Until: at(10), Cause: 4},
		{At: at(20), Kind: trace.FaultBegan, Who: "a-1", Group: "g", Text: "freeze-in-assign", Until: at(90)},
	}, expires())
	if first := chains[1].First(); first.Event != 4 || first.At != at(20) {
		t.Errorf("the chain begins with %+v", first)
	}
}

// TestUnaware holds that a member which is removed before it could hear of a rebalance was removed because of that
// one, and one which had given up by then was not.
func TestUnaware(t *testing.T) {
	const other = wire.MemberID("a-2-00000000-0000-0000-0000-000000000002")
	joins := []trace.Event{
		{At: at(20), Kind: trace.ProcessStarted, Group: "g", Who: "a-2"},
		{At: at(20), Kind: trace.JoinSent, Group: "g", Who: "a-2", Member: other},
		{At: at(20), Kind: trace.GroupBecame, Group: "g", Who: "a-2", Member: other, From: wire.Stable, To: wire.PreparingRebalance, Reason: trace.MemberJoined},
	}
	gaveUp := trace.Event{At: at(21), Kind: trace.MembershipReset, Group: "g", Who: "a-1"}
	removed := []trace.Event{
		{At: at(22), Kind: trace.MemberRemoved, Group: "g", Member: member, Reason: trace.NotRejoinedInTime, Since: at(18)},
		{At: at(24), Kind: trace.MembershipReset, Group: "g", Who: "a-1"},
		{At: at(24), Kind: trace.RejoinRequested, Group: "g", Who: "a-1", Text: "encountered UNKNOWN_MEMBER_ID from HEARTBEAT response"},
		{At: at(25), Kind: trace.GroupBecame, Group: "g", Who: "a-1", Member: member, From: wire.Stable, To: wire.PreparingRebalance, Reason: trace.MemberJoined},
	}
	if c := chainsIn(t, began(), joins, removed)[2]; c.Parent != 2 || c.Since()[0].Kind != Removed {
		t.Errorf("the chain has the parent %d and goes on with %+v", c.Parent, c.Since()[0])
	}
	c := chainsIn(t, began(), joins, []trace.Event{gaveUp}, removed)[2]
	if i := slices.IndexFunc(c.Steps, func(s *Step) bool { return s.Kind == Removed }); c.Steps[i-1].Kind != Silent {
		t.Errorf("a member that had given up was removed because of %+v", c.Steps[i-1])
	}
}
