package reproduce

import (
	"slices"
	"time"

	"simulate/incident/logs"
	"simulate/sim/scenario"
	"simulate/sim/wire"
)

// repair looks for one change that makes the run clearly more like the log, what explains one of the first differences before
// what only may; it reports whether it found one.
func (s *search) repair() bool {
	for _, other := range s.best.alternatives() {
		if s.consider(other, clearly) {
			s.settle()
			return true
		}
		if s.done() {
			return false
		}
	}
	return false
}

// difference is a place where the run is not like the log.
type difference struct {
	event int // of the story, at or before it; -1
	at    time.Duration
	late  time.Duration // by how much a stay was too long in the run, too short where that is less than 0; 0 where something is on one side only
	kind  logs.Kind
	extra bool   // it is in the run only
	whom  string // who began a rebalance in the run, where the log has none, or one that somebody else began
}

// mostDifferences are how many are looked at before the search gives up.
const mostDifferences = 4

// differences returns the first differences in order.
func (t *trial) differences() []difference {
	var all []difference
	lastO, lastS, event := time.Duration(0), time.Duration(0), -1
	for _, p := range t.lines {
		m := t.moment(p)
		switch {
		case p.Left < 0:
			all = append(all, difference{event: event, at: m.at, kind: m.kind, extra: true, whom: m.whom})
		case p.Right < 0:
			event = m.event
			all = append(all, difference{event: event, at: m.at, kind: m.kind})
		case m.state:
			o, s := m.at, t.simulated[p.Right].at
			if late := (s - lastS) - (o - lastO); late.Abs() > Within && !m.unseen {
				all = append(all, difference{event: m.event, at: o, late: late, kind: m.kind})
			}
			if other := &t.simulated[p.Right]; byOther(m, other) {
				all = append(all, difference{event: m.event, at: o, kind: m.kind, whom: other.whom})
			}
			event, lastO, lastS = m.event, o, s
		default:
			event = m.event
		}
	}
	return all[:min(len(all), mostDifferences)]
}

// alternatives are drafts that may be without one of the differences, the likeliest first.
func (t *trial) alternatives() []*draft {
	var all []*draft
	with := func(change func(d *draft) bool) {
		other := t.draft.clone()
		if change(other) && !other.repeats() {
			all = append(all, other)
		}
	}
	differences := t.differences()
	for _, d := range differences {
		t.beats(d, with)
		if d.kind == logs.Completing && !d.extra {
			t.joins(d, with)
		}
		if p := t.draft.processOf(wire.MemberID(d.whom)); p != nil {
			with(func(o *draft) bool {
				o.add(o.slower(p, d.event, aWhile))
				return true
			})
		}
	}
	for _, d := range differences {
		if d.kind == logs.Preparing && !d.extra {
			with(func(o *draft) bool { return o.fastest(d.event, aWhile) })
			with(func(o *draft) bool { return o.justLoaded(d.event) && o.fastest(d.event, time.Second) }) // for which clients back off
		}
	}
	t.rejoins(with)
	for _, d := range differences {
		t.variants(d, with)
	}
	return all
}

// repeats reports whether the last act is there already.
func (d *draft) repeats() bool {
	last := len(d.acts) - 1
	return last >= 0 && slices.ContainsFunc(d.acts[:last], func(a act) bool {
		return a.at == d.acts[last].at && a.do == d.acts[last].do && a.who == d.acts[last].who && a.who != ""
	})
}

// rejoins let members rejoin that do so in the log because of what happened before, and not in the run: the first of them,
// or all, by themselves or, where that was in vain, by what they read.
func (t *trial) rejoins(with func(func(*draft) bool)) {
	for _, subscribes := range []bool{false, true} {
		var missing []int
		for _, p := range t.lines {
			if p.Right < 0 && t.observed[p.Left].kind == logs.Preparing && t.draft.mayInsist(t.observed[p.Left].event, subscribes) {
				missing = append(missing, t.observed[p.Left].event)
			}
		}
		for _, n := range slices.Compact([]int{min(1, len(missing)), len(missing)}) {
			with(func(o *draft) bool {
				some := false
				for _, event := range missing[:n] {
					some = o.insist(event, subscribes) || some
				}
				return some
			})
		}
	}
}

