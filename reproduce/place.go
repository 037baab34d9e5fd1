package reproduce

import (
	"slices"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/consumers"
	"simulate/sim/scenario"
	"simulate/sim/wire"
)

const (
	lead     = 10 * time.Millisecond // from the start of a process to its first JoinGroup; a first guess
	justTime = 2 * time.Millisecond  // from an act to what it brings about; likewise
	gather   = 10 * time.Second      // for members that were there before the log began
)

// place lets happen what the story tells.
func (d *draft) place() {
	for _, p := range d.story.processes {
		d.placeProcess(p)
	}
	for i := range d.story.events {
		switch e := &d.story.events[i]; e.Kind {
		case logs.Preparing:
			d.placeRejoin(i)
			d.placeWait(i)
		case logs.Completing:
			d.placeSync(i)
		case logs.DeadGroup:
			d.add(act{at: d.story.at(i) - justTime, do: scenario.DeleteGroup, keys: []pair{{"group", quoted(d.group())}}, aims: i, note: "the group was deleted"})
		}
	}
	d.placeBrokers()
	slices.SortStableFunc(d.acts, func(a, b act) int { return int(a.at - b.at) })
}

func (d *draft) add(a act) {
	if a.aims >= 0 && d.story.unseen[a.aims] {
		a.note = "not logged: the generations tell that there was a rebalance, neither when nor why"
	}
	d.acts = append(d.acts, a)
}

// placeProcess lets a process start, end, and come back.
func (d *draft) placeProcess(p *process) {
	who := d.member(p)
	for k, l := range p.lives {
		var next *life
		if k+1 < len(p.lives) {
			next = p.lives[k+1]
		}
		switch {
		case l.pending:
			d.add(act{at: d.story.at(l.from) - justTime, do: scenario.AbandonMemberID, who: who, aims: l.from, ends: -1, note: "a member id that nobody used"})
			continue
		case k > 0 && d.comesBackByItself(p.lives[k-1]):
		case l.joins:
			d.placeStart(who, l)
		default:
			d.add(d.placeBefore(who))
		}
		d.placeEnd(who, p, l, next)
	}
}

// placeBefore lets a process start that was there before the log began; where that begins in the middle of a rebalance, so that
// it ends in time.
func (d *draft) placeBefore(who string) act {
	a := act{at: -d.warmUp, do: scenario.Start, who: who, aims: -1, ends: -1, note: "it was there before the log began"}
	s := d.story
	i := s.headless()
	if i < 0 {
		return a
	}
	var joins []time.Duration // all at once
	for _, l := range s.lives {
		if !l.joins {
			joins = append(joins, 0)
		}
	}
	delay := d.broker[slices.IndexFunc(d.broker, func(v setting) bool { return v.key == initialDelay })]
	a.aims, a.at = i, s.at(i)-firstPhase(delay.duration(), joins[1:])-lead
	return a
}

// comesBackByItself reports whether the process of a life went on when that ended.
func (d *draft) comesBackByItself(l *life) bool {
	switch {
	case l.end == left && (incident.PolledLate(l.said) || unsubscribed(l.said)), l.end == forgotten, l.end == notRejoined && d.alive(l):
		return true
	}
	return d.story.neverJoined(l)
}

// alive reports whether a member that did not rejoin was alive: its session would have run out before.
func (d *draft) alive(l *life) bool {
	prepared := max(d.story.before(l.until, logs.Preparing), 0)
	return d.fleetOf(l.process).duration(sessionTimeout) < d.story.at(l.until)-d.story.at(prepared)
}

func unsubscribed(said string) bool { return said == "the consumer unsubscribed from all topics" }

