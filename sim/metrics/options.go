package metrics

import (
	"strings"
	"time"

	"simulate/sim/trace"
)

// Options is what the trace alone does not say.
type Options struct {
	StuckAfter time.Duration  // a group that waits longer is stuck
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