// mayInsist reports whether nothing is there yet that makes a member rejoin in that way, or in one that is tried after it.
func (d *draft) mayInsist(event int, subscribes bool) bool {
	return d.natural(event) && !slices.ContainsFunc(d.acts, func(a act) bool {
		return a.aims == event && (!subscribes || a.do == scenario.Subscribe)
	})
}

// beats let the last heartbeat of a member that is evicted at a difference come as long before as its session is.
func (t *trial) beats(d difference, with func(func(*draft) bool)) {
	late := t.late()
	for i, a := range t.draft.acts {
		if a.do != scenario.Kill || a.aims < 0 || (t.draft.story.at(a.aims)-d.at).Abs() > shortJoin {
			continue
		}
		if by, ok := late[a.aims]; ok && by.Abs() > exact {
			with(func(o *draft) bool { return o.beatsLater(i, by) })
		}
	}
}

// beatsLater lets the heartbeats of a member that is killed come later from one on, so that its session runs out when it did; by
// is how much too late it does without.
func (d *draft) beatsLater(i int, by time.Duration) bool {
	a := &d.acts[i]
	p := d.named(a.who)
	if p == nil {
		return false
	}
	f := d.fleetOf(p)
	last := d.story.at(a.aims) - f.duration(sessionTimeout)
	beat := last + by
	for beat > last {
		beat -= f.heartbeat()
	}
	a.at = last + f.heartbeat()/2
	pause := act{at: beat - justTime, do: scenario.Pause, who: a.who, aims: -1, ends: -1, note: "a heartbeat comes late, as on a busy host"}
	pause.lasts = last - pause.at
	d.add(pause)
	return true
}

// joins let members hear earlier of a join phase that took too long in the run, and rejoin later where it was too short.
func (t *trial) joins(d difference, with func(func(*draft) bool)) {
	if d.late >= 0 {
		with(func(o *draft) bool { return o.holdHeartbeats(o.story.processes, d.event, 0) })
	}
	if d.late <= 0 {
		t.waits(d, with)
	}
	if d.late >= 0 {
		t.hearEarlier(d, with)
	}
}

// hearEarlier lets one of the members send a heartbeat such that its next one is just before the end of a join phase that took
// too long in the run.
func (t *trial) hearEarlier(d difference, with func(func(*draft) bool)) {
	for _, p := range t.draft.story.processes {
		with(func(o *draft) bool { return o.holdHeartbeats([]*process{p}, d.event, 1) })
	}
	with(func(o *draft) bool { return o.unsynced(d.event) })
}

// holdHeartbeats keeps members from sending heartbeats until so many intervals before the end of a join phase that they take
// part in, as a network does that is cut; it reports whether they can: they send none soon after an assignment.
func (d *draft) holdHeartbeats(members []*process, completing, before int) bool {
	s := d.story
	from, assigned := s.before(completing, logs.Preparing), s.before(completing, logs.AssignmentReceived)
	if from < 0 {
		return false
	}
	some := false
	for _, p := range members {
		every := d.fleetOf(p).heartbeat()
		a := act{do: scenario.Pause, who: d.member(p), aims: -1, ends: completing}
		a.note = "it is held up, and hears of the rebalance as soon as it goes on"
		a.lasts = every + longPoll
		a.at = s.at(completing) - time.Duration(before)*every - justTime - a.lasts
		if assigned >= 0 && s.at(assigned) > a.at && s.at(assigned) < a.at+a.lasts {
			continue
		}
		l := s.throughout(p, from, completing)
		if l != nil && (!l.joins || s.at(s.joinedAt(l)) < a.at) && a.at < s.at(from) {
			d.add(a)
			some = true
		}
	}
	return some
}