// placeEnd lets a life end as it did.
func (d *draft) placeEnd(who string, p *process, l, next *life) {
	f := d.fleetOf(p)
	a := act{who: who, aims: l.until, ends: -1}
	if l.end == stays || l.end == forgotten || d.story.neverJoined(l) {
		return
	}
	at := d.story.at(l.until)
	switch l.end {
	case left:
		d.placeLeave(a, f, l, next)
		return
	case expired:
		a = d.placeSilence(a, f, l)
	case notRejoined:
		a = d.placeAbsence(a, l, next)
	case notSynced:
		a = d.placeNoSync(a, l, next)
	case replaced:
		gap := min(time.Second, (at-d.story.at(l.active))/2)
		a.do, a.at, a.aims, a.note = scenario.Kill, at-gap, -1, "it restarts; when it ended is not logged"
	case vanished:
		a.do, a.at = scenario.Stop, at-justTime
	}
	d.add(a)
}

// placeNoSync keeps a member from syncing: a static one that did not rejoin either, and was kept, or one that ends in between.
func (d *draft) placeNoSync(a act, l, next *life) act {
	completing := max(d.story.before(l.until, logs.Completing), 0)
	prepared := max(d.story.before(completing, logs.Preparing), 0)
	if d.story.joinedAt(l) >= prepared {
		a.do, a.note, a.at = scenario.Kill, "it joins and never syncs", d.story.at(completing)+time.Millisecond
		return a
	}
	until := d.story.length + time.Minute
	a.aims, a.ends = -1, -1
	if next != nil {
		until, a.ends = d.story.at(next.from), next.from
	}
	a.do, a.at, a.note = scenario.Stall, d.story.at(prepared)-longPoll, "it neither rejoins nor syncs"
	a.lasts = until - a.at
	return a
}

// placeLeave lets a member leave by itself.
func (d *draft) placeLeave(a act, f *fleet, l, next *life) {
	at := d.story.at(l.until)
	switch {
	case incident.PolledLate(l.said):
		a.do, a.at = scenario.Stall, at-f.patience()
		until := d.story.length + time.Minute
		if next != nil {
			a.ends, until = next.from, d.story.at(next.from)
		}
		a.lasts = until - a.at
		a.note = "it does not poll until max.poll.interval.ms makes it leave"
	case unsubscribed(l.said):
		a.do, a.at, a.note = scenario.Unsubscribe, at-justTime, l.said
		if next != nil {
			d.add(act{at: d.story.at(next.from) - lead, do: scenario.Subscribe, who: a.who, aims: next.from, ends: -1, keys: []pair{{"topics", `["topic-1"]`}}})
		}
	case l.said == "member was removed by an admin":
		a.do, a.at, a.note = scenario.RemoveMembers, at-justTime, l.said
		a.keys = []pair{{"group", quoted(d.group())}}
	default:
		a.do, a.at, a.note = scenario.Stop, at-justTime, l.said
		d.placeUnread(l)
		if d.placeHolder(l) {
			a.at, a.aims = at-longPoll, -1
		}
	}
	d.add(a)
}

// placeHolder keeps a member from rejoining that others waited for until it left, and then from leaving earlier; it reports
// whether there is such a one.
func (d *draft) placeHolder(l *life) bool {
	s := d.story
	prepared, completing := s.before(l.until, logs.Preparing), s.before(l.until, logs.Completing)
	end := s.after(l.until, logs.Completing, logs.Preparing, logs.EmptyGroup)
	if prepared < 0 || completing > prepared || end < 0 || s.events[end].Kind != logs.Completing || s.joinedAt(l) >= prepared {
		return false
	}
	if s.at(l.until)-s.at(prepared) < max(d.leastWait(), shortJoin) || !d.choices.busy && s.at(end)-s.at(l.until) > 100*time.Millisecond {
		return false
	}
	a := d.wait(d.holdsUp(d.processOf(l.id)), d.processOf(l.id), prepared, l.until)
	a.note = "the others wait for it until it leaves"
	d.add(a)
	return true
}

// longJoin is how long a join phase takes no longer because of heartbeats alone.
const longJoin = 3500 * time.Millisecond

// longPoll is how long before a join phase somebody is told to stall, so that it does when that begins.
const longPoll = 3 * pollTimeoutAssumed / 2

// shortJoin is how long one takes at least in which anybody has to be told.
const shortJoin = 100 * time.Millisecond

