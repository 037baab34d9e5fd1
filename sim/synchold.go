package sim

import (
	"slices"
	"time"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// syncHold keeps the next SyncGroup with which a leader hands in its assignment on the way, as a proxy between it
// and the broker does.
type syncHold struct {
	of      *actor // that member, once it leads; nil: whoever leads group
	group   string
	lasting time.Duration
}

// holdSyncOf holds the next assignment of a group, whoever leads it by then.
func (w *world) holdSyncOf(f *fault) {
	e := f.event
	w.Record(trace.Event{At: w.now(), Kind: trace.FaultBegan, Group: e.Group, Text: string(e.Do), Until: w.now()})
	w.holdSync(syncHold{group: e.Group, lasting: w.lasting(f)})
}

func (w *world) holdSync(h syncHold) { w.syncHolds = append(w.syncHolds, h) }

// keepSync lets a request that was asked for arrive later, and all that follows on its connection behind it.
func (w *world) keepSync(c *connection, r *wire.Request) {
	if len(w.syncHolds) == 0 || r.API != wire.SyncGroup || len(r.Body.(*wire.SyncGroupRequest).Assignments) == 0 {
		return
	}
	i := slices.IndexFunc(w.syncHolds, func(h syncHold) bool { return h.of == c.actor || h.of == nil && h.group == r.Group })
	if i < 0 {
		return
	}
	p := &c.out
	p.keptAt, p.keptUntil = w.now(), w.now().Add(w.syncHolds[i].lasting)
	p.last = max(p.last, p.keptUntil)
	w.syncHolds = slices.Delete(w.syncHolds, i, i+1)
}
