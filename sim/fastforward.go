package sim

import (
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/coordinator"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Fast-forward leaves out what nobody can tell from a run without it. While every group is stable and every process calm,
// nothing happens but heartbeats, polls and commits, until the next event that is more than that: of the scenario, of a
// source, of a timer. Up to a while before it, which is long enough for each process to go through its whole routine
// some more times, processes compute what they would have done. From there on all goes on as ever, and what the left-out
// requests have left behind, such as timers of sessions, was made anew by the time of that event.
type fastForward struct {
	lookAt     clock.Time    // when to look whether everything is calm; clock.Never: this run is not fast-forwarded
	patience   time.Duration // from one look in vain to the next
	to         clock.Time    // until when processes compute their routine
	heartbeats int64         // that were left out
}

// How long it takes from one look in vain to the next. Looking at all processes is not free.
const (
	leastPatience = time.Second
	mostPatience  = time.Minute
)

// newFastForward returns when a run is first looked at: never where times of messages are drawn, where records arrive,
// where processes queue for cores, or where somebody wants the records of the offsets topic.
func newFastForward(w *world, o Options) fastForward {
	s := w.scenario
	if o.NoFastForward || !w.IgnoresRoutine() || o.Commits != nil || s.MovesCoordinators() || s.Cores > 0 || w.records.logs != nil ||
		!s.Latency.IsConstant() || !s.Append.IsConstant() {
		return fastForward{lookAt: clock.Never}
	}
	return fastForward{lookAt: clock.Time(leastPatience), patience: leastPatience}
}

// fastForward looks whether there is anything to leave out from now on, before the first event of an instant.
func (w *world) fastForward(now clock.Time) {
	f := &w.forward
	f.lookAt, f.patience = now.Add(f.patience), min(2*f.patience, mostPatience)
	cycle, calm := w.calm()
	if !calm {
		return
	}
	next, waking := w.pending()
	landing := w.landing(cycle)
	to := next.Add(-landing)
	if to.Sub(now) < landing {
		return
	}
	f.lookAt, f.patience, f.to = next+1, leastPatience, to
	for _, a := range waking { // in their order: that of processes with the same routine stays
		w.leap(a)
	}
}

// landing returns how long before an event everything goes step by step again. Which of two processes that act in one
// instant comes first hangs on which of them has acted last, but for what that was between a request and its answer, since
// the answers come in the order of the requests. Heartbeats are a millisecond late each time, so that they are out of
// there after as many cycles as it has milliseconds, and settle the order anew.
func (w *world) landing(cycle time.Duration) time.Duration {
	latency, appended := w.scenario.Latency.A, w.scenario.Append.A
	cycles := 2 + (2*latency + appended).Milliseconds()
	return time.Duration(cycles)*cycle + 20*(latency+appended) + leastPatience
}

// leap lets a process compute its routine. One that waits for an answer does so when that has come.
func (w *world) leap(a *actor) {
	done, ok := a.process.FastForward(w.forward.to)
	if !ok {
		return
	}
	w.forward.heartbeats += done.Heartbeats
	w.setAlarm(a, a.process.Wake())
	if done.LastRequest == 0 {
		return
	}
	arrived := done.LastRequest.Add(w.scenario.Latency.A)
	w.queue.Reschedule(w.sessionTimer(a).handle, arrived.Add(done.Session))
}

// sessionTimer returns the coordinator's timer of a's session, nil when there is none.
func (w *world) sessionTimer(a *actor) *brokerTimer {
	key := coordinator.TimerKey{Kind: coordinator.SessionTimer, Group: a.plan.Group, Member: a.process.Member()}
	return w.shardOf(a.plan.Group).timers[key]
}

// calm reports whether nobody does anything but their routine, and how long the longest of its cycles is.
func (w *world) calm() (cycle time.Duration, ok bool) {
	for _, g := range w.groups {
		if g.state == wire.PreparingRebalance || g.state == wire.CompletingRebalance {
			return 0, false
		}
	}
	for _, p := range w.cluster.partitions {
		if !w.appendsAsEver(p) {
			return 0, false
		}
	}
	for _, f := range w.fleets {
		for _, a := range f.members {
			if a.process == nil {
				continue
			}
			c, ok := a.process.Calm()
			if !ok || a.frozen != 0 || !w.isUndisturbed(a) || !w.keepsUp(c) || !w.keepsSession(a, c.Heartbeat) {
				return 0, false
			}
			cycle = max(cycle, c.Cycle)
		}
	}
	return cycle, true
}

// appendsAsEver reports whether nothing is wrong with the log of a partition, and nothing that was has an effect yet.
func (w *world) appendsAsEver(p *partition) bool {
	t := &p.trouble
	asEver := w.now().Add(w.scenario.Append.A)
	return !t.once && w.now() >= max(t.errUntil, t.slowUntil) && (p.serving == nil || p.serving.last <= asEver)
}

// keepsUp reports whether the coordinator has done with a commit, which holds its connection, before the next one comes.
func (w *world) keepsUp(c consumers.Calm) bool {
	return c.Commits == 0 || w.scenario.Append.A < c.Commits
}

// keepsSession reports whether the coordinator counts a as a member, and still will when a's next heartbeat arrives.
func (w *world) keepsSession(a *actor, next clock.Time) bool {
	t := w.sessionTimer(a)
	return t != nil && w.queue.At(t.handle) > next.Add(w.scenario.Latency.A)
}

// isUndisturbed reports whether a's connections carry everything at once.
func (w *world) isUndisturbed(a *actor) bool {
	for dir := range a.delays {
		if slices.ContainsFunc(a.delays[dir], func(d delay) bool { return w.now() < d.until }) {
			return false
		}
	}
	for _, c := range a.conns {
		if c == nil {
			continue
		}
		if l := c.link(); l.isCut(w.now(), outward) || l.isCut(w.now(), inward) || c.out.stuck > 0 || c.in.stuck > 0 || c.fetch != 0 {
			return false
		}
	}
	return true
}

// pending returns when the next event is due that is more than routine, at the latest the end of the run, and who is to
// wake up, in that order.
func (w *world) pending() (next clock.Time, waking []*actor) {
	next = w.end
	for at, e := range w.queue.All() {
		if e.kind == alarm {
			waking = append(waking, e.to.(*actor))
		} else if at < next && !w.isRoutine(e) {
			next = at
		}
	}
	return next, waking
}

// isRoutine reports whether an event belongs to what calm processes do. A retention run is none of that, but nothing that
// they do matters to it.
func (w *world) isRoutine(e event) bool {
	switch e.kind {
	case appended:
		return true
	case atBroker, atClient:
		c := e.to.(*connection)
		return c.actor.life == c.life && c.actor.process != nil
	case brokerTimed:
		switch k := e.to.(*brokerTimer).key; k.Kind {
		case coordinator.WriteTimer, coordinator.RetentionTimer:
			return k.Left == 0
		case coordinator.SessionTimer:
			a := w.given[k.Member].to
			return k.Left == 0 && a != nil && a.process != nil && a.process.Member() == k.Member
		}
	}
	return false
}

// countRoutine records what the processes of each group have done over and over.
func (w *world) countRoutine(at clock.Time) {
	for _, group := range w.scenario.Groups() {
		var n consumers.Routine
		for _, f := range w.fleets {
			if f.plan.Group != group {
				continue
			}
			for _, a := range f.members {
				n.Add(a.done)
				if a.process != nil {
					n.Add(a.process.Routine())
				}
			}
		}
		w.Record(trace.Event{At: at, Kind: trace.RoutineCounted, Group: group, Offsets: []int64{n.Heartbeats, n.Commits, n.Polls}})
	}
}
