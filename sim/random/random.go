// Package random holds the named streams of random numbers of a run, and the distributions that
// scenarios use.
//
// A stream belongs to one (actor, purpose) pair and is found by name, so that adding an actor, a fault or
// a purpose shifts nobody else's numbers. Every variate is drawn by inversion from exactly one uniform
// number and in whole microseconds from the source on; the functions it needs (logarithm, exponential,
// normal quantile) are our own pure Go, so that every architecture gets the same bits.
//
// Not modelled: correlation between streams.
//
//	s := random.Seed(7).Stream("consumer/orders-1", "processing")
//	d := s.Draw(random.LogNormal(50*time.Millisecond, 4*time.Second))
package random

import (
	"fmt"
	"time"
)

// Seed is the root of all random numbers of one run.
type Seed uint64

// Stream is a sequence of random numbers that belongs to one actor and one purpose.
type Stream struct{ state uint64 }

// Stream returns the stream of that name; the same (seed, actor, purpose) always starts the same stream.
func (s Seed) Stream(actor, purpose string) *Stream {
	h := uint64(14695981039346656037) // FNV-1a
	mix := func(text string) {
		for i := range len(text) {
			h = (h ^ uint64(text[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211 // "ab"+"c" and "a"+"bc" differ
	}
	mix(actor)
	mix(purpose)
	st := &Stream{state: h ^ uint64(s)*0x9e3779b97f4a7c15}
	st.Uint64() // separates seeds that differ in few bits
	return st
}

// Uint64 returns the next 64 random bits (SplitMix64).
func (s *Stream) Uint64() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Unit returns a uniform number strictly between 0 and 1.
func (s *Stream) Unit() float64 { return unit(s.Uint64()) }

// unit takes 52 bits: with 53, adding a half would round the greatest number to 1.
func unit(bits uint64) float64 { return (float64(bits>>12) + 0.5) / (1 << 52) }

// Below returns a uniform whole number in [0, n). n must be positive.
func (s *Stream) Below(n int) int {
	return int(float64(n) * s.Unit())
}

// Between returns a uniform duration in [lo, hi), to the microsecond.
func (s *Stream) Between(lo, hi time.Duration) time.Duration {
	return s.Draw(Uniform(lo, hi))
}

// UUID returns a random type-4 UUID, lower case, as java.util.UUID prints it.
func (s *Stream) UUID() string {
	hi, lo := s.Uint64(), s.Uint64()
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(0xc<<60) | 0x8<<60
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xffff, hi&0xffff, lo>>48, lo&0xffffffffffff)
}
