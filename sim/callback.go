package sim

import (
	"simulate/sim/clock"
	"simulate/sim/scenario"
)

// prepareCallback says what happens in a later callback of a member; now nothing does.
func (w *world) prepareCallback(f *fault, a *actor) {
	e, p := f.event, a.process
	switch e.Do {
	case scenario.SlowAssign:
		p.SlowAssign(w.lasting(f))
	case scenario.SlowRevoke:
		p.SlowRevoke(w.lasting(f))
	case scenario.ThrowInCallback:
		p.ThrowInCallback()
	case scenario.FreezeInAssign:
		p.FreezeInAssign(w.lasting(f))
		a.wokenAt = clock.At(e.Back)
	}
	if e.Every == nil {
		a.prepared = append(a.prepared, e.Do)
	}
}

// warnOfPending tells of callbacks that a process was prepared for and that did not come in its life. Of an event
// that repeats, the last time may always be in vain.
func (w *world) warnOfPending(a *actor) {
	pending := a.process.Pending()
	for _, do := range a.prepared {
		var missed bool
		what := "it computed no assignment as leader"
		switch do {
		case scenario.SlowAssign:
			missed = pending.SlowAssign
		case scenario.FreezeInAssign:
			missed = pending.FreezeInAssign
		case scenario.SlowRevoke:
			missed, what = pending.SlowRevoke, "nothing was revoked from it"
		case scenario.ThrowInCallback:
			missed, what = pending.Throw, "no callback was about any partitions"
		}
		if missed {
			w.warn("%s of %s had no effect: %s afterwards", do, a.name, what)
		}
	}
	a.prepared = nil
}

// warnOfAllPending does so at the end of the run.
func (w *world) warnOfAllPending() {
	for _, f := range w.fleets {
		for _, a := range f.members {
			if a.process != nil {
				w.warnOfPending(a)
			}
		}
	}
}
