package scenario

import "slices"

// Source is something of a fleet that acts on its members again and again, beside the scenario's events. In a trace
// sources have the numbers -1, -2, ..., in the order of Sources.
type Source struct {
	Fleet  int    // its place in Fleets
	Name   string // such as "pauses g1-young"
	Pauses int    // its place in the fleet's Pauses
}

// Sources returns all of them, fleet by fleet.
func (s *Scenario) Sources() []Source {
	var all []Source
	for i := range s.Fleets {
		for j, p := range s.Fleets[i].Pauses {
			all = append(all, Source{i, p.source(), j})
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
	f.Pauses = slices.Delete(slices.Clone(f.Pauses), x.Pauses, x.Pauses+1)
	return &other
}
