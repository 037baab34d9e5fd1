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
	stable     clock.Time // when it entered Stable last
	assigned   wire.Generation
	processes  []*process
	joining    []joining
}

// joining is a process that sent a JoinGroup and has not seen the end of the join phase.
type joining struct {
	who  *process
	sent clock.Time
}

// process is a consumer process, and what is true of it since an instant.
type process struct {
	lane    Lane // up to since
	group   *group
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
		g.become(e)
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
		p = &process{lane: Lane{Who: e.Who}, group: f.group(e.Group), held: map[wire.TopicPartition]bool{}}
		f.processes[e.Who] = p
		p.group.add(p)
	}
	return p
}

// add puts a process behind the others of its fleet.
func (g *group) add(p *process) {
	at := len(g.processes)
	for i, other := range slices.Backward(g.processes) {
		if Fleet(other.lane.Who) == Fleet(p.lane.Who) {
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
		p.mark(e.At, e.Reason.String())
		*p = process{lane: p.lane, group: p.group, since: p.since, cuts: p.cuts, held: map[wire.TopicPartition]bool{}}
	case trace.PartitionsAssigned:
		p.parked = false
		if e.Generation == p.group.assigned {
			p.lane.Syncs = append(p.lane.Syncs, Arrow{p.group.stable, e.At})
		}
		for _, tp := range e.Partitions {
			p.held[tp] = true
		}
	case trace.PartitionsRevoked, trace.PartitionsLost:
		for _, tp := range e.Partitions {
			delete(p.held, tp)
		}
	case trace.JoinSent:
		p.parked = true
		p.group.joining = append(p.group.joining, joining{p, e.At})
	case trace.RejoinRequested, trace.MembershipReset, trace.LeaveSent:
		p.parked = false // what it had asked for was answered, or is not wanted any more
	case trace.PollTimeout:
		p.mark(e.At, PollTimeout)
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

func (p *process) mark(at clock.Time, text string) {
	p.lane.Marks = append(p.lane.Marks, Mark{at, text})
}

// fault takes in what was done to the process. Short pauses that come all the time are left out.
func (p *process) fault(e trace.Event) {
	if e.Kind == trace.FaultBegan && !e.Passes() {
		p.mark(e.At, e.Text)
	}
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
		p.lane.Segments = Extend(p.lane.Segments, p.now(p.busy))
		p.since = p.busy
	}
	p.lane.Segments = Extend(p.lane.Segments, p.now(at))
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

// become takes in the change of a group: the end of a join phase answers all who have joined.
func (g *group) become(e trace.Event) {
	g.state, g.generation = e.To, e.Generation
	switch {
	case e.Kind != trace.GroupBecame:
	case e.To == wire.CompletingRebalance:
		for _, j := range g.joining {
			j.who.lane.Joins = append(j.who.lane.Joins, Arrow{j.sent, e.At})
		}
		g.joining = g.joining[:0]
	case e.To == wire.Stable:
		g.stable, g.assigned = e.At, e.Generation
	}
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
			of.Members = append(of.Members, p.lane)
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
