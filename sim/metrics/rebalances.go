package metrics

import (
	"slices"
	"sort"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Rebalance is the time from an entry to PreparingRebalance to Stable, Empty, Dead, or the next entry.
type Rebalance struct {
	At           clock.Time
	Until        clock.Time // the end of the period when Open
	Reason       trace.Reason
	Member       wire.MemberID   // the member behind it, the last one when there are several
	Who          string          // its process, "" when unknown
	Leavers      []wire.MemberID // those that left or were removed, where it began because of that
	PollTimeout  bool            // it left because its max.poll.interval.ms ran out
	ClientReason string          // what the client said
	From         wire.GroupState // the state that it interrupted
	Old          wire.Generation // at the beginning
	Generation   wire.Generation // at the end
	Ended        Ending
	Stopped      []Stop
}

// For returns how long the rebalance took, up to the end of the period.
func (r *Rebalance) For() time.Duration { return r.Until.Sub(r.At) }

// followUps are what consumers say that gave up partitions in a cooperative rebalance and join again at once, so that
// others can have them: Java, franz-go.
var followUps = []string{"need to revoke partitions and re-join", "after revoking what we lost from a rebalance"}

// FollowUp reports whether the rebalance is the second half of a cooperative one.
func (r *Rebalance) FollowUp() bool { return slices.Contains(followUps, r.ClientReason) }

// LongestStop returns the longest of Stopped, the first of equals; there must be one.
func (r *Rebalance) LongestStop() Stop {
	longest := r.Stopped[0]
	for _, s := range r.Stopped[1:] {
		if s.For > longest.For {
			longest = s
		}
	}
	return longest
}

// Ending says how a rebalance ended.
type Ending uint8

// The ways in which a rebalance ends.
const (
	Open       Ending = iota // not by the end of the period
	Completed                // Stable
	Emptied                  // no member was left
	Superseded               // the next rebalance began before the assignment was stored
	Abandoned                // the group died
)

var endings = [...]string{"open", "completed", "emptied", "superseded", "abandoned"}

func (e Ending) String() string { return endings[e] }

// Stop is a live process that gave up all its partitions, from then to its next assignment.
type Stop struct {
	Who  string
	At   clock.Time
	For  time.Duration
	Open bool // it had no assignment again by the end of the period
}

func (h *history) rebalances(p period) []Rebalance {
	all := []Rebalance{}
	for i := range h.stays {
		if s := &h.stays[i]; s.state == wire.PreparingRebalance && s.entered.At < p.before {
			all = append(all, h.rebalance(i, p))
		}
	}
	h.addStops(all, p)
	some := []Rebalance{}
	for _, r := range all {
		if p.has(r.At) {
			some = append(some, r)
		}
	}
	return some
}

// rebalance describes the one that begins with stay i.
func (h *history) rebalance(i int, p period) Rebalance {
	e := h.stays[i].entered
	r := Rebalance{
		At: e.At, Until: p.to, Reason: e.Reason, Member: e.Member, Who: h.stays[i].who, Leavers: e.List,
		ClientReason: e.Text, From: e.From, Old: e.Generation, Generation: e.Generation,
	}
	if c := h.stays[i-1].change; r.Member == "" && c.during(e.At) {
		r.Member, r.Who, r.PollTimeout, r.ClientReason = c.event.Member, c.who, c.pollTimeout, c.event.Text
	}
	for _, s := range h.stays[i+1:] {
		if s.entered.At >= p.before {
			break
		}
		r.Generation = s.entered.Generation
		if ended := endingBy(s.state); ended != Open {
			r.Ended, r.Until = ended, s.entered.At
			break
		}
	}
	return r
}

func endingBy(to wire.GroupState) Ending {
	switch to {
	case wire.Stable:
		return Completed
	case wire.Empty:
		return Emptied
	case wire.PreparingRebalance:
		return Superseded
	case wire.Dead:
		return Abandoned
	}
	return Open
}

// addStops gives each gap to the rebalance that caused it. Processes that ended were not stopped but
// left: they are nobody's.
func (h *history) addStops(all []Rebalance, p period) {
	for _, g := range h.gaps {
		if g.since >= p.before || g.gone && g.until < p.before {
			continue
		}
		r := behind(all, g)
		if r == nil {
			continue
		}
		open := g.until >= p.before
		r.Stopped = append(r.Stopped, Stop{Who: g.who, At: g.since, For: min(g.until, p.to).Sub(g.since), Open: open})
	}
}

// behind returns the rebalance that was going on when the gap began; else the first one that began
// during the gap (a consumer that loses its membership gives up its partitions before it rejoins); else
// the last one before it (the consumer learned of it late).
func behind(all []Rebalance, g gap) *Rebalance {
	next := sort.Search(len(all), func(i int) bool { return all[i].At > g.since })
	var last *Rebalance
	if next > 0 {
		last = &all[next-1]
		if last.Ended == Open || g.since < last.Until || g.since == last.At {
			return last
		}
	}
	if next < len(all) && all[next].At <= g.until {
		return &all[next]
	}
	return last
}
