package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// overAll judges an expectation about one value that is made of those in all trials. A trial without one has no place
// among them, so that there is none over all either; only for a fraction it is one in which the comparison does not
// hold, as it would fail there alone.
func overAll(e *scenario.Expectation, sample []measured) reports.Expectation {
	verdict := reports.Expectation{That: worded(e), Line: e.Line, Snapshot: e.Snapshot}
	if e.Over.Kind == scenario.Fraction {
		judgeFraction(e, sample, &verdict)
		return verdict
	}
	if verdict.Problem = missingIn(sample); verdict.Problem != "" {
		verdict.FailedIn = 1
		verdict.Seed = sample[slices.IndexFunc(sample, func(m measured) bool { return m.err != nil })].seed
		return verdict
	}
	values := make([]metrics.Value, len(sample))
	for i := range sample {
		values[i] = sample[i].value
	}
	got, shows := aggregate(e, metrics.NewSample(values))
	verdict.Got, verdict.Short = got.String(), short(got, e.Value)
	if verdict.Pass = holds(got, e.Op, e.Value); !verdict.Pass {
		verdict.FailedIn = 1
		verdict.Seed = sample[slices.Index(values, shows)].seed
	}
	return verdict
}

// aggregate returns the value over all, and one of a single trial that shows why it is not another one.
func aggregate(e *scenario.Expectation, s metrics.Sample) (over, shows metrics.Value) {
	switch e.Over.Kind {
	case scenario.OfMin:
		over = s.Min()
	case scenario.OfMax:
		over = s.Max()
	case scenario.OfPercentile:
		over = s.Percentile(e.Over.Percentile)
	default:
		if e.Op == scenario.Greater || e.Op == scenario.GreaterOrEqual {
			return s.Mean(), s.Min()
		}
		return s.Mean(), s.Max()
	}
	return over, over
}

// judgeFraction judges in how many of the trials a comparison holds.
func judgeFraction(e *scenario.Expectation, sample []measured, verdict *reports.Expectation) {
	tooMany := e.Op == scenario.Less || e.Op == scenario.LessOrEqual
	n, shows := 0, sample[0].seed
	for i := len(sample) - 1; i >= 0; i-- {
		ok := sample[i].satisfies(e.Over.Op, e.Over.Value)
		if ok {
			n++
		}
		if ok == tooMany {
			shows = sample[i].seed
		}
	}
	share := metrics.Value{Type: metrics.ShareType, Share: float64(n) / float64(len(sample))}
	verdict.Got = fmt.Sprintf("%s %% (%d of %d)", metrics.Number(100*share.Share), n, len(sample))
	if verdict.Pass = holds(share, e.Op, e.Value); !verdict.Pass {
		verdict.FailedIn, verdict.Seed = 1, shows
	}
}

// mostSeeds bounds how many seeds a message lists.
const mostSeeds = 8

// missingIn says in which trials there is no value, and why in the first of them; "" when there is one in each.
func missingIn(sample []measured) string {
	var seeds []string
	var first error
	for i := range sample {
		if sample[i].err != nil {
			seeds = append(seeds, strconv.FormatUint(sample[i].seed, 10))
			if first == nil {
				first = sample[i].err
			}
		}
	}
	if first == nil {
		return ""
	}
	list := strings.Join(seeds[:min(len(seeds), mostSeeds)], ", ")
	if more := len(seeds) - mostSeeds; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	if len(seeds) == 1 {
		return fmt.Sprintf("1 of %d runs (seed %s) has none: %v", len(sample), list, first)
	}
	return fmt.Sprintf("%d of %d runs (seeds %s) have none: %v", len(seeds), len(sample), list, first)
}
