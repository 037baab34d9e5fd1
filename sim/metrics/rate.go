package metrics

import (
	"math"
	"time"

	"simulate/sim/clock"
)

// What Kafka's sensors look back on: metrics.num.samples windows of metrics.sample.window.ms, at their defaults.
const (
	samples = 2
	window  = 30 * time.Second
)

// Scraped is how often monitoring asks: what Prometheus does by default.
const Scraped = time.Minute

// Reading is a number that holds from an instant on; NaN where Kafka says so.
type Reading struct {
	At    clock.Time
	Value float64
}

// read adds what a number is from an instant on, if that is another one; of one instant the last counts.
func read(list []Reading, at clock.Time, value float64) []Reading {
	last := len(list) - 1
	switch {
	case last >= 0 && (list[last].Value == value || math.IsNaN(list[last].Value) && math.IsNaN(value)):
		return list
	case last >= 0 && list[last].At == at:
		list[last].Value = value
		return list
	}
	return append(list, Reading{at, value})
}

// Rates returns what Kafka would say of the rate a second of things that happened at these instants, in order of time, if
// it was asked at even distances and at each of them; of one millisecond the last answer.
//
// Kafka: org.apache.kafka.common.metrics.stats.Rate.
func Rates(instants []clock.Time, every time.Duration, end clock.Time) []Reading {
	var all []Reading
	var k sampled
	asked := clock.Time(0)
	ask := func(at clock.Time) {
		if n := len(all) - 1; n >= 0 && all[n].At.Millis() == at.Millis() {
			all = all[:n]
		}
		all = append(all, Reading{at, k.rate(at)})
	}
	for _, at := range append(instants[:len(instants):len(instants)], end+1) {
		for ; asked < at && asked <= end; asked = asked.Add(every) {
			ask(asked)
		}
		if at <= end {
			k.record(at, 1)
			ask(at)
		}
	}
	return all
}

// sampled counts in windows, one after the other.
//
// Kafka: org.apache.kafka.common.metrics.stats.SampledStat.
type sampled struct {
	windows [samples + 1]sample // one more, since the oldest overlaps what is looked back on
	current int
	begun   int // how many windows there are
}

// sample is what one window has.
type sample struct {
	start, last clock.Time
	n           int
	sum, max    float64
}

func (k *sampled) record(at clock.Time, value float64) {
	if k.begun == 0 {
		k.begun, k.windows[0] = 1, sample{start: at, last: at}
	}
	if at.Sub(k.windows[k.current].start) >= window {
		k.current = (k.current + 1) % len(k.windows)
		k.begun = min(len(k.windows), k.begun+1)
		k.windows[k.current] = sample{start: at, last: at}
	}
	w := &k.windows[k.current]
	w.n++
	w.last, w.sum, w.max = at, w.sum+value, max(w.max, value)
}

// all adds up what is not too old. It forgets the rest.
func (k *sampled) all(now clock.Time) sample {
	all := sample{start: now}
	for i := range k.windows[:k.begun] {
		w := &k.windows[i]
		if now.Sub(w.last) >= samples*window {
			*w = sample{start: now, last: now}
		}
		all.n += w.n
		all.start, all.sum, all.max = min(all.start, w.start), all.sum+w.sum, max(all.max, w.max)
	}
	return all
}

// rate is a second. Windows that are missing count as empty ones. Kafka: Rate.windowSize.
func (k *sampled) rate(now clock.Time) float64 {
	all := k.all(now)
	elapsed := now.Sub(all.start)
	elapsed += max(0, samples-1-elapsed/window) * window
	return float64(all.n) / elapsed.Seconds()
}

// average is NaN when nothing was recorded. Kafka: Avg.
func (k *sampled) average(now clock.Time) float64 {
	all := k.all(now)
	return all.sum / float64(all.n)
}

// most is NaN when nothing was recorded, or nothing but 0. Kafka: Max.
func (k *sampled) most(now clock.Time) float64 {
	if all := k.all(now); all.max > 0 {
		return all.max
	}
	return math.NaN()
}
