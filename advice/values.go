package advice

import (
	"slices"
	"time"

	"simulate/sim/metrics"
)

// lower returns whole seconds below now, from the most that should do: that, a tenth less, and half of it. There are
// none when that is no change.
func lower(most, now time.Duration) []string {
	most = most.Truncate(time.Second)
	if most >= now {
		return nil
	}
	return written(most, (most - step(most)).Truncate(time.Second), (most / 2).Truncate(time.Second))
}

// higher returns whole seconds above now, from the least that should do: that, a tenth more, and twice as much.
func higher(least, now time.Duration) []string {
	least = max(least, now).Truncate(time.Second) + time.Second
	return written(least, (least + step(least)).Truncate(time.Second), 2*least)
}

func step(d time.Duration) time.Duration { return max(time.Second, d/10) }

// written writes the positive ones of some values, each once.
func written(values ...time.Duration) []string {
	var all []string
	for _, v := range values {
		if text := metrics.Duration(v); v > 0 && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}
