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
	if waiting.State == wire.Dead {
		return []trace.Link{w.coordinatorLink(w.partitionOf(g.group), waiting.Since)}, nil
	}
	if len(waiting.Owes) == 0 {
		link := trace.Link{On: trace.OwesJoin, Because: trace.CauseDelay, Since: waiting.Since,
			Until: waiting.Deadline, Timer: trace.TimerDelay, Fires: waiting.Deadline, Parked: waiting.Parked}
		if waiting.State == wire.CompletingRebalance {
			link.On, link.Because, link.Timer = trace.OwesAppend, trace.CauseAppend, trace.TimerNone
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

// coordinatorLink says why nobody coordinates the groups of a partition since an instant.
func (w *world) coordinatorLink(p *partition, since clock.Time) trace.Link {
	l := trace.Link{
		On: trace.OwesCoordinator, Because: trace.CauseDeadBroker, Since: since, Until: clock.Never,
		Timer: trace.TimerNone, Fires: clock.Never,
	}
	for _, s := range p.shards {
		if s != nil && s.role == loads {
			l.Because, l.Since, l.Until = trace.CauseLoading, s.loads, s.loaded
		}
	}
	return l
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
	if a == nil {
		l.Because, l.Since = deadCause(o, 0, waiting), 0 // it is from the log that the run starts from
		if o.Session < l.Fires {
			l.Timer, l.Fires = trace.TimerSession, o.Session
		}
		return l
	}
	l.Who = a.name
	if profile, _ := consumers.FindProfile(a.plan.Client); !profile.OnJava() {
		l.Client = profile.Name
	}
	switch p := a.process; {
	case o.Pending && (p == nil || p.Member() != o.Member):
		l.Because, l.Since = trace.CausePendingID, given.at
	case a.frozen != 0 && given.life == a.life:
		l.Because, l.Since, l.Until = trace.CauseFrozen, a.frozenAt, a.frozen
	case p == nil || given.life != a.life:
		l.Because, l.Since = deadCause(o, a.exited, waiting), a.exited
	default:
		w.explainLiving(&l, a)
		if isAwake(l.Because) && p.Member() != o.Member {
			l.Because = trace.CauseForgotten
		} else if w.heartbeats(a) || l.Because == trace.CauseCommitting {
			return l // which keep its session alive
		}
		l.Silent = l.Client != "" && isBusy(l.Because) && !p.Heartbeating()
	}
	if o.Session < l.Fires {
		l.Timer, l.Fires = trace.TimerSession, o.Session
	}
	return l
}

// isBusy reports whether it is the application of a process that keeps it from rejoining.
func isBusy(because string) bool {
	switch because {
	case trace.CauseProcessing, trace.CauseStalled, trace.CauseListener:
		return true
	}
	return false
}

// deadCause says how a process that ended at exited holds the group. A JoinGroup that was parked then counts all the
// same: such a member can lead the generation, for as long as its session lasts. What it owes then is SyncGroup.
func deadCause(o coordinator.Owed, exited clock.Time, waiting coordinator.Waiting) string {
	switch {
	case o.API == wire.SyncGroup && exited < waiting.Since:
		return trace.CauseDeadParked
	case o.Instance != "":
		return trace.CauseStaticGhost
	}
	return trace.CauseDead
}

// heartbeats reports whether a's process sends heartbeats and they arrive. A leader that computes the assignment
// holds the lock that its heartbeat thread needs.
func (w *world) heartbeats(a *actor) bool {
	_, _, cut := w.unreachable(a)
	assigning := a.process.PollWait().Kind == consumers.WaitAssign
	return a.process.Heartbeating() && a.connected() && !cut && !assigning
}

// explainLiving fills in what a running process does instead of answering.
func (w *world) explainLiving(l *trace.Link, a *actor) {
	if since, until, cut := w.unreachable(a); cut {
		l.Because, l.Since, l.Until = trace.CauseUnreachable, since, until
	} else if !a.process.Aware() && a.process.Heartbeating() {
		l.Because = a.heldUp(trace.CauseUnaware) // whatever it does: the rebalance will be news to it
	} else {
		a.explainDoing(l)
	}
	// A static member does not leave when max.poll.interval.ms is over: its heartbeats end.
	if d := a.process.PollDeadline(); d < l.Fires && a.instance == "" {
		l.Timer, l.Fires = trace.TimerPoll, d
	}
}

// explainDoing says what a running process is about that knows of the rebalance, and until when. A commit
// that is tried again and again is one thing, whatever each try waits for.
func (a *actor) explainDoing(l *trace.Link) {
	wait := a.process.PollWait()
	l.Since, l.Until = wait.Since, wait.Until
	switch wait.Kind {
	case consumers.WaitProcessing:
		l.Because = trace.CauseProcessing
		return
	case consumers.WaitStall:
		l.Because = trace.CauseStalled
		return
	case consumers.WaitListener:
		l.Because = trace.CauseListener
		return
	case consumers.WaitAssign:
		l.Because = trace.CauseAssigning
		return
	case consumers.WaitSubscription:
		l.Because = trace.CauseUnsubscribed
		return
	}
	l.Until = clock.Never
	if since, ok := a.process.Committing(); ok {
		l.Because, l.Since = trace.CauseCommitting, since
		return
	}
	l.Because = a.heldUp(trace.CauseRejoining)
}

// heldUp says what keeps the requests of a's process from the coordinator, if anything does.
func (a *actor) heldUp(otherwise string) string {
	switch c := a.conns[consumers.CoordinatorConn]; {
	case !a.connected():
		return trace.CauseConnecting
	case len(c.waiting) > 0:
		return trace.CauseQueued
	}
	return otherwise
}

// connected reports whether a's process has a connection to the coordinator.
func (a *actor) connected() bool {
	c := a.conns[consumers.CoordinatorConn]
	return c != nil && c.up
}

// unreachable says between which instants the coordinator and a's process cannot talk to each other: while
// their link is cut, until what was lost on their connection is sent again, and while a SyncGroup is kept on it.
func (w *world) unreachable(a *actor) (since, until clock.Time, cut bool) {
	c := a.conns[consumers.CoordinatorConn]
	link := a.linkTo(w.leaderOf(a.plan.Group))
	for dir := range 2 {
		from, to := link.cut[dir].since, link.cut[dir].until
		if c != nil && c.pipe(dir).stuck > 0 {
			from, to = c.pipe(dir).lostAt, w.passesAt(c, dir)
		}
		if c != nil && c.pipe(dir).keptUntil > to {
			from, to = c.pipe(dir).keptAt, c.pipe(dir).keptUntil
		}
		if to > w.now() && to > until {
			since, until, cut = from, to, true
		}
	}
	return since, until, cut
}
