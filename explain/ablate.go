package explain

import (
	"time"

	"simulate/sim/clock"
)

// Ablation is what becomes of the rebalances of one group when one event of the scenario does not happen, or one of its
// sources is not there.
type Ablation struct {
	Event  int32 // its number, from 1; that of a source from -1 downwards
	At     clock.Time
	Verb   string
	Source string // in place of At and Verb, such as "pauses g1-young of orders"
	Difference
}

// Difference is in what the rebalances of a group in another run differ from those of the run at hand.
type Difference struct {
	Needed  []int     // those that do not happen in the other run, by number
	Extra   int       // how many happen only there
	Changed []Changed // those that take a clearly different time there
}

// Changed is a rebalance that takes another time.
type Changed struct {
	Number int
	Took   time.Duration
	Then   time.Duration // in the other run
}

// sameWithin is how far apart a rebalance may begin in two runs and still be the same one: what a member learns with
// its next heartbeat or poll comes at another time when an earlier rebalance did not set the rhythm.
const sameWithin = 10 * time.Second

// atOnce is how far apart it may begin when another process is behind it: of several that would have begun it, another
// one was the first, or another one leads.
const atOnce = time.Second

// Compare compares the rebalances of a group in a run and in another one, such as the same without an event. The
// counterpart of a rebalance is one for the same reason at about the same time, by the same process if there is one.
func Compare(base, other []Chain) Difference {
	var d Difference
	taken := make([]bool, len(other))
	pairs := make([]int, len(base))
	for i := range base {
		pairs[i] = counterpart(&base[i], other, taken, true)
	}
	for i := range base {
		c := &base[i].Rebalance
		if pairs[i] < 0 {
			pairs[i] = counterpart(&base[i], other, taken, false)
		}
		if pairs[i] < 0 {
			d.Needed = append(d.Needed, base[i].Number)
			continue
		}
		if then := other[pairs[i]].Rebalance.For(); (then - c.For()).Abs() > max(time.Second, c.For()/10) {
			d.Changed = append(d.Changed, Changed{base[i].Number, c.For(), then})
		}
	}
	d.Extra = len(other) - (len(base) - len(d.Needed))
	return d
}

// counterpart takes the nearest free one and returns its index, or -1.
func counterpart(c *Chain, others []Chain, taken []bool, sameProcess bool) int {
	within := sameWithin
	if !sameProcess {
		within = atOnce
	}
	best, nearest := -1, within+1
	for i := range others {
		o := &others[i]
		if taken[i] || o.Rebalance.Reason != c.Rebalance.Reason || sameProcess && o.Rebalance.Who != c.Rebalance.Who {
			continue
		}
		if d := o.Rebalance.At.Sub(c.Rebalance.At).Abs(); d < nearest {
			best, nearest = i, d
		}
	}
	if best >= 0 {
		taken[best] = true
	}
	return best
}