// fastest lets the member that began a rebalance in the log be the first in the run: all others are slower.
func (d *draft) fastest(event int, by time.Duration) bool {
	begins := d.processOf(d.story.events[event].Member)
	if begins == nil {
		return false
	}
	for _, p := range d.story.processes {
		if p != begins && slices.ContainsFunc(p.lives, func(l *life) bool {
			return l.from < event && (l.until < 0 || l.until >= d.story.before(event, logs.Completing))
		}) {
			d.add(d.slower(p, event, by))
		}
	}
	return true
}

// waits let another member be late, or in another way.
func (t *trial) waits(d difference, with func(func(*draft) bool)) {
	s := t.draft.story
	from := s.before(d.event, logs.Preparing)
	if from < 0 {
		return
	}
	from = s.phase(from)
	for _, verb := range []scenario.Verb{scenario.Stall, scenario.Pause, scenario.SlowRevoke} {
		for _, p := range slices.Backward(s.processes) {
			if !t.draft.story.memberThroughout(p, from, d.event) {
				continue
			}
			with(func(o *draft) bool {
				o.acts = slices.DeleteFunc(o.acts, func(a act) bool { return a.ends == d.event && a.aims < 0 })
				o.add(o.wait(verb, p, from, d.event))
				return true
			})
		}
	}
}

// memberThroughout reports whether a process had a member from before one event until after another.
func (s *story) memberThroughout(p *process, from, to int) bool {
	return s.throughout(p, from, to) != nil
}

// throughout returns the life in which a process was a member all the while; nil when it was not.
func (s *story) throughout(p *process, from, to int) *life {
	for _, l := range p.lives {
		if !l.pending && (!l.joins || s.joinedAt(l) < from) && (l.end == stays || l.until > to) {
			return l
		}
	}
	return nil
}

// wait is what makes a process rejoin with a certain event only.
func (d *draft) wait(verb scenario.Verb, p *process, from, to int) act {
	s := d.story
	a := act{at: s.at(from) - longPoll, do: verb, who: d.member(p), aims: -1, ends: to}
	if assigned := s.before(from, logs.AssignmentReceived); assigned >= 0 && s.at(assigned) > a.at {
		a.at = (s.at(assigned) + s.at(from)) / 2
	}
	a.note = "somebody rejoins late, and the others wait; the log does not say who"
	a.lasts = s.at(to) - a.at - justTime
	if verb == scenario.Stall && d.choices.busy && a.lasts > longPoll {
		a.lasts -= pollTimeoutAssumed // it begins when poll() returns
	}
	return a
}

// clearBefore is from an act to what must not come before it, in a run that is not exact.
const clearBefore = 30 * time.Millisecond

// aWhile is enough for another member to be faster, mostly.
const aWhile = 100 * time.Millisecond

// slower lets a process not be the first to begin a rebalance: what it does before takes longer, or, when members look for a new
// coordinator, it comes later.
func (d *draft) slower(p *process, event int, by time.Duration) act {
	a := act{do: scenario.SlowRevoke, who: d.member(p), aims: -1, ends: -1, lasts: by, note: "another member is faster"}
	a.at = d.story.at(max(d.story.before(event, logs.Completing), 0)) - clearBefore
	if d.justLoaded(event) {
		a.at, a.do = d.story.at(d.story.before(event, logs.GroupLoaded))-justTime, scenario.Pause
		a.lasts = d.story.at(event) - a.at + by
	}
	return a
}

// around is how far an act may be from a difference to be what has to change.
const around = 3 * time.Second

