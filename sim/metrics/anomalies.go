package metrics

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Anomaly is something that a healthy group does not do.
type Anomaly struct {
	Kind  AnomalyKind
	Since clock.Time
	Until clock.Time // the end of the period while it lasts
	Count int        // rebalances, where it is about several
}

// For returns how long it took, up to the end of the period.
func (a *Anomaly) For() time.Duration { return a.Until.Sub(a.Since) }

// AnomalyKind says what is odd.
type AnomalyKind uint8

// The kinds of anomalies; the limits are Thresholds.
const (
	LongRebalance  AnomalyKind = iota // neither Stable nor Empty for long
	LongCompleting                    // CompletingRebalance for long
	LongEmpty                         // Empty for long
	Frequent                          // many rebalances in a short time
	Storm                             // a long series of rebalances with short intervals
)

var anomalyKinds = [...]string{
	"rebalancing-too-long", "completing-too-long", "empty-too-long", "frequent-rebalances", "rebalance-storm",
}

func (k AnomalyKind) String() string { return anomalyKinds[k] }

// anomalies lists them by kind, and by time within a kind.
func (h *history) anomalies(p period, t Thresholds, rebalances []Rebalance) []Anomaly {
	list := []Anomaly{}
	list = append(list, h.tooLong(p, LongRebalance, t.Rebalancing, wire.PreparingRebalance, wire.CompletingRebalance)...)
	list = append(list, h.tooLong(p, LongCompleting, t.Completing, wire.CompletingRebalance)...)
	list = append(list, h.tooLong(p, LongEmpty, t.Empty, wire.Empty)...)
	list = append(list, series(rebalances, Frequent, t.FrequentCount, func(d time.Duration) bool {
		return d <= t.FrequentWithin
	})...)
	list = append(list, series(rebalances, Storm, t.StormCount, func(d time.Duration) bool {
		return d < time.Duration(t.StormCount-1)*t.StormInterval
	})...)
	return list
}

// tooLong finds unbroken times in the given states that became longer than the limit.
func (h *history) tooLong(p period, kind AnomalyKind, limit time.Duration, states ...wire.GroupState) []Anomaly {
	var list []Anomaly
	var in [wire.NumGroupStates]bool
	for _, s := range states {
		in[s] = true
	}
	for i := 0; i < len(h.stays); i++ {
		if !in[h.stays[i].state] {
			continue
		}
		since := h.stays[i].entered.At
		for i+1 < len(h.stays) && in[h.stays[i+1].state] {
			i++
		}
		if until := h.until(i); p.crossed(since, until, limit) {
			list = append(list, Anomaly{Kind: kind, Since: since, Until: min(until, p.to)})
		}
	}
	return list
}

// series finds runs of rebalances in which each n in a row lie close together, from the first to the
// last of them; overlapping ones are one anomaly.
func series(rebalances []Rebalance, kind AnomalyKind, n int, near func(time.Duration) bool) []Anomaly {
	if n < 2 {
		return nil
	}
	var list []Anomaly
	end := -1 // the last rebalance of the last anomaly
	for i := 0; i+n <= len(rebalances); i++ {
		last := i + n - 1
		if !near(rebalances[last].At.Sub(rebalances[i].At)) {
			continue
		}
		if i > end {
			list = append(list, Anomaly{Kind: kind, Since: rebalances[i].At, Count: n - 1})
			end = last - 1
		}
		a := &list[len(list)-1]
		a.Count += last - end
		a.Until = rebalances[last].At
		end = last
	}
	return list
}
