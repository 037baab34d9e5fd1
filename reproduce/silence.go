package reproduce

import (
	"slices"
	"time"

	"simulate/incident/logs"
	"simulate/sim/scenario"
)

// atSessionEnd is how far an eviction may be from the end of a session that began with an event.
const atSessionEnd = 10 * time.Millisecond

// placeSilence lets a member fall silent that was evicted: soon after the event that began its last session, or between two
// heartbeats.
func (d *draft) placeSilence(a act, f *fleet, l *life) act {
	s, session, heartbeat := d.story, f.duration(sessionTimeout), f.heartbeat()
	a.do, a.note = scenario.Kill, "it falls silent: killed, frozen or cut off; its session ran out "+session.String()+" later"
	last := d.lastSession(l)
	if last < 0 {
		a.at = max(s.at(l.until)-session+heartbeat/2, s.at(l.active)+justTime)
		return a
	}
	a.at = s.at(last) + time.Millisecond
	switch s.events[last].Kind {
	case logs.Completing: // it did not sync: the answer to that begins a session
		prepared, joined := s.before(last, logs.Preparing), s.joinedAt(l)
		switch {
		case joined > prepared:
			a.at = max(s.at(last)-clearBefore, s.at(joined)+time.Millisecond)
		case d.leads(last) == l.process && s.neverAssigned(last):
			d.add(act{
				at: s.at(last) - clearBefore, do: scenario.SlowAssign, who: a.who, aims: -1, ends: -1, lasts: session,
				note: "it falls silent before it has assigned",
			})
			a.at = s.at(last) + shortJoin
		case prepared >= 0 && d.waitedFor(prepared) == last:
			a.at = s.at(last) - justTime // while it waited for others
		}
	case logs.AssignmentReceived:
		a.at = s.at(last) + min(shortJoin, heartbeat/2)
	}
	return a
}

// lastSession returns the event that began the session of a member that was evicted; -1 where a heartbeat did, or the log does
// not tell.
func (d *draft) lastSession(l *life) int {
	s, session := d.story, d.fleetOf(l.process).duration(sessionTimeout)
	apart := func(event int) time.Duration { return (s.at(l.until) - session - s.at(event)).Abs() }
	last, joined := s.lastHeard(l), s.joinedAt(l)
	for i := l.from; i < l.until; i++ {
		begins := s.beginsSession(l, i, joined) || i > joined && s.refusesSyncs(i)
		if begins && apart(i) < atSessionEnd && (last < 0 || apart(i) < apart(last)) {
			last = i
		}
	}
	if last >= 0 && apart(last) >= onGrid {
		return -1
	}
	return last
}

// refusesSyncs reports whether an event is a rebalance that begins before the leader's assignment has come: all that wait for
// it are told to join again, which begins a session, too.
func (s *story) refusesSyncs(i int) bool {
	return s.events[i].Kind == logs.Preparing &&
		s.before(i, logs.Completing) > max(s.before(i, logs.AssignmentReceived), s.before(i, logs.Preparing))
}

// neverAssigned reports whether the leader's assignment did not come after a join phase.
func (s *story) neverAssigned(completing int) bool {
	next := s.after(completing, logs.AssignmentReceived, logs.Preparing, logs.EmptyGroup)
	return next >= 0 && s.events[next].Kind != logs.AssignmentReceived
}

// neverSynced returns the processes of the members that fell silent before they synced after a join phase.
func (d *draft) neverSynced(completing int) []*process {
	var all []*process
	for _, l := range d.story.lives {
		if l.end == expired && !l.pending && l.from < completing && l.until > completing && d.lastSession(l) == completing {
			all = append(all, l.process)
		}
	}
	return all
}

// leads returns the process that leads the generation that a join phase ends with: who led the last one that had an
// assignment, if it is still a member, or else who alone did not sync where none came; nil when the log does not tell.
func (d *draft) leads(completing int) *process {
	s := d.story
	if assigned := s.before(completing, logs.AssignmentReceived); assigned >= 0 {
		leader := d.processOf(s.events[assigned].Other)
		if leader != nil && s.memberThroughout(leader, assigned, completing) {
			return leader
		}
	}
	if silent := d.neverSynced(completing); len(silent) == 1 && s.neverAssigned(completing) {
		return silent[0]
	}
	return nil
}

// leaderGone reports whether the leader was removed between the end of a join phase and another event, or did not sync as it
// was dead by then; where the log does not tell who led, whether anybody was.
func (d *draft) leaderGone(from, to int) bool {
	leader, silent := d.leads(from), d.neverSynced(from)
	if leader == nil && len(silent) > 0 || slices.Contains(silent, leader) {
		return true
	}
	return slices.ContainsFunc(d.story.lives, func(l *life) bool {
		return l.end != stays && l.end != forgotten && l.until > from && l.until <= to+1 &&
			(leader == nil || slices.Contains(leader.lives, l))
	})
}
