package tuning

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// tail is what a confidence interval leaves out at each end.
const tail = 0.025

// Estimate says what one value of a sample of runs is, and how sure that is; NaN stands for a run without a value.
func Estimate(over scenario.Aggregation, sample []float64) reports.Estimate {
	x := valued(sample)
	e := reports.Estimate{Runs: len(x)}
	if len(x) == 0 {
		return e
	}
	e.Mean = average(x)
	e.Value, e.Interval = value(over, x)
	slices.Sort(x)
	e.Min, e.Max = x[0], x[len(x)-1]
	e.P50, e.P95 = percentile(x, metrics.Hundred/2), percentile(x, metrics.Hundred*95/100)
	return e
}

// valued returns a sample without the runs that have no value.
func valued(sample []float64) []float64 { return slices.DeleteFunc(slices.Clone(sample), math.IsNaN) }

// value returns one value of many, and its interval if there is one.
func value(over scenario.Aggregation, x []float64) (float64, *reports.Interval) {
	switch over.Kind {
	case scenario.OfMin:
		return slices.Min(x), nil
	case scenario.OfMax:
		return slices.Max(x), nil
	case scenario.OfPercentile:
		x = slices.Sorted(slices.Values(x))
		return percentile(x, over.Percentile), percentileInterval(x, over.Percentile)
	}
	return mean(x)
}

// hasInterval reports whether value ever has an interval.
func hasInterval(over scenario.Aggregation) bool {
	return over.Kind != scenario.OfMin && over.Kind != scenario.OfMax
}

// Differ compares two cells by the replications in which both have a value: those have one seed, so that what they share
// by chance falls out. For means the interval is that of the mean of the differences (Student's t for pairs).
func Differ(over scenario.Aggregation, sample, base []float64) *reports.Difference {
	var x, y, apart []float64
	for i := range min(len(sample), len(base)) {
		if a, b := sample[i], base[i]; !math.IsNaN(a) && !math.IsNaN(b) {
			x, y, apart = append(x, a), append(y, b), append(apart, a-b)
		}
	}
	if len(apart) == 0 {
		return nil
	}
	d := &reports.Difference{Pairs: len(apart)}
	if over.Kind == scenario.InEach || over.Kind == scenario.OfMean {
		d.Value, d.Interval = mean(apart)
		return d
	}
	a, _ := value(over, x)
	b, _ := value(over, y)
	d.Value = a - b
	return d
}

// mean returns the mean and its interval by Student's t distribution, which takes two values at least.
func mean(x []float64) (float64, *reports.Interval) {
	m, n := average(x), float64(len(x))
	if n < 2 {
		return m, nil
	}
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1 - tail)
	half := t * stat.StdErr(stat.StdDev(x, nil), n)
	return m, &reports.Interval{Low: m - half, High: m + half}
}

// average adds from left to right, which gives the same bits on all processors; gonum's sum does not. A mean of whole
// numbers is often one that is rounded half up or half down by its last bit.
func average(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// percentile returns the nearest rank in an ascending sample.
func percentile(x []float64, p metrics.Percentile) float64 { return x[p.Rank(len(x))-1] }

// percentileInterval returns the two values of an ascending sample between which a percentile lies: the number of values
// below it has a binomial distribution, whatever they are of. Nil when the sample has no such values.
//
// David, Nagaraja: Order Statistics, 3rd ed. (Wiley, 2003), section 7.1.
func percentileInterval(x []float64, p metrics.Percentile) *reports.Interval {
	n := len(x)
	below := distuv.Binomial{N: float64(n), P: float64(p) / float64(metrics.Hundred)}
	low, high := 0, n+1
	for low < n && below.CDF(float64(low)) <= tail { // P(fewer than low+1) <= tail
		low++
	}
	for high > 1 && 1-below.CDF(float64(high-2)) <= tail { // P(at least high-1) <= tail
		high--
	}
	if low < 1 || high > n {
		return nil
	}
	return &reports.Interval{Low: x[low-1], High: x[high-1]}
}

// Narrow reports whether a value is known within a share of it, on both sides.
func Narrow(value float64, i *reports.Interval, share float64) bool {
	most := share * math.Abs(value)
	return i != nil && i.High-value <= most && value-i.Low <= most
}
