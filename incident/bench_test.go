package incident

import (
	"fmt"
	"runtime"
	"strconv"
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

// A log of nonsense does not take memory without end: neither groups, members, brokers, partitions nor clients.
func TestFoldIsBounded(t *testing.T) {
	f := NewFold(Options{})
	e := logs.Event{Members: logs.Unknown, Static: logs.Unknown}
	var before runtime.MemStats
	for i := range 600_000 {
		if i == 300_000 {
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
		name := strconv.Itoa(i)
		e.Broker, e.Partition, e.Generation, e.At = int32(i), int32(i*7), int32(i*31), epoch.Add(time.Duration(i)*time.Millisecond)
		e.Group, e.Member, e.Client, e.Instance = "g"+strconv.Itoa(i/2), wire.MemberID(name), name, wire.InstanceID(name)
		e.List = []wire.MemberID{e.Member}
		e.Kind = logs.Kind(1 + i%int(logs.NumKinds-1))
		if i%2 == 0 {
			e.Group = "orders"
		}
		e.Place = logs.Place{Source: int32(i % 50), Line: int64(i)}
		f.Add(&e)
	}
	var after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown, most := int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(8<<20); grown > most || after.HeapAlloc > 100<<20 {
		t.Errorf("the heap has %d MB and grew by %d KB in the second half of the events", after.HeapAlloc>>20, grown>>10)
	}
	if a := f.Analysis(); a.LeftOut < 230_000 || len(a.Groups) != DefaultMaxGroups {
		t.Errorf("%d groups left out, %d followed", a.LeftOut, len(a.Groups))
	}
}
