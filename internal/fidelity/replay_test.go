package fidelity

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"simulate/sim"
	"simulate/sim/clock"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// A simulator that did exactly what was recorded would match everything.
func TestPerfectRun(t *testing.T) {
	recordings := keptRecordings(t)
	report := Replay(context.Background(), recordings, recorded(t, recordings))
	f := report.Figures()
	if f.Cases != len(recordings) || f.Events == 0 || f.Callbacks == 0 {
		t.Fatalf("got %+v, want all %d cases with events and callbacks", f, len(recordings))
	}
	if f.Matched != f.Events || f.InTime != f.Events || f.Ran != f.Callbacks || f.Wrong != 0 {
		t.Errorf("got %+v, want everything matched and in time", f)
	}
	if failures := report.Failures(); len(failures) > 0 {
		t.Errorf("got failures %q, want none", failures)
	}
	for _, row := range report.Rows {
		if row.Figures() != perfect(row.Figures()) {
			var lines strings.Builder
			row.WriteLines(&lines)
			t.Error(lines.String())
		}
	}
}

// perfect returns f as it were if nothing differed.
func perfect(f Figures) Figures {
	return Figures{Cases: 1, Events: f.Events, Matched: f.Events, InTime: f.Events, Callbacks: f.Callbacks, Ran: f.Callbacks}
}

// A simulator that does nothing misses everything, and the kept cases say so.
func TestIdleRun(t *testing.T) {
	idle := func(context.Context, *scenario.Scenario, trace.Sink) (sim.Result, error) { return sim.Result{}, nil }
	report := Replay(context.Background(), keptRecordings(t), idle)
	f := report.Figures()
	if f.Missed != f.Events || f.Matched != 0 || f.Wrong != f.Cases {
		t.Errorf("got %+v, want everything missed", f)
	}
	if got := len(report.Failures()); got != 3*6 {
		t.Errorf("got %d failures, want one a limit of each part", got)
	}
	beyond, _ := report.Unlisted(nil)
	if len(beyond) != f.Cases {
		t.Errorf("%d cases differ beyond the list, want all %d", len(beyond), f.Cases)
	}
}

// A simulation of one repetition that goes as another one went has right counts. The two recordings of the
// slow consumer differ in theirs.
func TestRepetitionsExcuseCounts(t *testing.T) {
	var both []Recording
	for _, r := range keptRecordings(t) {
		if experiment(r.Case.ID) == "32-slow-consumer-loop" {
			both = append(both, r)
		}
	}
	if len(both) != 2 || both[0].Observed.Counts == both[1].Observed.Counts {
		t.Fatalf("%d recordings, want two with different counts", len(both))
	}
	second := recorded(t, both[1:])
	run := func(ctx context.Context, s *scenario.Scenario, sink trace.Sink) (sim.Result, error) {
		other := *s
		other.Name = both[1].Case.ID
		return second(ctx, &other, sink)
	}
	if f := Replay(context.Background(), both, run).Figures(); f.Wrong != 0 {
		t.Errorf("got %+v, want right counts", f)
	}
	if f := Replay(context.Background(), both[:1], run).Figures(); f.Wrong != 1 {
		t.Errorf("got %+v, want wrong counts without the repetition", f)
	}
}

func TestBrokenRunIsAFailure(t *testing.T) {
	broken := func(context.Context, *scenario.Scenario, trace.Sink) (sim.Result, error) {
		return sim.Result{}, errors.New("an invariant broke")
	}
	report := Replay(context.Background(), keptRecordings(t)[:1], broken)
	want := "01-single-member-defaults/run1: an invariant broke"
	if got := report.Failures(); len(got) == 0 || got[0] != want {
		t.Errorf("got %q, want %q first", got, want)
	}
}

