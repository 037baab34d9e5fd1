package metrics

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Skew says how unevenly partitions are held: who holds the most, and who the fewest of those that subscribe to the
// same topics; the first by name of equals. The zero Skew is even enough.
type Skew struct {
	Most, Least  string
	Held, Fewest int // partitions of Most and of Least
}

type skewAt struct {
	at clock.Time
	Skew
}

// load is how many partitions a member holds, and of what topics they can be, as topicsOf writes them.
type load struct {
	topics string
	held   int
}

// balance compares what the members of a group hold whose processes run.
type balance struct {
	loads   map[string]load             // by process
	holders map[string]map[int][]string // by topics and partitions held: the processes, sorted
}

func newBalance() balance {
	return balance{loads: map[string]load{}, holders: map[string]map[int][]string{}}
}

// put notes what a process holds from now on.
func (b *balance) put(who string, l load) {
	b.take(who)
	b.loads[who] = l
	if b.holders[l.topics] == nil {
		b.holders[l.topics] = map[int][]string{}
	}
	alike := b.holders[l.topics][l.held]
	i, _ := slices.BinarySearch(alike, who)
	b.holders[l.topics][l.held] = slices.Insert(alike, i, who)
}

// take notes that a process is no member, or does not run.
func (b *balance) take(who string) {
	l, ok := b.loads[who]
	if !ok {
		return
	}
	alike := b.holders[l.topics][l.held]
	i, _ := slices.BinarySearch(alike, who)
	if alike = slices.Delete(alike, i, i+1); len(alike) == 0 {
		delete(b.holders[l.topics], l.held)
	} else {
		b.holders[l.topics][l.held] = alike
	}
	delete(b.loads, who)
}

// skew compares the members that subscribe to the same topics. Of several topics the first count that are held
// unevenly.
func (b *balance) skew(ratio float64) Skew {
	for _, topics := range slices.Sorted(maps.Keys(b.holders)) {
		by := b.holders[topics]
		if len(by) < 2 {
			continue
		}
		held := slices.Sorted(maps.Keys(by))
		fewest, most := held[0], held[len(held)-1]
		if most-fewest >= 2 && float64(most) > ratio*float64(fewest) {
			return Skew{Most: by[most][0], Least: by[fewest][0], Held: most, Fewest: fewest}
		}
	}
	return Skew{}
}

// weigh notes what a process holds, and how even that leaves its group; the last value of an instant counts.
func (f *Fold) weigh(p *process, at clock.Time) {
	h := p.group
	if _, member := h.seatOf[p.member]; member && p.running {
		h.balance.put(p.name, load{p.topics, len(p.held)})
	} else {
		h.balance.take(p.name)
	}
	now := skewAt{at, h.balance.skew(f.options.Thresholds.ImbalanceRatio)}
	last := &h.skews[len(h.skews)-1]
	switch {
	case last.Skew == now.Skew:
	case last.at == at:
		*last = now
	default:
		h.skews = append(h.skews, now)
	}
}

// imbalances finds times within stays in Stable in which the partitions were held unevenly for longer than the limit.
func (h *history) imbalances(p period, limit time.Duration) []Anomaly {
	var list []Anomaly
	for i := range h.stays {
		since, until := h.stays[i].entered.At, h.until(i)
		if h.stays[i].state == wire.Stable && since < p.before && min(until, p.to).Sub(since) > limit {
			list = append(list, h.imbalancesIn(p, limit, since, until)...)
		}
	}
	return list
}

// imbalancesIn looks at one stay in Stable.
func (h *history) imbalancesIn(p period, limit time.Duration, since, until clock.Time) []Anomaly {
	var list []Anomaly
	lasts := func(i int) clock.Time { // the end of h.skews[i]
		if i+1 < len(h.skews) {
			return min(until, h.skews[i+1].at)
		}
		return until
	}
	next := sort.Search(len(h.skews), func(i int) bool { return h.skews[i].at > since })
	for i := next - 1; i < len(h.skews) && h.skews[i].at < until; i++ {
		if h.skews[i].Skew == (Skew{}) {
			continue
		}
		a := Anomaly{Kind: Imbalance, Since: max(since, h.skews[i].at), Skew: h.skews[i].Skew}
		for lasts(i) < until && h.skews[i+1].Skew != (Skew{}) {
			i++
			if h.skews[i].at < p.before {
				a.Skew = h.skews[i].Skew
			}
		}
		if p.crossed(a.Since, lasts(i), limit) {
			a.Until, a.Who = min(lasts(i), p.to), a.Skew.Most
			list = append(list, a)
		}
	}
	return list
}

// topicsOf writes topics in the one way in which they can be compared.
func topicsOf(topics []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(topics))), ",")
}
