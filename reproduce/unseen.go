package reproduce

import (
	"cmp"
	"slices"
	"time"

	"simulate/incident/logs"
	"simulate/sim/trace"
)

// mostUnseen is how many rebalances that nobody logged are taken into a story between two that are: more of them would be all
// invention.
const mostUnseen = 100

// The stages of a rebalance, in order.
const (
	preparing = iota
	completing
	assigned
	stages
)

// progress is how far a group has come: generations, each with its stages. That makes what was not logged countable.
type progress int

// progressOf returns how far a group is with an event; false when it does not say.
func progressOf(e *logs.Event) (progress, bool) {
	if e.Generation < 0 {
		return 0, false
	}
	generation := progress(e.Generation) * stages
	switch e.Kind {
	case logs.Preparing:
		return generation + stages + preparing, true
	case logs.Completing:
		return generation + completing, true
	case logs.AssignmentReceived, logs.EmptyGroup: // an empty group waits for no leader
		return generation + assigned, true
	}
	return 0, false
}

// entry is an event of a story.
type entry struct {
	logs.Event
	unseen bool // nobody logged it
}

// filled returns events with the rebalances of which only the generations tell, as far apart from each other as from those that
// were logged before and after. Where a coordinator loads the group, nothing is added: another one may have logged it.
func filled(events []logs.Event) []entry {
	var all []entry
	last := -1
	for i := range events {
		e := &events[i]
		if e.Kind == logs.GroupLoaded {
			last = -1
		}
		if now, ok := progressOf(e); ok {
			if last >= 0 {
				was, _ := progressOf(&events[last])
				all = append(all, between(events, last, i, was, now)...)
			}
			last = i
		}
		all = append(all, entry{Event: *e})
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.At, b.At) })
	return all
}

// between returns what a group did that was logged up to one stage and from another one on.
func between(events []logs.Event, last, next int, was, now progress) []entry {
	passed := now/stages - was/stages - 1 // rebalances of which nothing was logged
	if passed > mostUnseen || now == was+2 && (was%stages == completing || events[next].Kind == logs.EmptyGroup) {
		return nil
	}
	from, to := events[last].At, events[next].At
	like := typical(events, last, next)
	var all []entry
	for p := was + 1; p < now; p++ {
		e := like
		switch {
		case p/stages == was/stages:
			e.At = from.Add(time.Duration(p-was) * time.Millisecond)
		case p/stages == now/stages:
			e.At = to.Add(-time.Duration(now-p) * time.Millisecond)
		default:
			e.At = from.Add(to.Sub(from) * time.Duration(p/stages-was/stages) / time.Duration(passed+1)).Add(time.Duration(p%stages) * time.Millisecond)
		}
		e.Kind, e.Generation = logs.Preparing, int32(p/stages)
		switch p % stages {
		case preparing:
			e.Generation--
		case completing:
			e.Kind = logs.Completing
		case assigned:
			e.Kind = logs.AssignmentReceived
		}
		all = append(all, entry{e, true})
	}
	return all
}

// typical returns an event for the reason that the rebalances between two others are taken to have: that of the next one, or of
// the one before, if a member rejoined by itself; it may go on to do so.
func typical(events []logs.Event, last, next int) logs.Event {
	e := logs.Event{Group: events[last].Group, Broker: events[last].Broker, Partition: logs.Unknown, Members: logs.Unknown, Static: logs.Unknown}
	known := func(all []logs.Event) bool {
		i := slices.IndexFunc(all, func(e logs.Event) bool { return e.Kind == logs.Preparing })
		if i >= 0 && (all[i].Reason == trace.LeaderRejoined || all[i].Reason == trace.MemberRejoined) {
			e.Reason, e.Member, e.ClientReason = all[i].Reason, all[i].Member, all[i].ClientReason
		}
		return i >= 0
	}
	if !known(events[next:]) {
		before := slices.Clone(events[:last+1])
		slices.Reverse(before)
		known(before)
	}
	return e
}

// passed returns how many rebalances of a story nobody logged.
func (s *story) passed() int {
	n := 0
	for i, unseen := range s.unseen {
		if unseen && s.events[i].Kind == logs.Preparing {
			n++
		}
	}
	return n
}

// headless returns the event with which a story begins in the middle of a rebalance; -1 when it does not.
func (s *story) headless() int {
	i := slices.IndexFunc(s.events, func(e logs.Event) bool { return slices.Contains(changes, e.Kind) || e.Kind == logs.GroupLoaded })
	if i < 0 {
		return -1
	}
	switch e := &s.events[i]; {
	case e.Kind == logs.Completing, e.Kind == logs.AssignmentReceived, e.Kind == logs.Preparing && e.Reason == trace.AppendFailed:
		return i
	}
	return -1
}
