package incident

import (
	"cmp"
	"slices"
	"time"

	"simulate/incident/logs"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// mostLive is how many members of a group are followed at a time. A broker below 2.2 does not log who leaves, so that ids
// that nobody has any more pile up; then those that joined first are forgotten.
const mostLive = 4096

// member is one who is in the group as far as records say.
type member struct {
	Member
	of    *process
	heard logs.Instant // when its own session was last started anew; NoTime: unknown
	round int          // how many join phases had ended when it was added
	epoch int32        // of the consumer protocol: that it has reached
	quiet bool         // it is two epochs behind
}

// fleet is who is in a group, and who was.
type fleet struct {
	live    map[wire.MemberID]*member
	recent  *member   // of the live ones, that was looked for last; nil
	spare   []*member // of those who left, for the next ones
	gone    kept[Member]
	byName  map[string]*process
	asked   *process      // that was asked for last, of a dynamic member
	askedOf wire.MemberID // of which id
	pending int           // ids that ran out

	newest   wire.MemberID // who came last
	newestAt logs.Instant  // NoTime: nobody did
}

// process is what one client id, or one instance, goes through; several members may have one client id.
type process struct {
	name     string
	live     int
	joinedAt logs.Instant // NoTime: never, or before the log
	leftAt   logs.Instant // NoTime: never
	leftFor  CauseKind
}

func newFleet() fleet {
	return fleet{live: map[wire.MemberID]*member{}, byName: map[string]*process{}, newestAt: logs.NoTime}
}

// ClientOf returns the client id or instance id that a member id begins with: all but a dash and a UUID. An id without these,
// as of the consumer protocol, is returned as it is.
func ClientOf(id wire.MemberID) string {
	const uuid = len("-6f1c0000-0000-0000-0000-000000000000")
	n := len(id) - uuid
	if n <= 0 || id[n] != '-' || id[n+9] != '-' || id[n+14] != '-' || id[n+19] != '-' || id[n+24] != '-' {
		return string(id)
	}
	return string(id[:n])
}

// process returns what a member's client, or its instance, goes through. Of names that are too many all are forgotten; a member
// keeps what it has.
func (f *fleet) process(id wire.MemberID, instance wire.InstanceID) *process {
	if m := f.recent; m != nil && m.ID == id && m.Instance == instance {
		return m.of
	}
	if instance == "" && f.askedOf == id && f.asked != nil {
		return f.asked
	}
	name := cmp.Or(string(instance), ClientOf(id))
	p := f.byName[name]
	if p == nil {
		if len(f.byName) >= mostLive {
			clear(f.byName)
		}
		p = &process{name: name, joinedAt: logs.NoTime, leftAt: logs.NoTime}
		f.byName[name] = p
	}
	if instance == "" {
		f.asked, f.askedOf = p, id
	}
	return p
}

// member returns the live member with an id, nil when there is none. What happens to one takes several looks, and records.
func (f *fleet) member(id wire.MemberID) *member {
	if f.recent == nil || f.recent.ID != id {
		f.recent = f.live[id]
	}
	return f.recent
}

// remove takes a member out of the live ones.
func (f *fleet) remove(m *member) {
	delete(f.live, m.ID)
	m.of.live--
	if f.recent == m {
		f.recent = nil
	}
	if m.Instance == "" {
		f.asked, f.askedOf = m.of, m.ID
	}
}

// joins adds a member, unless it is there already, and returns it.
func (g *group) joins(e *logs.Event, at logs.Instant, how trace.Reason) *member {
	m := g.member(e.Member)
	g.past.loaded(e, m != nil)
	if m == nil {
		return g.enters(e, at, how)
	}
	m.heard = at
	g.describes(m, e)
	return m
}

// describes keeps what a record dumps of a member.
func (g *group) describes(m *member, e *logs.Event) {
	if e.Details != nil && m.Details == nil {
		m.Details = e.Details
		g.course.stuck.timeout = max(g.course.stuck.timeout, e.Details.RebalanceTimeout)
	}
}

// enters adds a member that is not there.
func (g *group) enters(e *logs.Event, at logs.Instant, how trace.Reason) *member {
	if len(g.live) >= mostLive {
		g.forget()
	}
	m := g.fresh(e.Member, e.Instance)
	m.Joined, m.heard, m.round = at, at, g.course.joined
	if how == trace.Loaded {
		m.Joined = logs.NoTime
	}
	m.of.live++
	g.live[m.ID], g.recent = m, m
	g.describes(m, e)
	return m
}

// fresh returns a member of whom only the names are known.
func (g *group) fresh(id wire.MemberID, instance wire.InstanceID) *member {
	if len(g.spare) == 0 {
		g.spare = append(g.spare, new(member))
	}
	last := len(g.spare) - 1
	m := g.spare[last]
	g.spare = g.spare[:last]
	m.ID, m.Instance, m.of = id, instance, g.process(id, instance)
	m.Joined, m.Left, m.heard = logs.NoTime, logs.NoTime, logs.NoTime
	g.fleetCount++
	return m
}

// forget drops the half of the members that joined first.
func (g *group) forget() {
	all := make([]*member, 0, len(g.live))
	for _, m := range g.live {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *member) int {
		return cmp.Or(cmp.Compare(a.Joined, b.Joined), cmp.Compare(a.ID, b.ID))
	})
	for _, m := range all[:len(all)/2] {
		g.gone.add(m.Member, g.room)
		g.remove(m)
	}
}

