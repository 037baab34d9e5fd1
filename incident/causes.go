package incident

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"simulate/incident/logs"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// causes collects what speaks for each kind of cause, while the events go by.
type causes struct {
	tallies [NumCauseKinds]tally
	before  CauseKind // of the last rebalance; NumCauseKinds before the first
	loop    loop
	said    string    // what a client said last as its reason to join again
	saidFor CauseKind // what that means
	leaving leaving   // what a client said last as its reason to leave

	silent         silences
	newcomers      *newcomers // nil: nobody came with an id that nobody had
	handover       *handover  // nil: nothing of the kind
	moves          int        // that brokers logged
	afterLoad      int        // evictions of members that were gone when a coordinator loaded the group
	noSync         int        // evictions in CompletingRebalance
	notRejoined    int
	unsaid         int // joins again of which nobody says why
	bursts         int
	largest        int // members that failed at once, in the largest burst
	groupsAtOnce   int
	burstAt        logs.Instant
	burstMembers   int
	fiveMinutes    int // joins of one client id some five minutes after the one before
	staticReplaced int
	returned       int // new members of a client id that another member had just left
	fencedIDs      map[wire.InstanceID]int
	errors         []string // of the store, each once
}

// tally is what speaks for one kind of cause.
type tally struct {
	rebalances int
	signs      int // other records
	stays      int // that were too long for it
	lines      []logs.Place
}

func (t *tally) line(p logs.Place) {
	if len(t.lines) < maxLines && !slices.Contains(t.lines, p) {
		t.lines = append(t.lines, p)
	}
}

// stay takes the lines of a stay that was too long for it.
func (t *tally) stay(lines []logs.Place) {
	t.stays++
	for _, line := range lines {
		t.line(line)
	}
}

func (t *tally) sign(p logs.Place) {
	t.signs++
	t.line(p)
}

// begun takes an entry to PreparingRebalance.
func (c *causes) begun(g *group, r *round, text string) {
	c.loop.rebalanced(r)
	if r.Reason == trace.AppendFailed {
		why := storeError(text)
		if n := len(c.errors); why == "" && n > 0 {
			why = c.errors[n-1]
		}
		r.rare().Error = why
	}
	if kind, ok := c.behind(g, r, text); ok {
		c.count(kind, r)
	}
}

// count takes that something is behind a rebalance; NumCauseKinds: as little as is behind the one before.
func (c *causes) count(kind CauseKind, r *round) {
	if kind == NumCauseKinds {
		return
	}
	c.before = kind
	if kind == NewMembers {
		c.newcomers = c.newcomers.came(r)
	}
	c.tallies[kind].rebalances++
	c.tallies[kind].line(r.lines[0])
}

// behind returns what is likely behind a rebalance, false when nothing tells.
func (c *causes) behind(g *group, r *round, text string) (CauseKind, bool) {
	switch r.Reason {
	case trace.MemberJoined:
		return g.joinedFor(r), true
	case trace.MemberRejoined, trace.LeaderRejoined:
		return c.rejoinedFor(r), true
	case trace.Left:
		if last := g.departures.last(); last != nil {
			return g.process(last.Member, "").leftFor, true
		}
		return Restarts, true
	case trace.SessionExpired:
		return g.failedFor(r), true
	case trace.SyncExpired:
		return NeverSynced, true
	case trace.PendingLeft:
		return NewMembers, true
	case trace.StaticReplaced:
		return Restarts, true
	case trace.AppendFailed:
		if strings.Contains(text, "NOT_COORDINATOR") { // it moved while the leader's assignment was stored
			return CoordinatorMoved, true
		}
		return StoreErrors, true
	case trace.OverCapacity:
		return OverCapacity, true
	}
	if strings.Contains(text, "grade group") {
		return Migration, true
	}
	return g.nearby(r)
}

// nearby looks for what the broker logged beside a rebalance without a reason.
func (g *group) nearby(r *round) (CauseKind, bool) {
	if last := g.evictions.last(); last != nil && r.At.Sub(last.At) <= slack {
		return g.failedFor(r), true
	}
	if last := g.departures.last(); last != nil && r.At.Sub(last.At) <= slack {
		return g.process(last.Member, "").leftFor, true
	}
	if r.Old == 0 {
		return Startup, true
	}
	return 0, false
}

// A member that comes back counts as the consequence of why it went, for this long.
const (
	restartWithin = time.Minute
	returnWithin  = 10 * time.Minute // after a time-out, when its application polls again
)

