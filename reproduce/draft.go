package reproduce

import (
	"slices"
	"time"

	"simulate/sim/scenario"
)

// origin says how sure a value is.
type origin string

const (
	observed origin = "observed" // a line says it
	derived  origin = "derived"  // the times of the log lead to it
	assumed  origin = "assumed"  // the default; nothing in the log says otherwise
	given    origin = "given"    // --set or --client
)

// setting is a value that a scenario has, and why.
type setting struct {
	key    string
	value  string // as TOML
	origin origin
	why    string
}

// draft is a scenario that may repeat a story.
type draft struct {
	story    *story
	choices  choices
	warmUp   time.Duration // from the start of the run to that of the log: members gather that were there before
	fleets   []*fleet
	topics   int // how many topics there are
	more     int // partitions that topic-1 gets in the course of the run
	broker   []setting
	brokers  int
	acts     []act
	duration time.Duration
}

// fleet is what becomes a fleet: processes with one client and one kind of membership.
type fleet struct {
	name     string
	client   setting
	static   bool
	members  []*process // member number n, from 1, is members[n-1]
	settings []setting
}

// act is something that happens in the scenario.
type act struct {
	at    time.Duration // from the start of the log
	do    scenario.Verb
	who   string // a member; "" where keys say whom it is about
	keys  []pair
	lasts time.Duration // the key "for"; 0: it has none
	aims  int           // the event of the story that it is to bring about; -1
	ends  int           // the event that its end is to bring about; -1
	note  string
}

// pair is a key of an event in a scenario, and its value as TOML.
type pair struct{ key, value string }

// clone returns a draft that can be changed without changing d.
func (d *draft) clone() *draft {
	c := *d
	c.acts = slices.Clone(d.acts)
	c.broker = slices.Clone(d.broker)
	c.fleets = nil
	for _, f := range d.fleets {
		g := *f
		g.settings = slices.Clone(f.settings)
		c.fleets = append(c.fleets, &g)
	}
	return &c
}

// member returns the name that a process has in the scenario.
func (d *draft) member(p *process) string {
	for _, f := range d.fleets {
		if n := slices.Index(f.members, p); n >= 0 {
			return memberName(f.name, n+1)
		}
	}
	return ""
}

// named is the reverse of member.
func (d *draft) named(member string) *process {
	for _, f := range d.fleets {
		for n, p := range f.members {
			if memberName(f.name, n+1) == member {
				return p
			}
		}
	}
	return nil
}

func (d *draft) fleetOf(p *process) *fleet {
	i := slices.IndexFunc(d.fleets, func(f *fleet) bool { return slices.Contains(f.members, p) })
	return d.fleets[i]
}

// set gives a setting a value, before what it had.
func set(settings []setting, s setting) []setting {
	if i := slices.IndexFunc(settings, func(o setting) bool { return o.key == s.key }); i >= 0 {
		settings[i] = s
		return settings
	}
	return append(settings, s)
}
