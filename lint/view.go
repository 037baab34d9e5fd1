package lint

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/sim/consumers"
	"simulate/sim/metrics"
	"simulate/sim/random"
	"simulate/sim/scenario"
)

// view is a scenario as rules look at it.
type view struct {
	*scenario.Scenario
	places *scenario.Places
	groups []group
	topics map[string][]string      // fleet -> the topics that it subscribes to, those of a pattern included
	most   map[string]int           // fleet -> its highest member number at any time
	ended  map[string]time.Duration // fleet -> when an event first ends all of its members
	globs  map[globIn]bool          // whether a glob matches a member of a fleet, where that is known
	rule   *Rule                    // that looks
	found  []Finding
}

// group is a consumer group with its fleets, in the order of the file.
type group struct {
	name   string
	fleets []int
}

// globIn is a question that is asked often: whether a glob matches a member of a fleet.
type globIn struct{ glob, fleet string }

func newView(s *scenario.Scenario, text []byte) *view {
	v := &view{
		Scenario: s, places: scenario.PlacesOf(text),
		topics: map[string][]string{}, most: map[string]int{}, ended: map[string]time.Duration{}, globs: map[globIn]bool{},
	}
	for _, f := range s.MetricsOptions().Fleets {
		v.topics[f.Name] = f.Topics
	}
	for i := range s.Fleets {
		name := s.Fleets[i].Plan.Group
		at := slices.IndexFunc(v.groups, func(g group) bool { return g.name == name })
		if at < 0 {
			at = len(v.groups)
			v.groups = append(v.groups, group{name: name})
		}
		v.groups[at].fleets = append(v.groups[at].fleets, i)
		v.most[s.Fleets[i].Name] = s.Fleets[i].Count
	}
	for i := range s.Events {
		v.noteSizes(&s.Events[i])
	}
	for i := range s.Fleets {
		if a := s.Fleets[i].Autoscaler; a != nil {
			v.most[s.Fleets[i].Name] = max(v.most[s.Fleets[i].Name], a.Max)
		}
	}
	return v
}

// noteSizes notes how many members an event leaves a fleet that it names as a whole.
func (v *view) noteSizes(e *scenario.Event) {
	for _, who := range e.Who {
		if who.Kind != scenario.ByFleet {
			continue
		}
		if e.Do == scenario.Scale {
			v.most[who.Name] = max(v.most[who.Name], e.To)
		}
		if e.Do == scenario.Stop || e.Do == scenario.Kill || e.Do == scenario.Scale && e.To == 0 {
			if at, known := v.ended[who.Name]; !known || e.At < at {
				v.ended[who.Name] = e.At
			}
		}
	}
}

// goneBy reports whether an event has ended all members of a fleet by an instant.
func (v *view) goneBy(at time.Duration, f *scenario.Fleet) bool {
	ended, known := v.ended[f.Name]
	return known && ended <= at
}

// cure is what to write instead, and a --set to try it with, which may be "".
type cure struct{ instead, set string }

// report adds a finding at the key of a path.
func (v *view) report(path string, c cure, format string, args ...any) {
	line, column := v.places.Of(path)
	v.found = append(v.found, Finding{
		Rule: v.rule, Line: line, Column: column, Text: fmt.Sprintf(format, args...), Instead: c.instead, Set: c.set,
	})
}

// setup is the settings that consumers start with: those of a fleet, or what an event changes them to.
type setup struct {
	fleet  *scenario.Fleet
	plan   *consumers.Plan
	at     func(key string) string // the path of one of Kafka's keys
	to     string                  // what --set KEYs of its settings begin with
	change bool                    // an event gives them to all members of the fleet
}

// setupOf returns the settings of a fleet.
func (v *view) setupOf(i int) setup {
	f := &v.Fleets[i]
	at := func(key string) string { return fleetKey(i, "config."+key) }
	return setup{f, &f.Plan, at, "fleet." + f.Name + ".config.", false}
}

// setups returns those of all fleets, and those of the events that change one of the keys.
func (v *view) setups(keys ...string) []setup {
	var all []setup
	for i := range v.Fleets {
		all = append(all, v.setupOf(i))
	}
	return append(all, v.brought(keys...)...)
}

// brought returns the settings of the events that change one of the keys, or the client.
func (v *view) brought(keys ...string) []setup {
	var all []setup
	for i := range v.Events {
		e, here := &v.Events[i], eventKey(i, "")
		changes := func(key string) bool { return v.places.Has(here + "config." + key) }
		if e.Plan == nil || !slices.ContainsFunc(keys, changes) && !v.places.Has(here+"client") {
			continue
		}
		for _, fleet := range v.fleetsOf(e.Who) {
			at := func(key string) string {
				if changes(key) {
					return here + "config." + key
				}
				return here + "client"
			}
			f := &v.Fleets[fleet]
			all = append(all, setup{f, e.Plan, at, fmt.Sprintf("event.%d.config.", i+1), whole(e, f)})
		}
	}
	return all
}

// mixed returns the settings that members of one group may have side by side: those of the fleets, and those that
// events bring to some members of a fleet. What a whole fleet comes to is a change, and no mixture.
func (v *view) mixed(keys ...string) []setup {
	return slices.DeleteFunc(v.setups(keys...), func(s setup) bool { return s.change })
}

