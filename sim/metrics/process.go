package metrics

import (
	"maps"
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// process is one consumer program as far as its partitions go. It outlives restarts.
type process struct {
	name       string
	group      *history
	instance   wire.InstanceID
	client     string // its library, "" for what is built on the Java consumer
	held       map[wire.TopicPartition]bool
	pauses     []halt // why it does not run
	stalls     []halt
	calling    bool // it is inside a callback since called
	called     clock.Time
	topics     string   // what it subscribes to, as topicsOf writes it
	subscribed []string // to what, when it is not what its fleet begins with; else nil
	running    bool
	member     wire.MemberID // that it goes by while it runs; "" before it was added
	started    clock.Time    // its incarnation that runs, or ran last
	failed     bool          // that one threw an exception
	acts       []act         // what the scenario did to it
	gap        int           // index of the open gap in its group, -1 when there is none
	timedOut   bool          // max.poll.interval.ms ran out since its last JoinGroup
	limit      time.Duration // that max.poll.interval.ms
}

// act is an event of the scenario that acts on a process.
type act struct {
	Happening
	until clock.Time // its end, at the latest
}

// actSince returns the last event that acted on the process at that instant or after it.
func (p *process) actSince(t clock.Time) Happening {
	for _, a := range slices.Backward(p.acts) {
		if a.At >= t || a.until > t {
			return a.Happening
		}
	}
	return Happening{}
}

// actEnded notes the end of the event of that verb that began last.
func (p *process) actEnded(verb string, at clock.Time) {
	for i := range slices.Backward(p.acts) {
		if p.acts[i].Verb == verb {
			p.acts[i].until = min(p.acts[i].until, at)
			return
		}
	}
}

// halt is a time in which a process does not run.
type halt struct{ since, until clock.Time }

func (p *process) counts() bool {
	return len(p.held) > 0 && len(p.pauses) == 0 && len(p.stalls) == 0
}

// change applies what f does to the process and keeps the group's account of its partitions.
func (p *process) change(at clock.Time, f func()) {
	h := &p.group.holding
	if p.counts() {
		h.running--
	}
	f()
	if p.counts() {
		h.running++
	}
	p.group.held(at)
}

func (p *process) assigned(e trace.Event) {
	p.change(e.At, func() {
		for _, tp := range e.Partitions {
			if !p.held[tp] {
				p.held[tp] = true
				p.group.holding.take(tp)
			}
		}
	})
	p.closeGap(e.At, false)
}

func (p *process) released(at clock.Time, partitions []wire.TopicPartition) {
	before := len(p.held)
	p.change(at, func() {
		for _, tp := range partitions {
			if p.held[tp] {
				delete(p.held, tp)
				p.group.holding.release(tp)
			}
		}
	})
	unsubscribed := p.subscribed != nil && len(p.subscribed) == 0 // nobody stopped it
	if before > 0 && len(p.held) == 0 && !unsubscribed {
		if p.calling { // since then it does not consume
			at = p.called
		}
		p.gap = p.group.openGap(p.name, at)
	}
}

// fail keeps the first failure of an incarnation: its exit says the same again.
func (p *process) fail(f Failure) {
	if !p.failed {
		p.group.failures = append(p.group.failures, f)
	}
	p.failed = true
}

func (p *process) exited(at clock.Time) {
	p.released(at, slices.Collect(maps.Keys(p.held))) // in any order: they are only counted
	p.closeGap(at, true)
	p.pauses, p.stalls, p.timedOut, p.calling = nil, nil, false, false
}

func (p *process) closeGap(at clock.Time, gone bool) {
	if p.gap < 0 {
		return
	}
	g := &p.group.gaps[p.gap]
	g.until, g.gone = at, gone
	p.gap = -1
}

func (p *process) halt(halts *[]halt, since, until clock.Time) {
	p.change(since, func() { *halts = append(*halts, halt{since, until}) })
}

// resume ends the halt that began at since, and with it those that were to end by now.
func (p *process) resume(halts *[]halt, at, since clock.Time) {
	p.change(at, func() {
		ended := false
		*halts = slices.DeleteFunc(*halts, func(h halt) bool {
			mine := !ended && h.since == since
			ended = ended || mine
			return mine || h.until <= at
		})
	})
}
