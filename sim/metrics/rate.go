package metrics

import (
	"time"

	"simulate/sim/clock"
)

// What a broker's rates look back on: metrics.num.samples windows of metrics.sample.window.ms, at their defaults.
const (
	rateSamples = 2
	rateWindow  = 30 * time.Second
)

// RateAt is a rate, a second, at an instant.
type RateAt struct {
	At     clock.Time
	Second float64
}

// Rates returns what Kafka would say of the rate of things that happened at these instants, in order of time, if it was
// asked at even distances and at each of them; of one millisecond the last answer.
//
// Kafka: org.apache.kafka.common.metrics.stats.Rate and SampledStat.
func Rates(instants []clock.Time, every time.Duration, end clock.Time) []RateAt {
	var all []RateAt
	var k kafkaRate
	asked := clock.Time(0)
	ask := func(at clock.Time) {
		if n := len(all) - 1; n >= 0 && all[n].At.Millis() == at.Millis() {
			all = all[:n]
		}
		all = append(all, RateAt{at, k.measure(at)})
	}
	for _, at := range append(instants[:len(instants):len(instants)], end+1) {
		for ; asked < at && asked <= end; asked = asked.Add(every) {
			ask(asked)
		}
		if at <= end {
			k.record(at)
			ask(at)
		}
	}
	return all
}

// kafkaRate counts in windows, one after the other.
type kafkaRate struct {
	windows [rateSamples + 1]rateCount // one more, since the oldest overlaps what is looked back on
	current int
	begun   int // how many windows there are
}

type rateCount struct {
	start, last clock.Time
	n           int
}

func (k *kafkaRate) record(at clock.Time) {
	if k.begun == 0 {
		k.begun, k.windows[0] = 1, rateCount{start: at, last: at}
	}
	if at.Sub(k.windows[k.current].start) >= rateWindow {
		k.current = (k.current + 1) % len(k.windows)
		k.begun = min(len(k.windows), k.begun+1)
		k.windows[k.current] = rateCount{start: at, last: at}
	}
	w := &k.windows[k.current]
	w.n++
	w.last = at
}

func (k *kafkaRate) measure(now clock.Time) float64 {
	n, oldest := 0, now
	for i := range k.windows[:k.begun] {
		w := &k.windows[i]
		if now.Sub(w.last) >= rateSamples*rateWindow {
			*w = rateCount{start: now, last: now}
		}
		n += w.n
		oldest = min(oldest, w.start)
	}
	elapsed := max(now.Sub(oldest), rateWindow*(rateSamples-1)) // never less than all windows but one
	return float64(n) / elapsed.Seconds()
}
