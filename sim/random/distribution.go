package random

import (
	"slices"
	"time"
)

// Kind names the shape of a distribution.
type Kind uint8

// The shapes. The zero Distribution is the constant 0.
const (
	ConstantKind    Kind = iota // always A
	ExponentialKind             // mean A
	LogNormalKind               // median A, 99th percentile B
	UniformKind                 // from A (inclusive) to B (exclusive)
	ChoiceKind                  // one of Values, equally likely
)

// Distribution says how long something takes. Durations are not negative; Cap, when positive, clamps
// every variate from above.
type Distribution struct {
	Kind   Kind
	A, B   time.Duration
	Values []time.Duration
	Cap    time.Duration
}

// Constant is always d.
func Constant(d time.Duration) Distribution { return Distribution{A: d} }

// Exponential has the given mean.
func Exponential(mean time.Duration) Distribution {
	return Distribution{Kind: ExponentialKind, A: mean}
}

// LogNormal has the given median and 99th percentile; p99 must not be below p50.
func LogNormal(p50, p99 time.Duration) Distribution {
	return Distribution{Kind: LogNormalKind, A: p50, B: p99}
}

// Uniform lies between lo (inclusive) and hi (exclusive).
func Uniform(lo, hi time.Duration) Distribution {
	return Distribution{Kind: UniformKind, A: lo, B: hi}
}

// Choice takes one of the values, each equally likely.
func Choice(values ...time.Duration) Distribution {
	return Distribution{Kind: ChoiceKind, Values: values}
}

// IsConstant reports whether every variate is the same; drawing it takes no random number.
func (d Distribution) IsConstant() bool { return d.Kind == ConstantKind }

// Longest returns the bound of every variate; ok is false when there is none.
func (d Distribution) Longest() (bound time.Duration, ok bool) {
	switch d.Kind {
	case ConstantKind:
		bound = d.A
	case UniformKind:
		bound = d.B
	case ChoiceKind:
		bound = slices.Max(d.Values)
	default:
		return d.Cap, d.Cap > 0
	}
	if d.Cap > 0 {
		bound = min(bound, d.Cap)
	}
	return bound, true
}

// z99 is the 99th percentile of the standard normal distribution.
const z99 = 2.3263478740408408

// Draw returns the next variate of d: one uniform number, by inversion, rounded to microseconds. A
// constant takes none and is not rounded.
func (s *Stream) Draw(d Distribution) time.Duration {
	var v time.Duration
	switch d.Kind {
	case ConstantKind:
		v = d.A
	case ExponentialKind:
		v = micros(-float64(d.A) * ln(s.Unit()))
	case LogNormalKind:
		z := normQuantile(s.Unit())
		v = d.A
		if d.A > 0 {
			v = micros(float64(d.A) * exp(ln(float64(d.B)/float64(d.A))/z99*z))
		}
	case UniformKind:
		v = d.A + time.Duration(float64(d.B-d.A)/1e3*s.Unit())*time.Microsecond // cut, so that it stays below B
	case ChoiceKind:
		v = d.Values[s.Below(len(d.Values))]
	}
	if d.Cap > 0 {
		v = min(v, d.Cap)
	}
	return v
}

// longest bounds a variate: about 31 years, far beyond every run, so that sums cannot overflow.
const longest = 1e18

func micros(ns float64) time.Duration {
	if ns > longest {
		ns = longest
	}
	return time.Duration(ns/1e3+0.5) * time.Microsecond
}