// leaves takes a member out of the group.
func (g *group) leaves(id wire.MemberID, at logs.Instant, evicted bool, why CauseKind) {
	m := g.member(id)
	if m == nil {
		m = g.fresh(id, "")
	} else {
		g.remove(m)
		if m.quiet {
			g.epochs.quiet--
		}
	}
	m.of.leftAt, m.of.leftFor = at, why
	gone := g.gone.slot(g.room)
	*gone = m.Member
	gone.Left, gone.Evicted = at, evicted
	*m = member{}
	g.spare = append(g.spare, m)
	if g.members > 0 {
		g.members--
	}
}

// membership takes what a coordinator says of members.
func (g *group) membership(e *logs.Event, at logs.Instant) {
	g.course.evidence(stateOf[e.State], e, at)
	if e.Kind == logs.MemberIDIssued || e.Kind == logs.MemberAdded {
		g.newest, g.newestAt = e.Member, at
	}
	switch e.Kind {
	case logs.MemberAdded:
		g.added(e, at)
	case logs.StaticReplaced:
		g.replaced(e, at)
	case logs.MemberFailed:
		g.evicts(e.Member, trace.SessionExpired, e, at)
	case logs.NotRejoined, logs.NotSynced:
		cause := trace.NotRejoinedInTime
		if e.Kind == logs.NotSynced {
			cause = trace.SyncExpired
		}
		for _, m := range e.List {
			g.evicts(m, cause, e, at)
		}
	case logs.MemberLeft:
		g.leave(e.Member, e, at)
		if e.Details != nil {
			g.dumped(e)
		}
	case logs.PendingExpired:
		g.pending++
	case logs.Fenced:
		g.causes.fenced(e)
	}
}

// dumped keeps what a record says of a member that left.
func (g *group) dumped(e *logs.Event) {
	g.course.stuck.timeout = max(g.course.stuck.timeout, e.Details.RebalanceTimeout)
	g.gone.backwards(func(m *Member) bool {
		if m.ID == e.Member {
			m.Details = e.Details
		}
		return m.ID != e.Member && m.Left >= g.course.last.Add(-time.Second)
	})
}

// added takes a member that JoinGroup brought.
func (g *group) added(e *logs.Event, at logs.Instant) {
	if e.Member == "" || g.member(e.Member) != nil {
		return
	}
	p := g.enters(e, at, e.Reason).of
	if g.members >= 0 {
		g.members++
	}
	if p.leftAt != logs.NoTime && p.leftFor == Restarts && at.Sub(p.leftAt) <= restartWithin {
		g.causes.returned++
	}
	g.causes.steady(p, at)
	if p.live == 1 || p.live == 2 && p.leftAt != logs.NoTime { // else it may be another process with the same client id
		g.course.watch.flapped(p.name, at)
	}
}

// replaced takes a static member that came back with another id.
func (g *group) replaced(e *logs.Event, at logs.Instant) {
	if m := g.member(e.Other); m != nil {
		g.remove(m)
		m.Left = at
		g.gone.add(m.Member, g.room)
	}
	g.causes.staticReplaced++
	g.causes.tallies[Restarts].sign(e.Place)
	if e.Instance != "" {
		g.course.watch.flapped(string(e.Instance), at)
	}
	if e.Member != "" {
		g.joins(e, at, trace.StaticReplaced)
	}
}

