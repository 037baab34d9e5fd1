package sim

import (
	"path"
	"slices"

	"simulate/sim/scenario"
)

// resolve finds whom an event acts on, at this instant: each member once, in the order of who, and for one
// entry of it in the order of fleets and numbers. Only those count that the verb can act on: start finds
// those that do not run, stop also those that are about to come back, everything else those that run.
func (w *world) resolve(f *fault) []*actor {
	var found []*actor
	for _, s := range f.event.Who {
		named := w.named(f, s)
		if f.event.Do == scenario.AbandonMemberID {
			named = named[:min(1, len(named))]
		}
		for _, a := range named {
			if !slices.Contains(found, a) && w.canAct(f.event.Do, a) {
				found = append(found, a)
			}
		}
	}
	return found
}

func (w *world) canAct(do scenario.Verb, a *actor) bool {
	switch do {
	case scenario.Start:
		return a.process == nil
	case scenario.Stop:
		return a.process != nil || a.comeback != nil
	case scenario.AbandonMemberID, scenario.RemoveMembers, scenario.RollingRestart, scenario.Drop, scenario.Delay,
		scenario.Configure:
		return true
	}
	return a.process != nil
}

func (w *world) named(f *fault, s scenario.Selector) []*actor {
	switch s.Kind {
	case scenario.ByMember:
		if a := w.byName[s.Name]; a != nil {
			return []*actor{a}
		}
	case scenario.ByFleet:
		return w.fleetNamed(s.Name).members
	case scenario.ByGlob:
		return w.where(func(a *actor) bool {
			ok, _ := path.Match(s.Name, a.name)
			return ok
		})
	case scenario.ByLeader:
		shard := w.shardOf(s.Name)
		if shard == nil {
			return nil
		}
		if id, ok := shard.Leader(s.Name); ok && id != "" {
			if a := w.given[id].to; a != nil && a.fleet != nil { // else it is a member that the log remembers, or of a raw-join
				return []*actor{a}
			}
		}
	case scenario.ByAny:
		living := w.where(func(a *actor) bool {
			return a.process != nil && (a.fleet.Name == s.Name || a.plan.Group == s.Name)
		})
		if len(living) > 0 {
			return []*actor{living[w.eventStream(f.number, "who").Below(len(living))]}
		}
	}
	return nil
}

func (w *world) fleetNamed(name string) *fleet {
	i := slices.IndexFunc(w.fleets, func(f *fleet) bool { return f.Name == name })
	return w.fleets[i]
}

func (w *world) where(ok func(*actor) bool) []*actor {
	var found []*actor
	for _, f := range w.fleets {
		for _, a := range f.members {
			if ok(a) {
				found = append(found, a)
			}
		}
	}
	return found
}
