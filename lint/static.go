package lint

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"simulate/sim/consumers"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// eachRestart calls a rule with every event that ends processes of a fleet and starts them again.
func (v *view) eachRestart(rule func(i int, e *scenario.Event, f *scenario.Fleet)) {
	for i := range v.Events {
		e := &v.Events[i]
		switch e.Do {
		case scenario.Restart, scenario.RollingRestart, scenario.CrashLoop:
			for _, at := range v.fleetsOf(e.Who) {
				rule(i, e, &v.Fleets[at])
			}
		}
	}
}

// leaves reports whether a process that is ended by an event sends LeaveGroup.
// Kafka: AbstractCoordinator.maybeLeaveGroup (KIP-1092).
func leaves(e *scenario.Event, f *scenario.Fleet) bool {
	switch {
	case e.Do != scenario.Stop && !e.Graceful:
		return false
	case e.Close.Operation == consumers.LeaveByDefault:
		return f.Plan.Config.LeaveOnClose && !f.Static
	}
	return e.Close.Operation == consumers.LeaveGroup
}

func staticSessionBelowRestart(v *view) {
	v.eachRestart(func(i int, e *scenario.Event, f *scenario.Fleet) {
		if f.Static && !leaves(e, f) {
			v.awayTooLong(eventKey(i, "down"), f, rare(e.Down)+rare(f.Plan.Boot))
		}
	})
	for i := range v.Events {
		e := &v.Events[i]
		if e.Do != scenario.Kill && e.Do != scenario.Stop {
			continue
		}
		for _, at := range v.fleetsOf(e.Who) {
			f := &v.Fleets[at]
			if back := v.comesBack(e); back >= 0 && f.Static && !leaves(e, f) {
				v.awayTooLong(eventKey(back, "at"), f, v.Events[back].At-e.At+rare(f.Plan.Boot))
			}
		}
	}
}

// comesBack returns the number of the event that first starts again just those that an event ends; -1 for none.
func (v *view) comesBack(end *scenario.Event) int {
	for _, i := range v.inOrder() {
		if e := &v.Events[i]; e.Do == scenario.Start && e.At >= end.At && slices.Equal(e.Who, end.Who) {
			return i
		}
	}
	return -1
}

// awayTooLong reports a static member that comes back after its session.
func (v *view) awayTooLong(path string, f *scenario.Fleet, away time.Duration) {
	c := f.Plan.Config
	if away+c.HeartbeatInterval < c.SessionTimeout {
		return
	}
	need := seconds(away+c.HeartbeatInterval) + time.Second
	v.report(path, v.longerSession(&f.Plan, "a session longer than the restart", "fleet."+f.Name+".config."+sessionTimeout, need),
		"a static member of %s is away for %s (down and boot, p99.9) and its last heartbeat up to %s older, but its session "+
			"lasts %s: the coordinator removes it, and the restart costs the two rebalances that the static id was to spare",
		f.Name, in(away), in(c.HeartbeatInterval), in(c.SessionTimeout))
}

func staticMemberLeaves(v *view) {
	v.eachRestart(func(i int, e *scenario.Event, f *scenario.Fleet) {
		if f.Static && leaves(e, f) {
			v.report(eventKey(i, "group-membership-operation"), cure{"DEFAULT, with which static members stay",
				fmt.Sprintf("event.%d.group-membership-operation=DEFAULT", i+1)},
				"close() with LEAVE_GROUP takes static members of %s out of the group: each restart costs two rebalances, as without a static id", f.Name)
		}
	})
}

