package metrics

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// A number that cannot be recomputed from the recorded trace is a bug.
func TestLiveEqualsRecorded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := drawRun(t)
		live := NewFold(lawOptions())
		var file bytes.Buffer
		writer := trace.NewWriter(&file, trace.Header{})
		for _, e := range events {
			live.Record(e)
			writer.Record(e)
		}
		recorded := NewFold(lawOptions())
		if _, err := trace.Read(&file, recorded); err != nil {
			t.Fatal(err)
		}
		end := endOf(events)
		if diff := cmp.Diff(live.Summary(end), recorded.Summary(end)); diff != "" {
			t.Fatalf("the fold of the file differs (-live +file):\n%s", diff)
		}
	})
}

// What is said about an instant does not hang on what comes later.
func TestSummaryKnowsOnlyThePast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := drawRun(t)
		at := drawInstant(t, events)
		whole, part := NewFold(lawOptions()), NewFold(lawOptions())
		for _, e := range events {
			whole.Record(e)
			if e.At <= at {
				part.Record(e)
			}
		}
		if diff := cmp.Diff(part.Summary(at), whole.Summary(at)); diff != "" {
			t.Fatalf("at %v (-then +later):\n%s", at, diff)
		}
	})
}

// Times in all states add up, stays are at most the total, and two windows side by side come to as much
// as the one that spans them.
func TestTimesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := NewFold(lawOptions())
		events := drawRun(t)
		for _, e := range events {
			f.Record(e)
		}
		end := endOf(events)
		mid := drawInstant(t, events)
		left, right, both := f.Window(0, mid), f.Window(mid, end), f.Window(0, end)
		for i := range both.Groups {
			l, r, b := &left.Groups[i], &right.Groups[i], &both.Groups[i]
			var total time.Duration
			for s := range b.TimeIn {
				total += b.TimeIn[s]
				if l.TimeIn[s]+r.TimeIn[s] != b.TimeIn[s] || b.Longest[s] > b.TimeIn[s] {
					t.Fatalf("%v: %v + %v is not %v, longest %v", wire.GroupState(s), l.TimeIn[s], r.TimeIn[s], b.TimeIn[s], b.Longest[s])
				}
			}
			if total != end.SinceStart() {
				t.Fatalf("the states add up to %v of %v", total, end)
			}
			if got, want := sums(l)+sums(r), sums(b); got != want {
				t.Fatalf("counters %d of the windows, %d of the whole", got, want)
			}
			if l.Stopped+r.Stopped != b.Stopped || l.Unassigned+r.Unassigned != b.Unassigned {
				t.Fatal("stopped or unassigned times do not add up")
			}
			if stopped, unassigned := f.Unheld(r.Name, mid, end); stopped != r.Stopped || unassigned != r.Unassigned {
				t.Fatalf("alone they are %v and %v, in the window %v and %v", stopped, unassigned, r.Stopped, r.Unassigned)
			}
		}
	})
}

func sums(g *Group) int {
	n := len(g.Rebalances)
	for _, more := range []int{
		g.Joined, g.Completed, len(g.Transitions), len(g.Evictions), len(g.Leaves), len(g.Fenced), len(g.Failures),
		g.PendingExpired, len(g.Stuck),
	} {
		n = 100*n + more
	}
	return n
}

// The account of partitions equals one that looks at every second by itself.
func TestHoldingAgainstEverySecond(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := drawRun(t)
		f := NewFold(lawOptions())
		for _, e := range events {
			f.Record(e)
		}
		end := endOf(events)
		unassigned, stopped := everySecond(events, end)
		g := f.Summary(end).Groups[0]
		if g.Unassigned != unassigned || g.Stopped != stopped {
			t.Fatalf("unassigned %v, stopped %v; want %v and %v", g.Unassigned, g.Stopped, unassigned, stopped)
		}
	})
}

// everySecond replays the events second by second.
func everySecond(events []trace.Event, end clock.Time) (unassigned, stopped time.Duration) {
	held := map[string]map[wire.TopicPartition]bool{}
	frozen := map[string]int{}
	joined := false
	i := 0
	for now := clock.Time(0); now < end; now = now.Add(time.Second) {
		for ; i < len(events) && events[i].At <= now; i++ {
			e := events[i]
			switch e.Kind {
			case trace.GroupBecame:
				joined = joined || e.To == wire.CompletingRebalance
			case trace.PartitionsAssigned:
				if held[e.Who] == nil {
					held[e.Who] = map[wire.TopicPartition]bool{}
				}
				for _, tp := range e.Partitions {
					held[e.Who][tp] = true
				}
			case trace.PartitionsRevoked:
				for _, tp := range e.Partitions {
					delete(held[e.Who], tp)
				}
			case trace.ProcessExited:
				delete(held, e.Who)
				frozen[e.Who] = 0
			case trace.FaultBegan:
				frozen[e.Who]++
			case trace.FaultEnded:
				frozen[e.Who] = max(0, frozen[e.Who]-1)
			}
		}
		owned := map[wire.TopicPartition]bool{}
		runs := false
		for who, set := range held {
			for tp := range set {
				owned[tp] = true
			}
			runs = runs || len(set) > 0 && frozen[who] == 0
		}
		if joined {
			unassigned += time.Duration(lawPartitions-len(owned)) * time.Second
		}
		if !runs {
			stopped += time.Second
		}
	}
	return unassigned, stopped
}

