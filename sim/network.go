package sim

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/wire"
)

// The network is TCP: a connection is first in, first out in both directions, and what is lost is sent
// again. Times of the retransmissions as Linux has them, measured on live connections.
const (
	firstRetransmission = 206 * time.Millisecond // and a round trip, for the kernel smooths those it has seen; then doubled
	longestRetransmit   = 120 * time.Second
	firstSYNRetry       = time.Second // of an unanswered SYN; four more follow as quickly (Linux 6.5), then doubled
	linearSYNRetries    = 5
	handshakeTrips      = 2 // round trips until a new connection can carry a request: TCP, ApiVersions
)

// connection is one TCP connection between a process and the broker. It never comes back: a process that
// connects again gets another one.
type connection struct {
	serial wire.Ticket
	actor  *actor
	life   uint32
	name   consumers.Conn

	up         bool // established, as far as the client knows
	clientGone bool // closed on the client's side
	brokerGone bool // closed on the broker's side
	reset      bool // both sides have lost it
	busy       bool // the broker has taken a request and not answered it

	asked  wire.Ticket // that request, or the one that it took last
	broker *broker

	requests  []wire.Request // in flight, from out.head on
	responses []wire.Response
	out, in   pipe
	waiting   []wire.Request // arrived behind the one that the broker has taken

	call *adminCall // what it is for, when an administrator opened it
	raw  *rawClient // what it is for, when it is that of a raw-join

	fetch wire.Ticket // of the Fetch whose answer is lost, 0 when none is

	refused []wire.PartitionError // of a commit, before the coordinator sees it

	// Looked up once for many requests: the group of the last one, its partition, and the timer of its member.

	group     string
	partition *partition
	timer     *brokerTimer
}

// pipe is one direction of a connection, on which messages keep their order.
type pipe struct {
	head      int           // index of the first message in flight
	last      clock.Time    // latest delivery so far; nothing overtakes it
	lostAt    clock.Time    // when the first segment that is still undelivered was lost
	tryAfter  time.Duration // from then to its first retransmission
	stuck     int           // messages, from the end, that wait for a retransmission or for the heal
	syn       bool          // the connection itself is not established yet
	keptAt    clock.Time    // since when, and until when, a proxy keeps a SyncGroup and all that is behind it
	keptUntil clock.Time
}

// connect opens a connection for a process.
func (w *world) connect(a *actor, name consumers.Conn, b *broker) {
	c := &connection{serial: wire.Ticket(len(w.conns)), actor: a, life: a.life, name: name, broker: b}
	w.conns = append(w.conns, c)
	a.conns[name] = c
	c.out.syn = true
	if l := c.link(); l.isCut(w.now(), outward) || l.isCut(w.now(), inward) {
		c.out.lostAt = w.now()
		c.out.stuck = 1
		w.scheduleRetransmission(c)
		return
	}
	w.shakeHands(c)
}

func (w *world) shakeHands(c *connection) {
	c.out.syn = false
	if !c.broker.listening {
		c.brokerGone = true
		w.queue.Schedule(w.now().Add(w.roundTrip(c.actor)), event{kind: hungUp, to: c})
		return
	}
	var d time.Duration
	for range handshakeTrips {
		d += w.roundTrip(c.actor)
	}
	w.queue.Schedule(w.now().Add(d), event{kind: established, to: c})
}

func (w *world) establish(c *connection) {
	if c.clientGone || c.reset || c.brokerGone {
		return
	}
	c.up = true
	if a := c.actor; a.life == c.life && a.process != nil {
		w.noticeRestart(c)
		a.process.Connected(c.name)
		w.wake(a)
	}
}

// sendRequest puts a request on its way to the broker.
func (w *world) sendRequest(c *connection, r *wire.Request) {
	c.requests = append(c.requests, *r)
	w.keepSync(c, r)
	w.transmit(c, outward)
}

// sendResponse puts a response on its way to the client.
func (w *world) sendResponse(c *connection, r *wire.Response) {
	c.responses = append(c.responses, *r)
	w.transmit(c, inward)
}

// transmit schedules the delivery of the message that was just added, or lets it wait for the heal.
func (w *world) transmit(c *connection, dir int) {
	p := c.pipe(dir)
	now := w.now()
	if p.stuck > 0 || w.cuts && c.link().isCut(now, dir) {
		if p.stuck == 0 {
			p.lostAt, p.tryAfter = now, firstRetransmission+w.roundTrip(c.actor)
		}
		p.stuck++
		if p.stuck == 1 {
			w.scheduleRetransmission(c)
		}
		return
	}
	w.deliver(c, dir)
}

