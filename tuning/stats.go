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
	x := slices.DeleteFunc(slices.Clone(sample), math.IsNaN)
	e := reports.Estimate{Runs: len(x)}
	if len(x) == 0 {
		return e
	}
	e.Mean, e.Interval = mean(x)
	slices.Sort(x)
	e.Min, e.Max = x[0], x[len(x)-1]
	e.P50, e.P95 = percentile(x, metrics.Hundred/2), percentile(x, metrics.Hundred*95/100)
	switch over.Kind {
	case scenario.OfMin:
		e.Value, e.Interval = e.Min, nil
	case scenario.OfMax:
		e.Value, e.Interval = e.Max, nil
	case scenario.OfPercentile:
		e.Value, e.Interval = percentile(x, over.Percentile), percentileInterval(x, over.Percentile)
	default:
		e.Value = e.Mean
	}
	return e
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
	if over.Kind != scenario.InEach && over.Kind != scenario.OfMean {
		d.Value = Estimate(over, x).Value - Estimate(over, y).Value
		return d
	}
	d.Value, d.Interval = mean(apart)
	return d
}

// mean returns the mean and its interval by Student's t distribution, which takes two values at least.
func mean(x []float64) (float64, *reports.Interval) {
	m, deviation := stat.MeanStdDev(x, nil)
	n := float64(len(x))
	if n < 2 {
		return m, nil
	}
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1 - tail)
	half := t * deviation / math.Sqrt(n)
	return m, &reports.Interval{Low: m - half, High: m + half}
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

// Narrow reports whether an estimate is within a share of its value, on both sides.
func Narrow(e *reports.Estimate, share float64) bool {
	if e.Interval == nil {
		return false
	}
	most := share * math.Abs(e.Value)
	return e.Interval.High-e.Value <= most && e.Value-e.Interval.Low <= most
}
