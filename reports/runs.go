package reports

import (
	"simulate/sim/clock"
	"simulate/sim/metrics"
)

// Runs is what is known of several replications of one scenario.
type Runs struct {
	Scenario     Scenario // its seed is the first one
	ShuffleTies  uint64   // as in Report
	Thresholds   metrics.Thresholds
	Planned      int
	Runs         []Run // those that were finished or spin, by seed
	Groups       []GroupSpread
	Expectations []Expectation
	Warnings     []string
	NotModelled  []string
}

// Run is one of several replications.
type Run struct {
	Seed    uint64
	Outcome Outcome
	At      clock.Time // the last instant that was simulated
	Digest  string     // of the trace
}

// GroupSpread is what the metrics of one group came to.
type GroupSpread struct {
	Group   string
	Metrics []Spread
}

// Spread says how one metric of a group is spread over the runs. Where no run has a value, Runs is 0 and the values mean
// nothing.
type Spread struct {
	Query                    metrics.Query
	Type                     metrics.Type
	Runs                     int // that have a value
	Mean, Min, P50, P95, Max metrics.Value
}

// Failed counts the expectations that do not hold.
func (r *Runs) Failed() int { return failed(r.Expectations) }

// Cut reports whether the user did not wait for all runs.
func (r *Runs) Cut() bool { return len(r.Runs) < r.Planned }
