package fidelity

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Simulated turns the trace of a simulated case into the words of the recordings. Only events of the
// observed group count.
func Simulated(c *Case, events []trace.Event) Timeline {
	t := translator{names: newAliases(c, events)}
	for _, e := range events {
		group := e.Group
		if group == "" && e.Who != "" {
			group = c.Members[memberOf(e.Who)].group()
		}
		if group == ObservedGroup {
			t.event(e)
		}
	}
	return t.timeline
}

type translator struct {
	names    aliases
	timeline Timeline
}

func (t *translator) event(e trace.Event) {
	member := t.names.of(e.Member)
	switch e.Kind {
	case trace.GroupLoaded:
		t.add(e, Key{Kind: loaded, Members: int(e.Members)})
	case trace.GroupUnloaded:
		t.add(e, Key{Kind: unloading, Generation: int(e.Generation)})
	case trace.GroupCreated:
		t.timeline.Counts.State = e.To.String()
	case trace.GroupBecame:
		t.became(e)
	case trace.MemberIDIssued:
		t.add(e, Key{Kind: memberIDIssued, Member: member})
	case trace.MemberAdded:
		if e.Reason == trace.Loaded {
			return
		}
		if e.Reason == trace.StaticReplaced {
			t.add(e, Key{Kind: staticReplaced, Member: t.names.of(e.Other)})
			return
		}
		t.add(e, Key{Kind: memberAdded, Member: member})
	case trace.MemberRemoved:
		switch e.Reason {
		case trace.SessionExpired, trace.NewMemberExpired:
			t.add(e, Key{Kind: sessionExpired, Member: member})
		case trace.Left:
			t.add(e, Key{Kind: left, Member: member})
		}
	case trace.PendingRemoved:
		kind := pendingExpired
		if e.Reason == trace.Left {
			kind = left
		}
		t.add(e, Key{Kind: kind, Member: member})
	case trace.AssignmentReceived:
		t.add(e, Key{Kind: assignmentReceived, Generation: int(e.Generation), Members: int(e.Members)})
		t.timeline.Events[len(t.timeline.Events)-1].Leader = member
	case trace.NotRejoined:
		var all []string
		for _, m := range e.List {
			all = append(all, t.names.of(m))
		}
		t.add(e, Key{Kind: notRejoined, Member: memberList(all)})
	case trace.StaticNoRebalance:
		t.add(e, Key{Kind: staticNoRebalance})
	case trace.LeaderReplaced:
		t.add(e, Key{Kind: leaderReplaced})
	case trace.PartitionsAssigned:
		t.callback(e, "assigned")
	case trace.PartitionsRevoked:
		t.callback(e, "revoked")
	case trace.PartitionsLost:
		t.callback(e, "lost")
	}
}

// became records what the recordings know of a change of the group's state.
func (t *translator) became(e trace.Event) {
	counts := &t.timeline.Counts
	counts.State = e.To.String()
	generation := int(e.Generation)
	switch e.To {
	case wire.PreparingRebalance:
		counts.Rebalances++
		t.add(e, Key{Kind: preparing, Generation: generation, Reason: reasonKind(e.Reason)})
	case wire.CompletingRebalance:
		counts.Joined++
		t.add(e, Key{Kind: completing, Generation: generation, Members: int(e.Members)})
	case wire.Stable:
		t.add(e, Key{Kind: stable, Generation: generation})
	case wire.Empty:
		t.add(e, Key{Kind: empty, Generation: generation})
	case wire.NoGroup, wire.Dead:
		if e.Reason == trace.Deleted {
			counts.State = wire.Dead.String()
			t.add(e, Key{Kind: groupDeleted})
		}
		return // a deleted group keeps its last generation
	}
	counts.Generation = generation
}

func (t *translator) add(e trace.Event, k Key) {
	t.timeline.Events = append(t.timeline.Events, Event{At: e.At.SinceStart(), Key: k})
}

func (t *translator) callback(e trace.Event, kind string) {
	if len(e.Partitions) == 0 {
		return
	}
	var all []string
	for _, p := range e.Partitions {
		all = append(all, p.String())
	}
	t.timeline.Callbacks = append(t.timeline.Callbacks,
		Callback{e.At.SinceStart(), memberOf(e.Who), kind, partitionList(all)})
}

// reasonKind returns what the recordings call r; they have a word of their own only for the usual ones.
func reasonKind(r trace.Reason) string {
	switch r {
	case trace.MemberJoined, trace.MemberRejoined, trace.LeaderRejoined, trace.Left, trace.SessionExpired, trace.SyncExpired:
		return r.String()
	case trace.NewMemberExpired:
		return trace.SessionExpired.String()
	}
	return trace.OtherReason.String()
}