const lawPartitions = 4

// lawOptions has thresholds that short runs reach.
func lawOptions() Options {
	thresholds := Defaults()
	for _, t := range thresholds.Each() {
		switch {
		case t.Count != nil:
			*t.Count = 2
		case t.Time != nil:
			*t.Time = min(*t.Time, 30*time.Second)
		}
	}
	return Options{
		StuckAfter: 30 * time.Second,
		Topics:     map[string]int{"t": lawPartitions},
		Fleets:     []Fleet{{Name: "g", Group: "g", Topics: []string{"t"}}},
		Thresholds: thresholds,
	}
}

// drawRun draws a run of one group: legal changes of state at whole seconds, and members and processes
// that do anything. No process is paused while it is paused.
func drawRun(t *rapid.T) []trace.Event {
	r := run{t: t, paused: map[string]clock.Time{}}
	for range rapid.IntRange(0, 60).Draw(t, "events") {
		r.at = r.at.Add(time.Duration(rapid.SampledFrom([]int{0, 0, 1, 5, 40}).Draw(t, "after")) * time.Second)
		r.events = append(r.events, r.draw())
	}
	return r.events
}

type run struct {
	t      *rapid.T
	at     clock.Time
	state  wire.GroupState
	gen    wire.Generation
	paused map[string]clock.Time
	events []trace.Event
}

func (r *run) draw() trace.Event {
	who := fmt.Sprintf("g-%d", rapid.IntRange(1, 3).Draw(r.t, "who"))
	e := trace.Event{At: r.at, Who: who}
	kinds := []trace.Kind{
		trace.GroupBecame, trace.GroupBecame, trace.GroupBecame, trace.MemberAdded, trace.MemberRemoved, trace.PendingRemoved,
		trace.Fenced, trace.Blocked, trace.PartitionsAssigned, trace.PartitionsRevoked, trace.ProcessExited, trace.JoinSent,
		trace.PollTimeout, trace.FaultBegan, trace.ProcessStarted, trace.MemberIDIssued, trace.LeaderElected,
	}
	e.Kind = rapid.SampledFrom(kinds).Draw(r.t, "kind")
	switch {
	case e.Kind == trace.GroupBecame:
		return r.becomes()
	case e.Kind == trace.FaultBegan:
		return r.pauses(e)
	case e.Kind < trace.ProcessStarted:
		e.Group, e.Member = "g", wire.MemberID(who)
		if rapid.Bool().Draw(r.t, "nameless") {
			e.Who = ""
		}
		e.Reason = trace.Reason(rapid.IntRange(int(trace.MemberJoined), int(trace.NotRejoinedInTime)).Draw(r.t, "reason"))
	case e.Kind == trace.PartitionsAssigned || e.Kind == trace.PartitionsRevoked:
		for range rapid.IntRange(0, 3).Draw(r.t, "count") {
			p := rapid.Int32Range(0, lawPartitions-1).Draw(r.t, "partition")
			e.Partitions = append(e.Partitions, wire.TopicPartition{Topic: "t", Partition: p})
		}
	case e.Kind == trace.ProcessExited:
		delete(r.paused, who)
	}
	return e
}

func (r *run) becomes() trace.Event {
	e := trace.Event{At: r.at, Kind: trace.GroupBecame, Group: "g", From: r.state}
	next := map[wire.GroupState][]wire.GroupState{
		wire.NoGroup:             {wire.Empty},
		wire.Empty:               {wire.PreparingRebalance},
		wire.PreparingRebalance:  {wire.CompletingRebalance, wire.Empty},
		wire.CompletingRebalance: {wire.PreparingRebalance, wire.Stable},
		wire.Stable:              {wire.PreparingRebalance},
	}
	if r.state == wire.NoGroup {
		e.Kind = trace.GroupCreated
	}
	e.To = rapid.SampledFrom(next[r.state]).Draw(r.t, "to")
	switch {
	case e.To == wire.PreparingRebalance:
		e.Reason = rapid.SampledFrom(trace.RebalanceReasons()).Draw(r.t, "reason")
	case r.state == wire.PreparingRebalance:
		r.gen++
	}
	r.state, e.Generation = e.To, r.gen
	return e
}

func (r *run) pauses(e trace.Event) trace.Event {
	e.Text = "pause"
	if since, paused := r.paused[e.Who]; paused {
		e.Kind, e.Since = trace.FaultEnded, since
		delete(r.paused, e.Who)
		return e
	}
	e.Until = clock.Never
	r.paused[e.Who] = e.At
	return e
}

func endOf(events []trace.Event) clock.Time {
	end := clock.At(10 * time.Second)
	if len(events) > 0 {
		end = events[len(events)-1].At.Add(10 * time.Second)
	}
	return end
}

func drawInstant(t *rapid.T, events []trace.Event) clock.Time {
	return clock.At(time.Duration(rapid.Int64Range(0, int64(endOf(events)/clock.Time(time.Second))).Draw(t, "instant")) * time.Second)
}
