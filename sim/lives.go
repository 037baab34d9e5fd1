package sim

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/trace"
)

// restart ends a process and lets it come back; step goes on once it has started again.
func (w *world) restart(f *fault, a *actor, step *fault) {
	e := f.event
	w.order(a)
	a.comeback = w.comeback(f, step)
	if !e.Graceful {
		w.kill(a)
		return
	}
	w.close(a, e.Close)
}

func (w *world) comeback(f *fault, step *fault) *comeback {
	down := w.eventStream(f.number, "down").Draw(f.event.Down)
	return &comeback{down: down, plan: f.event.Plan, step: step, cause: int32(f.number)}
}

// close lets the application of a process, if there is one, close its consumer and end.
func (w *world) close(a *actor, how consumers.CloseOptions) {
	if w.settle(a); a.process != nil {
		a.process.Stop(how)
		w.wake(a)
		w.limitClosing(a)
	}
}

// rollNext stops the next batch of a rolling restart.
func (w *world) rollNext(f *fault) {
	for len(f.targets) > 0 && f.waiting == 0 {
		batch := f.targets[:min(max(f.event.Batch, 1), len(f.targets))]
		f.targets = f.targets[len(batch):]
		for _, a := range batch {
			if a.process != nil {
				f.waiting++
			} else {
				w.warn("rolling-restart skipped %s: it was not running", a.name)
			}
		}
		for _, a := range batch {
			if a.process != nil {
				w.restart(f, a, f)
			}
		}
	}
	if f.waiting == 0 {
		for _, group := range f.groups {
			w.Record(trace.Event{At: w.now(), Kind: trace.FaultEnded, Group: group, Text: string(f.event.Do)})
		}
	}
}

// rollingStarted goes on when a member of the batch has started again, or when the gap is over.
func (w *world) rollingStarted(f *fault) {
	if f.waiting > 0 {
		if f.waiting--; f.waiting > 0 {
			return
		}
		if len(f.targets) > 0 {
			w.queue.Schedule(w.now().Add(f.event.Gap), event{kind: faulted, to: f})
			return
		}
	}
	w.rollNext(f)
}

// crash kills the member of a crash loop and lets it come back.
func (w *world) crash(f *fault) {
	a := f.targets[0]
	a.comeback = w.comeback(f, f)
	w.kill(a)
}

// crashAgain goes on when the member of a crash loop has started, and again when it has been up long enough.
func (w *world) crashAgain(f *fault) {
	a := f.targets[0]
	if a.orders != f.orders || a.process == nil {
		return // somebody gave it another order
	}
	if f.up {
		f.up = false
		w.crash(f)
		return
	}
	at := w.now().Add(w.eventStream(f.number, "up").Draw(f.event.Up))
	if at > untilOf(f.event.Until, w.end) {
		return
	}
	f.up = true
	w.queue.Schedule(at, event{kind: faulted, to: f})
}

func untilOf(d time.Duration, end clock.Time) clock.Time {
	if d == 0 {
		return end
	}
	return clock.At(d)
}

// scale starts more members, or stops those with the highest numbers.
func (w *world) scale(f *fault) {
	for _, s := range f.event.Who {
		fl := w.fleetNamed(s.Name)
		w.grow(fl, f.event.To)
		w.Record(trace.Event{At: w.now(), Kind: trace.FaultBegan, Who: fl.Name, Group: fl.Plan.Group, Text: string(f.event.Do), Until: w.now()})
		started := 0
		for n, a := range fl.members {
			runs := a.process != nil || a.comeback != nil
			switch {
			case n < f.event.To && !runs:
				w.order(a)
				w.startAt(a, w.now().Add(time.Duration(started)*fl.StartEvery+w.scheduling(a)), int32(f.number))
				started++
			case n >= f.event.To:
				w.order(a)
				w.close(a, consumers.CloseOptions{})
			}
		}
	}
}