// placeAbsence keeps a member from rejoining, until it comes back if it is alive.
func (d *draft) placeAbsence(a act, l, next *life) act {
	prepared := max(d.story.before(l.until, logs.Preparing), 0)
	a.do, a.at, a.note = scenario.Kill, d.story.at(prepared)-justTime, "it does not rejoin"
	if d.alive(l) {
		until := d.story.length + time.Minute
		if next != nil {
			until, a.ends = d.story.at(next.from), next.from
		}
		a.do = scenario.Stall
		if assigned := d.story.before(prepared, logs.AssignmentReceived); assigned >= 0 && d.story.drain() > 0 {
			a.do, a.at = scenario.SlowRevoke, d.story.at(assigned)-justTime
			a.note = "it takes so long to give partitions away that it does not rejoin"
			until -= d.story.drain()
		}
		a.lasts = until - a.at
	}
	return a
}

// placeWait lets somebody rejoin late where a join phase lasted longer than heartbeats explain.
func (d *draft) placeWait(i int) {
	s := d.story
	end := d.waitedFor(i)
	if end < 0 {
		return
	}
	from := s.phase(i)
	if leader, _ := d.busyLeader(s.before(from, logs.Completing)); leader != nil {
		return
	}
	p := d.slowest(from, end)
	if p == nil {
		return
	}
	a := d.wait(d.holdsUp(p), p, from, end)
	if s.at(end)-s.at(from) < shortJoin {
		a = d.nap(p, from, end)
	}
	d.add(a)
}

// holdsUp returns what keeps a process from rejoining: its application if that has to poll or to handle what comes, or else
// something that stops all of it.
func (d *draft) holdsUp(p *process) scenario.Verb {
	profile, _ := consumers.FindProfile(d.fleetOf(p).client.value)
	if profile.Has(maxPollInterval) || profile.Handler {
		return scenario.Stall
	}
	return scenario.Pause
}

// waitedFor returns the end of a join phase that lasted longer than heartbeats explain; -1 when it did not.
func (d *draft) waitedFor(i int) int {
	s := d.story
	end := s.after(i, logs.Completing, logs.Preparing, logs.EmptyGroup)
	if end < 0 || s.events[end].Kind != logs.Completing || s.startsEmpty(i) {
		return -1
	}
	if s.at(end)-s.at(i) < d.leastWait() || s.endedBy(i, end) {
		return -1
	}
	return end
}

// phase returns the event with which the members began to be waited for that a join phase waits for: an earlier one, where
// a coordinator that loads the group forgets that it was being prepared.
func (s *story) phase(i int) int {
	for {
		before := s.before(i, logs.Preparing)
		if before < 0 || s.after(before, logs.Completing, logs.EmptyGroup, logs.Preparing) != i {
			return i
		}
		i = before
	}
}

// endedBy reports whether a join phase ended because a member did no longer count.
func (s *story) endedBy(from, to int) bool {
	for _, l := range s.lives {
		if l.end != stays && l.until > from && l.until <= to && s.at(to)-s.at(l.until) < 100*time.Millisecond {
			return true
		}
		if l.end == notSynced && s.before(l.until, logs.Completing) == to {
			return true // it was kept though it did not rejoin
		}
		if l.from > from && l.from < to && s.at(to)-s.at(l.from) < 100*time.Millisecond {
			return true
		}
	}
	return false
}

// slowest returns who may have been late: of the members that were there before and after a join phase and did not begin it,
// the last one that stays longest; nil when nobody was.
func (d *draft) slowest(from, to int) *process {
	var found *process
	longest := time.Duration(0)
	for _, p := range d.story.processes {
		l := d.story.throughout(p, from, to)
		if l == nil || d.begins(p, from, to) || d.lateAlready(p, from, to) {
			continue
		}
		until := d.story.length + 1
		if l.end != stays {
			until = d.story.at(l.until)
		}
		if until >= longest {
			found, longest = p, until
		}
	}
	return found
}

