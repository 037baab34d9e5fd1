package consumers

import (
	"time"

	"simulate/sim/clock"
)

// retryBackoff returns the back-off after so many failed attempts in a row. Config: retry.backoff.ms.
func (p *client) retryBackoff(attempts int) time.Duration {
	if p.profile.constantRetry {
		return p.plan.Config.RetryBackoff
	}
	return p.jittered(p.plan.Config.RetryBackoff, p.plan.Config.RetryBackoffMax, attempts)
}

// jittered is Kafka's ExponentialBackoff: base doubled per attempt, +-20 %, at most max; a base that is
// not below max is the constant max.
func (p *client) jittered(base, longest time.Duration, attempts int) time.Duration {
	if base >= longest {
		return longest
	}
	d := base
	for ; attempts > 0 && d < longest; attempts-- {
		d *= 2
	}
	d = min(d, longest)
	return min(p.spread(d).Truncate(time.Millisecond), longest)
}

// spread draws a time that is d, +-20 %.
func (p *client) spread(d time.Duration) time.Duration { return p.env.Backoff.Between(d-d/5, d+d/5) }

// firstTick returns the first tick, not before t, of a timer that began at an instant.
func firstTick(began clock.Time, every time.Duration, t clock.Time) clock.Time {
	if t <= began {
		return began.Add(every)
	}
	n := (t.Sub(began) + every - 1) / every
	return began.Add(n * every)
}
