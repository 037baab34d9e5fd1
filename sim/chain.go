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
		a := w.owner[o.Member]
		chain = append(chain, w.linkOf(a, o, waiting))
		if a != nil {
			holders = append(holders, a)
		}
	}
	return chain, holders
}

func (w *world) linkOf(a *actor, o coordinator.Owed, waiting coordinator.Waiting) trace.Link {
	l := trace.Link{
		Member: o.Member, On: trace.OwesJoin, Because: trace.CausePendingID,
		Since: waiting.Since, Until: clock.Never,
		Timer: trace.TimerRebalance, Fires: waiting.Deadline, Parked: waiting.Parked,
	}
	if o.API == wire.SyncGroup {
		l.On = trace.OwesSync
	}
	if o.Session < l.Fires {
		l.Timer, l.Fires = trace.TimerSession, o.Session
	}
	if a == nil {
		return l
	}
	l.Who = a.name
	switch p := a.process; {
	case p == nil || p.Member() != o.Member && !o.Pending:
		l.Because, l.Since = trace.CauseDead, a.exited
	case o.Pending && p.Member() != o.Member:
		return l // somebody vanished with it
	case a.frozen != 0:
		l.Because, l.Since, l.Until = trace.CauseFrozen, a.frozenAt, a.frozen
	default:
		w.explainLiving(&l, a)
	}
	return l
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
