package metrics

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestSample holds that percentiles are nearest ranks, as their definition has it, and that means are exact, for as
// many and as long times as there can be.
func TestSample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const longest = int64(10 * 365 * 24 * time.Hour)
		times := rapid.SliceOfN(rapid.Int64Range(0, longest), 1, 300).Draw(t, "times")
		sum := new(big.Int)
		var values []Value
		for _, d := range times {
			sum.Add(sum, big.NewInt(d))
			values = append(values, lasting(time.Duration(d)))
		}
		s := NewSample(values)
		p := Percentile(rapid.IntRange(1, int(Hundred)-1).Draw(t, "percentile"))
		enough := func(d int64) bool { // at least p of all do not exceed d
			n := 0
			for _, other := range times {
				if other <= d {
					n++
				}
			}
			return n*int(Hundred) >= int(p)*len(times)
		}
		want := slices.Max(times)
		for _, d := range times {
			if d < want && enough(d) {
				want = d
			}
		}
		if got := s.Percentile(p); got != lasting(time.Duration(want)) {
			t.Fatalf("percentile %d of %v is %v, want %d", p, times, got, want)
		}
		if s.Min() != lasting(time.Duration(slices.Min(times))) || s.Max() != lasting(time.Duration(slices.Max(times))) {
			t.Fatalf("%v has the ends %v and %v", times, s.Min(), s.Max())
		}
		mean := sum.Div(sum, big.NewInt(int64(len(times)))).Int64()
		if got := s.Mean(); got != lasting(time.Duration(mean)) {
			t.Fatalf("the mean of %v is %v, want %d", times, got, mean)
		}
	})
}

// TestSampleOfCounts: ranks of few values, and means with decimals.
func TestSampleOfCounts(t *testing.T) {
	s := NewSample([]Value{counted(3), counted(1), counted(4), counted(1)})
	for p, want := range map[Percentile]int{1: 1, 25_000: 1, 50_000: 1, 50_001: 3, 75_000: 3, 75_001: 4, 99_999: 4} {
		if got := s.Percentile(p); got != counted(want) {
			t.Errorf("percentile %d is %v, want %d", p, got, want)
		}
	}
	if got := s.Mean(); got != (Value{Type: NumberType, Number: 2.25}) {
		t.Errorf("the mean is %v", got)
	}
	shares := NewSample([]Value{{Type: ShareType, Share: 0.5}, {Type: ShareType, Share: 1}})
	if got := shares.Mean().String(); got != "75.0 %" {
		t.Errorf("the mean of shares is %s", got)
	}
	for n := range 200 {
		all := NewSample(slices.Repeat([]Value{{Type: ShareType, Share: 1}}, n+1))
		if got := all.Mean().Share; got != 1 {
			t.Errorf("the mean of %d whole shares is %v", n+1, got)
		}
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 2: "2", 2.5: "2.5", 100: "100", 1.0 / 3: "0.333", 0.00001: "0"} {
		if got := Number(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}
