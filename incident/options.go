package incident

import (
	"cmp"
	"slices"
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
)

// Options say what counts and how much is kept. The zero Options stand for the defaults.
type Options struct {
	Thresholds metrics.Thresholds // of anomalies; the zero value stands for metrics.Defaults
	StuckAfter time.Duration      // how long a stay in PreparingRebalance may last; 0 stands for DefaultStuckAfter
	Groups     []string           // names and patterns, as logs.Matches has them; none: all
	Since      logs.Instant       // records before it are left out; 0: none
	Until      logs.Instant       // records from then on are left out; 0: none
	MaxGroups  int                // that are followed, the first to appear; 0 stands for DefaultMaxGroups
	MaxKept    int                // of each list of a group; 0 stands for DefaultMaxKept
}

// The defaults of Options.
const (
	DefaultStuckAfter = 30 * time.Second
	DefaultMaxGroups  = 10_000
	DefaultMaxKept    = 1_000
)

func (o Options) withDefaults() Options {
	o.Thresholds = cmp.Or(o.Thresholds, metrics.Defaults())
	o.StuckAfter = cmp.Or(o.StuckAfter, DefaultStuckAfter)
	o.MaxGroups = cmp.Or(o.MaxGroups, DefaultMaxGroups)
	o.MaxKept = cmp.Or(o.MaxKept, DefaultMaxKept)
	o.Groups = slices.Clone(o.Groups)
	return o
}