// evicts takes a member that the coordinator removed.
func (g *group) evicts(id wire.MemberID, cause trace.Reason, e *logs.Event, at logs.Instant) {
	if last := g.evictions.last(); last != nil && last.Member == id && at.Sub(last.At) <= slack && last.Cause == cause {
		return
	}
	c := &g.course
	ev := Eviction{At: at, Member: id, Cause: cause, Line: e.Place}
	m := g.member(id)
	if cause == trace.SessionExpired && m != nil && m.Joined != logs.NoTime && m.round == c.joined && c.state == PreparingRebalance {
		ev.Cause = trace.NewMemberExpired
	}
	ev.Silent, ev.After = g.silence(m, at)
	if m != nil && m.Details != nil {
		ev.Session = m.Details.SessionTimeout
	}
	g.evicted[ev.Cause]++
	g.evictions.add(ev, g.room)
	g.leaves(id, at, true, evictedFor(ev.Cause))
	if c.rebalancing() && c.now != nil {
		c.now.Evicted++
		// The others that failed when it began are not those it waits for, nor is who waited itself for all of a first join.
		if at.Sub(c.since) > slack && ev.Cause != trace.NewMemberExpired {
			c.stuck.missing(id, e.Place)
		}
	} else {
		g.unattached++
	}
	g.causes.evicted(g, &ev)
}

// evictedFor returns what is behind it when a member that was removed comes back: one whose first join took too long waited
// for others.
func evictedFor(cause trace.Reason) CauseKind {
	switch cause {
	case trace.NewMemberExpired, trace.NotRejoinedInTime:
		return SlowRejoin
	case trace.SyncExpired:
		return NeverSynced
	}
	return SessionTimeouts
}

// silence returns how long nothing is known to have started a member's session anew, and what did so last.
func (g *group) silence(m *member, at logs.Instant) (time.Duration, logs.Kind) {
	heard, after := g.course.heardAt, g.course.heardAfter
	if m != nil && m.heard != logs.NoTime && (heard == logs.NoTime || m.heard > heard) {
		heard, after = m.heard, logs.MemberAdded
	}
	if heard == logs.NoTime {
		return 0, logs.NoKind
	}
	return at.Sub(heard), after
}

// leave takes a LeaveGroup, which two records may tell: its own, and the entry to PreparingRebalance.
func (g *group) leave(id wire.MemberID, e *logs.Event, at logs.Instant) {
	if id == "" {
		return
	}
	known := false
	g.departures.backwards(func(l *Leave) bool {
		if at.Sub(l.At) > time.Second {
			return false
		}
		if known = l.Member == id; known {
			l.ClientReason = cmp.Or(l.ClientReason, e.ClientReason)
		}
		return !known
	})
	if known {
		return
	}
	l := g.departures.slot(g.room)
	l.At, l.Member, l.ClientReason, l.Stayed, l.Line = at, id, e.ClientReason, g.memberFor(id, at), e.Place
	l.PollTimeout = g.causes.saying(e.ClientReason).polledLate || g.polledLate(id)
	if c := &g.course; l.PollTimeout && c.state == PreparingRebalance && at.Sub(c.since) > slack {
		c.stuck.missing(id, e.Place) // it did not poll, and so it did not join
	}
	g.leaves(id, at, false, g.causes.left(l))
}

// removals counts what an entry to PreparingRebalance says of members that were removed, where they have no record of their
// own.
func (g *group) removals(e *logs.Event, at logs.Instant) {
	if last := g.evictions.last(); last != nil && at.Sub(last.At) <= slack {
		g.course.now.Evicted = g.unattached
	}
	g.unattached = 0
	switch e.Reason {
	case trace.SessionExpired:
		if last := g.evictions.last(); last == nil || at.Sub(last.At) > slack {
			g.evicts(e.Member, trace.SessionExpired, e, at)
		}
	case trace.SyncExpired:
		for _, m := range e.List {
			g.evicts(m, trace.SyncExpired, e, at)
		}
	case trace.Left:
		g.leave(e.Member, e, at)
		for _, m := range e.List {
			g.leave(m, e, at)
		}
	case trace.MemberJoined:
		if e.Member != "" && g.member(e.Member) == nil {
			g.added(e, at)
		}
	}
}

// counted takes the number of members that a record prints.
func (g *group) counted(n int32) {
	if n != logs.Unknown {
		g.members = int(n)
	}
}

// memberFor returns for how long a member that leaves had been in the group; 0 when that is not logged.
func (g *group) memberFor(id wire.MemberID, at logs.Instant) time.Duration {
	if m := g.member(id); m != nil && m.Joined != logs.NoTime {
		return at.Sub(m.Joined)
	}
	return 0
}
