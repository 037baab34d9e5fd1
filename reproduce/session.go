package reproduce

import (
	"fmt"
	"slices"
	"time"

	"simulate/incident/logs"
)

// usualSessions are what people set session.timeout.ms to, the defaults of the libraries among them.
var usualSessions = []time.Duration{
	6 * time.Second, 8 * time.Second, 10 * time.Second, 12 * time.Second, 15 * time.Second, 20 * time.Second, 25 * time.Second, 30 * time.Second, 40 * time.Second,
	45 * time.Second, time.Minute, 90 * time.Second, 2 * time.Minute, 3 * time.Minute, 5 * time.Minute,
}

// onGrid is how far an eviction may be from a heartbeat and a session, for both to fit.
const onGrid = 250 * time.Millisecond

// silence is an eviction by the session, as evidence of how long that is.
type silence struct {
	known time.Duration // from the last event at which the member was heard to the eviction; the session is no longer
	exact bool          // the session began then
	least time.Duration // the session is at least as long, since the member had not heard of the rebalance either; 0: not known
}

// session finds the session of the lives of a fleet.
func (s *story) session(lives []*life, usual, heartbeat time.Duration) setting {
	if d := detailsOf(lives); d != nil && d.SessionTimeout > 0 {
		return setting{value: millis(d.SessionTimeout), origin: observed, why: "dumped with a member"}
	}
	var all []silence
	for _, l := range lives {
		if l.end != expired || s.neverJoined(l) {
			continue
		}
		if l.pending {
			all = append(all, silence{known: s.at(l.until) - s.at(l.from), exact: true})
			continue
		}
		if heard := s.lastHeard(l); heard >= 0 {
			all = append(all, silence{known: s.at(l.until) - s.at(heard), least: s.deaf(l) - heartbeat - onGrid})
		}
	}
	if len(all) == 0 {
		return setting{value: millis(usual), origin: assumed, why: "the default of the client; nobody was evicted of whom more is logged"}
	}
	best, fits := bestSession(all, usual, heartbeat)
	if fits == 0 {
		best = slices.MinFunc(all, func(a, b silence) int { return int(a.known - b.known) }).known.Round(100 * time.Millisecond)
		return setting{value: millis(best), origin: derived, why: "the shortest silence before an eviction"}
	}
	if best == usual && !slices.ContainsFunc(all, func(q silence) bool { return !q.vague(best, heartbeat) }) {
		return setting{value: millis(best), origin: assumed, why: "the default of the client; it was long before that those were heard that were evicted"}
	}
	why := fmt.Sprintf("%d of %d evictions come that long after a heartbeat could have been", fits, len(all))
	return setting{value: millis(best), origin: derived, why: why}
}

// bestSession returns the usual session that most silences fit, the default of the client before others; fits is how many.
func bestSession(all []silence, usual, heartbeat time.Duration) (best time.Duration, fits int) {
	candidates := append([]time.Duration{usual}, usualSessions...)
	for _, c := range candidates {
		n := 0
		for _, q := range all {
			if q.fits(c, heartbeat) {
				n++
			}
		}
		if n > fits {
			best, fits = c, n
		}
	}
	return best, fits
}

// fits reports whether a silence can be one session after a heartbeat.
func (q silence) fits(session, heartbeat time.Duration) bool {
	rest := q.known - session
	switch {
	case rest < -onGrid || session < q.least:
		return false
	case q.exact:
		return rest < onGrid
	}
	near := onGrid + rest/drift
	return q.vague(session, heartbeat) || (rest+near)%heartbeat < 2*near
}

// vague reports whether a member was last heard so long before that its heartbeats may have come at any time.
func (q silence) vague(session, heartbeat time.Duration) bool {
	return !q.exact && 4*(onGrid+(q.known-session)/drift) > heartbeat
}

// drift is by which part of the time heartbeats come later than on their grid, since the interval begins anew with each answer.
const drift = 300

// deaf returns how long a rebalance had been prepared when a member was evicted that did not rejoin; 0 when none was, or when it
// did. Whoever sends heartbeats hears of it with the next.
func (s *story) deaf(l *life) time.Duration {
	prepared := s.before(l.until, logs.Preparing)
	if prepared < 0 || s.before(l.until, logs.Completing) > prepared || s.joinedAt(l) >= prepared {
		return 0
	}
	return s.at(l.until) - s.at(prepared)
}

// lastHeard returns the last event that began a session of a member: an answer to its JoinGroup or SyncGroup, or that a
// coordinator loaded it; -1 when that was before the log began.
func (s *story) lastHeard(l *life) int {
	last, joined := -1, s.joinedAt(l)
	if l.joins {
		last = l.from
	}
	for i := l.from; i < l.until; i++ {
		if s.beginsSession(l, i, joined) {
			last = i
		}
	}
	return last
}

// beginsSession reports whether an event begins a session of a member that had joined with another one, if it is alive.
func (s *story) beginsSession(l *life, i, joined int) bool {
	switch e := &s.events[i]; e.Kind {
	case logs.Completing, logs.AssignmentReceived, logs.GroupLoaded:
		return i >= joined
	case logs.MemberAdded, logs.Preparing:
		return e.Member == l.id && l.id != ""
	}
	return false
}

// joinedAt returns the event with which a life became a member.
func (s *story) joinedAt(l *life) int {
	if s.events[l.from].Kind == logs.StaticReplaced {
		return l.from
	}
	for i := l.from; i < len(s.events); i++ {
		e := &s.events[i]
		if e.Member == l.id && l.id != "" && (e.Kind == logs.MemberAdded || e.Kind == logs.Preparing) && i >= l.from {
			return i
		}
	}
	return l.from
}

func detailsOf(lives []*life) *logs.MemberDetails {
	for _, l := range lives {
		if l.details != nil {
			return l.details
		}
	}
	return nil
}
