package metrics

import (
	"cmp"
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Curves is how numbers of a group went over a run, as plots and monitoring show them. Each is in order of time.
type Curves struct {
	Group      string
	State      []StateAt
	Members    []Level
	Generation []Level
	Unassigned []Level                  // partitions without a holder; empty when no join phase ended with a member
	Lag        []Level                  // of records, at even distances; nil when the group's topics never hold any
	Completed  []clock.Time             // when rebalances were completed, as Kafka's group-completed-rebalance-count counts
	Began      map[trace.Reason][]Level // rebalances by why they began
	Evicted    map[trace.Reason][]Level // members that were removed without a request, by why
}

// Level is a number that holds from an instant on.
type Level struct {
	At clock.Time
	N  int64
}

// StateAt is the state of a group from an instant on.
type StateAt struct {
	At    clock.Time
	State wire.GroupState
}

// lagSamples is at how many instants a curve has the lag, at most.
const lagSamples = 400

// Curves returns the curves of all groups up to an instant, sorted by name.
func (f *Fold) Curves(end clock.Time) []Curves {
	var all []Curves
	for _, h := range f.groups {
		all = append(all, h.curves(period{to: end, before: end.Add(1)}))
	}
	return all
}

func (h *history) curves(p period) Curves {
	c := Curves{
		Group: h.name, Unassigned: h.unassignedLevels(p), Lag: h.lagLevels(p),
		Began: map[trace.Reason][]Level{}, Evicted: map[trace.Reason][]Level{},
	}
	for i := range h.stays {
		e := &h.stays[i].entered
		if e.At >= p.before {
			break
		}
		c.State = append(c.State, StateAt{e.At, h.stays[i].state})
		c.Generation = level(c.Generation, e.At, int64(e.Generation))
	}
	for _, s := range h.sizes {
		if s.at < p.before {
			c.Members = level(c.Members, s.at, int64(s.n))
		}
	}
	c.Completed = within(h.completed, p, func(t clock.Time) clock.Time { return t })
	for _, r := range h.rebalances(p) {
		c.Began[r.Reason] = another(c.Began[r.Reason], r.At)
	}
	for _, e := range h.evictions {
		if e.At < p.before {
			c.Evicted[e.Cause] = another(c.Evicted[e.Cause], e.At)
		}
	}
	return c
}

// level adds what a number is from an instant on, if that is another one; of one instant the last counts.
func level(list []Level, at clock.Time, n int64) []Level {
	last := len(list) - 1
	switch {
	case last >= 0 && list[last].N == n:
		return list
	case last >= 0 && list[last].At == at:
		list[last].N = n
		return list
	}
	return append(list, Level{at, n})
}

// another counts one more.
func another(list []Level, at clock.Time) []Level {
	n := int64(1)
	if len(list) > 0 {
		n += list[len(list)-1].N
	}
	return level(list, at, n)
}

// unassignedLevels begins where Summary begins to count.
func (h *history) unassignedLevels(p period) []Level {
	first := h.firstJoined()
	if first >= p.before {
		return nil
	}
	var list []Level
	for _, hold := range h.holds {
		if hold.at < p.before {
			list = level(list, max(hold.at, first), int64(hold.unassigned))
		}
	}
	return list
}

func (h *history) lagLevels(p period) []Level {
	if h.logs == nil {
		return nil
	}
	var list []Level
	next, step := p.from, max(time.Second, p.to.Sub(p.from)/lagSamples)
	h.eachLag(p, func(w *lagWalk, _, until clock.Time) {
		for ; next < until; next = next.Add(step) {
			list = append(list, Level{next, w.lag(next)})
		}
		if until == p.to { // the last one counts
			list = append(slices.DeleteFunc(list, func(l Level) bool { return l.At == until }), Level{until, w.lag(until)})
		}
	})
	return list
}

// GroupsIn counts the groups that are in one of these states.
func GroupsIn(all []Curves, states ...wire.GroupState) []Level {
	var changes []Level // by how much
	for i := range all {
		in := false
		for _, s := range all[i].State {
			now := slices.Contains(states, s.State)
			switch {
			case now && !in:
				changes = append(changes, Level{s.At, 1})
			case !now && in:
				changes = append(changes, Level{s.At, -1})
			}
			in = now
		}
	}
	slices.SortStableFunc(changes, func(a, b Level) int { return cmp.Compare(a.At, b.At) })
	list, n := []Level{{}}, int64(0)
	for _, c := range changes {
		n += c.N
		list = level(list, c.At, n)
	}
	return list
}

// AllCompleted returns when the groups completed rebalances, in order of time.
func AllCompleted(all []Curves) []clock.Time {
	var instants []clock.Time
	for i := range all {
		instants = append(instants, all[i].Completed...)
	}
	slices.Sort(instants)
	return instants
}

// Counted counts instants from 0 on.
func Counted(instants []clock.Time) []Level {
	list := []Level{{}}
	for i, at := range instants {
		list = level(list, at, int64(i)+1)
	}
	return list
}
