package tuning

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

var nearly = cmpopts.EquateApprox(0, 1e-4)

// TestEstimate holds an interval against the tables: the squares of what 2, 4, 4, 5 and 7 are off their mean add up to
// 13.2, and t is 2.7764 for 4 degrees of freedom, so that the half is 2.7764 * sqrt(13.2 / 4 / 5).
func TestEstimate(t *testing.T) {
	got := Estimate(scenario.Aggregation{}, []float64{4, 2, math.NaN(), 7, 5, 4})
	want := reports.Estimate{
		Runs: 5, Value: 4.4, Mean: 4.4, Min: 2, Max: 7, P50: 4, P95: 7, Interval: &reports.Interval{Low: 2.1444, High: 6.6556},
	}
	if d := cmp.Diff(want, got, nearly); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if e := Estimate(scenario.Aggregation{}, []float64{3}); e.Interval != nil || e.Value != 3 {
		t.Errorf("one value: got %+v", e)
	}
	if e := Estimate(scenario.Aggregation{}, []float64{math.NaN()}); e != (reports.Estimate{}) {
		t.Errorf("no value: got %+v", e)
	}
}

// TestPercentileInterval holds ranks against the binomial distribution: of 20 values the 6th and the 15th bound the
// median, as tables of the sign test have it. Above the 95th percentile of 100 there lie one value or none with 3.7 %, none
// with 0.6 %.
func TestPercentileInterval(t *testing.T) {
	ranks := make([]float64, 100)
	for i := range ranks {
		ranks[i] = float64(i + 1)
	}
	for _, c := range []struct {
		n    int
		p    metrics.Percentile
		want *reports.Interval
	}{
		{20, 50_000, &reports.Interval{Low: 6, High: 15}},
		{100, 50_000, &reports.Interval{Low: 40, High: 61}},
		{100, 95_000, &reports.Interval{Low: 90, High: 100}},
		{20, 95_000, nil},
		{5, 50_000, nil},
	} {
		if d := cmp.Diff(c.want, percentileInterval(ranks[:c.n], c.p)); d != "" {
			t.Errorf("%d of %d: -want +got:\n%s", c.p, c.n, d)
		}
	}
}

// TestDiffer holds that what both cells share by chance falls out, and that replications without a value in both do.
func TestDiffer(t *testing.T) {
	x, y := []float64{11, 21, 32, math.NaN(), 50}, []float64{10, 20, 30, 40}
	got := Differ(scenario.Aggregation{}, x, y)
	want := &reports.Difference{Pairs: 3, Value: 4. / 3, Interval: &reports.Interval{Low: -0.1009, High: 2.7676}}
	if d := cmp.Diff(want, got, nearly); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	got = Differ(scenario.Aggregation{Kind: scenario.OfMax}, x, y)
	if d := cmp.Diff(&reports.Difference{Pairs: 3, Value: 2}, got); d != "" {
		t.Errorf("of the greatest: -want +got:\n%s", d)
	}
	if d := Differ(scenario.Aggregation{}, x[3:4], y[3:]); d != nil {
		t.Errorf("no pair: got %+v", d)
	}
}
