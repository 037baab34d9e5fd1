package random

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const draws = 20_000

// sample draws from d and returns the variates in order of size.
func sample(d Distribution) []time.Duration {
	s := Seed(11).Stream("test", "sample")
	all := make([]time.Duration, draws)
	for i := range all {
		all[i] = s.Draw(d)
	}
	slices.Sort(all)
	return all
}

func mean(all []time.Duration) float64 {
	sum := 0.0
	for _, v := range all {
		sum += float64(v)
	}
	return sum / float64(len(all))
}

func quantile(all []time.Duration, p float64) float64 { return float64(all[int(p*float64(len(all)))]) }

func TestShapes(t *testing.T) {
	const second = float64(time.Second)
	exponential := sample(Exponential(time.Second))
	logNormal := sample(LogNormal(50*time.Millisecond, 4*time.Second))
	uniform := sample(Uniform(time.Second, 3*time.Second))
	capped := sample(Distribution{Kind: ExponentialKind, A: time.Second, Cap: 700 * time.Millisecond})
	for _, test := range []struct {
		name      string
		got, want float64
		tolerance float64 // relative; about five standard errors
	}{
		{"exponential: mean", mean(exponential), second, 0.035},
		{"exponential: median", quantile(exponential, 0.5), math.Ln2 * second, 0.05},
		{"exponential: p99", quantile(exponential, 0.99), math.Log(100) * second, 0.08},
		{"log-normal: median", quantile(logNormal, 0.5), 0.05 * second, 0.1},
		{"log-normal: p99", quantile(logNormal, 0.99), 4 * second, 0.3},
		{"uniform: mean", mean(uniform), 2 * second, 0.01},
		{"uniform: first quartile", quantile(uniform, 0.25), 1.5 * second, 0.015},
		{"uniform: least", quantile(uniform, 0), second, 0.001},
		{"uniform: greatest", float64(uniform[draws-1]), 3 * second, 0.001},
		{"capped: greatest", float64(capped[draws-1]), 0.7 * second, 0},
		{"capped: median is below the cap", quantile(capped, 0.5), math.Ln2 * second, 0.05},
	} {
		if math.Abs(test.got-test.want) > test.tolerance*test.want {
			t.Errorf("%s is %.4gs, want %.4gs", test.name, test.got/second, test.want/second)
		}
	}
}

func TestChoiceIsEven(t *testing.T) {
	values := []time.Duration{1, 2, 5}
	counts := map[time.Duration]int{}
	for _, v := range sample(Choice(values...)) {
		counts[v]++
	}
	for _, v := range values {
		if n := counts[v]; math.Abs(float64(n)-draws/3) > 340 { // five standard deviations
			t.Errorf("%v was drawn %d times of %d", v, n, draws)
		}
	}
}

func TestConstant(t *testing.T) {
	s := Seed(1).Stream("a", "b")
	before := *s
	d := Constant(1234567 * time.Nanosecond)
	if got := s.Draw(d); got != 1234567 || *s != before || !d.IsConstant() {
		t.Errorf("a constant drew %v and moved the stream from %v to %v", got, before, *s)
	}
	if got := s.Draw(Distribution{}); got != 0 {
		t.Errorf("the zero distribution drew %v", got)
	}
	if got := s.Draw(Distribution{A: time.Second, Cap: time.Millisecond}); got != time.Millisecond {
		t.Errorf("a capped constant drew %v", got)
	}
}

func drawShape(t *rapid.T) Distribution {
	a := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "a"))
	b := a + time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "b"))
	return rapid.SampledFrom([]Distribution{Exponential(a), LogNormal(a, b), Uniform(a, b), Choice(a, b)}).Draw(t, "shape")
}

// Law: a variate takes exactly one number, is not negative and, where the parameters are whole
// microseconds, is whole microseconds.
func TestOneDrawAVariate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawShape(t)
		d.A = d.A.Truncate(time.Microsecond)
		s := Seed(rapid.Uint64().Draw(t, "seed")).Stream("a", "b")
		after := *s
		after.Uint64()
		v := s.Draw(d)
		if *s != after {
			t.Fatalf("%+v did not take one number", d)
		}
		if bound, ok := d.Longest(); ok && v > bound {
			t.Fatalf("%+v drew %d ns, and its longest is %d", d, v, bound)
		}
		if v < 0 || d.Kind != ChoiceKind && v%time.Microsecond != 0 {
			t.Fatalf("%+v drew %d ns", d, v)
		}
	})
}

// Law: from the same number, greater parameters give no smaller variate; so runs of a sweep can be
// compared pair by pair.
func TestMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := Seed(rapid.Uint64().Draw(t, "seed"))
		d := drawShape(t)
		greater := d
		more := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "more"))
		greater.A, greater.B = d.A+more, d.B+more
		if d.Kind == LogNormalKind { // the median alone narrows it; the 99th percentile in step keeps its shape
			factor := rapid.Int64Range(1, 9).Draw(t, "factor")
			greater.A, greater.B = d.A*time.Duration(factor), d.B*time.Duration(factor)
		}
		if d.Kind == ChoiceKind {
			greater.Values = []time.Duration{d.Values[0] + more, d.Values[1] + more}
		}
		a, b := seed.Stream("a", "b").Draw(d), seed.Stream("a", "b").Draw(greater)
		if b < a {
			t.Fatalf("%+v gives %v and %+v only %v", d, a, greater, b)
		}
	})
}

func TestVariatesAreBounded(t *testing.T) {
	s := Seed(1).Stream("a", "b")
	for range 1000 {
		if v := s.Draw(LogNormal(1, math.MaxInt64)); v < 0 || v > longest {
			t.Fatalf("drew %d ns", v)
		}
	}
}

// The same durations everywhere; see TestGoldenBits.
func TestGoldenDraws(t *testing.T) {
	s := Seed(7).Stream("consumer/orders-1", "processing")
	for _, test := range []struct {
		d    Distribution
		want time.Duration
	}{
		{Exponential(time.Second), 153_527_000},
		{LogNormal(50*time.Millisecond, 4*time.Second), 2_991_000},
		{Uniform(time.Second, 3*time.Second), 2_344_428_000},
		{Choice(1, 2, 3, 4, 5), 3},
	} {
		if got := s.Draw(test.d); got != test.want {
			t.Errorf("%+v drew %d ns, want %d ns", test.d, got, test.want)
		}
	}
}
