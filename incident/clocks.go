package incident

import (
	"time"

	"simulate/incident/logs"
)

// offset finds out how far a client's clock is ahead of the broker's, from what must have come in an order: a JoinGroup is
// sent before its join phase ends, which is before it is answered, and an assignment arrives after the leader sent it; a
// LeaveGroup is sent before the broker logs it. Each bounds the offset, and where all bounds meet it lies.
func (g *group) offset(c *client) *Offset {
	if c.Instance != "" || g.causes.staticReplaced > 0 {
		return nil // a static member that comes back is told the generation at once, long after it began
	}
	b := bounds{low: -maxOffset, high: maxOffset}
	rounds := g.byGeneration()
	used := 0
	for _, j := range c.joins.list() {
		r := rounds[j.Generation]
		if r == nil || j.Generation < 0 || j.Failed != "" || r.Prepared == logs.NoTime {
			continue
		}
		delete(rounds, j.Generation) // who joins again without need is told the generation at once
		used++
		b.after(j.Sent, r.Prepared)
		b.before(j.Answered, r.Prepared, c.precision)
		b.before(j.Synced, r.Assigned, c.precision)
	}
	g.departures.backwards(func(l *Leave) bool {
		for i := range c.leaves {
			if l.Member != "" && l.Member == c.leaves[i].Member {
				used++
				b.after(c.leaves[i].At, l.At)
			}
		}
		return true
	})
	if used == 0 || b.low == -maxOffset || b.high == maxOffset {
		return nil
	}
	o := &Offset{Low: b.low, High: b.high, Rounds: used, Broken: b.broken}
	if zone := ((b.low + b.high) / 2).Round(quarter); zone != 0 && zone.Abs() <= lastZone && zone >= b.low-zoneDrift && zone <= b.high+zoneDrift {
		o.Zone = zone
	}
	return o
}

// byGeneration returns the rebalance of each generation, but of those that were lost with a coordinator and came again.
func (g *group) byGeneration() map[int32]*round {
	rounds := map[int32]*round{}
	g.course.rounds.backwards(func(r *round) bool {
		generation := r.Generation
		if _, again := rounds[generation]; again {
			r = nil
		}
		rounds[generation] = r
		return true
	})
	return rounds
}

// The limits of offsets: zones differ by whole quarters of an hour and at most lastZone, clocks beside that by seconds.
const (
	maxOffset = 1000 * time.Hour
	quarter   = 15 * time.Minute
	zoneDrift = time.Minute
	lastZone  = 14 * time.Hour
)

// bounds is where an offset lies.
type bounds struct {
	low, high time.Duration
	broken    bool
}

// after takes that a client wrote something no later than a broker wrote something else. Stamps are cut, a broker's to a
// millisecond.
func (b *bounds) after(client, broker logs.Instant) {
	if client != logs.NoTime && broker != logs.NoTime {
		b.set(max(b.low, client.Sub(broker)-time.Millisecond), b.high)
	}
}

// before takes that a client wrote something no earlier than a broker wrote something else.
func (b *bounds) before(client, broker logs.Instant, precision time.Duration) {
	if client != logs.NoTime && broker != logs.NoTime {
		b.set(b.low, min(b.high, client.Sub(broker)+max(precision, time.Millisecond)))
	}
}

func (b *bounds) set(low, high time.Duration) {
	if low > high {
		b.broken = true
		return
	}
	b.low, b.high = low, high
}

// warn says that clocks differ, when that is more than the error of what is known.
func (o *Offset) warn(group, client string, say func(string, ...any)) {
	middle, half := (o.Low+o.High)/2, (o.High-o.Low)/2
	switch {
	case o.Broken:
		say("%s: the clock of %s fits no single offset to the broker's: it was set, or drifts", group, client)
	case o.Zone != 0:
		say("%s: the stamps of %s are %v from the broker's: another time zone; nothing was shifted", group, client, o.Zone)
	case o.Low > 0 || o.High < 0:
		say("%s: the clock of %s is %v (give or take %v) ahead of the broker's; nothing was shifted", group, client,
			middle.Round(time.Millisecond), half.Round(time.Millisecond))
	}
}