func staticMemberGone(v *view) {
	size := map[string]int{}
	for i := range v.Fleets {
		size[v.Fleets[i].Name] = v.Fleets[i].Count
	}
	for _, i := range v.inOrder() {
		e := &v.Events[i]
		for _, at := range v.fleetsOf(e.Who) {
			f := &v.Fleets[at]
			shrinks := e.Do == scenario.Scale && e.To < size[f.Name]
			if e.Do == scenario.Scale {
				size[f.Name] = e.To
			}
			if !f.Static || !shrinks && (e.Do != scenario.Stop || leaves(e, f) || v.startsAgain(e.At, f)) || v.removed(e.At, f.Plan.Group) {
				continue
			}
			c := cure{instead: "close() with LEAVE_GROUP (KIP-1092), or do = \"remove-members\" after it, as an administrator can"}
			if e.Do == scenario.Stop && v.takeCloseOptions(e.Who) {
				c.set = fmt.Sprintf("event.%d.group-membership-operation=LEAVE_GROUP", i+1)
			}
			v.report(eventKey(i, "do"), c,
				"static members of %s that are stopped for good stay in the group until their session is over: nobody reads their partitions for up to %s",
				f.Name, in(f.Plan.Config.SessionTimeout))
		}
	}
}

// startsAgain reports whether an event starts members of a fleet after an instant.
func (v *view) startsAgain(after time.Duration, f *scenario.Fleet) bool {
	return slices.ContainsFunc(v.Events, func(e scenario.Event) bool {
		return (e.Do == scenario.Start || e.Do == scenario.Scale) && e.At >= after &&
			slices.ContainsFunc(e.Who, func(s scenario.Selector) bool { return v.selects(s, f) })
	})
}

// removed reports whether an administrator removes members of a group after an instant.
func (v *view) removed(after time.Duration, group string) bool {
	return slices.ContainsFunc(v.Events, func(e scenario.Event) bool {
		return e.Do == scenario.RemoveMembers && e.At >= after && e.Group == group
	})
}

func staticIDChanges(v *view) {
	for i := range v.Events {
		e := &v.Events[i]
		if e.Instance == nil || len(e.Who) != 1 || *e.Instance == e.Who[0].Name {
			continue
		}
		for _, at := range v.fleetsOf(e.Who) {
			if f := &v.Fleets[at]; f.Static {
				v.report(eventKey(i, "config.group.instance.id"), cure{instead: "the same id at each start"},
					"%s starts with another group.instance.id than before: the coordinator knows a new member, and its old id keeps its "+
						"partitions until its session of %s is over", e.Who[0].Name, in(f.Plan.Config.SessionTimeout))
			}
		}
	}
}

// randomSuffix matches what Kubernetes appends to the names of a Deployment's pods, and UUIDs.
var randomSuffix = regexp.MustCompile(`-[bcdf0-9ghjklmnpqrstvwxz]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}(-\d+)?$|` +
	`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-\d+)?$`)

func staticIDRandom(v *view) {
	const text = "the static id %s looks as if a part of it were drawn anew for each process: after a deployment nobody has the old ids, " +
		"and each keeps its partitions until its session is over"
	c := cure{instead: "ids that outlive the process, such as the names of a StatefulSet's pods"}
	for i := range v.Fleets {
		if f := &v.Fleets[i]; f.Static && randomSuffix.MatchString(f.Name) {
			v.report(fleetKey(i, "name"), c, text, f.Member(1))
		}
	}
	for i := range v.Events {
		if id := v.Events[i].Instance; id != nil && randomSuffix.MatchString(*id) {
			v.report(eventKey(i, "config.group.instance.id"), c, text, *id)
		}
	}
}

func instanceIDTaken(v *view) {
	for i := range v.Events {
		e := &v.Events[i]
		if e.Instance == nil || len(e.Who) != 1 || *e.Instance == e.Who[0].Name {
			continue
		}
		owner := slices.IndexFunc(v.Fleets, func(f scenario.Fleet) bool {
			return f.Static && v.hasMember(&f, *e.Instance)
		})
		if owner < 0 || v.endedBefore(e.At, *e.Instance) {
			continue
		}
		for _, at := range v.fleetsOf(e.Who) {
			if v.Fleets[at].Plan.Group == v.Fleets[owner].Plan.Group {
				v.report(eventKey(i, "config.group.instance.id"), cure{instead: "an id of its own for each process"},
					"%s starts with the group.instance.id of %s, which runs: the one that was there is fenced with FENCED_INSTANCE_ID, "+
						"which is fatal, and its partitions have two readers until it notices", e.Who[0].Name, *e.Instance)
			}
		}
	}
}

