package scenario

import "slices"

// Source is something of a fleet that acts on its members again and again, beside the scenario's events. In a trace
// sources have the numbers -1, -2, ..., in the order of Sources.
type Source struct {
	Kind   SourceKind
	Fleet  int    // its place in Fleets
	Pauses int    // its place in the fleet's Pauses, if it is one of them
	Name   string // such as "pauses g1-young"
}

// SourceKind says what a source is.
type SourceKind uint8

// The kinds of sources.
const (
	OfPauses SourceKind = iota
	OfLiveness
	OfAutoscaler
)

// Sources returns all of them, fleet by fleet.
func (s *Scenario) Sources() []Source {
	var all []Source
	for i := range s.Fleets {
		f := &s.Fleets[i]
		for j, p := range f.Pauses {
			all = append(all, Source{OfPauses, i, j, p.source()})
		}
		if f.Pod != nil && f.Pod.Liveness != nil {
			all = append(all, Source{OfLiveness, i, 0, "liveness probe"})
		}
		if f.Autoscaler != nil {
			all = append(all, Source{OfAutoscaler, i, 0, "autoscaler"})
		}
	}
	return all
}

func (p *Pauses) source() string {
	if p.Name == "" {
		return "pauses"
	}
	return "pauses " + p.Name
}

// Without returns the scenario without a source. Everything else, and what it draws, stays as it is.
func (s *Scenario) Without(x Source) *Scenario {
	other := *s
	other.Fleets = slices.Clone(s.Fleets)
	f := &other.Fleets[x.Fleet]
	switch x.Kind {
	case OfPauses:
		f.Pauses = slices.Delete(slices.Clone(f.Pauses), x.Pauses, x.Pauses+1)
	case OfLiveness:
		pod := *f.Pod
		pod.Liveness = nil
		f.Pod = &pod
	case OfAutoscaler:
		f.Autoscaler = nil
	}
	return &other
}
