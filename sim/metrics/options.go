package metrics

import (
	"strings"
	"time"

	"simulate/sim/clock"
	"simulate/sim/records"
	"simulate/sim/trace"
)

// Options is what the trace alone does not say.
type Options struct {
	Duration   time.Duration  // of the run as it was planned; 0 when unknown
	StuckAfter time.Duration  // a group that waits longer is stuck
	Topics     map[string]int // partitions of each topic
	Loads      map[string]Load
	Fleets     []Fleet
	Thresholds Thresholds // zero: Defaults()
}

// Load is what a topic holds, where it holds any records.
type Load struct {
	Rate    records.Rate
	Backlog int64
}

// Fleet says to which group the processes <Name>-1, <Name>-2, ... belong and what they subscribe to.
type Fleet struct {
	Name   string
	Group  string
	Topics []string
}

// OptionsOf returns the options that the header of a trace holds.
func OptionsOf(h trace.Header) Options {
	o := Options{Duration: h.Duration, StuckAfter: h.StuckAfter, Topics: map[string]int{}}
	for _, t := range h.Topics {
		o.Topics[t.Name] = t.Partitions
		o.AddLoad(t.Name, Load{records.Rate{Records: t.Records, Per: max(t.Per, time.Second)}, t.Backlog})
	}
	for _, f := range h.Fleets {
		o.Fleets = append(o.Fleets, Fleet(f))
	}
	return o
}

// AddLoad notes what a topic holds, if that is anything.
func (o *Options) AddLoad(topic string, l Load) {
	if l.Rate.Records <= 0 && l.Backlog <= 0 {
		return
	}
	if o.Loads == nil {
		o.Loads = map[string]Load{}
	}
	o.Loads[topic] = l
}

// logs returns what the topics hold, nil when that is nothing.
func (o *Options) logs() *records.Logs {
	if len(o.Loads) == 0 {
		return nil
	}
	logs := records.NewLogs()
	for topic, l := range o.Loads {
		logs.Create(topic, max(1, o.Topics[topic]), l.Rate, l.Backlog)
	}
	return logs
}

// lasts reports whether what ends then lasts until the end of the run.
func (o *Options) lasts(until clock.Time) bool {
	return until == clock.Never || o.Duration > 0 && until >= clock.At(o.Duration)
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
