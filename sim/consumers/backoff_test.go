package consumers

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"simulate/sim/random"
)

// TestBackoff checks the bounds of Kafka's exponential back-off for its three users, attempt by attempt (J23).
func TestBackoff(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name          string
		base, longest time.Duration
		bounds        [][2]time.Duration // of each attempt; the last one of all further ones
	}{
		{"retry", 100 * ms, 1000 * ms, [][2]time.Duration{
			{80 * ms, 120 * ms}, {160 * ms, 240 * ms}, {320 * ms, 480 * ms}, {640 * ms, 960 * ms}, {800 * ms, 1000 * ms},
		}},
		{"reconnect", 50 * ms, 1000 * ms, [][2]time.Duration{
			{40 * ms, 60 * ms}, {80 * ms, 120 * ms}, {160 * ms, 240 * ms}, {320 * ms, 480 * ms}, {640 * ms, 960 * ms},
			{800 * ms, 1000 * ms},
		}},
		{"connection set-up", setupTimeout, setupTimeoutMax, [][2]time.Duration{
			{8000 * ms, 12000 * ms}, {16000 * ms, 24000 * ms}, {24000 * ms, 30000 * ms},
		}},
		{"base not below the maximum", 100 * ms, 100 * ms, [][2]time.Duration{{100 * ms, 100 * ms}}},
		{"base above the maximum", 200 * ms, 100 * ms, [][2]time.Duration{{100 * ms, 100 * ms}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				attempts := rapid.IntRange(0, len(tt.bounds)+2).Draw(t, "attempts")
				seed := random.Seed(rapid.Uint64().Draw(t, "seed"))
				p := &client{env: Env{Backoff: seed.Stream("c", "backoff")}}
				bounds := tt.bounds[min(attempts, len(tt.bounds)-1)]
				if d := p.jittered(tt.base, tt.longest, attempts); d < bounds[0] || d > bounds[1] || d%ms != 0 {
					t.Errorf("after %d attempts %v, want whole milliseconds within %v", attempts, d, bounds)
				}
			})
		})
	}

	// Of those at the maximum half are exactly there.
	p, longest := &client{env: Env{Backoff: random.Seed(1).Stream("c", "backoff")}}, 0
	for range 1000 {
		if p.jittered(100*ms, 1000*ms, 9) == 1000*ms {
			longest++
		}
	}
	if longest < 450 || longest > 550 {
		t.Errorf("%d of 1000 back-offs are the maximum, want about half", longest)
	}
}
