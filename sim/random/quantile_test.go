package random

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		name string
		d    Distribution
		p    float64
		want time.Duration
	}{
		{"zero", Distribution{}, 0.999, 0},
		{"constant", Constant(3 * time.Second), 0.999, 3 * time.Second},
		{"exponential", Exponential(time.Second), 0.999, 6907755 * time.Microsecond}, // ln 1000
		{"log-normal, median", LogNormal(50*time.Millisecond, time.Second), 0.5, 50 * time.Millisecond},
		{"log-normal, p99", LogNormal(50*time.Millisecond, time.Second), 0.99, time.Second},
		{"log-normal, p99.9", LogNormal(50*time.Millisecond, time.Second), 0.999, 2674293 * time.Microsecond}, // 50ms * 20^(3.090232/2.326348)
		{"log-normal of 0", LogNormal(0, 0), 0.999, 0},
		{"uniform", Uniform(time.Second, 2*time.Second), 0.25, 1250 * time.Millisecond},
		{"choice", Choice(3, 1, 2, 4), 0.5, 2},
		{"choice, p99.9", Choice(3, 1, 2, 4), 0.999, 4},
		{"cap", Distribution{Kind: ExponentialKind, A: time.Second, Cap: 5 * time.Second}, 0.999, 5 * time.Second},
	} {
		if got := c.d.Quantile(c.p); got != c.want {
			t.Errorf("%s: the quantile %v is %v, want %v", c.name, c.p, got, c.want)
		}
	}
}

// A quantile parts the draws as it says.
func TestQuantilePartsDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom([]Distribution{
			Exponential(time.Second), LogNormal(time.Second, 9*time.Second), Uniform(time.Second, 4*time.Second),
		}).Draw(t, "distribution")
		p := rapid.Float64Range(0.1, 0.9).Draw(t, "p")
		s := Seed(rapid.Uint64().Draw(t, "seed")).Stream("who", "why")
		const draws = 2000
		all := make([]time.Duration, draws)
		for i := range all {
			all[i] = s.Draw(d)
		}
		slices.Sort(all)
		at, _ := slices.BinarySearch(all, d.Quantile(p))
		if share := float64(at) / draws; share < p-0.08 || share > p+0.08 {
			t.Fatalf("%v of the draws are below the quantile %v", share, p)
		}
	})
}
