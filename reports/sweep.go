package reports

import (
	"time"

	"simulate/sim/metrics"
)

// Sweep is the report of a sweep: one scenario at many points, each in several replications. Numbers are counts as they
// are, times in milliseconds, shares from 0 to 1.
type Sweep struct {
	Scenario string
	Question string // "" for none
	Seed     uint64 // of the first replication, in every cell
	Kafka    string
	Duration time.Duration
	Design   string // "grid" or "lhs"

	Params       []string // their keys
	Metrics      []SweepMetric
	Replications int     // of each cell, at most
	UntilCI      float64 // a cell stops when its intervals are within this share of its values; 0: never early
	Base         int     // the cell that differences are to
	Cells        []SweepCell

	Planned, Done int // runs that were to be, and that were; fewer when the sweep was interrupted
}

// SweepMetric is what is measured.
type SweepMetric struct {
	Text string
	Type metrics.Type // of the value in one run
}

// SweepCell is a point and what came of it.
type SweepCell struct {
	Values  []string // by parameter
	Runs    int
	Metrics []Estimate // by metric
}

// Estimate is what a metric came to in the replications of a cell.
type Estimate struct {
	Runs       int       // that have a value; the rest means nothing when there is none
	Value      float64   // the mean, or what the metric asks for instead
	Interval   *Interval // in which that lies in truth, with 95 % confidence; nil when too few runs tell
	Mean       float64
	Min, Max   float64
	P50, P95   float64
	Difference *Difference // from the base cell; nil there, and where no replication has both
}

// Interval is a confidence interval.
type Interval struct{ Low, High float64 }

// Difference is how far a metric lies above that of the base cell, replication by replication.
type Difference struct {
	Pairs    int // replications in which both have a value
	Value    float64
	Interval *Interval // of the mean difference; nil when too few pairs tell, or Value is no mean
}

// Cut reports whether runs are missing.
func (s *Sweep) Cut() bool { return s.Done < s.Planned }
