package timeline

import (
	"slices"
	"strings"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Fold makes lanes from the events of a run. It is a trace.Sink.
type Fold struct {
	groups    []*group // sorted by name
	processes map[string]*process
}

// NewFold returns a Fold that has seen nothing.
func NewFold() *Fold { return &Fold{processes: map[string]*process{}} }

// IgnoresRoutine reports that no lane shows routine events.
func (f *Fold) IgnoresRoutine() bool { return true }

// group is a group, in a state since an instant.
type group struct {
	name       string
	past       []Segment // up to since
	since      clock.Time
	state      wire.GroupState
	generation wire.Generation
	processes  []*process
}

// process is a consumer process, and what is true of it since an instant.
type process struct {
	name    string
	past    []Segment // up to since
	since   clock.Time
	running bool
	pauses  []halt
	cuts    []halt
	lost    bool // it knows no coordinator
	parked  bool
	stalled bool
	calling bool
	busy    clock.Time // until then it handles a batch
	held    map[wire.TopicPartition]bool
}

// halt is a time in which something that was done to a process keeps it.
type halt struct{ since, until clock.Time }

// Record adds one event. Events come in order of time.
func (f *Fold) Record(e trace.Event) {
	switch e.Kind {
	case trace.GroupCreated, trace.GroupBecame:
		g := f.group(e.Group)
		g.until(e.At)
		g.state, g.generation = e.To, e.Generation
	case trace.FaultBegan, trace.FaultEnded:
		if p := f.processes[e.Who]; p != nil {
			p.until(e.At)
			p.fault(e)
		}
	default:
		if e.Kind < trace.ProcessStarted || e.Kind > trace.FaultBegan || e.Who == "" {
			return
		}
		p := f.process(e)
		p.until(e.At)
		p.record(e)
	}
}

func (f *Fold) group(name string) *group {
	i, found := slices.BinarySearchFunc(f.groups, name, func(g *group, name string) int { return strings.Compare(g.name, name) })
	if !found {
		f.groups = slices.Insert(f.groups, i, &group{name: name})
	}
	return f.groups[i]
}

func (f *Fold) process(e trace.Event) *process {
	p := f.processes[e.Who]
	if p == nil {
		p = &process{name: e.Who, held: map[wire.TopicPartition]bool{}}
		f.processes[e.Who] = p
		f.group(e.Group).add(p)
	}
	return p
}

// add puts a process behind the others of its fleet.
func (g *group) add(p *process) {
	at := len(g.processes)
	for i, other := range slices.Backward(g.processes) {
		if Fleet(other.name) == Fleet(p.name) {
			at = i + 1
			break
		}
	}
	g.processes = slices.Insert(g.processes, at, p)
}

// record takes in what the process did.
func (p *process) record(e trace.Event) {
	switch e.Kind {
	case trace.ProcessStarted:
		p.running = true
	case trace.ProcessExited:
		*p = process{name: p.name, past: p.past, since: p.since, cuts: p.cuts, held: map[wire.TopicPartition]bool{}}
	case trace.PartitionsAssigned:
		p.parked = false
		for _, tp := range e.Partitions {
			p.held[tp] = true
		}
	case trace.PartitionsRevoked, trace.PartitionsLost:
		for _, tp := range e.Partitions {
			delete(p.held, tp)
		}
	case trace.JoinSent:
		p.parked = true
	case trace.RejoinRequested, trace.MembershipReset, trace.LeaveSent:
		p.parked = false // what it had asked for was answered, or is not wanted any more
	case trace.CoordinatorLost:
		p.lost, p.parked = true, false
	case trace.CoordinatorFound:
		p.lost = false
	case trace.ProcessingBegan:
		p.busy = e.At.Add(e.For)
	case trace.StallBegan:
		p.stalled = true
	case trace.StallEnded:
		p.stalled = false
	case trace.CallbackBegan:
		p.calling = true
	case trace.CallbackEnded:
		p.calling = false
	}
}

// fault takes in what was done to the process. Short pauses that come all the time are left out.
func (p *process) fault(e trace.Event) {
	halts := &p.cuts
	switch {
	case e.Freezes():
		halts = &p.pauses
	case e.Text != "drop":
		return
	}
	if e.Kind == trace.FaultBegan {
		if !e.Passes() && e.Until > e.At {
			*halts = append(*halts, halt{e.At, e.Until})
		}
		return
	}
	*halts = slices.DeleteFunc(*halts, func(h halt) bool { return h.since == e.Since || h.until <= e.At })
}

// until brings the lane up to an instant, which what the process does from then on follows.
func (p *process) until(at clock.Time) {
	if p.since < p.busy && p.busy < at {
		p.past = Extend(p.past, p.now(p.busy))
		p.since = p.busy
	}
	p.past = Extend(p.past, p.now(at))
	p.since = max(p.since, at)
}

// now returns the segment from since to until.
func (p *process) now(until clock.Time) Segment {
	return Segment{Since: p.since, Until: until, State: p.state(), Count: len(p.held)}
}

func (p *process) state() State {
	switch {
	case !p.running:
		return Down
	case len(p.pauses) > 0:
		return Paused
	case len(p.cuts) > 0 || p.lost:
		return Unreachable
	case p.parked:
		return Parked
	case p.stalled:
		return Stalled
	case p.calling:
		return InCallback
	case p.since < p.busy:
		return Processing
	case len(p.held) > 0:
		return Consuming
	}
	return Idle
}

func (g *group) until(at clock.Time) {
	g.past = Extend(g.past, g.now(at))
	g.since = max(g.since, at)
}

func (g *group) now(until clock.Time) Segment {
	return Segment{Since: g.since, Until: until, State: groupStates[g.state], Count: max(0, int(g.generation))}
}

// Extend adds a segment to those before it, unless it has no length.
func Extend(past []Segment, s Segment) []Segment {
	if s.Until <= s.Since {
		return past
	}
	if n := len(past); n > 0 && past[n-1].State == s.State && past[n-1].Count == s.Count {
		past[n-1].Until = s.Until
		return past
	}
	return append(past, s)
}

// Timeline returns the lanes up to an instant, which is not before the last event.
func (f *Fold) Timeline(end clock.Time) Timeline {
	t := Timeline{End: end}
	for _, g := range f.groups {
		g.until(end)
		of := Group{Name: g.name, States: g.past}
		for _, p := range g.processes {
			p.until(end)
			of.Members = append(of.Members, Lane{Who: p.name, Segments: p.past})
		}
		t.Groups = append(t.Groups, of)
	}
	return t
}

// Of returns the lanes of a recorded run that ended at an instant.
func Of(events []trace.Event, end clock.Time) Timeline {
	f := NewFold()
	for _, e := range events {
		f.Record(e)
	}
	return f.Timeline(end)
}
