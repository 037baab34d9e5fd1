package metrics

import (
	"strings"
	"time"

	"simulate/sim/trace"
)

// Options is what the trace alone does not say.
type Options struct {
	StuckAfter time.Duration  // a longer stay in PreparingRebalance or CompletingRebalance is stuck
	Topics     map[string]int // partitions of each topic
	Fleets     []Fleet
	Thresholds Thresholds // zero: Defaults()
}

// Fleet says to which group the processes <Name>-1, <Name>-2, ... belong and what they subscribe to.
type Fleet struct {
	Name   string
	Group  string
	Topics []string
}

// OptionsOf returns the options that the header of a trace holds.
func OptionsOf(h trace.Header) Options {
	o := Options{StuckAfter: h.StuckAfter, Topics: map[string]int{}}
	for _, t := range h.Topics {
		o.Topics[t.Name] = t.Partitions
	}
	for _, f := range h.Fleets {
		o.Fleets = append(o.Fleets, Fleet(f))
	}
	return o
}

// Thresholds are the limits beyond which something counts as an anomaly.
type Thresholds struct {
	Rebalancing    time.Duration // a group longer than this out of Stable and Empty
	Completing     time.Duration // a stay in CompletingRebalance longer than this
	Empty          time.Duration // a stay in Empty longer than this
	FrequentCount  int           // this many rebalances ...
	FrequentWithin time.Duration // ... within this time
	StormCount     int           // this many rebalances ...
	StormInterval  time.Duration // ... whose mean interval is shorter than this
}

// Defaults returns the thresholds that reports use unless told otherwise.
func Defaults() Thresholds {
	return Thresholds{
		Rebalancing:    5 * time.Minute,
		Completing:     5 * time.Second,
		Empty:          7 * 24 * time.Hour,
		FrequentCount:  3,
		FrequentWithin: 5 * time.Minute,
		StormCount:     10,
		StormInterval:  time.Minute,
	}
}

// fleetOf returns the fleet of a process, which is always called <fleet>-<n>.
func (o *Options) fleetOf(process string) (*Fleet, bool) {
	dash := strings.LastIndexByte(process, '-')
	if dash < 0 {
		return nil, false
	}
	for i := range o.Fleets {
		if o.Fleets[i].Name == process[:dash] {
			return &o.Fleets[i], true
		}
	}
	return nil, false
}

// groups returns the names of the groups in order of their first fleet.
func (o *Options) groups() []string {
	var names []string
	seen := map[string]bool{}
	for _, f := range o.Fleets {
		if !seen[f.Group] {
			seen[f.Group] = true
			names = append(names, f.Group)
		}
	}
	return names
}

// partitions returns how many partitions the fleets of a group subscribe to, by topic.
func (o *Options) partitions(group string) map[string]int {
	of := map[string]int{}
	for _, f := range o.Fleets {
		if f.Group != group {
			continue
		}
		for _, topic := range f.Topics {
			of[topic] = o.Topics[topic]
		}
	}
	return of
}