// endedBefore reports whether an event stops or kills a member before an instant.
func (v *view) endedBefore(at time.Duration, member string) bool {
	return slices.ContainsFunc(v.Events, func(e scenario.Event) bool {
		return (e.Do == scenario.Stop || e.Do == scenario.Kill) && e.At < at &&
			slices.ContainsFunc(e.Who, func(s scenario.Selector) bool { return s.Name == member || s.Name == fleetName(member) })
	})
}

// takeCloseOptions reports whether all whom an event may act on can say at close() whether to leave.
func (v *view) takeCloseOptions(who []scenario.Selector) bool {
	return !slices.ContainsFunc(v.fleetsOf(who), func(i int) bool {
		profile, _ := consumers.FindProfile(v.Fleets[i].Plan.Client)
		return !profile.CloseOptions
	})
}

// alwaysDynamic reports whether the client of a fleet has no group.instance.id.
func alwaysDynamic(f *scenario.Fleet) bool {
	profile, _ := consumers.FindProfile(f.Plan.Client)
	return profile.AlwaysDynamic
}

// staticSet is a --set of static ids; "" where they would not help: a member is away for longer than its session, or
// the client has none.
func (v *view) staticSet(f *scenario.Fleet) string {
	helps := !alwaysDynamic(f)
	v.eachRestart(func(_ int, e *scenario.Event, restarted *scenario.Fleet) {
		away := rare(e.Down) + rare(f.Plan.Boot) + f.Plan.Config.HeartbeatInterval
		helps = helps && (restarted != f || away < f.Plan.Config.SessionTimeout)
	})
	if !helps {
		return ""
	}
	return "fleet." + f.Name + ".static=true"
}

func restartWithoutStaticIDs(v *view) {
	v.eachRestart(func(i int, e *scenario.Event, f *scenario.Fleet) {
		batches := (f.Count + max(e.Batch, 1) - 1) / max(e.Batch, 1)
		if e.Do != scenario.RollingRestart || f.Static || !leaves(e, f) || alwaysDynamic(f) || batches < 2 || !whole(e, f) {
			return
		}
		c := cure{"static ids, with a session longer than one restart", v.staticSet(f)}
		v.report(eventKey(i, "do"), c, "%s of %s restart in %d steps, and in each of them somebody leaves and joins again: up to %d rebalances",
			metrics.Plural(f.Count, "dynamic member"), f.Name, batches, 2*batches)
	})
}

func restartLeavesGhost(v *view) {
	v.eachRestart(func(i int, e *scenario.Event, f *scenario.Fleet) {
		if f.Static || leaves(e, f) {
			return
		}
		c := f.Plan.Config
		back := e.Down.Quantile(0.5) + f.Plan.Boot.Quantile(0.5)
		wait := min(c.SessionTimeout-back, v.rebalanceTimeout(f.Plan.Group))
		if wait <= c.HeartbeatInterval {
			return
		}
		v.report(eventKey(i, "do"), cure{"a process that leaves its group when it ends, or static ids", v.staticSet(f)},
			"members of %s end without LeaveGroup and come back after about %s under new member ids; their session lasts %s, and "+
				"the rebalance waits for the old ones, up to %s", f.Name, in(back), in(c.SessionTimeout), in(wait))
	})
}

func restartGap(v *view) {
	v.eachRestart(func(i int, e *scenario.Event, f *scenario.Fleet) {
		if e.Do != scenario.RollingRestart || !whole(e, f) || f.Count <= e.Batch {
			return
		}
		need, parts, then := rare(f.Plan.Boot), "boot", "two are away at once"
		if !f.Static {
			need += f.Plan.Config.HeartbeatInterval
			parts += ", and a heartbeat in which the others learn of it"
			then += ", and rebalances run into one another"
		}
		if e.Gap >= need {
			return
		}
		v.report(eventKey(i, "gap"), cure{"a gap of " + in(seconds(need)), setTo(fmt.Sprintf("event.%d.gap", i+1), seconds(need))},
			"the next member of %s stops %s after the start of the one before, which may take %s until it has joined (%s): %s",
			f.Name, in(e.Gap), in(need), parts, then)
	})
}
