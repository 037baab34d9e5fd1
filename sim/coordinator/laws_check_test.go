package coordinator

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// checkTickets checks every law after an input. A request may only vanish unanswered when the same member
// asked again, when its member left while it synced, or when its group vanished with a refused append.
func (w *world) checkTickets(r wire.Request) {
	parked := map[wire.Ticket]place{}
	for _, g := range w.shard.groups.all() {
		w.checkGroup(g)
		for _, m := range g.members.all() {
			if m.join != nil && !m.join.answered {
				parked[m.join.ticket] = place{g, m, wire.JoinGroup}
			}
			if m.sync != nil && !m.sync.answered {
				parked[m.sync.ticket] = place{g, m, wire.SyncGroup}
			}
		}
	}
	for ticket, before := range w.parked {
		_, open := w.open[ticket]
		_, still := parked[ticket]
		if !open || still || before.g.gone {
			continue
		}
		again := r.API == before.api && r.Member == before.m.id
		gone := before.api == wire.SyncGroup && !before.g.members.has(before.m.id)
		if !again && !gone {
			w.t.Fatalf("%v %d of %s was dropped in %v", before.api, ticket, before.m.id, before.g.state)
		}
	}
	w.parked = parked
	w.checkOffsets()
}

func (w *world) checkGroup(g *group) {
	awaiting := 0
	counts := map[string]int{}
	for id, m := range g.members.all() {
		if m.join != nil {
			awaiting++
		}
		for _, p := range m.protocols {
			counts[p.Name]++
		}
		if _, armed := w.timers[g.sessionTimer(id)]; !armed && m.join == nil && m.sync == nil {
			w.t.Fatalf("%s is neither parked nor has it a session timer in %v", id, g.state)
		}
		if m.static() && g.static[m.instance] != id {
			w.t.Fatalf("%s has the instance %s, which belongs to %q", id, m.instance, g.static[m.instance])
		}
		if g.pendingJoin.has(id) {
			w.t.Fatalf("%s is a member and pending", id)
		}
	}
	if awaiting != g.awaiting {
		w.t.Fatalf("%d members are parked, but the count is %d", awaiting, g.awaiting)
	}
	for name, n := range counts {
		if g.supported[name] != n && !w.refused {
			w.t.Fatalf("%d members list %s, but the count is %d", n, name, g.supported[name])
		}
	}
	if g.leader == "" != (g.members.len() == 0) || g.leader != "" && !g.members.has(g.leader) {
		w.t.Fatalf("%q leads a group of %d members", g.leader, g.members.len())
	}
	if _, armed := w.timers[g.joinTimer()]; !armed && g.state == wire.PreparingRebalance && !w.broken {
		w.t.Fatalf("the join phase of %s has no timer", g.id)
	}
	w.checkFold(g)
}

// fold is what a reader of the trace knows of a group.
type fold struct {
	state      wire.GroupState
	generation wire.Generation
	members    map[wire.MemberID]bool
	leader     wire.MemberID
}

// Record folds the events that carry the whole state of a group.
func (w *world) Record(e trace.Event) {
	if e.Reason == trace.AppendFailed {
		w.refused = true
	}
	f := w.folds[e.Group]
	switch e.Kind {
	case trace.GroupCreated:
		w.folds[e.Group] = &fold{state: e.To, generation: e.Generation, members: map[wire.MemberID]bool{}}
	case trace.GroupBecame:
		if e.From != f.state {
			w.t.Fatalf("%v -> %v, but the trace was in %v", e.From, e.To, f.state)
		}
		if e.Generation < f.generation {
			w.t.Fatalf("generation %d follows %d", e.Generation, f.generation)
		}
		f.state, f.generation = e.To, e.Generation
	case trace.MemberAdded:
		f.members[e.Member] = true
	case trace.MemberRemoved:
		delete(f.members, e.Member)
	case trace.LeaderElected:
		if e.Other != f.leader {
			w.t.Fatalf("%s takes over from %q, but %q led", e.Member, e.Other, f.leader)
		}
		f.leader = e.Member
	case trace.RunWarning:
		w.broken = true
	}
}

// checkFold compares what the trace says with what the shard knows.
func (w *world) checkFold(g *group) {
	f := w.folds[g.id]
	if f.state != g.state || f.generation != g.generation && !w.broken || f.leader != g.leader || len(f.members) != g.members.len() {
		w.t.Fatalf("the trace has %+v, the shard %v gen=%d leader=%s members=%v", *f, g.state, g.generation, g.leader, g.members.keys())
	}
	for id := range g.members.all() {
		if !f.members[id] {
			w.t.Fatalf("the trace does not know %s", id)
		}
	}
}
