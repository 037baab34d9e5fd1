package trace

// Sink receives everything that happens in a run, in order. It cannot answer back.
type Sink interface{ Record(Event) }

// Tee records to each sink in turn.
type Tee []Sink

// Record passes e to every sink.
func (t Tee) Record(e Event) {
	for _, s := range t {
		s.Record(e)
	}
}

// Discard forgets everything.
var Discard Sink = discard{}

type discard struct{}

func (discard) Record(Event) {}

// Memory keeps every event that is not routine.
type Memory struct{ Events []Event }

// Record keeps e.
func (m *Memory) Record(e Event) {
	if !e.Kind.Routine() {
		m.Events = append(m.Events, e)
	}
}
