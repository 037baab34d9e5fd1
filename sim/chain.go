package sim

import (
	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/coordinator"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// chainOf says, for each request that the group waits for, who owes it, what that process does instead,
// and which timer ends the wait at the latest.
func (w *world) chainOf(g *groupWatch, waiting coordinator.Waiting) ([]trace.Link, []*actor) {
	if len(waiting.Owes) == 0 {
		link := trace.Link{On: trace.OwesJoin, Because: trace.CauseDelay, Since: waiting.Since,
			Until: waiting.Deadline, Timer: trace.TimerDelay, Fires: waiting.Deadline, Parked: waiting.Parked}
		if waiting.State == wire.CompletingRebalance {
			link.On, link.Because, link.Timer = trace.OwesAppend, trace.CauseAppend, trace.TimerRebalance
		}
		return []trace.Link{link}, nil
	}
	var chain []trace.Link
	var holders []*actor
	for _, o := range waiting.Owes {
		chain = append(chain, w.linkOf(o, waiting))
		holders = append(holders, w.given[o.Member].to)
	}
	return chain, holders
}

func (w *world) linkOf(o coordinator.Owed, waiting coordinator.Waiting) trace.Link {
	l := trace.Link{
		Member: o.Member, On: trace.OwesJoin, Since: waiting.Since, Until: clock.Never,
		Timer: trace.TimerRebalance, Fires: waiting.Deadline, Parked: waiting.Parked,
	}
	if o.API == wire.SyncGroup {
		l.On = trace.OwesSync
	}
	given := w.given[o.Member]
	a := given.to
	l.Who = a.name
	switch p := a.process; {
	case o.Pending && (p == nil || p.Member() != o.Member):
		l.Because, l.Since = trace.CausePendingID, given.at
	case p == nil || given.life != a.life:
		l.Because, l.Since = trace.CauseDead, a.exited
	case a.frozen != 0:
		l.Because, l.Since, l.Until = trace.CauseFrozen, a.frozenAt, a.frozen
	default:
		w.explainLiving(&l, a)
		if a.heartbeats(w.now()) {
			return l // which keep its session alive
		}
	}
	if o.Session < l.Fires {
		l.Timer, l.Fires = trace.TimerSession, o.Session
	}
	return l
}

// heartbeats reports whether a's process sends heartbeats and they arrive.
func (a *actor) heartbeats(now clock.Time) bool {
	return a.process.Heartbeating() && !a.link.isCut(now, outward) && !a.link.isCut(now, inward)
}

// explainLiving fills in what a running process does instead of answering.
func (w *world) explainLiving(l *trace.Link, a *actor) {
	wait := a.process.PollWait()
	l.Since = wait.Since
	switch wait.Kind {
	case consumers.WaitProcessing:
		l.Because, l.Until = trace.CauseProcessing, wait.Until
	case consumers.WaitStall:
		l.Because, l.Until = trace.CauseStalled, wait.Until
	case consumers.WaitListener:
		l.Because, l.Until = trace.CauseListener, wait.Until
	case consumers.WaitAssign:
		l.Because, l.Until = trace.CauseAssigning, wait.Until
	default:
		l.Because = trace.CauseRejoining
		if !a.process.Aware() {
			l.Because = trace.CauseUnaware
		}
		if wait.Kind == consumers.WaitCoordinator || wait.Kind == consumers.WaitBackoff {
			l.Because = trace.CauseConnecting
		}
		if c := a.conns[consumers.CoordinatorConn]; c != nil && len(c.waiting) > 0 {
			l.Because = trace.CauseQueued
		}
	}
	for dir := range 2 {
		if a.link.isCut(w.now(), dir) {
			l.Because, l.Until = trace.CauseUnreachable, max(a.link.cut[dir].until, l.Since)
		}
	}
	if d := a.process.PollDeadline(); d < l.Fires {
		l.Timer, l.Fires = trace.TimerPoll, d
	}
}
