package random

import (
	"hash/fnv"
	"math"
	"testing"
)

// grid is numbers over the whole range that the distributions use: 10^-8 … 10^8, unevenly spaced.
func grid(yield func(float64) bool) {
	for x := 1e-8; x < 1e8; x *= 1.0037 {
		if !yield(x) {
			return
		}
	}
}

// off returns how far got is from want, relative to want and to 1 when that is small.
func off(got, want float64) float64 {
	return math.Abs(got-want) / max(1, math.Abs(want))
}

func TestLnAndExpAreAccurate(t *testing.T) {
	for x := range grid {
		if d := off(ln(x), math.Log(x)); d > 4e-16 {
			t.Errorf("ln(%v) is %v, want %v (off by %.1e)", x, ln(x), math.Log(x), d)
		}
		y := math.Log(x) * 30 // -550 … 550
		if d := math.Abs(exp(y)/math.Exp(y) - 1); d > 1e-13 {
			t.Errorf("exp(%v) is %v, want %v (off by %.1e)", y, exp(y), math.Exp(y), d)
		}
	}
	for _, test := range []struct{ got, want float64 }{
		{ln(1), 0}, {exp(0), 1}, {exp(710), math.Inf(1)}, {exp(-746), 0}, {ln(5e-324), -744.4400719213812},
	} {
		if test.got != test.want {
			t.Errorf("got %v, want %v", test.got, test.want)
		}
	}
}

// The quantile of p is the z whose distribution function is p.
func TestNormQuantileIsAccurate(t *testing.T) {
	for x := range grid {
		p := x / (1 + x)
		z := normQuantile(p)
		// Above 1/2 the probability of the upper tail says more.
		got, want := math.Erfc(-z/math.Sqrt2)/2, p
		if p > 0.5 {
			got, want = math.Erfc(z/math.Sqrt2)/2, 1-p
		}
		if d := math.Abs(got/want - 1); d > 1e-13 {
			t.Errorf("the quantile %v is %v, where the distribution is off by %.1e", p, z, d)
		}
	}
	if got := normQuantile(0.99); math.Abs(got-z99) > 1e-15 {
		t.Errorf("the quantile 0.99 is %.17g; z99 is %.17g", got, z99)
	}
	if got := normQuantile(0.5); got != 0 {
		t.Errorf("the median is %v", got)
	}
}

// The same bits everywhere: these sums were taken on amd64 and must come out on every architecture.
func TestGoldenBits(t *testing.T) {
	for _, test := range []struct {
		name string
		f    func(float64) float64
		want uint64
	}{
		{"ln", ln, 0x9557e925bf1505a5},
		{"exp", func(x float64) float64 { return exp(ln(x) * 30) }, 0xfad5f84be97324d0},
		{"normQuantile", func(x float64) float64 { return normQuantile(x / (1 + x)) }, 0x7050638a0744d3d3},
	} {
		sum := fnv.New64a()
		for x := range grid {
			bits := math.Float64bits(test.f(x))
			for shift := 0; shift < 64; shift += 8 {
				sum.Write([]byte{byte(bits >> shift)})
			}
		}
		if got := sum.Sum64(); got != test.want {
			t.Errorf("%s: the bits add up to %#x, want %#x", test.name, got, test.want)
		}
	}
}
