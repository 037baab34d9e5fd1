package tuning

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// limit is what must hold of a metric over the replications of a candidate.
type limit struct {
	over   scenario.Aggregation
	op     scenario.Op
	bound  float64
	inside float64 // of a fraction: what each value is compared with
}

func newLimit(e *scenario.Expectation) limit {
	l := limit{over: e.Over, op: e.Op, bound: number(e.Value)}
	if e.Over.Kind == scenario.Fraction {
		l.inside = number(e.Over.Value)
	}
	return l
}

// worst is the share of its bound by which a value is beside it at most: nothing is as bad as no value at all.
const worst = 1e6

// value returns what is compared with the bound, NaN where a replication has no value. Of a limit that must hold in each
// replication it is the value that holds least.
func (l *limit) value(sample []float64) float64 {
	if l.over.Kind == scenario.Fraction {
		return l.share(sample)
	}
	if len(sample) == 0 || slices.ContainsFunc(sample, math.IsNaN) {
		return math.NaN()
	}
	x := slices.Sorted(slices.Values(sample))
	switch l.over.Kind {
	case scenario.OfMean:
		return stat.Mean(x, nil)
	case scenario.OfMin:
		return x[0]
	case scenario.OfMax:
		return x[len(x)-1]
	case scenario.OfPercentile:
		return percentile(x, l.over.Percentile)
	}
	return slices.MaxFunc(x, func(a, b float64) int {
		if l.missBy(a) < l.missBy(b) {
			return -1
		}
		return 1
	})
}

// share returns in how many of the replications the comparison of a fraction holds; not where there is no value.
func (l *limit) share(sample []float64) float64 {
	n := 0
	for _, x := range sample {
		if missing(x, l.over.Op, l.inside) == 0 {
			n++
		}
	}
	return float64(n) / float64(len(sample))
}

// miss says by how much the limit does not hold, as a share of its bound; 0 when it holds.
func (l *limit) miss(sample []float64) float64 { return l.missBy(l.value(sample)) }

// likelyMiss is miss with the benefit of the doubt: chance counts for as much as a standard error. A greatest or a least
// value has none, since more replications can only make it worse.
func (l *limit) likelyMiss(sample []float64) float64 {
	got := l.value(sample)
	n := float64(len(sample))
	doubt := 0.0
	switch {
	case math.IsNaN(got):
	case l.over.Kind == scenario.OfMean:
		doubt = stat.StdErr(stat.StdDev(sample, nil), n)
	case l.over.Kind == scenario.Fraction:
		doubt = math.Sqrt(got * (1 - got) / n)
	case l.over.Kind == scenario.OfPercentile:
		return l.missBy(l.rankBeside(sample))
	}
	return min(l.missBy(got-doubt), l.missBy(got+doubt))
}

// rankBeside returns the value that is the percentile if the sample has it a standard error too high or too low.
func (l *limit) rankBeside(sample []float64) float64 {
	n, p := float64(len(sample)), float64(l.over.Percentile)/float64(metrics.Hundred)
	doubt := math.Sqrt(n * p * (1 - p))
	if l.op == scenario.Less || l.op == scenario.LessOrEqual {
		doubt = -doubt
	}
	rank := min(max(1, math.Ceil(n*p+doubt)), n)
	return slices.Sorted(slices.Values(sample))[int(rank)-1]
}

func (l *limit) missBy(got float64) float64 { return missing(got, l.op, l.bound) }

// missing says by how much a value is beside what it is compared with, as a share of that.
func missing(got float64, op scenario.Op, want float64) float64 {
	above := got - want
	holds := false
	switch op {
	case scenario.Less:
		holds = above < 0
	case scenario.LessOrEqual:
		holds = above <= 0
	case scenario.Equal:
		holds = above == 0
	case scenario.NotEqual:
		holds = above != 0
	case scenario.GreaterOrEqual:
		holds = above >= 0
	case scenario.Greater:
		holds = above > 0
	}
	switch {
	case math.IsNaN(got):
		return worst
	case holds:
		return 0
	}
	const least = 1e-9 // one that is equal to its bound may miss, too
	return min(max(least, math.Abs(above)/max(math.Abs(want), 1)), worst)
}
