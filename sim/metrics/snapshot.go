package metrics

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Snapshot is how a group is at an instant, and what it has been through by then.
type Snapshot struct {
	Name       string
	State      wire.GroupState // NoGroup when the group does not exist, Dead when nobody coordinates it
	Since      clock.Time      // when it entered State: its last transition, or the start of the run
	For        time.Duration   // how long it has been in State
	Generation wire.Generation
	Members    int
	Rebalances int
	Last       *Rebalance // the last of them; nil when there was none
}

// Snapshot looks at all groups at an instant, with all events at that instant. What it says is what Summary(at) says.
func (f *Fold) Snapshot(at clock.Time) []Snapshot {
	p := period{from: 0, to: at, before: at.Add(1)}
	all := make([]Snapshot, len(f.groups))
	for i, h := range f.groups {
		all[i] = h.snapshot(p)
	}
	return all
}

func (h *history) snapshot(p period) Snapshot {
	now := h.stays[h.last(p)]
	s := Snapshot{
		Name: h.name, State: now.state, Since: now.entered.At, For: p.to.Sub(now.entered.At),
		Generation: now.entered.Generation, Members: h.size(p),
	}
	if rebalances := h.rebalances(p); len(rebalances) > 0 {
		s.Rebalances, s.Last = len(rebalances), &rebalances[len(rebalances)-1]
	}
	return s
}
