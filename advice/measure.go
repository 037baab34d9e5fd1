package advice

import (
	"time"

	"simulate/reports"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/wire"
)

// subject is the stay that advice is about, and whom the group waited for.
type subject struct {
	group  *metrics.Group // as it is without any change
	stay   *metrics.Stuck
	member string     // "" when unknown
	event  clock.Time // the last of the scenario's that came before the stay; 0 when none did
}

// measure returns what a run comes to for the subject.
func (s *subject) measure(run *metrics.Summary) reports.Measured {
	g := run.Group(s.group.Name)
	if g == nil {
		return reports.Measured{}
	}
	m := reports.Measured{
		Stuck: len(g.Stuck), Rebalances: len(g.Rebalances), Unassigned: g.Unassigned, Stopped: g.Stopped, Failures: len(g.Failures),
		Removed: removals(g, s.is), Left: leaves(g, s.is),
		Others: removals(g, func(who string) bool { return !s.is(who) }),
	}
	m.Stay, m.Elsewhere = s.stays(g.Transitions, run.To)
	for i := range g.Rebalances {
		for _, stop := range g.Rebalances[i].Stopped {
			m.LongestStop = max(m.LongestStop, stop.For)
		}
	}
	return m
}

// is reports whether a process is the one that the group waited for.
func (s *subject) is(who string) bool { return who != "" && who == s.member }

// stays returns the length of the corresponding stay, and that of the longest other one of a rebalance.
func (s *subject) stays(all []metrics.Transition, end clock.Time) (this, other time.Duration) {
	lengths := make([]time.Duration, len(all))
	for i, t := range all {
		until := end
		if i+1 < len(all) {
			until = all[i+1].At
		}
		if t.To == wire.PreparingRebalance || t.To == wire.CompletingRebalance {
			lengths[i] = until.Sub(t.At)
		}
	}
	at := s.overlapping(all, lengths)
	if at < 0 {
		at = s.nearest(all)
	}
	for i, length := range lengths {
		if i == at {
			this = length
			continue
		}
		other = max(other, length)
	}
	return this, other
}

// overlapping returns the longest stay of the subject's state that overlaps with it, -1 when there is none. Where the
// change has not acted yet, that is the same stay.
func (s *subject) overlapping(all []metrics.Transition, lengths []time.Duration) int {
	longest := -1
	for i, t := range all {
		if t.To != s.stay.State || t.At >= s.stay.Until || t.At.Add(lengths[i]) <= s.stay.Since {
			continue
		}
		if longest < 0 || lengths[i] > lengths[longest] {
			longest = i
		}
	}
	return longest
}

// nearest returns the stay of the subject's state, of those that came of the change after the same event of the
// scenario, that begins nearest to it: the change may have moved it. It returns -1 when there is none.
func (s *subject) nearest(all []metrics.Transition) int {
	same := 0
	for same < min(len(all), len(s.group.Transitions)) && all[same] == s.group.Transitions[same] {
		same++
	}
	near := -1
	for i := same; i < len(all) && all[i].At < s.stay.Until; i++ {
		if all[i].To == s.stay.State && all[i].At >= s.event {
			near = i // they begin before it, one after the other
		}
	}
	return near
}

// removals counts how often members of certain processes lost their membership without asking for it.
func removals(g *metrics.Group, of func(who string) bool) int {
	n := 0
	for i := range g.Evictions {
		if of(g.Evictions[i].Who) {
			n++
		}
	}
	for i := range g.Leaves {
		if g.Leaves[i].PollTimeout && of(g.Leaves[i].Who) {
			n++
		}
	}
	for i := range g.Fenced {
		if of(g.Fenced[i].Who) {
			n++
		}
	}
	return n
}

// leaves counts how often members of certain processes left, but for those whose poll timeout made them.
func leaves(g *metrics.Group, of func(who string) bool) int {
	n := 0
	for i := range g.Leaves {
		if !g.Leaves[i].PollTimeout && of(g.Leaves[i].Who) {
			n++
		}
	}
	return n
}

// holds reports whether a change does what its kind says. One that only moves the stay elsewhere does not, nor one
// with which applications fail.
func holds(t *reports.Trial, stuckAfter time.Duration) bool {
	if t.Then.Failures > t.Now.Failures {
		return false
	}
	if t.Kind == reports.SparesMember {
		return t.Then.Removed < t.Now.Removed
	}
	return t.Then.Stay <= stuckAfter && t.Then.Stuck < t.Now.Stuck
}
