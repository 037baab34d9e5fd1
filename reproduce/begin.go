package reproduce

import (
	"slices"
	"time"

	"simulate/incident/logs"
	"simulate/sim/consumers"
	"simulate/starter"
)

// choices are what a draft takes for what the log leaves open.
type choices struct {
	silent     string        // the client of those that do not say which they are
	heartbeat  time.Duration // 0: the default of the client
	session    time.Duration // 0: as the evictions tell
	assignors  string        // as TOML; "": as the reasons tell
	client     string        // of all, by --client
	partitions int           // of each topic; 0: usualPartitions
	fetchWait  time.Duration // how long a fetch waits for records; 0: the default
	busy       bool          // everybody takes their time, as on hosts that are busy
	set        []setting     // by --set
}

// tail is how long a run goes on after the end of the log, so that what comes too late is seen.
const tail = 10 * time.Second

// begin makes the first draft of a story.
func begin(s *story, c choices) *draft {
	d := &draft{story: s, choices: c, topics: 1, brokers: 1, duration: s.length + tail}
	if slices.ContainsFunc(s.lives, func(l *life) bool { return !l.joins }) {
		d.warmUp = gather
	}
	d.giveFleets()
	for _, f := range d.fleets {
		d.configure(f)
	}
	d.broker = append(d.broker, s.delay())
	for _, v := range c.set {
		if ofBroker(v.key) {
			d.broker = set(d.broker, v)
		}
	}
	if len(s.brokers) > 1 || slices.ContainsFunc(s.events, func(e logs.Event) bool { return e.Kind == logs.GroupLoaded && e.Broker > 1 }) {
		d.brokers = 3
	}
	d.place()
	return d
}

// giveFleets gives every process to a fleet. Who says nothing of itself is taken for what others are that do, or else for what
// is tried for silent ones.
func (d *draft) giveFleets() {
	s := d.story
	other := setting{key: "client", value: consumers.Newest, origin: assumed, why: "nothing says otherwise"}
	silent := other
	if d.choices.silent != "" {
		silent.value, silent.why = d.choices.silent, "its members do not say why they join; this library fits best"
		other = silent
	}
	for _, p := range s.processes {
		if name, _ := s.library(p); name != "" {
			other.value, other.why = name, "as others of the group"
			break
		}
	}
	for _, p := range s.processes {
		c := other
		if name, why := s.library(p); name != "" {
			c = setting{"client", name, derived, why}
		} else if s.silent(p) {
			c = silent
		}
		if d.choices.client != "" {
			c = setting{"client", d.choices.client, given, "by --client"}
		}
		d.give(p, c)
	}
}

func (d *draft) give(p *process, c setting) {
	i := slices.IndexFunc(d.fleets, func(f *fleet) bool { return f.client.value == c.value && f.static == p.static })
	if i < 0 {
		name := starter.FleetName(d.story.group)
		if len(d.fleets) > 0 {
			name += "-" + c.value
		}
		if p.static && len(d.fleets) > 0 {
			name += "-static"
		}
		d.fleets = append(d.fleets, &fleet{name: name, client: c, static: p.static})
		i = len(d.fleets) - 1
	}
	d.fleets[i].members = append(d.fleets[i].members, p)
}
