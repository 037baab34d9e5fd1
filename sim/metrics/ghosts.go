package metrics

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// seat is a place that counts at the coordinator: that of a member, or of an id that was handed out.
type seat struct {
	member  wire.MemberID
	who     string // the process that it was made for, "" when unknown
	pending bool
	vacant  clock.Time // since when nobody is behind it; Never while somebody is
	dead    clock.Time // the same, or since when its process is halted until the end of the run
	until   clock.Time // when it went, or the id was used; Never while it counts
}

// sit adds a seat that counts from now on.
func (h *history) sit(s seat, at clock.Time) {
	h.rise(s.member, at)
	s.dead, s.until = s.vacant, clock.Never
	if since, dead := h.died[s.member]; dead { // it was loaded, and died before that
		s.dead = min(since, s.dead)
	}
	h.seatOf[s.member] = len(h.seats)
	h.seats = append(h.seats, s)
}

// rise ends the seat of a member or id, if there is one.
func (h *history) rise(id wire.MemberID, at clock.Time) {
	if i, ok := h.seatOf[id]; ok {
		h.seats[i].until = at
		delete(h.seatOf, id)
	}
}

// riseAll ends all seats: the group has no coordinator any more. One that loads it counts anew.
func (h *history) riseAll(at clock.Time) {
	for _, i := range h.seatOf { // in any order: each is one for itself
		h.seats[i].until = at
	}
	clear(h.seatOf)
	h.balance = newBalance()
}

// vacate notes that nobody is behind a member any more.
func (h *history) vacate(id wire.MemberID, at clock.Time) {
	if i, ok := h.seatOf[id]; ok && h.seats[i].vacant == clock.Never {
		h.seats[i].vacant = at
	}
	h.die(id, at)
}

// die notes that the process behind a member is dead, or as good as dead.
func (h *history) die(id wire.MemberID, at clock.Time) {
	if _, dead := h.died[id]; dead || id == "" {
		return
	}
	h.died[id] = at
	if i, ok := h.seatOf[id]; ok {
		h.seats[i].dead = min(h.seats[i].dead, at)
	}
}

// alive reports whether there is a process behind a member.
func (h *history) alive(id wire.MemberID) bool {
	i, ok := h.seatOf[id]
	return ok && h.seats[i].dead == clock.Never
}

// detection returns the longest time for which a dead member counted.
func (h *history) detection(p period) time.Duration {
	var most time.Duration
	for i := range h.seats {
		if s := &h.seats[i]; !s.pending {
			most = max(most, p.clip(s.dead, s.until))
		}
	}
	return most
}

// seat gives a member its seat. A running process goes by the id with which it was added last; a member that was loaded
// is one of its own or one of an earlier process.
func (f *Fold) seat(h *history, e trace.Event) {
	s := seat{member: e.Member, who: f.who(e), vacant: e.At}
	p := f.process(s.who)
	if p == nil {
		h.sit(s, e.At)
		return
	}
	if p.running && (e.Reason != trace.Loaded || p.member == e.Member) {
		if p.member != e.Member {
			h.vacate(p.member, e.At)
		}
		if e.Reason != trace.Loaded {
			delete(h.died, e.Member)
		}
		p.member, s.vacant = e.Member, clock.Never
	}
	h.sit(s, e.At)
	f.weigh(p, e.At)
}

// unseat ends the seat of a member.
func (f *Fold) unseat(h *history, e trace.Event) {
	h.rise(e.Member, e.At)
	if p := f.process(f.who(e)); p != nil {
		f.weigh(p, e.At)
	}
}

// ended notes that a process is gone, whose member may still count.
func (f *Fold) ended(p *process, at clock.Time) {
	p.group.vacate(p.member, at)
	p.running, p.member = false, ""
	f.weigh(p, at)
}

// ghosts finds the seats that nobody was behind for longer than the limit.
func (h *history) ghosts(p period, limit time.Duration) []Anomaly {
	var list []Anomaly
	for i := range h.seats {
		if s := &h.seats[i]; s.vacant < s.until && p.crossed(s.vacant, s.until, limit) {
			list = append(list, Anomaly{
				Kind: GhostMembers, Since: s.vacant, Until: min(s.until, p.to), Who: s.who, Member: s.member, Pending: s.pending,
			})
		}
	}
	return byTime(list)
}
