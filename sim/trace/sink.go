package trace

import "slices"

// Sink receives everything that happens in a run, in order. It cannot answer back.
type Sink interface{ Record(Event) }

// IgnoresRoutine reports whether a sink does nothing with routine events, so that nobody need make them. It is asked by a
// method of that name; a sink without one may do anything with them.
func IgnoresRoutine(s Sink) bool {
	ignores, ok := s.(interface{ IgnoresRoutine() bool })
	return ok && ignores.IgnoresRoutine()
}

// Tee records to each sink in turn.
type Tee []Sink

// Record passes e to every sink.
func (t Tee) Record(e Event) {
	for _, s := range t {
		s.Record(e)
	}
}

// IgnoresRoutine reports whether every sink does nothing with routine events.
func (t Tee) IgnoresRoutine() bool {
	return !slices.ContainsFunc(t, func(s Sink) bool { return !IgnoresRoutine(s) })
}

// Discard forgets everything.
var Discard Sink = discard{}

type discard struct{}

func (discard) Record(Event) {}

func (discard) IgnoresRoutine() bool { return true }

// Memory keeps every event that is not routine, and how much of that there was.
type Memory struct{ Events []Event }

// Record keeps e.
func (m *Memory) Record(e Event) {
	if !e.Kind.Routine() || e.Kind == RoutineCounted {
		m.Events = append(m.Events, e)
	}
}

// IgnoresRoutine reports that routine events are not kept.
func (m *Memory) IgnoresRoutine() bool { return true }
