package diff

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"simulate/sim/trace"
)

// Parting is where two runs stop being alike. Member ids, which are drawn, what is only set or planned (the details
// of a member, deadlines), and the order of events of one instant do not part them before something happens otherwise.
type Parting struct {
	Alike    int          // how many events before it, or at its instant, are alike
	A, B     *trace.Event // what each run records otherwise, or else next; nil when it records nothing more
	DifferIn []string     // the keys of the trace file in which these two differ, sorted; empty when one is nil
}

// parting returns the first events that are not alike, nil when all are.
func parting(a, b []trace.Event) *Parting {
	for alike := 0; len(a) > 0 || len(b) > 0; {
		nowA, nowB := atOnce(a), atOnce(b)
		seenA, seenB := allObserved(nowA), allObserved(nowB)
		onlyA, onlyB := without(nowA, seenA, seenB), without(nowB, seenB, seenA)
		alike += len(nowA) - len(onlyA)
		a, b = a[len(nowA):], b[len(nowB):]
		if len(onlyA) == 0 && len(onlyB) == 0 {
			continue
		}
		p := &Parting{Alike: alike, A: first(onlyA, a), B: first(onlyB, b), DifferIn: []string{}}
		if p.A != nil && p.B != nil {
			p.DifferIn = differIn(observed(p.A), observed(p.B))
		}
		return p
	}
	return nil
}

// atOnce returns the events of the first instant.
func atOnce(events []trace.Event) []trace.Event {
	n := 0
	for n < len(events) && events[n].At == events[0].At {
		n++
	}
	return events[:n]
}

// without returns the events that have no counterpart among others; both as they are observed.
func without(events []trace.Event, observed, others []string) []trace.Event {
	there := map[string]int{}
	for _, o := range others {
		there[o]++
	}
	var only []trace.Event
	for i, o := range observed {
		if there[o]--; there[o] < 0 {
			only = append(only, events[i])
		}
	}
	return only
}

// first returns the first event of two lists, nil when there is none.
func first(list, next []trace.Event) *trace.Event {
	switch {
	case len(list) > 0:
		return &list[0]
	case len(next) > 0:
		return &next[0]
	}
	return nil
}

// uuid is what the coordinator, or a client, adds to make a member id.
var uuid = regexp.MustCompile(`-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// observed writes what somebody who watches sees of an event.
func observed(e *trace.Event) []byte {
	seen := *e
	seen.Until, seen.Cause, seen.Details = 0, 0, nil
	seen.Chain = slices.Clone(e.Chain)
	for i := range seen.Chain {
		l := &seen.Chain[i]
		l.Until, l.Fires, l.Timer = 0, 0, trace.TimerNone
	}
	return uuid.ReplaceAll(trace.AppendJSON(nil, seen), nil)
}

func allObserved(events []trace.Event) []string {
	all := make([]string, len(events))
	for i := range events {
		all[i] = string(observed(&events[i]))
	}
	return all
}

// differIn returns the keys in which two objects differ.
func differIn(a, b []byte) []string {
	var x, y map[string]json.RawMessage
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		panic("diff: an event is no JSON object")
	}
	differ := map[string]bool{}
	for _, of := range []map[string]json.RawMessage{x, y} {
		for key := range of {
			if !bytes.Equal(x[key], y[key]) {
				differ[key] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(differ))
}
