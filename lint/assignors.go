package lint

import (
	"slices"
	"strings"

	"simulate/sim/assignors"
	"simulate/sim/consumers"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

const (
	sticky            = "sticky"
	cooperativeSticky = "cooperative-sticky"
)

// common returns the assignors that are in both lists, in the order of the first.
func common(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(name string) bool { return !slices.Contains(b, name) })
}

// chosen returns the assignor that a group agrees on when all of its fleets run: of those that everybody lists, the
// one that most members name first. "" when there is none.
// Kafka: ClassicGroup.selectProtocol.
func (v *view) chosen(g group) string {
	candidates := v.Fleets[g.fleets[0]].Plan.Config.Assignors
	for _, i := range g.fleets {
		candidates = common(candidates, v.Fleets[i].Plan.Config.Assignors)
	}
	best, most := "", 0
	for _, candidate := range candidates {
		votes := 0
		for _, i := range g.fleets {
			f := &v.Fleets[i]
			if common(f.Plan.Config.Assignors, candidates)[0] == candidate {
				votes += f.Count
			}
		}
		if votes > most {
			best, most = candidate, votes
		}
	}
	return best
}

// stickyGroup reports whether a group agrees on one of the assignors that remember.
func (v *view) stickyGroup(g group) bool {
	chosen := v.chosen(g)
	return chosen == sticky || chosen == cooperativeSticky
}

// kind is whose protocol a client speaks. A group takes members of one kind only.
func kind(client string) string {
	if client == "streams" || client == "connect" {
		return client
	}
	return "consumer"
}

func frameworkSharesGroup(v *view) {
	for _, g := range v.groups {
		first := &v.Fleets[g.fleets[0]]
		for _, i := range g.fleets[1:] {
			f := &v.Fleets[i]
			if kind(f.Plan.Client) == kind(first.Plan.Client) {
				continue
			}
			v.report(fleetKey(i, "group"), cure{instead: "a group of its own for each application"},
				"%s (client %s) and %s (client %s) share group %s: Streams and Connect have protocols of their own, and whoever "+
					"comes second is refused with INCONSISTENT_GROUP_PROTOCOL; a run does not show it, because cooperative-sticky stands in for them",
				f.Name, f.Plan.Client, first.Name, first.Plan.Client, g.name)
		}
	}
}

func noCommonAssignor(v *view) {
	for _, g := range v.groups {
		for n, i := range g.fleets {
			f := &v.Fleets[i]
			mine, others := f.Plan.Config.Assignors, v.agreed(g.fleets[:n], f)
			if len(others) == 0 || len(common(mine, others)) > 0 {
				continue
			}
			v.report(fleetKey(i, "config."+strategy), oneOfTheirs(f, others),
				"%s lists %s, and others of group %s have only %s in common: there is no assignor for all of them, so whoever comes "+
					"second is refused with INCONSISTENT_GROUP_PROTOCOL", f.Name, strings.Join(mine, ", "), g.name, strings.Join(others, ", "))
		}
	}
}

// oneOfTheirs says to list an assignor of the others, beside those that the fleet lists if its client takes both.
func oneOfTheirs(f *scenario.Fleet, others []string) cure {
	c := cure{instead: "a list that names one of the others'"}
	profile, _ := consumers.FindProfile(f.Plan.Client)
	mine := f.Plan.Config.Assignors
	for _, name := range others {
		a, has := profile.Assignor(name)
		if !has {
			continue
		}
		list := append(slices.Clone(mine), name)
		if profile.OneProtocol && a.Cooperative != assignors.Cooperative(mine) {
			list = []string{name}
		}
		c.set = "fleet." + f.Name + ".config." + strategy + "=" + strings.Join(list, ",")
		break
	}
	return c
}

// agreed returns the assignors that all of the fleets list that run together with f.
func (v *view) agreed(fleets []int, f *scenario.Fleet) []string {
	var all []string
	for _, i := range fleets {
		other := &v.Fleets[i]
		if meet := max(f.StartAt, other.StartAt); v.goneBy(meet, f) || v.goneBy(meet, other) {
			continue
		}
		if all == nil {
			all = other.Plan.Config.Assignors
		}
		if both := common(all, other.Plan.Config.Assignors); len(both) > 0 {
			all = both
		}
	}
	return all
}

