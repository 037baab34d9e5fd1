package metrics

import (
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Stuck is a stay in PreparingRebalance or CompletingRebalance, or of a group with members in Dead for want of a
// coordinator, that was longer than Options.StuckAfter.
type Stuck struct {
	State      wire.GroupState
	Generation wire.Generation
	Since      clock.Time
	Until      clock.Time // the end of the period when Open
	Open       bool
	Blocked    []Blocked // who held the group, each time that changed; empty when nobody recorded it
	Freed      Freed     // when not Open
	Clients    []string  // the libraries of the group's processes so far, "" for what is built on the Java consumer
}

// stuckInRebalance counts the stays but for those without a coordinator.
func (g *Group) stuckInRebalance() int {
	n := 0
	for i := range g.Stuck {
		if g.Stuck[i].State != wire.Dead {
			n++
		}
	}
	return n
}

// For returns how long the stay took, up to the end of the period.
func (s *Stuck) For() time.Duration { return s.Until.Sub(s.Since) }

// Blocked is whom a group waited for from an instant on.
type Blocked struct {
	At      clock.Time
	Chain   []trace.Link    // with the timers that were known last
	Pending []wire.MemberID // those of the Chain that are no members but ids handed out
	Ghosts  []wire.MemberID // those of the Chain that are dead and whose process had started anew by then
}

// Freed is what ended a stay.
type Freed struct {
	// Reason is why the last member went (Left, SessionExpired, NewMemberExpired, NotRejoinedInTime,
	// SyncExpired) or came (NewDynamic, ...); JoinPhaseComplete when the last join arrived;
	// AssignmentStored; or why the next rebalance began.
	Reason      trace.Reason
	Pending     bool          // it was a pending id that went
	Delayed     bool          // nobody was waited for: group.initial.rebalance.delay.ms was over
	PollTimeout bool          // it left because its max.poll.interval.ms ran out
	Limit       time.Duration // that max.poll.interval.ms, or the session.timeout.ms; 0 when unknown
	Ghost       bool          // it belonged to an earlier incarnation of Who
	Member      wire.MemberID
	Who         string // the process, "" when unknown
	Alike       int    // how many came or went for that reason then, 0 when nobody did

	ClientReason string // what the client said that began the next rebalance
}

func (h *history) stuck(p period, after time.Duration) []Stuck {
	list := []Stuck{}
	for i := range h.stays {
		s := &h.stays[i]
		if !trace.Waits(s.entered) {
			continue
		}
		if !p.crossed(s.entered.At, h.until(i), after) {
			continue
		}
		list = append(list, h.stuckStay(i, p))
	}
	return list
}

func (h *history) stuckStay(i int, p period) Stuck {
	s := &h.stays[i]
	st := Stuck{State: s.state, Generation: s.entered.Generation, Since: s.entered.At, Until: p.to, Open: true, Clients: h.clientsBy(p)}
	for _, b := range s.blocked {
		if b.At >= p.before {
			break
		}
		if n := len(st.Blocked); n > 0 && sameHolders(st.Blocked[n-1].Chain, b.Chain) {
			st.Blocked[n-1] = movedOn(st.Blocked[n-1], b)
			continue
		}
		st.Blocked = append(st.Blocked, b)
	}
	if until := h.until(i); until < p.before {
		st.Open, st.Until, st.Freed = false, until, freed(s, &h.stays[i+1])
	}
	return st
}

// movedOn returns what is known of a turn once its timers, and what it hopes for, have moved on. Others may be parked no
// longer than the first of it.
func movedOn(before, b Blocked) Blocked {
	b.At = before.At
	b.Chain = slices.Clone(b.Chain)
	for i := range b.Chain {
		b.Chain[i].Parked = max(b.Chain[i].Parked, before.Chain[i].Parked)
	}
	return b
}

// sameHolders reports whether two chains name the same processes that do the same things. From and until
// when one is cut off is known better and better.
func sameHolders(a, b []trace.Link) bool {
	return slices.EqualFunc(a, b, func(a, b trace.Link) bool {
		return a.Who == b.Who && a.Member == b.Member && a.On == b.On && a.Because == b.Because &&
			(a.Because == trace.CauseUnreachable || a.Since == b.Since && a.Until == b.Until)
	})
}

// freed finds what ended s. A join phase ends in the event in which the last missing member comes or
// goes, so a change of membership at that very instant is the cause; else a join was.
func freed(s, next *stay) Freed {
	end := next.entered
	c := s.change
	if s.state == wire.Dead {
		return Freed{Reason: trace.Loaded}
	}
	if s.state == wire.CompletingRebalance && c.event.Reason != end.Reason {
		return Freed{Reason: end.Reason, Member: end.Member, Who: next.who, ClientReason: end.Text}
	}
	if c.during(end.At) {
		return Freed{
			Reason:      c.event.Reason,
			Pending:     c.event.Kind == trace.PendingRemoved,
			PollTimeout: c.pollTimeout,
			Limit:       c.limit,
			Ghost:       c.ghost,
			Member:      c.event.Member,
			Who:         c.who,
			Alike:       c.alike,
		}
	}
	if s.delayed() {
		return Freed{Reason: end.Reason, Delayed: true}
	}
	return Freed{Reason: end.Reason, Who: s.joiner}
}

// delayed reports whether the group waited at last for group.initial.rebalance.delay.ms, and for nobody.
func (s *stay) delayed() bool {
	if len(s.blocked) == 0 {
		return false
	}
	last := s.blocked[len(s.blocked)-1]
	return slices.ContainsFunc(last.Chain, func(l trace.Link) bool { return l.Timer == trace.TimerDelay })
}
