package incident

import (
	"strings"

	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// stateOf is a state of the classic protocol as a record prints it.
var stateOf = [wire.NumGroupStates]State{
	wire.NoGroup: Unknown, wire.Empty: Empty, wire.PreparingRebalance: PreparingRebalance,
	wire.CompletingRebalance: CompletingRebalance, wire.Stable: Stable, wire.Dead: Dead,
}

// coordinated takes what a coordinator says of a classic group.
func (g *group) coordinated(e *logs.Event, at logs.Instant) {
	c := &g.course
	switch e.Kind {
	case logs.Preparing:
		g.preparing(e, at)
	case logs.Completing:
		g.completing(e, at)
	case logs.AssignmentReceived:
		g.assigned(e, at)
	case logs.EmptyGroup:
		g.emptied(e, at)
	case logs.DeadGroup:
		c.end(metrics.Abandoned, at, false)
		if c.state != Dead {
			c.become(Dead, at)
		}
		g.causes.dead(e)
		g.members = 0
	case logs.NobodyRejoined:
		if c.now != nil {
			c.now.NobodyRejoined = true
			c.now.line(e.Place)
		}
	case logs.GroupLoaded, logs.MemberLoaded:
		g.loaded(e, at)
	case logs.GroupUnloaded:
		g.away = true
		g.causes.moved(e)
		c.knows(e.Generation, at)
		g.unloaded(at)
	case logs.StoreFailed:
		g.causes.storeFailed(e)
	default:
		g.membership(e, at)
	}
}

// preparing takes an entry to PreparingRebalance.
func (g *group) preparing(e *logs.Event, at logs.Instant) {
	c := &g.course
	if e.Reason == trace.AppendFailed {
		c.refused(at)
	}
	from := c.from(e)
	known, lost := c.expected(), false
	switch {
	case e.Generation != logs.Unknown && known != logs.Unknown && e.Generation > known, c.state == PreparingRebalance && e.Generation == known:
		lost = true
	case c.state == CompletingRebalance && from == Stable: // it was, but the record of the assignment is missing
		lost = true
	case c.state == Elsewhere, c.state == Dead:
		c.become(Unknown, at)
	}
	if lost {
		c.end(metrics.Completed, at, true)
		c.skipped(known, e.Generation, at)
	}
	if e.Reason == trace.SyncExpired {
		c.stuck.waitedFor(e.List, e.Place)
	}
	c.become(PreparingRebalance, at)
	r := c.begin(at, e, false)
	r.From, r.Old, r.Reason, r.Member, r.ClientReason, r.Broker = from, e.Generation, e.Reason, e.Member, e.ClientReason, e.Broker
	r.Leavers = append(r.Leavers, e.List...)
	c.generation = known
	if e.Generation != logs.Unknown {
		g.reset(e.Generation)
		c.generation, c.unsure = e.Generation, false
	}
	c.count++
	c.byReason[min(e.Reason, trace.OtherReason)]++
	g.removals(e, at)
	c.watch.began(at, e.Place)
	g.causes.begun(g, r, e.Text)
}

// refused takes that the assignment could not be stored: the group went on in CompletingRebalance, and was never Stable.
func (c *course) refused(at logs.Instant) {
	r, s := c.rounds.last(), c.spans.last()
	if c.state != Stable || r == nil || s == nil || s.State != CompletingRebalance || s.Until != c.since {
		return
	}
	short := s.For()
	c.timeIn[s.State] += at.Sub(c.since)
	s.Until = at
	c.longest[s.State] = max(c.longest[s.State], s.For())
	c.watch.prolonged(s, short)
	c.state, c.since = Unknown, at // which ends at once
	r.Ended, r.Until = metrics.Superseded, at
}

// from returns what an entry to PreparingRebalance interrupted.
func (c *course) from(e *logs.Event) State {
	rejoined := e.Reason == trace.MemberRejoined
	switch {
	case e.Reason == trace.LeaderRejoined, rejoined && strings.Contains(e.Text, "during Stable"):
		return Stable
	case rejoined && strings.Contains(e.Text, "during CompletingRebalance"):
		return CompletingRebalance
	case e.Reason == trace.AppendFailed, e.Reason == trace.SyncExpired:
		return CompletingRebalance
	case c.state == Empty, c.state == Stable, c.state == CompletingRebalance:
		return c.state
	case e.Generation == 0:
		return Empty
	case e.State != wire.NoGroup && e.State != wire.PreparingRebalance:
		return stateOf[e.State]
	}
	return Unknown
}

// reset notices a generation that is lower than the one before: the group was created anew, or the coordinator that loaded it
// had not stored the last one, or several groups go by one name.
func (g *group) reset(generation int32) {
	c := &g.course
	if generation < c.generation && !c.unsure && c.rounds.count > 0 && generation > 0 {
		g.fell++
	}
}

// completing takes the end of a join phase.
func (g *group) completing(e *logs.Event, at logs.Instant) {
	c := &g.course
	if c.state != PreparingRebalance || c.now == nil {
		if e.Generation != logs.Unknown && e.Generation == c.generation && (c.state == CompletingRebalance || c.state == Stable) {
			return // logged twice
		}
		g.headless(e, at, 1)
	} else if next := c.generation + 1; c.generation != logs.Unknown && e.Generation > next {
		c.end(metrics.Completed, at, true)
		g.headless(e, at, 1)
	}
	c.now.Prepared, c.now.Generation, c.now.Members = at, e.Generation, int(e.Members)
	if c.now.n > 1 || !c.now.Headless {
		c.now.line(e.Place)
	}
	g.waitedForLast(at)
	c.become(CompletingRebalance, at)
	c.generation = e.Generation
	c.joined++
	c.heard(at, logs.Completing)
	g.counted(e.Members)
}

// headless begins a rebalance of whose begin nothing was logged; by the record the group is that many generations on.
func (g *group) headless(e *logs.Event, at logs.Instant, on int32) {
	c := &g.course
	if e.Generation == logs.Unknown || c.unsure {
		c.lose(at)
	} else {
		c.skipped(c.expected(), e.Generation-on, at)
	}
	g.reset(e.Generation)
	r := c.begin(at, e, true)
	r.Broker = e.Broker
	if e.Generation > 0 {
		r.Old = e.Generation - on
	}
}

// assigned takes the leader's assignment.
func (g *group) assigned(e *logs.Event, at logs.Instant) {
	c := &g.course
	switch same := e.Generation == c.generation; {
	case same && c.state == Stable, same && c.state == PreparingRebalance:
		return // logged twice, or after a rebalance that began in the same millisecond
	case c.state == PreparingRebalance && c.now != nil && e.Generation == c.generation+1: // the end of the join phase is missing
		c.now.Generation = e.Generation
		c.joined++
	case c.now == nil || !same:
		g.headless(e, at, 1)
		c.now.Generation = e.Generation
	}
	c.now.Assigned, c.now.Leader = at, e.Other
	if e.Members != logs.Unknown {
		c.now.Members = int(e.Members)
	}
	if c.now.n == 0 || c.now.lines[c.now.n-1] != e.Place {
		c.now.line(e.Place)
	}
	c.end(metrics.Completed, at, false)
	c.become(Stable, at)
	c.generation = e.Generation
	c.completed++
	c.heard(at, logs.AssignmentReceived)
	g.counted(e.Members)
	g.leads(e.Other, at)
}

// emptied takes an entry to Empty, which is a generation of its own.
func (g *group) emptied(e *logs.Event, at logs.Instant) {
	c := &g.course
	if c.state == Empty && e.Generation == c.generation {
		return
	}
	if c.state != PreparingRebalance || c.now == nil {
		g.headless(e, at, 1)
	} else {
		c.now.line(e.Place)
	}
	c.now.Generation, c.now.Members = e.Generation, 0
	c.end(metrics.Emptied, at, false)
	c.become(Empty, at)
	if e.Generation != logs.Unknown {
		c.generation = e.Generation
	}
	g.members = 0
}

// evidence takes a state that a record says the group is in.
func (c *course) evidence(said State, e *logs.Event, at logs.Instant) {
	switch {
	case said == Unknown || said == Dead || said == c.state:
		return
	case c.state == Unknown && c.spans.count == 0 && at == c.since:
		c.state, c.cut = said, true
		c.started(said, e, at)
		return
	case c.state == Stable && said == CompletingRebalance:
		return // the assignment is not stored yet
	case c.state != Unknown && c.state != Elsewhere && at.Sub(c.since) <= slack:
		return
	}
	c.lose(at)
	c.started(said, e, at)
	c.become(said, at)
}

// started ends or begins the rebalance that a state implies which nobody logged.
func (c *course) started(said State, e *logs.Event, at logs.Instant) {
	switch said {
	case Stable, Empty:
		if c.now != nil && c.now.Old != logs.Unknown {
			c.generation = c.now.Old + 1
		}
		if said == Stable {
			c.end(metrics.Completed, at, true)
		} else {
			c.end(metrics.Emptied, at, true)
		}
	case PreparingRebalance:
		c.begin(at, e, true)
	case CompletingRebalance:
		if c.now == nil {
			c.begin(at, e, true)
		}
	}
}

// loaded takes a group, or a member of one, that a coordinator read from the offsets topic.
func (g *group) loaded(e *logs.Event, at logs.Instant) {
	c := &g.course
	if !g.loading {
		g.loads++
		g.before = c.generation
		c.end(metrics.Abandoned, at, true)
	}
	g.loading = e.Kind == logs.MemberLoaded // a group follows its members
	if !g.loading {
		c.passed(g.before, e.Generation, at)
		c.unsure = e.Generation == logs.Unknown
	}
	if e.Generation != logs.Unknown {
		c.generation = e.Generation
	}
	if e.Kind == logs.MemberLoaded {
		g.joins(e, at, trace.Loaded)
	}
	state := g.loadedState(e)
	if c.state != state {
		if c.state == Stable || c.state == Empty || c.rebalancing() {
			c.lose(at)
		}
		c.become(state, at)
	}
	c.heard(at, logs.GroupLoaded)
	g.counted(e.Members)
}

// loadedState returns the state of a group that was loaded: a coordinator only stores Stable and Empty.
func (g *group) loadedState(e *logs.Event) State {
	switch {
	case e.State == wire.Empty, e.State == wire.Stable, e.State == wire.Dead:
		return stateOf[e.State]
	case e.Kind == logs.GroupLoaded && e.Members == 0, e.Members == logs.Unknown && g.unloadedIn == Empty && e.Generation == g.unloadedAt:
		return Empty
	}
	return Stable
}

// unloaded says that the coordinator gave the group up.
func (g *group) unloaded(at logs.Instant) {
	c := &g.course
	if c.state == Elsewhere {
		return
	}
	g.unloadedIn, g.unloadedAt = c.state, c.generation
	c.end(metrics.Abandoned, at, false)
	c.become(Elsewhere, at)
}

// rebalancing reports whether the group is between two rests.
func (c *course) rebalancing() bool {
	return c.state == PreparingRebalance || c.state == CompletingRebalance
}