func oneStepAssignorChange(v *view) {
	running, next := map[string][]string{}, map[string][]string{}
	for i := range v.Fleets {
		f := &v.Fleets[i]
		running[f.Name], next[f.Name] = f.Plan.Config.Assignors, f.Plan.Config.Assignors
	}
	for _, i := range v.inOrder() {
		e := &v.Events[i]
		for _, at := range v.fleetsOf(e.Who) {
			f := &v.Fleets[at]
			comes := next[f.Name]
			if e.Plan != nil {
				comes = e.Plan.Config.Assignors
			}
			switch e.Do {
			case scenario.Configure:
				next[f.Name] = comes
				continue
			case scenario.Restart, scenario.RollingRestart, scenario.Start:
			default:
				continue
			}
			if others := v.stay(e, f, running); others != nil && len(common(others, comes)) == 0 {
				v.report(v.changeOf(i), cure{instead: "two rolling restarts: first a list with both, then one without the old assignor"},
					"%s comes back with %s while others of group %s have %s: until the last of these is gone, whoever has restarted is "+
						"refused with INCONSISTENT_GROUP_PROTOCOL", f.Name, strings.Join(comes, ", "), f.Plan.Group, strings.Join(others, ", "))
			}
			if whole(e, f) {
				running[f.Name], next[f.Name] = comes, comes
			}
		}
	}
}

// changeOf returns the path of what gives an event's processes other assignors.
func (v *view) changeOf(i int) string {
	if path := eventKey(i, "config."+strategy); v.places.Has(path) {
		return path
	}
	return eventKey(i, "do")
}

// stay returns the assignors that everybody lists who runs while an event starts members of a fleet; nil when nobody
// does, or when they have none in common.
func (v *view) stay(e *scenario.Event, f *scenario.Fleet, running map[string][]string) []string {
	var all []string
	for i := range v.Fleets {
		other := &v.Fleets[i]
		if other.Plan.Group != f.Plan.Group || other.StartAt > e.At || v.goneBy(e.At, other) {
			continue
		}
		atOnce := whole(e, f) && (e.Do != scenario.RollingRestart || e.Batch >= f.Count)
		if other == f && (atOnce || f.Count == 1) {
			continue
		}
		if all == nil {
			all = running[other.Name]
		}
		all = common(all, running[other.Name])
		if len(all) == 0 {
			return nil
		}
	}
	return all
}

func mixedRebalanceProtocols(v *view) {
	for _, g := range v.groups {
		keeps := slices.IndexFunc(g.fleets, func(i int) bool { return assignors.Cooperative(v.Fleets[i].Plan.Config.Assignors) })
		if keeps < 0 {
			continue
		}
		for _, i := range g.fleets {
			f := &v.Fleets[i]
			if assignors.Cooperative(f.Plan.Config.Assignors) || !slices.Contains(f.Plan.Config.Assignors, cooperativeSticky) {
				continue
			}
			v.report(fleetKey(i, "config."+strategy), cure{"cooperative-sticky alone, once nobody needs the others", "fleet." + f.Name + ".config." + strategy + "=" + cooperativeSticky},
				"%s lists %s, which makes it eager: it gives up everything in each rebalance, while %s of the same group keeps its partitions",
				f.Name, strings.Join(f.Plan.Config.Assignors, ", "), v.Fleets[g.fleets[keeps]].Name)
		}
	}
}

func assignorListedTwice(v *view) {
	for _, s := range v.setups(strategy) {
		list := s.plan.Config.Assignors
		once := slices.Compact(slices.Sorted(slices.Values(list)))
		if len(once) == len(list) || v.everybodyListsOnce(list, s.plan.Group) {
			continue
		}
		v.report(s.at(strategy), cure{"each assignor once", s.to + strategy + "=" + strings.Join(withoutRepeats(list), ",")},
			"%s lists %s: the coordinator counts each name and finds no assignor that everybody supports: group %s answers no JoinGroup "+
				"until the member is gone, or refuses others with INCONSISTENT_GROUP_PROTOCOL", s.fleet.Name, strings.Join(list, ", "), s.plan.Group)
	}
}

