package explain

import (
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// process is what is known of a process: the last of each thing that happened to it.
type process struct {
	life       *Step // its start
	client     string
	group      string
	timeout    time.Duration // how long that waits for it; 0 when unknown, as of the Java consumer
	ended      *Step         // the end of the life before
	acts       []*Step
	doing      []*Step    // stalls, batches and callbacks
	batch      *Step      // the last long one
	resumed    clock.Time // when it read again after it had dropped out of its group
	member     wire.MemberID
	timedOut   *Step
	failed     *Step
	threw      *Step
	subscribed *Step
	lost       *Step
	forgot     *Step
	left       *Step
	refused    *Step // its commits
	rejoin     *Step // why it sends its next JoinGroup
	lapsed     *Step // how a member that it was, in this life or the one before, was removed by a timer
}

// begin takes the start of another life.
func (p *process) begin(s *Step) {
	*p = process{life: s, client: s.Client, rejoin: s, ended: p.ended, acts: p.acts, lapsed: p.lapsed}
}

// out returns how the process dropped out of its group last.
func (p *process) out() *Step { return later(p.forgot, p.timedOut) }

// behindBatch returns what made a batch of records long: the backlog since the process had dropped out of its group, if it
// begins as soon as the process reads again. Batches that follow on one another at once are about the same backlog. One
// record alone is as long as it is.
func (p *process) behindBatch(e trace.Event) *Step {
	const atOnce = time.Second
	out := p.out()
	switch last := p.batch; {
	case e.Members <= 1:
		return nil
	case out != nil && p.resumed >= out.At && e.At.Sub(p.resumed) <= atOnce && (last == nil || out.At >= last.At):
		return out
	case last != nil && e.At.Sub(last.Until) <= atOnce:
		return last.because
	}
	return nil
}

// stallEnded notes how long a stall was: others may have been added to it.
func (p *process) stallEnded(at clock.Time) {
	for _, s := range slices.Backward(p.doing) {
		if s.Kind == Stalled {
			s.Until, s.For = at, at.Sub(s.At)
			return
		}
	}
}

// lastAct returns the last event of the scenario with one of the verbs that acted on the process.
func (p *process) lastAct(verbs ...scenario.Verb) *Step {
	for _, s := range slices.Backward(p.acts) {
		if slices.Contains(verbs, scenario.Verb(s.Text)) && !s.passing {
			return s
		}
	}
	return nil
}

// prepared returns the event that had something happen in the next assignment or callback of the process, which began
// at an instant; what was said later is for the one after it.
func (p *process) prepared(at clock.Time) *Step {
	for _, s := range slices.Backward(p.acts) {
		switch scenario.Verb(s.Text) {
		case scenario.SlowAssign, scenario.FreezeInAssign, scenario.SlowRevoke, scenario.HoldLeaderSync:
			if s.At <= at {
				return s
			}
		}
	}
	return nil
}

// preparedBetween is prepared of what was said no earlier than an instant.
func (p *process) preparedBetween(from, at clock.Time) *Step { return after(p.prepared(at), from) }

func (s *Step) ratherThan(other *Step) bool {
	if s.Source == "" && other.Source == "" {
		return s.At >= other.At
	}
	return s.Until.Sub(s.At) >= other.Until.Sub(other.At)
}

// silencers are the verbs that keep what a process owes from the coordinator while they last.
var silencers = []scenario.Verb{
	scenario.Pause, scenario.Stall, scenario.FreezeInAssign, scenario.HoldLeaderSync, scenario.Drop, scenario.Delay, scenario.Reset,
}

// kept returns what kept the process from answering between two instants: an event that acted on it, or what it did
// instead; the one that began last. Against what a source did, the longer one counts.
func (p *process) kept(since, at clock.Time) *Step {
	var kept *Step
	consider := func(s *Step, until clock.Time) {
		if s.At <= at && until >= since && (kept == nil || s.ratherThan(kept)) {
			kept = s
		}
	}
	for _, s := range p.acts {
		if slices.Contains(silencers, scenario.Verb(s.Text)) {
			consider(s, max(s.Until, s.At))
		}
	}
	for _, s := range p.doing {
		consider(s, s.Until)
	}
	return kept
}
