package tuning

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/sim/scenario"
)

// Range is all values between two, both included.
type Range struct {
	Low, High float64 // in nanoseconds when it is of durations
	Log       bool    // steps have a constant ratio instead of a constant distance

	kind rangeKind
	step float64 // values between the ends are multiples of it; 0: any
}

type rangeKind uint8

const (
	wholeRange rangeKind = iota
	decimalRange
	durationRange
)

// parseRange reads LOW and what follows the two dots: HIGH, how many values, and whether their ratio is constant.
// Durations are multiples of the grain.
func parseRange(low, rest string, grain time.Duration) (r *Range, values []string, problem string) {
	parts := strings.Split(rest, "/")
	high, options := strings.TrimSpace(parts[0]), parts[1:]
	r, problem = newRange(strings.TrimSpace(low), high, grain)
	if problem != "" {
		return nil, nil, problem
	}
	if n := len(options); n > 0 && options[n-1] == "log" {
		r.Log, options = true, options[:n-1]
	}
	switch {
	case r.Log && r.Low <= 0:
		return nil, nil, "a range with /log begins above 0"
	case len(options) > 1:
		return nil, nil, "write a range as LOW..HIGH/N or LOW..HIGH/N/log, such as 6s..60s/10"
	case len(options) == 0:
		return r, nil, ""
	}
	n, problem := parseCount(options[0])
	if problem != "" {
		return nil, nil, problem
	}
	values = r.steps(n)
	if len(values) < n {
		return nil, nil, fmt.Sprintf("%d values do not fit between %s and %s; only %d are different", n, low, high, len(values))
	}
	return r, values, ""
}

func newRange(low, high string, grain time.Duration) (r *Range, problem string) {
	a, kindA, okA := parseEnd(low)
	b, kindB, okB := parseEnd(high)
	durations := kindA == durationRange
	switch {
	case !okA || !okB:
		bad := high
		if !okA {
			bad = low
		}
		return nil, scenario.Quote(bad) + " is no end of a range; write two numbers or two durations, such as 6s..60s/10, or a list a,b,c"
	case durations != (kindB == durationRange):
		return nil, fmt.Sprintf("%s and %s have no common unit; write both with one, such as 6s..60s/10, or both without", low, high)
	case a >= b:
		return nil, fmt.Sprintf("the range is empty: %s is not below %s", low, high)
	}
	r = &Range{Low: a, High: b, kind: max(kindA, kindB)}
	switch r.kind {
	case durationRange:
		r.step = float64(grain)
	case wholeRange:
		r.step = 1
	}
	return r, ""
}

// parseEnd reads a whole number, a number with decimals or a duration.
func parseEnd(text string) (x float64, kind rangeKind, ok bool) {
	if n, err := strconv.ParseInt(text, 10, 53); err == nil {
		return float64(n), wholeRange, true
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) {
		return x, decimalRange, true
	}
	d, err := scenario.ParseDuration(text)
	return float64(d), durationRange, err == nil
}

// steps returns n values from the one end to the other, without those that rounding makes equal.
func (r *Range) steps(n int) []string {
	values := make([]string, n)
	for i := range values {
		values[i] = r.At(float64(i) / float64(n-1))
	}
	return slices.Compact(values)
}

// At returns the value at a place between 0, the low end, and 1, the high end: a whole number
// between whole ones.
func (r *Range) At(place float64) string {
	x := r.Low + place*(r.High-r.Low)
	if r.Log {
		x = r.Low * math.Pow(r.High/r.Low, place)
	}
	if r.step > 0 {
		x = math.Round(x/r.step) * r.step
	}
	x = min(max(x, r.Low), r.High)
	switch r.kind {
	case wholeRange:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case durationRange:
		return strings.Trim(scenario.Span(time.Duration(x)), `"`)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
