package logs

import (
	"cmp"
	"slices"
)

// untie puts events of the same instant, of which it is not known in what order they were logged, in an order in which they can
// have happened: for each group and broker among the places that these have.
func untie(tied []*entry) {
	done := make([]bool, len(tied))
	for i, first := range tied {
		if done[i] || first.Library != Broker || first.Group == "" {
			continue
		}
		var places []int
		var events []*entry
		for j := i; j < len(tied); j++ {
			if e := tied[j]; e.Group == first.Group && e.Broker == first.Broker && e.Library == Broker {
				places, events, done[j] = append(places, j), append(events, e), true
			}
		}
		if len(events) > 1 {
			steps(events)
			slices.SortStableFunc(events, func(a, b *entry) int { return cmp.Compare(a.step, b.step) })
			for k, j := range places {
				tied[j] = events[k]
			}
		}
	}
}

// A generation goes through these steps: it is made, or made empty; brokers from 3.0 to 3.9 say who has left; it gets its
// assignment; somebody comes or goes; it ends because of that.
const (
	made = iota
	leftAfter
	assigned
	changed
	prepared
	stepsOfGeneration
)

// steps numbers the events of a group. What has no generation goes with the rebalance that names its member, or else with
// the event before it.
func steps(events []*entry) {
	last := int64(0)
	for _, e := range events {
		g := int64(e.Generation) * stepsOfGeneration
		switch e.Kind {
		case Preparing:
			e.step = g + prepared
		case Completing, EmptyGroup:
			e.step = g + made
		case AssignmentReceived:
			e.step = g + assigned
		case MemberLeft, MemberFailed, MemberAdded, MemberIDIssued:
			e.step = last
			if p := preparingOf(e, events); p != nil {
				e.step = int64(p.Generation)*stepsOfGeneration + changed
				if e.Details != nil {
					e.step += stepsOfGeneration - changed + leftAfter
				}
			}
		default:
			e.step = last
		}
		last = e.step
	}
}

// preparingOf returns the begin of a rebalance that names the member of e, nil when there is none.
func preparingOf(e *entry, events []*entry) *entry {
	for _, p := range events {
		if p.Kind == Preparing && (p.Member == e.Member || slices.Contains(p.List, e.Member)) {
			return p
		}
	}
	return nil
}
