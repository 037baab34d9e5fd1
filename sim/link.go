package sim

import (
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/scenario"
)

// link is the path between one process and one broker: both directions of all its connections.
type link struct {
	cut [2]cut // by direction
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

// linkTo returns the link between a process and a broker.
func (a *actor) linkTo(b *broker) *link { return &a.links[b.id-1] }

func (c *connection) link() *link { return c.actor.linkTo(c.broker) }

// oneWay draws the time of one message on a's link.
func (w *world) oneWay(a *actor, dir int) time.Duration {
	d := a.latency.Draw(w.scenario.Latency)
	for _, x := range a.delays[dir] {
		if w.now() < x.until {
			d += a.latency.Draw(x.add)
		}
	}
	return d
}

func (w *world) roundTrip(a *actor) time.Duration { return w.oneWay(a, outward) + w.oneWay(a, inward) }

// drop cuts a process off from one broker, or from all.
func (w *world) drop(f *fault, a *actor, until clock.Time) {
	w.began(f, a, until)
	for _, b := range w.droppedBy(f.event) {
		for _, dir := range directions(f.event.Direction) {
			w.cutOff(a, b, dir, cut{since: w.now(), until: until, held: f.event.Held})
		}
	}
	w.endsAt(f, a, until)
}

// droppedBy returns the brokers that a drop is about.
func (w *world) droppedBy(e *scenario.Event) []*broker {
	if e.Broker == 0 && e.CoordinatorOf == "" {
		return w.cluster.brokers
	}
	return []*broker{w.brokerOf(e)}
}

func (w *world) cutOff(a *actor, b *broker, dir int, by cut) {
	w.cuts = true
	l := a.linkTo(b)
	c, begins := &l.cut[dir], !l.isCut(w.now(), dir)
	if begins {
		c.since, c.held = by.since, by.held
	}
	c.held = c.held && by.held
	c.until = max(c.until, by.until)
	fetches := a.fetchesOn(b)
	if fetches == nil {
		return
	}
	a.process.CutOff(c.until)
	if begins && !c.held && dir == inward {
		w.loseFetch(a, fetches)
	}
}

// fetchesOn returns the connection on which a's process fetches from a broker, nil when it has none.
func (a *actor) fetchesOn(b *broker) *connection {
	if a.process == nil {
		return nil
	}
	if c := a.conns[a.process.FetchConn()]; c != nil && c.broker == b {
		return c
	}
	return nil
}

func (w *world) delay(f *fault, a *actor, until clock.Time) {
	w.began(f, a, until)
	for _, dir := range directions(f.event.Direction) {
		all := slices.DeleteFunc(a.delays[dir], func(d delay) bool { return d.until <= w.now() })
		a.delays[dir] = append(all, delay{until: until, add: f.event.Add})
	}
	w.endsAt(f, a, until)
}

// loseFetch begins the retransmissions of the answer to the Fetch that a process has in flight to a broker. As long as
// nothing is lost Fetch is no event; here all that its connection is to carry waits behind that answer.
func (w *world) loseFetch(a *actor, c *connection) {
	ticket, at, ok := a.process.LoseFetch(w.now())
	if !ok {
		return
	}
	c.fetch = ticket
	w.queue.Schedule(at, event{kind: fetchAnswered, to: c})
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