// recorded returns a simulator that knows the recordings by heart.
func recorded(t *testing.T, recordings []Recording) Run {
	t.Helper()
	runs := map[string]Recording{}
	for _, r := range recordings {
		runs[r.Case.ID] = r
	}
	return func(_ context.Context, s *scenario.Scenario, sink trace.Sink) (sim.Result, error) {
		var run recordedRun
		if err := json.Unmarshal(runs[s.Name].text, &run); err != nil {
			return sim.Result{}, err
		}
		ids := runs[s.Name].Case.MemberIDs
		for _, e := range run.Observed.Events {
			sink.Record(traced(e, ids))
			if e.Kind == assignmentReceived && run.Observed.StableIs != stableSeenByClients {
				e.Kind = stable // which nobody recorded
				sink.Record(traced(e, ids))
			}
		}
		for _, e := range run.Observed.ClientEvents {
			if kind := callbackKind[e.Kind]; kind != trace.NoKind {
				sink.Record(trace.Event{At: clock.At(millis(e.AtMs)), Kind: kind, Who: process(e.Who), Partitions: partitions(run.given(e.Partitions))})
			}
		}
		return sim.Result{}, nil
	}
}

var callbackKind = map[string]trace.Kind{
	"assigned": trace.PartitionsAssigned, "revoked": trace.PartitionsRevoked, "lost": trace.PartitionsLost,
}

// partitions parses "orders-0"; its topics have no dash in their names that would matter.
func partitions(names []string) []wire.TopicPartition {
	var all []wire.TopicPartition
	for _, name := range names {
		dash := strings.LastIndex(name, "-")
		all = append(all, wire.TopicPartition{Topic: name[:dash], Partition: int32(number(name[dash+1:]))})
	}
	return all
}

var reasonOf = map[string]trace.Reason{
	"member-joined": trace.MemberJoined, "member-rejoined": trace.MemberRejoined, "leader-rejoined": trace.LeaderRejoined,
	"left": trace.Left, "session-expired": trace.SessionExpired, "sync-expired": trace.SyncExpired,
}

// traced returns the trace event that means the same as a recorded one.
func traced(r recordedEvent, ids map[string]string) trace.Event {
	id := func(recorded string) wire.MemberID { return wire.MemberID(ids[aliasOf(recorded)]) }
	e := trace.Event{
		At: clock.At(millis(r.AtMs)), Group: ObservedGroup, Member: id(r.Member),
		Generation: wire.Generation(r.Generation), Members: int32(r.Members),
	}
	became := func(to wire.GroupState) { e.Kind, e.To = trace.GroupBecame, to }
	switch r.Kind {
	case memberIDIssued:
		e.Kind = trace.MemberIDIssued
	case memberAdded:
		e.Kind, e.Reason = trace.MemberAdded, trace.PendingJoined
	case preparing:
		became(wire.PreparingRebalance)
		e.Generation, e.Reason = wire.Generation(r.OldGeneration), reasonOf[r.ReasonKind]
	case completing:
		became(wire.CompletingRebalance)
	case assignmentReceived:
		e.Kind, e.Member = trace.AssignmentReceived, id(r.Leader)
	case stable:
		became(wire.Stable)
	case empty:
		became(wire.Empty)
	case groupDeleted:
		became(wire.NoGroup)
		e.Reason = trace.Deleted
	case sessionExpired:
		e.Kind, e.Reason = trace.MemberRemoved, trace.SessionExpired
	case left:
		e.Kind, e.Reason = trace.MemberRemoved, trace.Left
	case pendingExpired:
		e.Kind = trace.PendingRemoved
	case notRejoined:
		e.Kind = trace.NotRejoined
		for _, m := range r.Evicted {
			e.List = append(e.List, id(m))
		}
	case staticReplaced:
		e.Kind, e.Reason, e.Other = trace.MemberAdded, trace.StaticReplaced, id(r.Old)
	case staticNoRebalance:
		e.Kind = trace.StaticNoRebalance
	case leaderReplaced:
		e.Kind = trace.LeaderReplaced
	case loaded:
		e.Kind = trace.GroupLoaded
	case unloading:
		e.Kind = trace.GroupUnloaded
	}
	return e
}
