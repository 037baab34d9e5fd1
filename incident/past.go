package incident

import (
	"time"

	"simulate/incident/logs"
)

// past is what the first records tell of the time before them, and what a coordinator found when it loaded the group.
type past struct {
	first    int32     // the generation that the group had when the log began; logs.Unknown
	replayed *Replayed // nil: no member was dumped
}

// Replayed are the members that a coordinator read from the offsets topic when it loaded the group: what it dumps of each
// record is history.
type Replayed struct {
	Members   int
	Low, High int32 // their generations
}

func newPast() past {
	return past{first: logs.Unknown}
}

// began takes the generation of the first record that has one.
func (p *past) began(e *logs.Event) {
	if p.first != logs.Unknown || e.Generation < 0 {
		return
	}
	p.first = e.Generation
	switch e.Kind {
	case logs.Completing, logs.AssignmentReceived, logs.EmptyGroup, logs.JoinAnswered, logs.LeaderElected, logs.Synced:
		p.first = max(0, e.Generation-1) // it is new
	}
}

// loaded takes a member that was read from the offsets topic, which may be known already.
func (p *past) loaded(e *logs.Event, known bool) {
	if e.Kind != logs.MemberLoaded || e.Generation < 0 {
		return
	}
	if p.replayed == nil {
		p.replayed = &Replayed{Low: e.Generation, High: e.Generation}
	}
	r := p.replayed
	if !known {
		r.Members++
	}
	r.Low, r.High = min(r.Low, e.Generation), max(r.High, e.Generation)
}

// period returns the mean time from one rebalance to the next, from the first to the last that was logged from its begin on,
// those that only generations tell included; 0 when there are no two.
func (g *Group) period() time.Duration {
	var first, last *Rebalance
	for i := range g.Rebalances {
		if r := &g.Rebalances[i]; !r.Headless && r.Old != logs.Unknown && r.At != logs.NoTime {
			if first == nil {
				first = r
			}
			last = r
		}
	}
	if first == nil || last.Old <= first.Old {
		return 0
	}
	return last.At.Sub(first.At) / time.Duration(last.Old-first.Old)
}
