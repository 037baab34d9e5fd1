package sim

import (
	"slices"

	"simulate/sim/clock"
	"simulate/sim/coordinator"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// groupWatch looks after one group: when a stay in PreparingRebalance or CompletingRebalance, or without a
// coordinator, has lasted stuck-after, and whenever a holder, its cause or its end change afterwards, it records the
// whole chain of waiting.
type groupWatch struct {
	group      string
	state      wire.GroupState
	since      clock.Time
	generation wire.Generation
	check      clock.Handle
	stuck      bool
	dirty      bool         // something happened that may have changed the chain
	chain      []trace.Link // as recorded last
	holders    []*actor     // in it; what they do may change it
}

// watch keeps the watches up to date with what the coordinator records.
func (w *world) watch(e trace.Event) {
	switch e.Kind {
	case trace.GroupCreated:
		if w.watchOf(e.Group) == nil {
			w.groups = append(w.groups, &groupWatch{group: e.Group})
		}
		w.became(w.watchOf(e.Group), e)
	case trace.GroupBecame:
		w.became(w.watchOf(e.Group), e)
	case trace.MemberAdded, trace.MemberRemoved, trace.PendingRemoved, trace.MemberIDIssued, trace.NobodyRejoined:
		if g := w.watchOf(e.Group); g != nil && g.stuck {
			w.lookAgain(g)
		}
	}
}

// became begins a stay.
func (w *world) became(g *groupWatch, e trace.Event) {
	g.state, g.generation, g.since = e.To, e.Generation, e.At
	w.queue.Cancel(g.check)
	g.stuck, g.chain, g.holders = false, nil, nil
	if trace.Waits(e) {
		g.check = w.queue.Schedule(e.At.Add(w.scenario.StuckAfter), event{kind: stuckCheck, to: g})
	}
}

func (w *world) watchOf(group string) *groupWatch {
	for _, g := range w.groups {
		if g.group == group {
			return g
		}
	}
	return nil
}

// watchActor looks again at a stuck group when one of those it waits for has gone on, or something was done
// to it.
func (w *world) watchActor(a *actor) {
	for _, g := range w.groups {
		if g.stuck && slices.Contains(g.holders, a) {
			w.lookAgain(g)
		}
	}
}

func (w *world) checkStuck(g *groupWatch) {
	g.stuck = true
	w.recordChain(g)
}

// lookAgain lets the chain be compared once the coordinator is done with what it is doing: at the same
// instant, as an event of its own.
func (w *world) lookAgain(g *groupWatch) {
	if !g.dirty {
		g.dirty = true
		g.check = w.queue.Schedule(w.now(), event{kind: stuckCheck, to: g})
	}
}

// recordChain records why the group waits, if that is news.
func (w *world) recordChain(g *groupWatch) {
	g.dirty = false
	waiting, ok := w.waitingOf(g)
	if !ok {
		g.stuck = false
		return
	}
	chain, holders := w.chainOf(g, waiting)
	if slices.EqualFunc(g.chain, chain, func(before, l trace.Link) bool { return w.tellsTheSame(before, l) }) {
		return
	}
	g.chain, g.holders = chain, holders
	w.Record(trace.Event{
		At: w.now(), Kind: trace.Blocked, Group: g.group, To: waiting.State,
		Since: waiting.Since, Until: waiting.Deadline, Chain: chain,
	})
}

// waitingOf reports what a group waits for, and false when it does not wait.
func (w *world) waitingOf(g *groupWatch) (coordinator.Waiting, bool) {
	s := w.shardOf(g.group)
	if s == nil {
		return coordinator.Waiting{State: wire.Dead, Since: g.since, Deadline: clock.Never}, g.state == wire.Dead
	}
	waiting, ok := s.Waiting(g.group)
	return waiting, ok && (waiting.State == wire.PreparingRebalance || waiting.State == wire.CompletingRebalance)
}

// lookForCoordinator looks again at the groups that nobody coordinates, when that may change.
func (w *world) lookForCoordinator(p *partition) {
	for _, g := range w.groups {
		if g.stuck && g.state == wire.Dead && w.partitionOf(g.group) == p {
			w.lookAgain(g)
		}
	}
}

// tellsTheSame reports whether a link tells nothing that the one before it did not: the same holder, cause
// and end. A process that is awake moves its own timers all the time, and what a timer brings about that
// has fired is on its way; neither is news.
func (w *world) tellsTheSame(before, l trace.Link) bool {
	l.Since = before.Since
	if isAwake(l.Because) || before.Fires <= w.now() {
		l.Timer, l.Fires = before.Timer, before.Fires
	}
	return l == before
}

// isAwake reports whether a process with this cause goes on by itself, step by step.
func isAwake(because string) bool {
	switch because {
	case trace.CauseUnaware, trace.CauseRejoining, trace.CauseConnecting, trace.CauseQueued:
		return true
	}
	return false
}
