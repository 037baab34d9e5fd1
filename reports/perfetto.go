package reports

import (
	"bufio"
	"encoding/json"
	"io"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/timeline"
)

// Perfetto writes the run in the Trace Event Format, which Perfetto and chrome://tracing show: a process a group, with a
// thread for its state and one for each of its members; arrows from a JoinGroup to the end of the join phase, and from
// Stable to each assignment; counters. Events are written one a line, as they are made.
func Perfetto(w io.Writer, r Report) error {
	b := bufio.NewWriterSize(w, 1<<16)
	b.WriteString(`{"displayTimeUnit":"ms","traceEvents":[` + "\n")
	p := perfetto{b: b}
	p.emit(&traceEvent{Phase: "M", Name: "trace_name", Args: &traceArgs{Name: visible(r.Scenario.Name) + r.cutShort()}})
	for i := range r.Timeline.Groups {
		p.lanes(i+1, &r.Timeline.Groups[i])
	}
	for i := range r.Curves {
		p.counters(&r.Curves[i])
	}
	b.WriteString("\n]}\n")
	return b.Flush()
}

// traceEvent is an event of the Trace Event Format; times are in microseconds.
type traceEvent struct {
	Phase string     `json:"ph"`
	Name  string     `json:"name"`
	Cat   string     `json:"cat,omitempty"`
	PID   int        `json:"pid"`
	TID   int        `json:"tid"`
	At    float64    `json:"ts"`
	For   float64    `json:"dur,omitempty"`
	ID    int        `json:"id,omitempty"`
	Bind  string     `json:"bp,omitempty"`
	Scope string     `json:"s,omitempty"`
	Args  *traceArgs `json:"args,omitempty"`
}

// traceArgs are what events say beside, each kind one of them. A map would take most of the time.
type traceArgs struct {
	Name       string `json:"name,omitempty"`
	Sort       int    `json:"sort_index,omitempty"`
	Generation *int   `json:"generation,omitempty"`
	Partitions *int   `json:"partitions,omitempty"`
	Level      *int64 `json:"n,omitempty"`
}

// stateThread is the thread of a group's state; members follow.
const stateThread = 1

// place is the thread of a process.
type place struct{ pid, tid int }

// perfetto writes events.
type perfetto struct {
	b      *bufio.Writer
	begun  bool
	groups []string // by pid, from 1
	flows  int
}

func (p *perfetto) emit(e *traceEvent) {
	if p.begun {
		p.b.WriteString(",\n")
	}
	p.begun = true
	text, err := json.Marshal(e)
	if err != nil {
		panic("reports: " + err.Error()) // it is made of texts and numbers
	}
	p.b.Write(text)
}

func micros(t clock.Time) float64 { return float64(t) / 1000 }

// lanes writes a group's state and members.
func (p *perfetto) lanes(pid int, g *timeline.Group) {
	p.groups = append(p.groups, g.Name)
	p.named("process_name", pid, 0, g.Name)
	p.named("thread_name", pid, stateThread, "state of the group")
	state := place{pid, stateThread}
	p.segments(state, g.States)
	for i, m := range g.Members {
		at := place{pid, stateThread + 1 + i}
		p.named("thread_name", at.pid, at.tid, m.Who)
		p.emit(&traceEvent{Phase: "M", Name: "thread_sort_index", PID: at.pid, TID: at.tid, Args: &traceArgs{Sort: at.tid}})
		p.segments(at, m.Segments)
		for _, a := range m.Joins {
			p.flow("JoinGroup", at, a.Since, state, a.Until)
		}
		for _, a := range m.Syncs {
			p.flow("SyncGroup", state, a.Since, at, a.Until)
		}
		for _, mark := range m.Marks {
			p.mark(mark.Text, at, mark.At)
		}
	}
}

func (p *perfetto) named(what string, pid, tid int, name string) {
	p.emit(&traceEvent{Phase: "M", Name: what, PID: pid, TID: tid, Args: &traceArgs{Name: visible(name)}})
}

// segments writes what a lane is in, but for times in which there is nothing.
func (p *perfetto) segments(at place, list []timeline.Segment) {
	for _, s := range list {
		if s.State == timeline.Down || s.State == timeline.NoGroup {
			continue
		}
		args := &traceArgs{Partitions: &s.Count}
		if s.State.OfGroup() {
			args = &traceArgs{Generation: &s.Count}
		}
		p.emit(&traceEvent{
			Phase: "X", Name: s.State.String(), Cat: "state", PID: at.pid, TID: at.tid, At: micros(s.Since),
			For: float64(s.For()) / 1000, Args: args,
		})
	}
}

func (p *perfetto) counters(c *metrics.Curves) {
	for i, g := range p.groups {
		if g != c.Group {
			continue
		}
		for _, curve := range []struct {
			name string
			list []metrics.Level
		}{{"members", c.Members}, {"unassigned partitions", c.Unassigned}, {"lag", c.Lag}} {
			for _, l := range curve.list {
				p.emit(&traceEvent{Phase: "C", Name: curve.name, PID: i + 1, At: micros(l.At), Args: &traceArgs{Level: &l.N}})
			}
		}
	}
}

// flow draws an arrow from what one thread does to what another does.
func (p *perfetto) flow(name string, from place, since clock.Time, to place, until clock.Time) {
	p.flows++
	p.emit(&traceEvent{Phase: "s", Name: name, Cat: "rebalance", PID: from.pid, TID: from.tid, At: micros(since), ID: p.flows})
	p.emit(&traceEvent{Phase: "f", Name: name, Cat: "rebalance", PID: to.pid, TID: to.tid, At: micros(until), ID: p.flows, Bind: "e"})
}

func (p *perfetto) mark(name string, at place, when clock.Time) {
	p.emit(&traceEvent{Phase: "i", Name: name, Cat: "event", PID: at.pid, TID: at.tid, At: micros(when), Scope: "t"})
}
