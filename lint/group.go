package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// read returns the topics that a group subscribes to, in alphabetical order.
func (v *view) read(g group) []string {
	var all []string
	for _, i := range g.fleets {
		all = append(all, v.topics[v.Fleets[i].Name]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// partitions returns how many partitions a topic has when it has the most; 0 when it never exists.
func (v *view) partitions(topic string) int {
	most := 0
	for _, t := range v.Topics {
		if t.Name == topic {
			most = t.Partitions
		}
	}
	for _, e := range v.Events {
		if e.Topic == topic {
			most = max(most, e.Count)
		}
	}
	return most
}

// differ reports whether the fleets of a group subscribe to different topics.
func (v *view) differ(g group) bool {
	return slices.ContainsFunc(g.fleets[1:], func(i int) bool { return v.differs(i, g.fleets[0]) })
}

func (v *view) differs(i, j int) bool {
	a, b := slices.Clone(v.topics[v.Fleets[i].Name]), slices.Clone(v.topics[v.Fleets[j].Name])
	slices.Sort(a)
	slices.Sort(b)
	return !slices.Equal(a, b)
}

// growth is a group when it gets more members: all of its fleets together at the start, or one by a scale event.
type growth struct {
	group
	members int    // of the whole group then
	fleet   int    // how many of them are in the fleet that grows
	path    string // of the key that says so
	to      string // the --set KEY of it
}

// growths returns the sizes that groups grow to, in the order of time.
func (v *view) growths() []growth {
	var all []growth
	size := map[string]int{}
	for _, g := range v.groups {
		for _, i := range g.fleets {
			size[v.Fleets[i].Name] = v.Fleets[i].Count
		}
		last := g.fleets[len(g.fleets)-1]
		f := &v.Fleets[last]
		all = append(all, growth{g, v.sizeOf(g, size), f.Count, fleetKey(last, "count"), "fleet." + f.Name + ".count"})
	}
	for _, i := range v.inOrder() {
		e := &v.Events[i]
		if e.Do != scenario.Scale {
			continue
		}
		for _, at := range v.fleetsOf(e.Who) {
			f := &v.Fleets[at]
			grows := e.To > size[f.Name]
			size[f.Name] = e.To
			if g := v.groupOf(f); grows {
				all = append(all, growth{g, v.sizeOf(g, size), e.To, eventKey(i, "to"), fmt.Sprintf("event.%d.to", i+1)})
			}
		}
	}
	return all
}

func (v *view) groupOf(f *scenario.Fleet) group {
	return v.groups[slices.IndexFunc(v.groups, func(g group) bool { return g.name == f.Plan.Group })]
}

func (v *view) sizeOf(g group, size map[string]int) int {
	members := 0
	for _, i := range g.fleets {
		members += size[v.Fleets[i].Name]
	}
	return members
}

func moreMembersThanPartitions(v *view) {
	for _, g := range v.growths() {
		partitions := 0
		for _, topic := range v.read(g.group) {
			partitions += v.partitions(topic)
		}
		surplus := g.members - partitions
		if partitions == 0 || surplus <= 0 {
			continue
		}
		c := cure{instead: "at most as many members as partitions"}
		if g.fleet > surplus {
			c.set = g.to + "=" + strconv.Itoa(g.fleet-surplus)
		}
		v.report(g.path, c, "group %s has %s then, and what it reads has %s: %s too many, without work and part of each rebalance all the same",
			g.name, metrics.Plural(g.members, "member"), metrics.Plural(partitions, "partition"), metrics.Plural(surplus, "member"))
	}
}

func groupMaxSize(v *view) {
	for _, g := range v.growths() {
		if g.members > v.Broker.MaxSize {
			v.report(g.path, cure{"a larger limit, or fewer members", "broker.group.max.size=" + strconv.Itoa(g.members)},
				"group %s has %s then, and group.max.size is %d: those who come last are refused with GROUP_MAX_SIZE_REACHED, which "+
					"leaves poll() as an exception", g.name, metrics.Plural(g.members, "member"), v.Broker.MaxSize)
		}
	}
}

func oneGroupDifferentTopics(v *view) {
	for _, g := range v.groups {
		first := g.fleets[0]
		for _, i := range g.fleets[1:] {
			f := &v.Fleets[i]
			if !v.differs(i, first) {
				continue
			}
			key := "topics"
			if f.Plan.Pattern != "" {
				key = "pattern"
			}
			c := cure{instead: "a group of its own for each application"}
			if !slices.ContainsFunc(v.groups, func(g group) bool { return g.name == f.Name }) {
				c.set = "fleet." + f.Name + ".group=" + f.Name
			}
			v.report(fleetKey(i, key), c,
				"%s reads %s and %s reads %s, but both are in group %s: whenever a member of one comes or goes, the other is rebalanced too",
				f.Name, listed(v.topics[f.Name]), v.Fleets[first].Name, listed(v.topics[v.Fleets[first].Name]), g.name)
		}
	}
}

// listed names a few topics.
func listed(topics []string) string {
	const most = 3
	switch {
	case len(topics) == 0:
		return "nothing yet"
	case len(topics) > most:
		return strings.Join(topics[:most], ", ") + " and " + metrics.Plural(len(topics)-most, "other")
	}
	return strings.Join(topics, ", ")
}

// many is from how many members on a start costs noticeably more than it has to.
const many = 3

func initialDelayZero(v *view) {
	if v.Broker.InitialRebalanceDelay > 0 {
		return
	}
	for _, g := range v.groups {
		members := 0
		for _, i := range g.fleets {
			members += v.Fleets[i].Count
		}
		if members >= many {
			v.report("broker.group.initial.rebalance.delay.ms", cure{"Kafka's default", "broker.group.initial.rebalance.delay.ms=3s"},
				"the first of %s of group %s is a group by itself at once, and those who come later rebalance it again", metrics.Plural(members, "member"), g.name)
		}
	}
}

func startsOutlastInitialDelay(v *view) {
	for i := range v.Fleets {
		f, delay := &v.Fleets[i], v.Broker.InitialRebalanceDelay
		if f.Count < many || f.StartEvery <= delay || delay == 0 || f.StartEvery > v.Duration {
			continue
		}
		v.report(fleetKey(i, "start.every"), cure{"starts that are closer together, or a longer delay",
			setTo("broker.group.initial.rebalance.delay.ms", seconds(f.StartEvery)+time.Second)},
			"members of %s start %s apart; group.initial.rebalance.delay.ms waits %s for the next one, so each of %d starts may be a rebalance of its own",
			f.Name, in(f.StartEvery), in(delay), f.Count)
	}
}

func sameInstantStart(v *view) {
	const several = 10
	for i := range v.Fleets {
		f := &v.Fleets[i]
		if f.Count < several || f.StartEvery > 0 || !f.Plan.Boot.IsConstant() {
			continue
		}
		v.report(fleetKey(i, "count"), cure{"a distance between starts, or a boot time that varies", "fleet." + f.Name + ".start.every=100ms"},
			"%s of %s start in the same instant, and from then on send heartbeats in the same instant: whether they learn of a change at "+
				"once or one %s later hangs on a millisecond", metrics.Plural(f.Count, "member"), f.Name, heartbeat)
	}
}