// set is a --set that gives one of Kafka's keys another value; "" when Kafka does not take so long a time.
func (s setup) set(key string, d time.Duration) string {
	profile, _ := consumers.FindProfile(s.plan.Client)
	if key == maxPollInterval && profile.PollCoversSession && d < s.plan.Config.SessionTimeout {
		return ""
	}
	return setTo(s.to+key, d)
}

// setTo is a --set of a duration; "" when it is longer than Kafka's keys hold.
func setTo(key string, d time.Duration) string {
	const longest = (1<<31 - 1) * time.Millisecond
	if d <= 0 || d > longest {
		return ""
	}
	return key + "=" + metrics.Duration(d)
}

// longerSession says to choose a longer session for a plan, and how to try it where the broker and the client take one as
// long.
func (v *view) longerSession(p *consumers.Plan, instead, key string, d time.Duration) cure {
	profile, _ := consumers.FindProfile(p.Client)
	if most := p.Config.MaxPollInterval; profile.PollCoversSession && d > most {
		return cure{instead: instead + ", for which " + maxPollInterval + " (" + in(most) + ") is too short"}
	}
	if most := v.Broker.MaxSessionTimeout; d > most {
		return cure{instead: instead + ", for which group.max.session.timeout.ms (" + in(most) + ") is too short"}
	}
	return cure{instead, setTo(key, d)}
}

// fleetSet is a --set of a time of Kafka's in a fleet.
func fleetSet(f *scenario.Fleet, key string, d time.Duration) string {
	return setTo("fleet."+f.Name+".config."+key, d)
}

func fleetKey(i int, key string) string { return "fleet[" + strconv.Itoa(i) + "]." + key }
func eventKey(i int, key string) string { return "event[" + strconv.Itoa(i) + "]." + key }

// fleetsOf returns the fleets that an event may act on.
func (v *view) fleetsOf(who []scenario.Selector) []int {
	var all []int
	for i := range v.Fleets {
		if slices.ContainsFunc(who, func(s scenario.Selector) bool { return v.selects(s, &v.Fleets[i]) }) {
			all = append(all, i)
		}
	}
	return all
}

func (v *view) selects(s scenario.Selector, f *scenario.Fleet) bool {
	switch s.Kind {
	case scenario.ByFleet:
		return s.Name == f.Name
	case scenario.ByMember:
		return fleetName(s.Name) == f.Name
	case scenario.ByGlob:
		return v.matches(s.Name, f)
	case scenario.ByLeader:
		return s.Name == f.Plan.Group
	}
	return s.Name == f.Plan.Group || s.Name == f.Name // any of a group or of a fleet
}

// fleetName returns the name of a member's fleet.
func fleetName(member string) string { return member[:max(strings.LastIndexByte(member, '-'), 0)] }

// matches reports whether a glob matches a member that a fleet ever has.
func (v *view) matches(glob string, f *scenario.Fleet) bool {
	question := globIn{glob, f.Name}
	answer, known := v.globs[question]
	for n := 1; !known && !answer && n <= v.most[f.Name]; n++ {
		answer, _ = path.Match(glob, f.Member(n))
	}
	v.globs[question] = answer
	return answer
}

// hasMember reports whether a fleet ever has a member of that name.
func (v *view) hasMember(f *scenario.Fleet, name string) bool {
	n, err := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
	return err == nil && n >= 1 && n <= v.most[f.Name] && f.Member(n) == name
}

// whole reports whether an event acts on all members of a fleet.
func whole(e *scenario.Event, f *scenario.Fleet) bool {
	return slices.Contains(e.Who, scenario.Selector{Kind: scenario.ByFleet, Name: f.Name})
}

// inOrder returns the numbers of the events in the order in which they first happen.
func (v *view) inOrder() []int {
	all := make([]int, len(v.Events))
	for i := range all {
		all[i] = i
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(v.Events[a].At, v.Events[b].At) })
	return all
}

// rare is what a duration exceeds once in a thousand times.
func rare(d random.Distribution) time.Duration { return d.Quantile(0.999) }

// lasts words how long something may take: "processing takes 6m", or "p99.9 of processing is 6m".
func lasts(what string, d random.Distribution) string {
	if d.IsConstant() {
		return what + " takes " + in(rare(d))
	}
	return "p99.9 of " + what + " is " + in(rare(d))
}

// in writes a duration to the millisecond.
func in(d time.Duration) string { return metrics.Brief(d) }

// seconds rounds up to a whole second: a time that is easy to write.
func seconds(d time.Duration) time.Duration { return (d + time.Second - 1).Truncate(time.Second) }

// rebalanceTimeout is that of a group: the largest of its members counts.
func (v *view) rebalanceTimeout(group string) time.Duration {
	var most time.Duration
	for _, s := range v.mixed(maxPollInterval) {
		if s.plan.Group == group {
			most = max(most, cmp.Or(s.plan.Config.RebalanceTimeout, s.plan.Config.MaxPollInterval))
		}
	}
	return most
}
