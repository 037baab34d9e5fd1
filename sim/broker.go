package sim

import (
	"fmt"

	"simulate/sim/clock"
	"simulate/sim/coordinator"
	"simulate/sim/random"
	"simulate/sim/wire"
)

// broker is the one broker of the cluster: it answers FindCoordinator and OffsetFetch itself and holds a
// coordinator shard for each partition of the offsets topic that a group hashes to.
type broker struct {
	w          *world
	shards     map[int32]*shard // by offsets partition; looked up, never walked
	heartbeats int64
}

// shard is a coordinator shard with the log and the timers that it needs from its host.
type shard struct {
	*coordinator.Shard
	timers   map[coordinator.TimerKey]*brokerTimer // those that are armed; looked up, never walked
	append   *brokerTimer                          // stands for the shard in the events of its log
	appended []coordinator.AppendID                // on their way to the log, in order, from next on
	next     int
	last     clock.Time     // when the latest of them is committed
	latency  *random.Stream // of the log
	spare    []*brokerTimer // of keys that have no timer any more
}

// brokerTimer is a timer of the coordinator.
type brokerTimer struct {
	shard  *shard
	key    coordinator.TimerKey
	handle clock.Handle
}

const brokerID = 1

func newBroker(w *world) *broker {
	return &broker{w: w, shards: make(map[int32]*shard)}
}

// shardOf returns the shard that a group belongs to.
func (b *broker) shardOf(group string) *shard {
	p := coordinator.PartitionOf(group, b.w.scenario.Broker.OffsetsPartitions)
	s := b.shards[p]
	if s == nil {
		s = &shard{
			Shard:   coordinator.New(b.w.scenario.Broker, memberIDs{b.w}, b.w),
			timers:  make(map[coordinator.TimerKey]*brokerTimer),
			latency: b.w.stream(fmt.Sprintf("offsets/%d", p), "append"),
		}
		s.append = &brokerTimer{shard: s}
		b.shards[p] = s
	}
	return s
}

// take begins to handle a request. The next one of this connection is taken only after it was answered.
func (b *broker) take(c *connection, r wire.Request) {
	c.busy, c.current = true, r
	switch r.API {
	case wire.FindCoordinator:
		b.answer(c, wire.Response{API: r.API, Body: foundHere})
		return
	case wire.OffsetFetch, wire.Metadata:
		b.answer(c, wire.Response{API: r.API})
		return
	case wire.Heartbeat:
		b.heartbeats++
	}
	s := b.shardOf(r.Group)
	r.Ticket = c.serial + 1 // a connection has one request in process: its number names that request
	b.apply(s, s.Handle(b.w.now(), r))
}

var foundHere = &wire.FindCoordinatorResponse{Broker: brokerID}

// apply carries out what a shard wants done.
func (b *broker) apply(s *shard, effects []coordinator.Effect) {
	now := b.w.now()
	for i := range effects {
		e := &effects[i]
		switch e.Kind {
		case coordinator.Reply:
			b.answer(b.w.conns[e.Response.Ticket-1], e.Response)
		case coordinator.SetTimer:
			b.setTimer(s, e.Timer, max(e.At, now))
		case coordinator.StopTimer:
			if t := s.timers[e.Timer]; t != nil {
				b.w.queue.Cancel(t.handle)
				s.drop(t)
			}
		case coordinator.Append:
			s.last = max(s.last, now.Add(s.latency.Draw(b.w.scenario.Append)))
			s.appended = append(s.appended, e.Append)
			b.w.queue.Schedule(s.last, event{kind: appended, timer: s.append})
		}
	}
	b.takeWaiting(effects)
}

func (b *broker) setTimer(s *shard, key coordinator.TimerKey, at clock.Time) {
	t := s.timers[key]
	if t == nil {
		t = s.newTimer(key)
	}
	if !b.w.queue.Reschedule(t.handle, at) {
		t.handle = b.w.queue.Schedule(at, event{kind: brokerTimed, timer: t})
	}
}

func (w *world) brokerTimerFired(t *brokerTimer) {
	s, key := t.shard, t.key
	s.drop(t)
	w.broker.apply(s, s.Expire(w.now(), key))
}

// newTimer takes a timer that is not in use: most last no longer than a write.
func (s *shard) newTimer(key coordinator.TimerKey) *brokerTimer {
	if len(s.spare) == 0 {
		s.spare = append(s.spare, &brokerTimer{shard: s})
	}
	n := len(s.spare) - 1
	t := s.spare[n]
	s.spare = s.spare[:n]
	t.key = key
	s.timers[key] = t
	return t
}

func (s *shard) drop(t *brokerTimer) {
	delete(s.timers, t.key)
	s.spare = append(s.spare, t)
}

func (b *broker) commit(s *shard) {
	id := s.appended[s.next]
	if s.next++; s.next == len(s.appended) {
		s.appended, s.next = s.appended[:0], 0
	}
	b.apply(s, s.Appended(b.w.now(), id, wire.None))
}

// answer sends a response to whoever is still there.
func (b *broker) answer(c *connection, r wire.Response) {
	r.Ticket = c.current.Ticket
	c.busy, c.current = false, wire.Request{}
	if !c.reset && !c.clientGone {
		b.w.sendResponse(c, r)
	}
}

// takeWaiting goes on with the connections whose request was answered.
func (b *broker) takeWaiting(effects []coordinator.Effect) {
	// Handling a request reuses the effects, so the connections are noted first.
	var answered []*connection
	for i := range effects {
		if effects[i].Kind == coordinator.Reply {
			if c := b.w.conns[effects[i].Response.Ticket-1]; len(c.waiting) > 0 {
				answered = append(answered, c)
			}
		}
	}
	for _, c := range answered {
		if c.busy || len(c.waiting) == 0 {
			continue
		}
		if c.clientGone || c.reset {
			continue // what stood behind a parked request is lost with the connection
		}
		r := c.waiting[0]
		c.waiting = append(c.waiting[:0], c.waiting[1:]...)
		b.take(c, r)
	}
}

// memberIDs hands out member ids: those that the scenario pins, in order, else from a stream of the
// member's own.
type memberIDs struct{ w *world }

func (m memberIDs) NewMemberID(r wire.Request) wire.MemberID {
	prefix := string(r.Instance)
	if prefix == "" {
		prefix = r.ClientID
	}
	a := m.w.byName[r.ClientID]
	if a == nil {
		panic(fmt.Sprintf("sim: a request from %q, which nobody is called", r.ClientID))
	}
	id := wire.MemberID(prefix + "-" + a.ids.UUID())
	if n := a.issued; n < len(a.pinned) {
		id = wire.MemberID(a.pinned[n])
	}
	a.issued++
	m.w.given[id] = handout{to: a, life: a.life, at: m.w.now()}
	return id
}
