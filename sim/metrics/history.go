package metrics

import (
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/records"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// history is everything about one group that any metric needs, in order of time.
type history struct {
	name      string
	stays     []stay // the first is the time before the group exists
	sizes     []sizeAt
	leaders   []leaderAt
	completed []clock.Time // entries to Stable; a group that is loaded as Stable does not enter it
	loaded    clock.Time   // when it was loaded last
	evictions []Eviction
	leaves    []Leave
	joins     []joinAt
	changes   []change     // members, and ids, that came or went
	pending   []clock.Time // ids that expired before they were used
	fenced    []Fencing
	failures  []Failure
	thrown    []Failure
	faults    []Happening // scenario events that act on the group's processes
	gaps      []gap       // times in which a live process held nothing after it held something
	holds     []holdAt
	seats     []seat // by when they began to count
	skews     []skewAt

	members map[wire.MemberID]bool
	issued  map[wire.MemberID]clock.Time // when a pending id was handed out
	seatOf  map[wire.MemberID]int        // the seats that count now
	died    map[wire.MemberID]clock.Time // when the processes behind members died
	holding holding
	balance balance

	logs        *records.Logs // what its topics hold, nil when that is nothing
	read        readings
	redelivered []Redelivery
	routine     *Routine

	clients []clientAt // the libraries of its processes
}

// stay is one stay in a state, with what is needed to explain it.
type stay struct {
	state   wire.GroupState
	entered trace.Event // what led into it
	who     string      // the process of entered.Member
	blocked []Blocked
	change  change // the last change of membership during the stay
	joiner  string // the process that sent the last JoinGroup during the stay
}

// change is a member, or a pending id, that came or went.
type change struct {
	event       trace.Event
	who         string
	pollTimeout bool
	limit       time.Duration // the max.poll.interval.ms or session.timeout.ms behind it, 0 when unknown
	behind      Happening     // the last event that acted on its process since it was heard of
	ghost       bool          // its process has started anew since
	alike       int           // how many came or went at the same instant for the same reason, itself included
}

// during reports whether the change is part of what happened at an instant.
func (c *change) during(at clock.Time) bool {
	return c.event.Kind != trace.NoKind && c.event.At == at
}

type sizeAt struct {
	at clock.Time
	n  int
}

type leaderAt struct {
	at clock.Time
	Leader
}

type joinAt struct {
	at  clock.Time
	who string
}

// holdAt says from when on how many partitions had no holder, and whether nobody who runs held any.
type holdAt struct {
	at         clock.Time
	unassigned int
	stopped    bool
}

// gap is a time in which a process held nothing, from its revocation to its next assignment.
type gap struct {
	who   string
	since clock.Time
	until clock.Time // Never while it lasts
	gone  bool       // the process ended instead
}

func newHistory(name string, topics map[string]int) *history {
	h := &history{
		name: name, holding: newHolding(topics), balance: newBalance(), skews: []skewAt{{}},
		members: map[wire.MemberID]bool{}, issued: map[wire.MemberID]clock.Time{}, seatOf: map[wire.MemberID]int{},
		died: map[wire.MemberID]clock.Time{},
	}
	h.stays = []stay{{state: wire.NoGroup}}
	h.holds = []holdAt{{unassigned: h.holding.unassigned(), stopped: true}}
	return h
}

// clientAt is the first process of a group that runs on a library.
type clientAt struct {
	at     clock.Time
	client string
}

// runsOn notes the library of one of the group's processes.
func (h *history) runsOn(client string, at clock.Time) {
	if !slices.ContainsFunc(h.clients, func(c clientAt) bool { return c.client == client }) {
		h.clients = append(h.clients, clientAt{at, client})
	}
}

// clientsBy returns the libraries on which the group's processes have run so far, in the order of their first starts.
func (h *history) clientsBy(p period) []string {
	var names []string
	for _, c := range h.clients {
		if c.at < p.before {
			names = append(names, c.client)
		}
	}
	return names
}

func (h *history) current() *stay { return &h.stays[len(h.stays)-1] }

// become begins a stay.
func (h *history) become(e trace.Event, who string) {
	h.stays = append(h.stays, stay{state: e.To, entered: e, who: who})
	if e.To == wire.Stable && e.Kind == trace.GroupBecame {
		h.completed = append(h.completed, e.At)
	}
	if e.To == wire.Dead || e.To == wire.NoGroup {
		clear(h.members)
		h.riseAll(e.At)
		h.resize(e.At)
		h.leaders = append(h.leaders, leaderAt{at: e.At})
	}
}

func (h *history) add(e trace.Event, who string) {
	h.members[e.Member] = true
	delete(h.issued, e.Member)
	if e.Reason != trace.AppendFailed && e.Reason != trace.Loaded { // a replacement that is taken back is no join
		h.joins = append(h.joins, joinAt{e.At, who})
	}
	if n := len(h.leaders) - 1; n >= 0 && h.leaders[n].at == e.At && h.leaders[n].Member == e.Member {
		h.leaders[n].Who = who // it was elected as it came
	}
	h.resize(e.At)
	h.changed(change{event: e, who: who})
}

func (h *history) remove(c change) {
	e := c.event
	delete(h.members, e.Member)
	h.resize(e.At)
	h.changed(c)
	switch e.Reason {
	case trace.SessionExpired, trace.NewMemberExpired, trace.NotRejoinedInTime, trace.SyncExpired:
		h.evictions = append(h.evictions, Eviction{
			At: e.At, Member: e.Member, Who: c.who, Cause: e.Reason,
			Heard: e.Since, Loaded: e.Since == h.loaded && e.Since > 0, Event: c.behind, Alive: h.alive(e.Member),
		})
	case trace.Left:
		h.leaves = append(h.leaves, Leave{At: e.At, Member: e.Member, Who: c.who, PollTimeout: c.pollTimeout})
	}
}

func (h *history) removePending(e trace.Event, who string) {
	c := change{event: e, who: who}
	if since, ok := h.issued[e.Member]; ok && e.Reason == trace.SessionExpired {
		c.limit = e.At.Sub(since)
	}
	delete(h.issued, e.Member)
	h.changed(c)
	if e.Reason == trace.SessionExpired {
		h.pending = append(h.pending, e.At)
	}
}

func (h *history) changed(c change) {
	last := &h.current().change
	c.alike = 1
	if last.during(c.event.At) && last.event.Reason == c.event.Reason {
		c.alike += last.alike
	}
	*last = c
	h.changes = append(h.changes, c)
}

func (h *history) resize(at clock.Time) {
	h.sizes = append(h.sizes, sizeAt{at, len(h.members)})
}

// held notes who holds what from now on; the last value of an instant counts.
func (h *history) held(at clock.Time) {
	now := holdAt{at, h.holding.unassigned(), h.holding.stopped()}
	last := &h.holds[len(h.holds)-1]
	switch {
	case last.unassigned == now.unassigned && last.stopped == now.stopped:
	case last.at == at:
		*last = now
	default:
		h.holds = append(h.holds, now)
	}
}

// openGap begins a gap of a process and returns its place.
func (h *history) openGap(who string, at clock.Time) int {
	h.gaps = append(h.gaps, gap{who: who, since: at, until: clock.Never})
	return len(h.gaps) - 1
}

// period is the part of a run that a summary looks at. Happenings count when from <= instant < before;
// stays and other times are clipped to [from, to].
type period struct {
	from, to, before clock.Time
}

func (p period) has(t clock.Time) bool { return p.from <= t && t < p.before }

// clip returns how much of [since, until) lies in the period.
func (p period) clip(since, until clock.Time) time.Duration {
	return max(0, min(until, p.to).Sub(max(since, p.from)))
}

// crossed reports whether [since, until) became longer than limit within the period, as known at its end.
func (p period) crossed(since, until clock.Time, limit time.Duration) bool {
	at := since.Add(limit)
	return p.from <= at && at < min(until, p.to)
}

// until returns when stay i ended; Never when it lasts.
func (h *history) until(i int) clock.Time {
	if i+1 < len(h.stays) {
		return h.stays[i+1].entered.At
	}
	return clock.Never
}

// last returns the index of the stay in which the period ends.
func (h *history) last(p period) int {
	i := 0
	for i+1 < len(h.stays) && h.stays[i+1].entered.At < p.before {
		i++
	}
	return i
}