// begins reports whether a process begins a join phase, or does so again with another coordinator, until another event.
func (d *draft) begins(p *process, from, to int) bool {
	return slices.ContainsFunc(d.story.events[from:to], func(e logs.Event) bool {
		return e.Kind == logs.Preparing && d.processOf(e.Member) == p
	})
}

// placeSync lets the leader take its time for the assignment, or never send it.
func (d *draft) placeSync(i int) {
	s := d.story
	end := s.after(i, logs.AssignmentReceived, logs.Preparing, logs.EmptyGroup)
	if end < 0 {
		return
	}
	took := s.at(end) - s.at(i)
	a := act{at: s.at(max(s.before(i, logs.Preparing), 0)) + time.Millisecond, aims: -1, ends: end, lasts: took}
	leader := d.processOf(s.events[end].Other)
	switch {
	case s.events[end].Kind == logs.AssignmentReceived && (took > 300*time.Millisecond || d.choices.busy && took > slowSync) && leader != nil:
		a.do, a.who, a.note = scenario.SlowAssign, d.member(leader), "the leader's assignment came late"
	case s.events[end].Kind == logs.Preparing:
		d.placeHeldSync(a, i, end)
		return
	default:
		return
	}
	d.add(a)
}

// placeHeldSync keeps the assignment of a join phase from coming before the next one: the leader is busy with it if that waits
// for somebody, too; or else its SyncGroup is held, unless it rejoined itself instead of sending it.
func (d *draft) placeHeldSync(a act, i, next int) {
	s := d.story
	leader, until := d.busyLeader(i)
	rejoined := d.processOf(s.events[next].Member)
	switch {
	case leader != nil:
		a.do, a.who, a.ends, a.lasts = scenario.SlowAssign, d.member(leader), until, s.at(until)-s.at(i)
		a.note = "the leader's assignment came so late that the others waited for it in the next rebalance"
	case a.lasts <= 60*time.Millisecond && !d.choices.busy || d.leaderGone(i, next) || rejoined != nil && rejoined == d.leads(i):
		return
	default:
		a.do, a.keys, a.ends, a.lasts = scenario.HoldLeaderSync, []pair{{"group", quoted(d.group())}}, -1, a.lasts+s.halfway(next)
		a.note = "the leader's assignment did not come before the next rebalance"
	}
	d.add(a)
}

// busyLeader returns the leader of the generation that a join phase ends with, when its assignment did not come and the next
// join phase waited for somebody, and the end of that; nil otherwise, or when the log does not tell who leads.
func (d *draft) busyLeader(completing int) (leader *process, until int) {
	s := d.story
	next := s.after(completing, logs.AssignmentReceived, logs.Preparing, logs.EmptyGroup)
	if next < 0 || s.events[next].Kind != logs.Preparing {
		return nil, -1
	}
	until = s.after(next, logs.Completing, logs.EmptyGroup)
	leader = d.leads(completing)
	if until < 0 || d.waitedFor(s.before(until, logs.Preparing)) != until || leader == nil || !s.memberThroughout(leader, completing, until) {
		return nil, -1
	}
	return leader, until
}

func (d *draft) processOf(id wire.MemberID) *process {
	for _, p := range d.story.processes {
		for _, l := range p.lives {
			if l.id == id && id != "" {
				return p
			}
		}
	}
	return nil
}

// duration returns a setting of a fleet.
func (f *fleet) duration(key string) time.Duration {
	for _, s := range f.settings {
		if s.key == key {
			return s.duration()
		}
	}
	return 0
}

func (f *fleet) heartbeat() time.Duration {
	if d := f.duration(heartbeatInterval); d > 0 {
		return d
	}
	profile, _ := consumers.FindProfile(f.client.value)
	return profile.Config.HeartbeatInterval
}

// patience is how long the client lets pass between two polls before it leaves.
func (f *fleet) patience() time.Duration {
	if d := f.duration(maxPollInterval); d > 0 {
		return d
	}
	profile, _ := consumers.FindProfile(f.client.value)
	return profile.Config.MaxPollInterval
}
