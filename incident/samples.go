package incident

import (
	"time"

	"simulate/incident/logs"
)

// Samples are what was seen of a group at moments, by scrapes of metrics or by kafka-consumer-groups. What was between
// them nobody knows: a group may have left a state and come back. So they add nothing to spans and times.
type Samples struct {
	Count       int            // moments at which its state was seen
	From, To    logs.Instant   // of the first and the last of these
	Apart       time.Duration  // the longest time between two
	In          [NumStates]int // how many saw it in a state
	Rebalancing int            // how many saw it in PreparingRebalance or CompletingRebalance, it is not said which
	Changes     int            // of its state, at least
	Rebalances  int            // at least, as far as generations or states tell
	Least, Most int            // members that were seen; logs.Unknown
	Seen        []Sample       // the last Options.MaxKept
}

// Sample is a moment at which the state of a group was seen.
type Sample struct {
	At          logs.Instant
	State       State // Unknown when it is only said that the group rebalances
	Rebalancing bool  // it rebalances
	Line        logs.Place
}

// sampling is the samples of a group so far.
type sampling struct {
	Samples
	kept       kept[Sample]
	generation int32 // that was seen last
	byStates   int   // rebalances that states tell
	byNumbers  int   // that generations tell
}

func newSampling() *sampling {
	return &sampling{generation: logs.Unknown, Samples: Samples{From: logs.NoTime, To: logs.NoTime, Least: logs.Unknown, Most: logs.Unknown}}
}

// sampled takes what was seen of a group.
func (f *Fold) sampled(e *logs.Event) {
	g := f.group(e.Group)
	if g == nil {
		return
	}
	g.touch(e)
	if g.samples == nil {
		g.samples = newSampling()
	}
	g.samples.take(e, &f.room)
}

func (s *sampling) take(e *logs.Event, r *room) {
	if n := int(e.Members); e.Members != logs.Unknown {
		if s.Least == logs.Unknown {
			s.Least = n
		}
		s.Least, s.Most = min(s.Least, n), max(s.Most, n)
	}
	if e.Generation != logs.Unknown {
		if s.generation != logs.Unknown && e.Generation > s.generation {
			s.byNumbers += int(e.Generation - s.generation)
		}
		s.generation = e.Generation
	}
	now := Sample{At: e.At, State: stateSeen(e), Line: e.Place}
	now.Rebalancing = now.State == PreparingRebalance || now.State == CompletingRebalance || e.Text == logs.Rebalancing
	if now.State == Unknown && !now.Rebalancing {
		return
	}
	s.see(now, r)
}

func (s *sampling) see(now Sample, r *room) {
	if last := s.kept.last(); last != nil {
		if now.At == last.At && now.State == last.State && now.At != logs.NoTime {
			return // it was printed twice
		}
		if now.changed(last) {
			s.Changes++
		}
		if now.Rebalancing && !last.Rebalancing {
			s.byStates++
		}
		if now.At != logs.NoTime && last.At != logs.NoTime {
			s.Apart = max(s.Apart, now.At.Sub(last.At))
		}
	} else {
		s.From = now.At
		if now.Rebalancing {
			s.byStates++
		}
	}
	s.To = now.At
	s.Count++
	if now.State == Unknown {
		s.Rebalancing++
	} else {
		s.In[now.State]++
	}
	s.kept.add(now, r)
}

// changed reports whether the state cannot be the one that was seen before.
func (s *Sample) changed(last *Sample) bool {
	same := s.Rebalancing && last.Rebalancing && (s.State == Unknown || last.State == Unknown)
	return s.State != last.State && !same
}

// stateSeen returns the state that an event of samples has.
func stateSeen(e *logs.Event) State {
	if e.Text == Reconciling.String() {
		return Reconciling
	}
	for s := Empty; s < Reconciling; s++ {
		if s.String() == e.State.String() {
			return s
		}
	}
	return Unknown
}

// result returns what the samples come to, nil when there are none.
func (s *sampling) result() *Samples {
	if s == nil {
		return nil
	}
	out := s.Samples
	out.Seen = s.kept.list()
	out.Rebalances = max(s.byStates, s.byNumbers)
	return &out
}
