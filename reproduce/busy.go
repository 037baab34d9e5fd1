package reproduce

import (
	"slices"
	"time"

	"simulate/incident/logs"
	"simulate/sim/scenario"
)

// On hosts that are busy, everything takes its time, and it is a matter of milliseconds who comes first. What is placed here lets
// those who lose such a race in the log lose it in the run.

const (
	roundTrip = time.Millisecond      // from a request to the answer
	slowJoin  = 10 * time.Millisecond // from a member id to a JoinGroup with it; an idle process takes no longer
	slowSync  = 5 * time.Millisecond  // from the end of a join phase to the assignment; likewise
	slowHeard = 20 * time.Millisecond // from the request to rejoin to the last JoinGroup; likewise
)

// placeStart lets a process start, so that it joins when it did; on a busy host it takes its time from when it has got its id.
func (d *draft) placeStart(who string, l *life) {
	joined := d.story.joinedAt(l)
	a := act{at: d.story.at(joined) - lead, do: scenario.Start, who: who, aims: joined, ends: -1}
	if took := d.story.at(joined) - d.story.at(l.from); d.choices.busy && l.asks && took > slowJoin {
		a.at, a.aims = d.story.at(l.from)-lead+roundTrip, l.from
		asks := max(a.at, -d.warmUp) + lead - roundTrip
		slow := act{at: asks, do: scenario.Delay, who: who, aims: -1, ends: -1, lasts: time.Millisecond}
		slow.note = "it takes its time to join with the id that it got"
		slow.keys = []pair{{"add", span(d.story.at(joined) - asks - roundTrip)}, {"direction", `"in"`}}
		d.add(slow)
	}
	d.add(a)
}

// placeUnread freezes a member that leaves when it has joined, and not yet sent a SyncGroup, so that it has not read that it
// joined: a coordinator reads nothing of a connection before it has answered the request before, and that it would not.
func (d *draft) placeUnread(l *life) {
	s := d.story
	completing := s.before(l.until, logs.Completing)
	if completing < 0 || s.joinedAt(l) > completing || s.after(completing, logs.AssignmentReceived, logs.Preparing) < l.until {
		return
	}
	prepared := max(s.before(completing, logs.Preparing), 0)
	const ahead = 20 * time.Millisecond // of the answer, which comes earlier in some runs; its JoinGroup is out by then
	a := act{do: scenario.Pause, who: d.member(d.processOf(l.id)), aims: -1, ends: -1}
	a.note = "it leaves before it has read that it joined"
	a.at = s.at(completing) - min(ahead, (s.at(completing)-s.at(prepared))/2)
	if a.lasts = s.at(l.until) - justTime - a.at; a.lasts > 0 {
		d.add(a)
	}
}

// leastWait is how long a join phase takes at least for somebody to be taken for late.
func (d *draft) leastWait() time.Duration {
	if d.choices.busy {
		return slowHeard
	}
	return longJoin
}

// nap freezes a process in a join phase that is too short for it to stall.
func (d *draft) nap(p *process, from, to int) act {
	a := d.wait(scenario.Pause, p, from, to)
	a.at = d.story.at(from) - justTime
	a.lasts = d.story.at(to) - justTime - a.at
	return a
}

// lateAlready reports whether a process is late before the end of a join phase, or may still be from the one before: it does
// not stall before its poll() returns.
func (d *draft) lateAlready(p *process, from, to int) bool {
	return slices.ContainsFunc(d.acts, func(a act) bool {
		return (a.do == scenario.Stall || a.do == scenario.Pause) && a.who == d.member(p) &&
			a.at < d.story.at(to) && a.at+a.lasts+pollTimeoutAssumed > d.story.at(from)-longPoll
	})
}

// halfway returns half of a join phase, but no more than a second.
func (s *story) halfway(from int) time.Duration {
	to := s.after(from, logs.Completing, logs.Preparing, logs.EmptyGroup)
	if to < 0 {
		return time.Second
	}
	return min(time.Second, (s.at(to)-s.at(from))/2)
}

// unsynced keeps all but the member that rejoins at once from reading that they had joined before: it is the last of that join
// phase, and what they send then is refused, so that they rejoin without a heartbeat. It reports whether that can be.
func (d *draft) unsynced(completing int) bool {
	s := d.story
	again := s.before(completing, logs.Preparing)
	joined := s.before(again, logs.Completing)
	first := s.before(joined, logs.Preparing)
	if first < 0 || s.at(again)-s.at(joined) > atOnce {
		return false
	}
	begins := d.processOf(s.events[again].Member)
	if begins == nil || !s.memberThroughout(begins, first, completing) {
		return false
	}
	d.add(d.wait(d.holdsUp(begins), begins, first, joined))
	for _, p := range s.processes {
		if p != begins && s.memberThroughout(p, joined, completing) {
			a := d.wait(scenario.Pause, p, first, completing)
			a.at = s.at(joined) - s.halfway(first)
			a.lasts, a.note = s.at(completing)-justTime-a.at, "it has not read that it joined when another member rejoins"
			d.add(a)
		}
	}
	return true
}
