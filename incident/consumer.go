package incident

import (
	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// epochs is the way of a group of the consumer protocol from epoch to epoch.
type epochs struct {
	consumer bool
	epoch    int32 // logs.Unknown before the first
	now      *Epoch
	kept     kept[Epoch]
	told     bool // a record said what epoch a member is at: brokers from 4.0 on do so at DEBUG only
	stable   int  // live members that have reached the epoch
	quiet    int  // live members that are two epochs behind: nobody waits for them, their leaving may not be in the log
}

// consumer takes what a coordinator says of a group of the consumer protocol.
func (g *group) consumer(e *logs.Event, at logs.Instant) {
	if e.Kind == logs.Migrated {
		g.epochs.consumer = e.Text == "consumer"
		g.causes.migrated(e)
		return
	}
	if !g.epochs.consumer {
		g.epochs.consumer = true
		g.course.end(metrics.Abandoned, at, true)
	}
	switch e.Kind {
	case logs.ConsumerJoined:
		if g.member(e.Member) == nil {
			g.joins(e, at, trace.NewDynamic)
		}
	case logs.EpochBumped, logs.TargetComputed:
		g.bumped(e, at)
	case logs.MemberReconciled:
		g.reconciled(e, at)
	case logs.ConsumerLeft:
		g.leave(e.Member, e, at)
		g.settle(at)
	case logs.ConsumerFenced:
		g.evicts(e.Member, max(e.Reason, trace.SessionExpired), e, at)
		g.settle(at)
	}
}

// bumped takes an epoch, from the first record that names it.
func (g *group) bumped(e *logs.Event, at logs.Instant) {
	k := &g.epochs
	if e.Generation > k.epoch {
		g.superseded(at)
		k.epoch, k.stable = e.Generation, 0
		g.quiet()
		k.now = &Epoch{Epoch: e.Generation, At: at, Until: at, Computed: logs.NoTime, Lines: []logs.Place{e.Place}}
		if g.course.state == Empty && len(g.live) == 0 { // nobody has to reach it
			k.kept.add(*k.now, g.room)
			k.now = nil
		} else {
			g.course.become(Reconciling, at)
		}
		g.course.generation = e.Generation
	}
	if e.Kind == logs.TargetComputed && k.now != nil && e.Generation == k.epoch && k.now.Computed == logs.NoTime {
		k.now.Computed, k.now.Assignor, k.now.ComputedIn = at, e.Text, e.For
		if k.now.Lines[0] != e.Place {
			k.now.Lines = append(k.now.Lines, e.Place)
		}
	}
}

// quiet finds who is behind by more than one epoch.
func (g *group) quiet() {
	k := &g.epochs
	k.quiet = 0
	for _, m := range g.live {
		if m.quiet = m.epoch != 0 && m.epoch < k.epoch-1; m.quiet {
			k.quiet++
		}
	}
}

// superseded ends an epoch before every member has reached it.
func (g *group) superseded(at logs.Instant) {
	k := &g.epochs
	if k.now == nil {
		return
	}
	k.now.Superseded, k.now.Until = true, at
	k.kept.add(*k.now, g.room)
	k.now = nil
}

// reconciled takes a member's state, which may be that of an epoch.
func (g *group) reconciled(e *logs.Event, at logs.Instant) {
	k := &g.epochs
	k.told = true
	if e.Generation > k.epoch {
		g.bumped(&logs.Event{Kind: logs.EpochBumped, Generation: e.Generation, Place: e.Place}, at)
	}
	m := g.member(e.Member)
	if m == nil {
		g.joins(e, logs.NoTime, trace.Loaded)
		m = g.member(e.Member)
	}
	if e.Text != "STABLE" || e.Generation != k.epoch || m.epoch == e.Generation {
		return
	}
	m.epoch = e.Generation
	if m.quiet {
		m.quiet = false
		k.quiet--
	}
	k.stable++
	if k.now != nil {
		k.now.reached(e, at)
		g.settle(at)
	} else if last := k.kept.last(); last != nil && last.Epoch == k.epoch {
		last.reached(e, at)
		g.course.prolong(at)
	}
}

func (k *Epoch) reached(e *logs.Event, at logs.Instant) {
	k.Members++
	k.Until = at
	if len(k.Reached) < MaxReached {
		k.Reached = append(k.Reached, Reached{e.Member, at})
	}
	if len(k.Lines) < maxLines {
		k.Lines = append(k.Lines, e.Place)
	}
}

// prolong says that the group still reconciled: a member that no record had named reached the epoch only now.
func (c *course) prolong(at logs.Instant) {
	s := c.spans.last()
	if c.state != Stable || s == nil || s.State != Reconciling {
		return
	}
	c.timeIn[Reconciling] += at.Sub(s.Until)
	s.Until, c.since = at, at
	c.longest[Reconciling] = max(c.longest[Reconciling], s.For())
}

// settle ends the epoch when every member that is known has reached it.
func (g *group) settle(at logs.Instant) {
	k := &g.epochs
	switch n := len(g.live) - k.quiet; {
	case len(g.live) == 0 && g.course.state != Empty:
		g.superseded(at)
		g.course.become(Empty, at)
	case n > 0 && k.now != nil && k.reachedBy(g.live) == n:
		k.now.Until = at
		k.kept.add(*k.now, g.room)
		k.now = nil
		g.course.become(Stable, at)
	}
}

// reachedBy counts the live members at the epoch.
func (k *epochs) reachedBy(live map[wire.MemberID]*member) int {
	if k.stable < len(live) {
		return k.stable
	}
	n := 0
	for _, m := range live {
		if m.epoch == k.epoch {
			n++
		}
	}
	return n
}
