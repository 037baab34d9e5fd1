package reports

import (
	"time"

	"simulate/sim/metrics"
)

// Tune is the report of a search for settings. Numbers are counts as they are, times in milliseconds, shares from 0 to 1.
type Tune struct {
	Scenario  string
	Question  string // "" for none
	Seed      uint64 // of the first replication, with all settings
	Kafka     string
	Duration  time.Duration
	Days      float64 // that a run stands for
	Objective TuneMetric
	Limits    []TuneMetric
	Params    []TuneParam

	Settings       int    // how many combinations of values took part
	Sampled        bool   // they are drawn from more
	Refused        int    // more combinations that the client or the coordinator refuses
	RefusedBecause string // why, of the first
	Replications   int    // of settings that are taken seriously
	Budget, Runs   int    // that may be, and that were
	Exhaustive     int    // runs that all settings would take with all replications

	Cut  bool      // the user did not wait
	Met  bool      // Best holds all limits
	Best *TuneCell // what is recommended, or else the nearest miss; nil when nothing was run

	// What Best is compared with; nil where it is the same, or was not run.

	Present  *TuneCell // without any change
	Defaults *TuneCell // with what clients and coordinator have of themselves
	Nearest  *TuneCell // with the fewest changes of defaults, of those that may be as good as Best

	AsGood int        // how many others hold all limits, and chance may be why they look worse
	Back   []TuneStep // Best with one setting as it is at present
	Beside []TuneStep // Best with one setting at the value before or after its own

	Curve []TunePoint // by the time in which the dead are noticed
}

// TuneMetric is what is minimised, or what must hold.
type TuneMetric struct {
	Text string
	Type metrics.Type // of its value in one run; of a fraction, a share
	Adds bool         // it grows with the time that is simulated, so that a value a day makes sense
}

// TuneParam is a setting that may be changed.
type TuneParam struct {
	Key              string
	Values           []string
	Present, Default string // "" when it has none, or several
}

// TuneCell is what one combination of settings came to.
type TuneCell struct {
	Values    []string // by parameter
	Runs      int
	Objective Estimate // its difference is from that of Best
	Limits    []TuneLimit
}

// Holds reports whether the objective has a value in every run, and all limits hold.
func (c *TuneCell) Holds() bool {
	if c.Objective.Runs < c.Runs {
		return false
	}
	for _, l := range c.Limits {
		if !l.Holds {
			return false
		}
	}
	return true
}

// TuneLimit is what a limit came to.
type TuneLimit struct {
	Value    *float64  // what is compared; nil when some run has no value
	Interval *Interval // in which that lies in truth; nil when that is not known
	Holds    bool
}

// TuneStep is another value of one setting, with all others as in Best.
type TuneStep struct {
	Param int
	Value string
	Cell  *TuneCell // nil when it is refused, or was not run
	Why   string    // it is refused
}

// TunePoint is one point of the curve that shows what noticing the dead sooner costs.
type TunePoint struct {
	Cell           TuneCell
	Best           bool
	Front          bool    // no other point is better in one of both and as good in the other
	Detection      float64 // the longest time of each run, on average
	FalseEvictions float64 // a day
	Share          float64 // of the greatest FalseEvictions of the curve
}
