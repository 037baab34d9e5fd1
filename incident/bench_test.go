package incident

import (
	"fmt"
	"testing"
	"time"

	"simulate/incident/logs"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// rounds makes the events of rebalances of some groups, one after the other.
func rounds(groups int) func(i int) *logs.Event {
	names := make([]string, groups)
	members := make([]wire.MemberID, groups)
	for i := range names {
		names[i] = fmt.Sprintf("group-%d", i)
		members[i] = memberID(fmt.Sprintf("client-%d/1", i)) + wire.MemberID(fmt.Sprintf("-%08d-0000-4000-8000-000000000000", i))
	}
	e := logs.Event{Broker: 1, Members: 3, Static: logs.Unknown, Library: logs.Broker}
	return func(i int) *logs.Event {
		of := i / 3 % groups
		round := i / 3 / groups
		e.Group, e.Partition = names[of], int32(of%50)
		e.At = epoch.Add(time.Duration(i) * time.Millisecond)
		e.Place.Line = int64(i + 1)
		e.Member, e.Other, e.Reason = "", "", trace.NoReason
		switch i % 3 {
		case 0:
			e.Kind, e.Generation, e.Reason, e.Member = logs.Preparing, int32(round), trace.LeaderRejoined, members[of]
		case 1:
			e.Kind, e.Generation = logs.Completing, int32(round+1)
		case 2:
			e.Kind, e.Generation, e.Other = logs.AssignmentReceived, int32(round+1), members[of]
		}
		return &e
	}
}

func BenchmarkFold(b *testing.B) {
	for _, groups := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprintf("groups=%d", groups), func(b *testing.B) {
			next := rounds(groups)
			f := NewFold(Options{})
			for i := range 1000 * groups / 10 { // lists are full
				f.Add(next(i))
			}
			n := 1000 * groups / 10 / 3 * 3
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				f.Add(next(n + i))
			}
		})
	}
}

// Nothing is allocated for groups and members that are known, once lists are full.
func TestFoldAllocatesNothing(t *testing.T) {
	next := rounds(10)
	f := NewFold(Options{MaxKept: 50})
	i := 0
	for ; i < 30_000; i++ {
		f.Add(next(i))
	}
	if got := testing.AllocsPerRun(1000, func() {
		f.Add(next(i))
		i++
	}); got != 0 {
		t.Errorf("got %v allocations an event", got)
	}
}