// everybodyListsOnce reports whether a list and all fleets of a group have an assignor in common that none of them
// repeats: its count is right, and the group goes on with it.
// Kafka: ClassicGroup.candidateProtocols.
func (v *view) everybodyListsOnce(list []string, group string) bool {
	return slices.ContainsFunc(list, func(name string) bool {
		once := func(list []string) bool {
			return len(slices.DeleteFunc(slices.Clone(list), func(other string) bool { return other != name })) == 1
		}
		return once(list) && !slices.ContainsFunc(v.Fleets, func(f scenario.Fleet) bool {
			return f.Plan.Group == group && !once(f.Plan.Config.Assignors)
		})
	})
}

func withoutRepeats(list []string) []string {
	var once []string
	for _, name := range list {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once
}

func rangeLeavesIdle(v *view) {
	for _, g := range v.groups {
		topics, members := v.read(g), 0
		for _, i := range g.fleets {
			members += v.Fleets[i].Count
		}
		largest, all := 0, 0
		for _, topic := range topics {
			n := v.partitions(topic)
			largest, all = max(largest, n), all+n
		}
		if v.chosen(g) != "range" || v.differ(g) || members <= largest || all < members {
			continue
		}
		c := cure{instead: "another assignor"}
		f := &v.Fleets[g.fleets[0]]
		if len(g.fleets) == 1 {
			c.set = "fleet." + f.Name + ".config." + strategy + "=" + cooperativeSticky
		}
		v.report(fleetKey(g.fleets[0], "topics"), c,
			"range shares out each topic by itself, to the first members: %s of group %s have nothing, though %s have %d partitions together (%d at most in one)",
			metrics.Plural(members-largest, "member"), g.name, metrics.Plural(len(topics), "topic"), all, largest)
	}
}

func emptySubscription(v *view) {
	for _, g := range v.groups {
		if !v.stickyGroup(g) || len(g.fleets) < 2 {
			continue
		}
		for _, i := range g.fleets {
			f := &v.Fleets[i]
			matches, err := consumers.CompilePattern(f.Plan.Pattern)
			if f.Plan.Pattern == "" || err != nil ||
				slices.ContainsFunc(v.Topics, func(t scenario.Topic) bool { return matches.MatchString(t.Name) }) {
				continue
			}
			v.report(fleetKey(i, "pattern"), cure{instead: "topics that are there before the consumers start, or a group of its own"},
				"no topic matches yet, and group %s agrees on %s: the Java assignor can give members of %s partitions that they do not subscribe to",
				g.name, v.chosen(g), f.Name)
		}
	}
}

func topicRecreatedSmaller(v *view) {
	count := map[string]int{}
	for _, t := range v.Topics {
		count[t.Name] = t.Partitions
	}
	deleted := map[string]bool{}
	for _, i := range v.inOrder() {
		e := &v.Events[i]
		switch e.Do {
		case scenario.DeleteTopic:
			deleted[e.Topic] = true
		case scenario.Partitions:
			count[e.Topic] = e.Count
		case scenario.CreateTopic:
			if before := count[e.Topic]; deleted[e.Topic] && e.Count < before {
				v.reportSmaller(i, before)
			}
			count[e.Topic], deleted[e.Topic] = e.Count, false
		}
	}
}

func (v *view) reportSmaller(i, before int) {
	e := &v.Events[i]
	for _, g := range v.groups {
		if v.stickyGroup(g) && slices.Contains(v.read(g), e.Topic) {
			v.report(eventKey(i, "count"), cure{instead: "as many partitions as before, or consumers that are all stopped meanwhile"},
				"topic %s comes back with %d of %d partitions, and group %s agrees on %s: members that still claim the others can make the "+
					"Java assignor give one partition to two members, or throw", e.Topic, e.Count, before, g.name, v.chosen(g))
		}
	}
}
