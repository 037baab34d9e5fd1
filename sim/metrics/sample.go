package metrics

import (
	"slices"
	"time"
)

// Sample holds what one metric came to in several runs: values of one type, ascending. It is of counts, durations,
// partitions times time, or shares.
type Sample []Value

// NewSample puts values into order. There must be at least one.
func NewSample(values []Value) Sample { return slices.SortedFunc(slices.Values(values), Compare) }

// Min returns the least value.
func (s Sample) Min() Value { return s[0] }

// Max returns the greatest value.
func (s Sample) Max() Value { return s[len(s)-1] }

// Percentile is a percentage in thousandths: 95 % is 95,000.
type Percentile int

// Hundred is the Percentile of all.
const Hundred Percentile = 100_000

// Percentile returns the nearest rank: the least value that at least p of all values do not exceed. It is one that
// occurred, so that there is a run to look at. p lies between 0 and Hundred, both excluded.
func (s Sample) Percentile(p Percentile) Value { return s[p.Rank(len(s))-1] }

// Rank returns the nearest rank among n values in ascending order, counted from 1.
func (p Percentile) Rank(n int) int { return (int(p)*n + int(Hundred) - 1) / int(Hundred) }

// Mean returns the arithmetic mean. That of counts is a number with decimals, that of times is cut to the nanosecond.
func (s Sample) Mean() Value {
	mean := Value{Type: s[0].Type}
	n := len(s)
	var whole, rest time.Duration // apart, since a sum of long times overflows
	var count int64
	for _, v := range s {
		count += v.Count
		whole += v.Duration / time.Duration(n)
		rest += v.Duration % time.Duration(n)
		mean.Share += v.Share
	}
	mean.Share /= float64(n)
	mean.Duration = whole + rest/time.Duration(n)
	if mean.Type == CountType {
		mean.Type, mean.Number = NumberType, float64(count)/float64(n)
	}
	return mean
}