// otherVerbs are what may look the same to a coordinator.
var otherVerbs = map[scenario.Verb][]scenario.Verb{
	scenario.Kill:  {scenario.Pause, scenario.Stall},
	scenario.Stop:  {scenario.Kill},
	scenario.Stall: {scenario.Pause, scenario.SlowRevoke},
	scenario.Pause: {scenario.Stall},
}

// spare are what a draft can do without: they shape the time of something that happens anyway.
var spare = []scenario.Verb{scenario.Stall, scenario.Pause, scenario.SlowRevoke, scenario.SlowAssign, scenario.HoldLeaderSync, scenario.Delay}

// variants change or drop what happens near a difference.
func (t *trial) variants(d difference, with func(func(*draft) bool)) {
	last := t.draft.story.lastToCome(d)
	for i, a := range t.draft.acts {
		soon := (a.at-d.at).Abs() < around || (a.at+a.lasts-d.at).Abs() < around
		meant := a.aims >= 0 && (a.aims == d.event || a.aims == last) || a.ends >= 0 && a.ends == d.event
		if !soon && !meant {
			continue
		}
		for _, by := range []time.Duration{-100 * time.Millisecond, 100 * time.Millisecond, -10 * time.Millisecond, 10 * time.Millisecond, -time.Second, time.Second, -5 * time.Second} {
			with(func(o *draft) bool {
				b := &o.acts[i]
				b.at += by
				if b.ends >= 0 {
					b.lasts -= by // it ends with the same
				}
				return b.at > -o.warmUp && b.lasts >= 0
			})
		}
		for _, verb := range otherVerbs[a.do] {
			with(func(o *draft) bool { return o.instead(i, verb) })
		}
		if a.aims < 0 && slices.Contains(spare, a.do) {
			with(func(o *draft) bool {
				o.acts = slices.Delete(o.acts, i, i+1)
				return true
			})
		}
	}
}

// lastToCome returns the last event of a member that came before a difference in the first join phase of a group, whose length
// depends on that; -1 where it is none.
func (s *story) lastToCome(d difference) int {
	if d.kind != logs.Completing || d.extra {
		return -1
	}
	prepared, added := s.before(d.event, logs.Preparing), s.before(d.event, logs.MemberAdded)
	if prepared < 0 || added < prepared || !s.startsEmpty(prepared) {
		return -1
	}
	return added
}

// instead lets an act have another verb; a process that is paused instead of killed goes on when it is to start again.
func (d *draft) instead(i int, verb scenario.Verb) bool {
	a := &d.acts[i]
	if a.do == scenario.Kill && verb == scenario.Pause {
		back := slices.IndexFunc(d.acts, func(b act) bool { return b.do == scenario.Start && b.who == a.who && b.at > a.at })
		a.lasts = d.duration - a.at
		if back >= 0 {
			a.lasts, a.ends = d.acts[back].at-a.at, d.acts[back].aims
		}
		a.do = verb
		if back >= 0 {
			d.acts = slices.Delete(d.acts, back, back+1)
		}
		return true
	}
	if a.do == scenario.Kill && verb == scenario.Stall {
		return d.dozes(i)
	}
	a.do = verb
	return true
}

// dozes lets a static member stall, so that its heartbeats end with max.poll.interval.ms, instead of dying.
func (d *draft) dozes(i int) bool {
	a := &d.acts[i]
	p := d.named(a.who)
	if p == nil || !p.static || a.aims < 0 {
		return false
	}
	f := d.fleetOf(p)
	until := d.duration
	back := slices.IndexFunc(d.acts, func(b act) bool { return b.do == scenario.Start && b.who == a.who && b.at > a.at })
	if back >= 0 {
		until, a.ends = d.acts[back].at, d.acts[back].aims
	}
	a.do, a.at = scenario.Stall, d.story.at(a.aims)-f.duration(sessionTimeout)-f.patience()+f.heartbeat()/2
	a.lasts = until - a.at
	if back >= 0 {
		d.acts = slices.Delete(d.acts, back, back+1)
	}
	return a.lasts > 0
}
