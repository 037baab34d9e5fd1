package sim

import (
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/random"
	"simulate/sim/scenario"
)

// link is the path between one process and the broker: both directions of all its connections.
type link struct {
	cut   [2]cut // by direction
	delay [2][]delay
}

// cut is a stretch of time in which nothing passes. Cuts that overlap end at the later heal.
type cut struct {
	since clock.Time // when the first of those that overlap began
	until clock.Time // zero when nothing was ever cut
	held  bool       // bytes are kept and delivered at the heal, not lost
}

type delay struct {
	until clock.Time
	add   random.Distribution
}

const (
	outward = 0 // client to broker
	inward  = 1 // broker to client
)

func (l *link) isCut(now clock.Time, dir int) bool { return now < l.cut[dir].until }

// oneWay draws the time of one message on a's link.
func (w *world) oneWay(a *actor, dir int) time.Duration {
	d := a.latency.Draw(w.scenario.Latency)
	for _, x := range a.link.delay[dir] {
		if w.now() < x.until {
			d += a.latency.Draw(x.add)
		}
	}
	return d
}

func (w *world) drop(f *fault, a *actor, until clock.Time) {
	w.began(f, a, until)
	for _, dir := range directions(f.event.Direction) {
		c := &a.link.cut[dir]
		begins := !a.link.isCut(w.now(), dir)
		if begins {
			c.since, c.held = w.now(), f.event.Held
		}
		c.held = c.held && f.event.Held
		c.until = max(c.until, until)
		if begins && !c.held && dir == inward {
			w.loseFetch(a)
		}
	}
	w.endsAt(f, a, until)
}

func (w *world) delay(f *fault, a *actor, until clock.Time) {
	w.began(f, a, until)
	for _, dir := range directions(f.event.Direction) {
		all := slices.DeleteFunc(a.link.delay[dir], func(d delay) bool { return d.until <= w.now() })
		a.link.delay[dir] = append(all, delay{until: until, add: f.event.Add})
	}
	w.endsAt(f, a, until)
}

// loseFetch begins the retransmissions of the answer to the Fetch that a process has in flight. As long as
// nothing is lost Fetch is no event; here all that its connection is to carry waits behind that answer.
func (w *world) loseFetch(a *actor) {
	if a.process == nil {
		return
	}
	ticket, at, ok := a.process.LoseFetch(w.now())
	if !ok {
		return
	}
	c := a.conns[consumers.NodeConn]
	c.fetch = ticket
	w.queue.Schedule(at, event{kind: fetchAnswered, conn: c})
	w.wake(a) // it has something to time out now
}

func directions(d scenario.Direction) []int {
	switch d {
	case scenario.Out:
		return []int{outward}
	case scenario.In:
		return []int{inward}
	}
	return []int{outward, inward}
}
