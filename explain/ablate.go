package explain

import (
	"time"

	"simulate/sim/clock"
)

// Ablation is what becomes of the rebalances of one group when one event of the scenario does not happen.
type Ablation struct {
	Event  int32 // its number, from 1
	At     clock.Time
	Verb   string
	Needed []int // the rebalances that do not happen without it, by number
	Extra  int   // how many happen only without it
}

// sameWithin is how far apart a rebalance may begin in two runs and still be the same one: what a member learns with
// its next heartbeat or poll comes at another time when an earlier rebalance did not set the rhythm.
const sameWithin = 10 * time.Second

// Missing compares the rebalances of a group in a run and in the same run without an event. It returns the numbers
// of those that have no counterpart, which is a rebalance for the same reason by the same process at about the same
// time, and counts those that only the other run has.
func Missing(base, without []Chain) (missing []int, extra int) {
	taken := make([]bool, len(without))
	for i := range base {
		c := counterpart(&base[i], without, taken)
		if c < 0 {
			missing = append(missing, base[i].Number)
			continue
		}
		taken[c] = true
	}
	return missing, len(without) - (len(base) - len(missing))
}

// counterpart returns the index of the nearest free one, or -1.
func counterpart(c *Chain, others []Chain, taken []bool) int {
	best, nearest := -1, sameWithin+1
	for i := range others {
		o := &others[i]
		if taken[i] || o.Rebalance.Reason != c.Rebalance.Reason || o.Rebalance.Who != c.Rebalance.Who {
			continue
		}
		if d := o.Rebalance.At.Sub(c.Rebalance.At).Abs(); d < nearest {
			best, nearest = i, d
		}
	}
	return best
}