func (w *world) deliver(c *connection, dir int) {
	p := c.pipe(dir)
	at := max(w.now().Add(w.oneWay(c.actor, dir)), p.last)
	p.last = at
	kind := atBroker
	if dir == inward {
		kind = atClient
	}
	w.queue.Schedule(at, event{kind: kind, to: c})
}

func (c *connection) pipe(dir int) *pipe {
	if dir == outward {
		return &c.out
	}
	return &c.in
}

// scheduleRetransmission wakes the connection when what it lost can pass again: at the heal where bytes
// were held, else at the first retransmission after it.
func (w *world) scheduleRetransmission(c *connection) {
	at := clock.Never
	for dir := range 2 {
		if c.pipe(dir).stuck > 0 {
			at = min(at, w.passesAt(c, dir))
		}
	}
	if at < clock.Never {
		w.queue.Schedule(max(at, w.now()), event{kind: retransmit, to: c})
	}
}

// passesAt returns the first instant, as far as is known now, at which what is stuck gets through.
func (w *world) passesAt(c *connection, dir int) clock.Time {
	l, p := c.link(), c.pipe(dir)
	heal := l.cut[dir].until
	if p.syn {
		heal = max(heal, l.cut[inward].until)
	}
	if l.cut[dir].held {
		return heal
	}
	wait := p.tryAfter
	if p.syn {
		wait = firstSYNRetry
	}
	at := p.lostAt.Add(wait)
	for tries := 1; at < heal || at < w.now(); tries++ {
		if !p.syn || tries >= linearSYNRetries {
			wait = min(2*wait, longestRetransmit)
		}
		at = at.Add(wait)
	}
	return at
}

// retransmit lets everything pass that is not cut any more.
func (w *world) retransmit(c *connection) {
	if c.reset || c.clientGone && c.out.syn {
		return
	}
	for dir := range 2 {
		p := c.pipe(dir)
		if p.stuck == 0 || w.passesAt(c, dir) > w.now() {
			continue
		}
		n := p.stuck
		p.stuck = 0
		if p.syn {
			w.shakeHands(c)
			continue
		}
		for range n {
			w.deliver(c, dir)
		}
	}
	w.scheduleRetransmission(c)
}

// take removes the message at the head of a pipe, which is valid until another one is sent: the memory of an empty pipe is
// used again.
func take[T any](messages *[]T, head *int) *T {
	m := &(*messages)[*head]
	if *head++; *head == len(*messages) {
		*messages, *head = (*messages)[:0], 0
	}
	return m
}

func (w *world) arriveAtClient(c *connection) {
	if c.reset {
		return
	}
	r := take(&c.responses, &c.in.head)
	if c.call != nil {
		w.callAnswered(c, *r)
		return
	}
	if c.raw != nil {
		w.rawAnswered(c, *r)
		return
	}
	if a := c.actor; !c.clientGone && a.life == c.life && a.process != nil {
		a.process.Receive(c.name, *r)
		w.wake(a)
	}
}

func (w *world) arriveAtBroker(c *connection) {
	if c.reset {
		return
	}
	r := take(&c.requests, &c.out.head)
	switch {
	case c.brokerGone || !c.broker.listening: // nobody reads it
	case c.busy:
		c.waiting = append(c.waiting, *r)
	default:
		w.take(c, r)
	}
}

// closeByClient closes a connection on the client's side. The coordinator never learns of it: a request that
// is parked stays parked, and what waits behind it is lost.
func (w *world) closeByClient(a *actor, name consumers.Conn) {
	if c := a.conns[name]; c != nil {
		c.clientGone, c.up = true, false
		a.conns[name] = nil
	}
}

// resetConnections loses everything in flight on all connections of a process and tells both ends, the
// client after the time of one message.
func (w *world) resetConnections(a *actor) {
	for name, c := range a.conns {
		if c == nil {
			continue
		}
		c.reset = true
		c.waiting = nil
		a.conns[name] = nil
		w.queue.Schedule(w.now().Add(w.oneWay(a, inward)), event{kind: closedByPeer, to: a, life: a.life, index: int32(name)})
	}
}

// closeAtClient tells a process that one of its connections was reset.
func (w *world) closeAtClient(a *actor, life uint32, name consumers.Conn) {
	if a.life != life || a.process == nil || a.conns[name] != nil {
		return // it is gone, or has connected again meanwhile
	}
	a.process.Closed(name)
	w.wake(a)
}
