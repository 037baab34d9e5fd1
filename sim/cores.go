package sim

import (
	"time"

	"simulate/sim/clock"
)

// requestWork is how long a request keeps a core of the broker's machine busy, as measured on a quiet one.
const requestWork = time.Millisecond

// cores are those of the one machine that runs all brokers and all consumers, where a scenario says that they share
// one. Work queues for them. Without any, everybody has as many as needed.
type cores []clock.Time // when each is free

// Run does d of work as soon as a core is free, and returns when it is done.
func (c cores) Run(now clock.Time, d time.Duration) clock.Time {
	if len(c) == 0 {
		return now.Add(d)
	}
	first := 0
	for i := range c {
		if c[i] < c[first] {
			first = i
		}
	}
	c[first] = max(c[first], now).Add(d)
	return c[first]
}
