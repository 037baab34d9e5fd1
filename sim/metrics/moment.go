package metrics

import (
	"cmp"
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Moment is the part of a run that the value of a metric comes from: of a count the one that made it too many, of a
// time its longest part, of a state what led into it.
type Moment struct {
	Kind  MomentKind
	Group string
	At    clock.Time
	Until clock.Time // of what lasts, the end of the period at the latest; else At

	// Nth is which one of those that are counted it is, from 1, or what a number was from then on: 3 of the third
	// rebalance, and of the generation 3. 0 where nothing is counted.
	Nth     int
	Low     bool // the value is too low: of those that are counted it is the last
	Outside bool // none counts: it is the nearest that happened at another time

	Who    string // the process, "" when unknown; of a stay in PreparingRebalance, who joined last
	Member wire.MemberID

	State      wire.GroupState // of a stay, or entered
	Generation wire.Generation // entered with State
	Reason     trace.Reason    // why a member came or went
	Partitions int             // without a holder, at most
	Records    int64           // of LagGrew, the lag at Until; of Redelivered, those of the batch
	Rebalance  *Rebalance      // of RebalanceBegan
	Eviction   *Eviction       // of MemberEvicted
	Leave      *Leave          // of MemberLeft
	Failure    *Failure        // of PollFailed
	Anomaly    *Anomaly        // of AnomalyFound
	Stuck      *Stuck          // of a Stay that was stuck

	weight time.Duration // what it adds to a time
}

// MomentKind says what happened in a moment.
type MomentKind uint8

// The kinds of moments.
const (
	RebalanceBegan MomentKind = iota
	StateEntered
	Stay
	MemberCame
	MemberWent
	LeaderChosen
	MemberEvicted
	IDUnused
	MemberLeft
	RequestFenced
	DeathUnnoticed // a dead member counted
	PollFailed
	NobodyHeld // partitions that nobody held
	NobodyRan  // no running process held anything
	LagGrew    // the lag was too great from then on
	Redelivered
	AnomalyFound
)

var momentKinds = [...]string{
	"rebalance", "state-entered", "stay", "member-came", "member-went", "leader-chosen", "eviction", "unused-id", "leave",
	"fenced", "unnoticed-death", "failure", "partitions-unassigned", "group-stopped", "lag", "redelivery", "anomaly",
}

func (k MomentKind) String() string { return momentKinds[k] }

// For returns how long the moment lasts.
func (m *Moment) For() time.Duration { return m.Until.Sub(m.At) }

// Miss says how a value missed what it was compared with.
type Miss struct {
	Low  bool // it is less than it has to be, or there is none
	Most int  // of a count that is not Low: what it may be at most
}

// Moment returns the moment that is responsible for the value of a metric in Summary(end). It reports false when
// nothing happened that the value could come from.
func (f *Fold) Moment(q Query, end clock.Time, m Miss) (Moment, bool) {
	return f.moment(q, m, period{from: 0, to: end, before: end.Add(1)})
}

// MomentWithin is Moment for Window(from, to).
func (f *Fold) MomentWithin(q Query, from, to clock.Time, m Miss) (Moment, bool) {
	return f.moment(q, m, period{from: from, to: to, before: to})
}

func (f *Fold) moment(q Query, m Miss, p period) (Moment, bool) {
	h := f.subject(q)
	rule, known := momentRules[q.Name]
	if h == nil || !known {
		return Moment{}, false
	}
	all := rule.all(h, asked{p, q, m, f.options})
	if len(all) == 0 {
		return Moment{}, false
	}
	chosen := all[rule.choose(all, m)]
	chosen.Group, chosen.Low = h.name, m.Low
	return chosen, true
}

// MomentNear returns the moment nearest to an instant of all those that a count would have counted in Summary(end).
func (f *Fold) MomentNear(q Query, end, near clock.Time) (Moment, bool) {
	h := f.subject(q)
	if h == nil {
		return Moment{}, false
	}
	all := momentRules[q.Name].all(h, asked{period{from: 0, to: end, before: end.Add(1)}, q, Miss{Low: true}, f.options})
	if len(all) == 0 {
		return Moment{}, false
	}
	nearest := slices.MinFunc(all, func(a, b Moment) int { return cmp.Compare(a.At.Sub(near).Abs(), b.At.Sub(near).Abs()) })
	nearest.Group, nearest.Low, nearest.Outside = h.name, true, true
	return nearest, true
}

// subject returns the history that a query is about.
func (f *Fold) subject(q Query) *history {
	name := q.Subject
	if d, _ := Find(q.Name); d.Subject == OfMember {
		fleet, ok := f.options.fleetOf(name)
		if !ok {
			return nil
		}
		name = fleet.Group
	}
	for _, h := range f.groups {
		if h.name == name {
			return h
		}
	}
	return nil
}

// asked is what is asked of a history.
type asked struct {
	period
	Query
	Miss
	options Options
}

// momentRule finds the moments that a metric consists of, in order of time, and chooses one.
type momentRule struct {
	all    func(*history, asked) []Moment
	choose func([]Moment, Miss) int
}

// momentRules has one rule for each of Definitions.
var momentRules = map[string]momentRule{
	"rebalances":      {(*history).momentsOfRebalances, tooMany},
	"joined":          {entering(wire.CompletingRebalance), tooMany},
	"generation":      {(*history).momentsOfGenerations, tooMany},
	"completed":       {entering(wire.Stable), tooMany},
	"time_in":         {(*history).momentsOfState, longest},
	"longest":         {(*history).momentsOfStays, longest},
	"share":           {(*history).momentsOfState, longest},
	"state":           {(*history).momentsOfTransitions, latest},
	"members":         {(*history).momentsOfMembers, latest},
	"leader":          {(*history).momentsOfLeaders, latest},
	"evictions":       {(*history).momentsOfEvictions, tooMany},
	"false_evictions": {(*history).momentsOfFalseEvictions, tooMany},
	"detection":       {(*history).momentsOfDeaths, longest},
	"pending_expired": {(*history).momentsOfUnusedIDs, tooMany},
	"leaves":          {(*history).momentsOfLeaves, tooMany},
	"fenced":          {(*history).momentsOfFencing, tooMany},
	"joins":           {(*history).momentsOfJoins, tooMany},
	"unassigned":      {(*history).momentsUnassigned, longest},
	"stopped":         {(*history).momentsStopped, longest},
	"settled":         {(*history).momentsOfTransitions, latest},
	"stuck":           {(*history).momentsOfStuckStays, tooMany},
	"lag":             {(*history).momentsOfLag, latest},
	"max_lag":         {(*history).momentsOfMaxLag, latest},
	"redelivered":     {(*history).momentsOfRedelivery, tooMany},
	"anomalies":       {(*history).momentsOfAnomalies, tooMany},
}

// tooMany chooses the first with which there were more than there may be, or the last when there were not.
func tooMany(all []Moment, m Miss) int {
	i := slices.IndexFunc(all, func(of Moment) bool { return of.Nth > m.Most })
	if m.Low || i < 0 {
		return len(all) - 1
	}
	return i
}

// longest chooses the one that a time owes most to, the first of equals.
func longest(all []Moment, _ Miss) int {
	best := 0
	for i := range all {
		if all[i].weight > all[best].weight {
			best = i
		}
	}
	return best
}

func latest(all []Moment, _ Miss) int { return len(all) - 1 }

// numbered turns a list into moments that are counted.
func numbered[T any](list []T, f func(*T) Moment) []Moment {
	var all []Moment
	for i := range list {
		m := f(&list[i])
		m.Nth = i + 1
		m.Until = max(m.Until, m.At)
		all = append(all, m)
	}
	return all
}

func (h *history) momentsOfRebalances(q asked) []Moment {
	some := slices.DeleteFunc(h.rebalances(q.period), func(r Rebalance) bool { return q.Arg != "" && r.Reason.String() != q.Arg })
	return numbered(some, func(r *Rebalance) Moment {
		return Moment{Kind: RebalanceBegan, At: r.At, Until: r.Until, Who: r.Who, Member: r.Member, Reason: r.Reason, Rebalance: r}
	})
}

// entered describes the transitions into stays for which f holds.
func (h *history) entered(p period, f func(*stay) bool) []Moment {
	var some []*stay
	for i := 1; i < len(h.stays); i++ {
		if s := &h.stays[i]; p.has(s.entered.At) && f(s) {
			some = append(some, s)
		}
	}
	return numbered(some, func(s **stay) Moment {
		e := &(*s).entered
		return Moment{Kind: StateEntered, At: e.At, Who: (*s).who, Member: e.Member, State: e.To, Generation: e.Generation, Reason: e.Reason}
	})
}

// entering finds the transitions to a state; what is loaded with a group is none.
func entering(state wire.GroupState) func(*history, asked) []Moment {
	return func(h *history, q asked) []Moment {
		return h.entered(q.period, func(s *stay) bool { return s.state == state && s.entered.Kind == trace.GroupBecame })
	}
}

func (h *history) momentsOfGenerations(q asked) []Moment {
	p := q.period
	p.from = 0 // the generation counts from before
	all := h.entered(p, func(s *stay) bool { return s.state == wire.CompletingRebalance })
	for i := range all {
		all[i].Nth = int(all[i].Generation)
	}
	return all
}

func (h *history) momentsOfTransitions(q asked) []Moment {
	p := q.period
	p.from = 0 // the state holds on from before
	return uncounted(h.entered(p, func(*stay) bool { return true }))
}

func uncounted(all []Moment) []Moment {
	for i := range all {
		all[i].Nth = 0
	}
	return all
}

// momentsOfStays finds the stays in a state.
func (h *history) momentsOfStays(q asked) []Moment {
	q.Low = false
	return h.momentsOfState(q)
}

// momentsOfState finds the stays in a state, or in the others when there should be more of it.
func (h *history) momentsOfState(q asked) []Moment {
	var all []Moment
	stuck := h.stuck(q.period, q.options.StuckAfter)
	for i := range h.stays {
		s := &h.stays[i]
		since, until := s.entered.At, min(h.until(i), q.to)
		weight := q.clip(since, until)
		if (s.state.String() == q.Arg) == q.Low || weight == 0 {
			continue
		}
		all = append(all, h.stayed(i, until, weight, stuck))
	}
	return all
}

func (h *history) stayed(i int, until clock.Time, weight time.Duration, stuck []Stuck) Moment {
	s := &h.stays[i]
	m := Moment{Kind: Stay, At: s.entered.At, Until: until, State: s.state, Generation: s.entered.Generation, weight: weight}
	if s.state == wire.PreparingRebalance {
		m.Who = s.joiner
	}
	for j := range stuck {
		if stuck[j].Since == m.At {
			m.Stuck = &stuck[j]
		}
	}
	return m
}

func (h *history) momentsOfStuckStays(q asked) []Moment {
	some := slices.DeleteFunc(h.stuck(q.period, q.options.StuckAfter), func(s Stuck) bool { return s.State == wire.Dead })
	return numbered(some, func(s *Stuck) Moment {
		return Moment{Kind: Stay, At: s.Since, Until: s.Until, State: s.State, Generation: s.Generation, Stuck: s}
	})
}

// momentsOfMembers finds who came, or where there are too few who went and who could not come; where there are
// some that are not back, those.
func (h *history) momentsOfMembers(q asked) []Moment {
	p := q.period
	p.from = 0 // members stay on from before
	kind := MemberCame
	var all []Moment
	if q.Low {
		kind = MemberWent
		all = numbered(slices.Clone(h.failures), failed)
	}
	for i := range h.changes {
		c := &h.changes[i]
		m := Moment{Kind: MemberWent, At: c.event.At, Until: c.event.At, Who: c.who, Member: c.event.Member, Reason: c.event.Reason}
		if c.event.Kind == trace.MemberAdded {
			m.Kind = MemberCame
		}
		if m.Kind == kind && c.event.Kind != trace.PendingRemoved {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	all = uncounted(within(all, p, func(m Moment) clock.Time { return m.At }))
	if missing := h.notBack(all, p); q.Low && len(missing) > 0 {
		return missing
	}
	return all
}

// notBack returns those of the moments after which no member of the same process came.
func (h *history) notBack(all []Moment, p period) []Moment {
	back := map[string]clock.Time{}
	for _, c := range within(h.changes, p, func(c change) clock.Time { return c.event.At }) {
		if c.event.Kind == trace.MemberAdded {
			back[c.who] = c.event.At
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(m Moment) bool {
		at, came := back[m.Who]
		return came && m.Who != "" && at >= m.At
	})
}

func failed(f *Failure) Moment { return Moment{Kind: PollFailed, At: f.At, Who: f.Who, Failure: f} }

func (h *history) momentsOfLeaders(q asked) []Moment {
	p := q.period
	p.from = 0
	some := within(h.leaders, p, func(l leaderAt) clock.Time { return l.at })
	return uncounted(numbered(some, func(l *leaderAt) Moment {
		return Moment{Kind: LeaderChosen, At: l.at, Who: l.Who, Member: l.Member}
	}))
}

func (h *history) momentsOfEvictions(q asked) []Moment {
	some := within(h.evictions, q.period, func(e Eviction) clock.Time { return e.At })
	some = slices.DeleteFunc(some, func(e Eviction) bool { return q.Arg != "" && e.Cause.String() != q.Arg })
	return numbered(some, func(e *Eviction) Moment {
		return Moment{Kind: MemberEvicted, At: e.At, Who: e.Who, Member: e.Member, Reason: e.Cause, Eviction: e}
	})
}

func (h *history) momentsOfFalseEvictions(q asked) []Moment {
	all := slices.DeleteFunc(h.momentsOfEvictions(q), func(m Moment) bool { return !m.Eviction.Alive })
	for i := range all {
		all[i].Nth = i + 1
	}
	return all
}

func (h *history) momentsOfDeaths(q asked) []Moment {
	var all []Moment
	for i := range h.seats {
		s := &h.seats[i]
		if weight := q.clip(s.dead, s.until); weight > 0 && !s.pending {
			all = append(all, Moment{
				Kind: DeathUnnoticed, At: s.dead, Until: min(s.until, q.to), Who: s.who, Member: s.member, weight: weight,
			})
		}
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	return all
}

func (h *history) momentsOfUnusedIDs(q asked) []Moment {
	some := within(h.changes, q.period, func(c change) clock.Time { return c.event.At })
	some = slices.DeleteFunc(some, func(c change) bool {
		return c.event.Kind != trace.PendingRemoved || c.event.Reason != trace.SessionExpired
	})
	return numbered(some, func(c *change) Moment {
		return Moment{Kind: IDUnused, At: c.event.At, Who: c.who, Member: c.event.Member, Reason: c.event.Reason}
	})
}

func (h *history) momentsOfLeaves(q asked) []Moment {
	some := within(h.leaves, q.period, func(l Leave) clock.Time { return l.At })
	some = slices.DeleteFunc(some, func(l Leave) bool { return q.Arg != "" && !l.PollTimeout })
	return numbered(some, func(l *Leave) Moment {
		return Moment{Kind: MemberLeft, At: l.At, Who: l.Who, Member: l.Member, Reason: trace.Left, Leave: l}
	})
}

func (h *history) momentsOfFencing(q asked) []Moment {
	some := within(h.fenced, q.period, func(f Fencing) clock.Time { return f.At })
	return numbered(some, func(f *Fencing) Moment {
		return Moment{Kind: RequestFenced, At: f.At, Who: f.Who, Member: f.Member}
	})
}

func (h *history) momentsOfJoins(q asked) []Moment {
	some := within(h.joins, q.period, func(j joinAt) clock.Time { return j.at })
	some = slices.DeleteFunc(some, func(j joinAt) bool { return j.who != q.Subject })
	return numbered(some, func(j *joinAt) Moment {
		return Moment{Kind: MemberCame, At: j.at, Who: j.who}
	})
}

// momentsUnassigned finds the times without a break in which some partition had no holder.
func (h *history) momentsUnassigned(q asked) []Moment {
	return h.holdTimes(q.period, h.firstJoined(), NobodyHeld, func(hold holdAt) int { return hold.unassigned })
}

// momentsStopped finds the times without a break in which no running process held anything.
func (h *history) momentsStopped(q asked) []Moment {
	return h.holdTimes(q.period, 0, NobodyRan, func(hold holdAt) int {
		if hold.stopped {
			return 1
		}
		return 0
	})
}

// holdTimes finds the times in which there is something to count, and adds up how much for how long.
func (h *history) holdTimes(p period, first clock.Time, kind MomentKind, much func(holdAt) int) []Moment {
	var all []Moment
	open := false
	for i, hold := range h.holds {
		until := clock.Never
		if i+1 < len(h.holds) {
			until = h.holds[i+1].at
		}
		since, n := max(hold.at, first), much(hold)
		d := p.clip(since, until)
		if n == 0 || d == 0 {
			open = false
			continue
		}
		if !open {
			all = append(all, Moment{Kind: kind, At: max(since, p.from)})
			open = true
		}
		m := &all[len(all)-1]
		m.Until = min(until, p.to)
		m.weight += time.Duration(n) * d
		if kind == NobodyHeld {
			m.Partitions = max(m.Partitions, n)
		}
	}
	return all
}

func (h *history) momentsOfAnomalies(q asked) []Moment {
	some := h.anomalies(q.period, q.options.Thresholds, h.rebalances(q.period))
	some = slices.DeleteFunc(some, func(a Anomaly) bool { return q.Arg != "" && a.Kind.String() != q.Arg })
	return numbered(some, func(a *Anomaly) Moment {
		return Moment{Kind: AnomalyFound, At: a.Since, Until: a.Until, Who: a.Who, Member: a.Member, Anomaly: a}
	})
}