// joinedFor returns why a member is new.
func (g *group) joinedFor(r *round) CauseKind {
	id := r.Member
	if g.newestAt != logs.NoTime && r.At.Sub(g.newestAt) <= slack && len(id) < len(g.newest) {
		id = g.newest // the reason was cut
	}
	p := g.process(id, "")
	within := restartWithin
	if p.leftFor != Restarts {
		within = returnWithin
	}
	switch {
	case p.leftAt != logs.NoTime && r.At.Sub(p.leftAt) <= within:
		if p.leftFor == Restarts && g.member(id) == nil { // no record added it
			g.causes.returned++
		}
		return p.leftFor
	case r.Old == 0, r.From == Empty:
		return Startup
	}
	return NewMembers
}

// rejoinedFor returns why a member joined again, from what its client says; older ones, and others than Java's, say nothing.
func (c *causes) rejoinedFor(r *round) CauseKind {
	if r.ClientReason != c.said {
		c.said, c.saidFor = r.ClientReason, saidFor(r.ClientReason)
	}
	if c.saidFor == follows || r.ClientReason == "" && r.From == CompletingRebalance {
		return c.before
	}
	if r.ClientReason == "" {
		c.unsaid++
	}
	return c.saidFor
}

// follows stands for the cause of the rebalance before.
const follows = NumCauseKinds + 1

// saidFor returns the cause that a client's reason tells.
func saidFor(said string) CauseKind {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
	}
	switch {
	case has("already rebalancing", "revoke partitions", "after revoking", "RebalanceInProgress"):
		return follows
	case said == "", has("metadata", "subscription", "config state"):
		return MetadataChanges
	case has("NotCoordinator", "Disconnect", "CoordinatorLoad", "CoordinatorNotAvailable"):
		return CoordinatorMoved
	case has("UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "UnknownMember", "IllegalGeneration"):
		return SessionTimeouts
	case has("rebalance failed", "re-join with the given member-id"):
		return follows
	}
	return Enforced
}

// failedFor returns why a member was no more heard when a rebalance began.
func (g *group) failedFor(r *round) CauseKind {
	last := g.evictions.last()
	switch {
	case r.From == CompletingRebalance:
		return NeverSynced
	case last != nil && last.After == logs.GroupLoaded:
		return CoordinatorMoved
	}
	return SessionTimeouts
}

// leaving is what a client said as its reason to leave, and what that means.
type leaving struct {
	said       string
	kind       CauseKind
	polledLate bool
}

// saying returns what a client's reason to leave means.
func (c *causes) saying(reason string) *leaving {
	l := &c.leaving
	if l.said == reason {
		return l
	}
	*l = leaving{said: reason, kind: Restarts, polledLate: PolledLate(reason)}
	switch {
	case l.polledLate:
		l.kind = PollTimeouts
	case strings.Contains(reason, "unsubscribed"):
		l.kind = MetadataChanges
	case strings.Contains(reason, "by an admin"):
		l.kind = Admin
	}
	return l
}

// left takes a member that left, and returns what is behind that.
func (c *causes) left(l *Leave) CauseKind {
	kind := c.saying(l.ClientReason).kind
	if l.PollTimeout {
		kind = PollTimeouts
	}
	c.tallies[kind].sign(l.Line)
	return kind
}

// PolledLate reports whether a client's reason says that max.poll.interval.ms ran out.
func PolledLate(reason string) bool { return strings.Contains(reason, "poll timeout") }

// evicted takes a member that the coordinator removed.
func (c *causes) evicted(g *group, ev *Eviction) {
	switch {
	case ev.Cause == trace.NotRejoinedInTime:
		c.notRejoined++
		c.tallies[SlowRejoin].line(ev.Line)
	case ev.Cause == trace.NewMemberExpired:
		c.tallies[SlowRejoin].line(ev.Line)
	case ev.Cause == trace.SyncExpired || g.course.state == CompletingRebalance:
		c.noSync++
		c.tallies[NeverSynced].sign(ev.Line)
	case ev.After == logs.GroupLoaded:
		c.afterLoad++
		c.tallies[CoordinatorMoved].sign(ev.Line)
	default:
		c.silent.add(cmp.Or(ClientOf(ev.Member), "a member"), ev)
		c.tallies[SessionTimeouts].sign(ev.Line)
		c.atOnce(ev)
	}
}

// atOnce follows how many members of the group fail at one time.
func (c *causes) atOnce(ev *Eviction) {
	if c.burstAt == logs.NoTime || ev.At.Sub(c.burstAt) > burstWithin {
		c.burstAt, c.burstMembers = ev.At, 0
	}
	c.burstMembers++
	c.burst(c.burstMembers, 1, ev.Line)
}

