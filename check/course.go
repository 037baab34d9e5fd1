package check

import (
	"simulate/explain"
	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/timeline"
)

// Shows says what a report has of the course of a run.
type Shows uint8

// What it can have, one or several.
const (
	Lanes   Shows = 1 << iota // the Timeline and the Curves
	Stories                   // the Events, the Chains and the Names: every event is kept
	Clients                   // those of Java consumers: the run takes every step
)

// Course gathers the course of a run for reports that show it. It is a trace.Sink.
type Course struct {
	fold    *metrics.Fold
	lanes   *timeline.Fold
	events  *trace.Memory    // nil without Stories
	clients *metrics.Clients // nil without Clients
	sinks   trace.Tee
}

// NewCourse returns a Course that has seen nothing.
func NewCourse(l Loaded, s Shows) *Course {
	c := &Course{fold: l.fold(), lanes: timeline.NewFold()}
	c.sinks = trace.Tee{c.fold, c.lanes}
	if s&Stories != 0 {
		c.events = &trace.Memory{}
		c.sinks = append(c.sinks, c.events)
	}
	if s&Clients != 0 {
		c.clients = metrics.NewClients()
		c.sinks = append(c.sinks, c.clients)
	}
	return c
}

// Record adds one event. Only clients look at what is routine.
func (c *Course) Record(e trace.Event) {
	switch {
	case !e.Kind.Routine():
		c.sinks.Record(e)
	case c.clients != nil:
		c.clients.Record(e)
	}
}

// IgnoresRoutine reports whether nothing that is gathered needs routine events.
func (c *Course) IgnoresRoutine() bool { return c.sinks.IgnoresRoutine() }

// Tell adds the course to the report of the run.
func (c *Course) Tell(r *reports.Report) {
	r.Timeline, r.Curves = c.lanes.Timeline(r.At), c.fold.Curves(r.At)
	if c.events != nil {
		r.Events = c.events.Events
		r.Chains, r.Names = explain.Explain(r.Events, c.fold), c.fold.NamesIn(r.Events)
	}
	if c.clients != nil {
		r.Clients = c.clients.Curves(r.At)
	}
}
