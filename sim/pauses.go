package sim

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// pauses are those of one kind that befall one member, over all the lives of its process.
type pauses struct {
	*scenario.Pauses
	source       source
	every, lasts *random.Stream
}

// source is one of the scenario's sources as the trace names it.
type source struct {
	kind   scenario.SourceKind
	number int32
	name   string
}

// sourcesOf returns the sources of a fleet, in the order of the scenario.
func (w *world) sourcesOf(f *scenario.Fleet) []source {
	var all []source
	for i, s := range w.scenario.Sources() {
		if &w.scenario.Fleets[s.Fleet] == f {
			all = append(all, source{s.Kind, int32(-1 - i), s.Name})
		}
	}
	return all
}

// pausesOf returns the kinds of pauses of a member.
func (w *world) pausesOf(f *fleet, member string) []pauses {
	var all []pauses
	for i := range f.Pauses {
		p := pauses{Pauses: &f.Pauses[i], source: f.sources[i]}
		p.every = w.stream("consumer/"+member, p.source.name+" every")
		p.lasts = w.stream("consumer/"+member, p.source.name+" for")
		all = append(all, p)
	}
	return all
}

// planPauses plans the first pause of each kind in the life of a process that starts now. Where the distance is always
// the same, the process starts anywhere in it: else all that start together would pause together.
func (w *world) planPauses(a *actor) {
	for i := range a.pauses {
		p := &a.pauses[i]
		first := p.every.Draw(p.Every)
		if p.Every.IsConstant() {
			first = p.every.Between(0, p.Every.A)
		}
		w.planPause(a, i, first)
	}
}

func (w *world) planPause(a *actor, kind int, in time.Duration) {
	w.queue.Schedule(w.now().Add(in), event{kind: pauseDue, to: a, life: a.life, index: int32(kind)})
}

// pauseNow freezes a process as the verb pause does, and plans the next pause of the kind.
func (w *world) pauseNow(a *actor, kind int) {
	p := &a.pauses[kind]
	until := w.now().Add(p.lasts.Draw(p.For))
	if until > a.frozen { // else it is asleep till later anyway
		w.cause = p.source.number
		w.beganBy(p.source, a, scenario.Pause, until)
		w.freeze(a, until, scenario.Pause)
		w.watchActor(a)
	}
	w.planPause(a, kind, p.every.Draw(p.Every))
}

// beganBy records the beginning of what a source does to a member.
func (w *world) beganBy(by source, a *actor, do scenario.Verb, until clock.Time) {
	w.Record(trace.Event{
		At: w.now(), Kind: trace.FaultBegan, Who: a.name, Group: a.plan.Group, Text: string(do), Until: until,
		Cause: by.number, Operation: by.name,
	})
}

// befall carries out what comes over a process that still runs.
func (w *world) befall(a *actor, e event) {
	w.settle(a)
	switch {
	case a.process == nil: // it ended by itself
	case e.kind == pauseDue:
		w.pauseNow(a, int(e.index))
	case e.kind == graceOver:
		w.graceEnded(a, e.index)
	case e.kind == probed:
		w.probe(a, int(e.index))
	}
}