// leastBurst is how many members have to fail at once for something else than each of them to be behind it.
const leastBurst = 3

func (c *causes) burst(members, groups int, line logs.Place) {
	if members < leastBurst {
		return
	}
	if members == leastBurst {
		c.bursts++
	}
	c.tallies[BrokerPause].line(line)
	c.largest = max(c.largest, members)
	c.groupsAtOnce = max(c.groupsAtOnce, groups)
}

// steady notices that members of one client id come some five minutes one after the other, the default of
// max.poll.interval.ms.
func (c *causes) steady(p *process, at logs.Instant) {
	if p.joinedAt != logs.NoTime {
		if d := at.Sub(p.joinedAt); d >= 285*time.Second && d <= 330*time.Second {
			c.fiveMinutes++
		}
	}
	p.joinedAt = at
}

func (c *causes) moved(e *logs.Event) {
	c.moves++
	c.tallies[CoordinatorMoved].sign(e.Place)
}

func (c *causes) dead(e *logs.Event) {
	if e.Reason == trace.Deleted {
		c.tallies[Admin].sign(e.Place)
	}
}

func (c *causes) migrated(e *logs.Event) { c.tallies[Migration].sign(e.Place) }

func (c *causes) storeFailed(e *logs.Event) {
	c.tallies[StoreErrors].sign(e.Place)
	if text := errorName(e.Text); text != "" && len(c.errors) < 3 && !slices.Contains(c.errors, text) {
		c.errors = append(c.errors, text)
	}
}

// errorName is the class of an exception without its packages and what it says.
func errorName(text string) string {
	text, _, _ = strings.Cut(text, ":")
	return text[strings.LastIndexByte(text, '.')+1:]
}

func (c *causes) fenced(e *logs.Event) {
	c.tallies[DuplicateInstance].sign(e.Place)
	if c.fencedIDs == nil {
		c.fencedIDs = map[wire.InstanceID]int{}
	}
	if len(c.fencedIDs) < mostLive {
		c.fencedIDs[e.Instance]++
	}
}

// silences counts for how long members of each client id were not heard before they were removed.
type silences map[string]*silence

type silence struct {
	times    int
	shortest time.Duration // of those that are known; 0: none
	session  time.Duration // session.timeout.ms, where it is known; 0: it is not
}

func (s silences) add(client string, ev *Eviction) {
	of := s[client]
	if of == nil {
		if len(s) >= mostLive {
			clear(s)
		}
		of = &silence{}
		s[client] = of
	}
	of.times++
	if d := ev.Silent; d > 0 && (of.shortest == 0 || d < of.shortest) {
		of.shortest = d
	}
	of.session = cmp.Or(ev.Session, of.session)
}

// loop follows one member that joins again and again.
type loop struct {
	member      wire.MemberID
	times       int
	period      time.Duration // the mean, of generations
	shortest    time.Duration
	longest     time.Duration
	first, last logs.Instant
	generation  int32
	generations int32
	lines       []logs.Place
	best        *loop // the longest one until now
}

func (l *loop) rebalanced(r *round) {
	again := r.Reason == trace.LeaderRejoined || r.Reason == trace.MemberRejoined
	if !again || r.Member == "" || r.Member != l.member {
		if l.times > 1 && (l.best == nil || l.times > l.best.times) {
			ended := *l
			ended.best = nil
			l.best = &ended
		}
		best := l.best
		*l = loop{best: best}
		if again && r.Member != "" {
			*l = loop{member: r.Member, times: 1, first: r.At, last: r.At, generation: r.Old, best: best, lines: []logs.Place{r.lines[0]}}
		}
		return
	}
	if passed := r.Old - l.generation; passed > 0 {
		d := r.At.Sub(l.last) / time.Duration(passed)
		l.longest = max(l.longest, d)
		if l.shortest == 0 || d < l.shortest {
			l.shortest = d
		}
		l.generations += passed
		l.period = r.At.Sub(l.first) / time.Duration(l.generations)
	}
	l.times++
	l.last, l.generation = r.At, r.Old
	if len(l.lines) < maxLines {
		l.lines = append(l.lines, r.lines[0])
	}
}

// found returns the loop that counts: three times or more at a steady period, or so fast that two say it.
func (l *loop) found() *loop {
	best := l
	if l.best != nil && l.best.times > l.times {
		best = l.best
	}
	steady := best.times >= 3 && best.longest <= 2*best.shortest+slack
	if steady || best.times == 2 && best.period < time.Second {
		return best
	}
	return nil
}
