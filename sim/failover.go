package sim

import (
	"fmt"
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// How long the steps of a fail-over take. Measured on clusters of three Kafka 4.4 brokers (KRaft, with Kafka's
// defaults) and on single brokers, on a quiet host; none of them is a setting of the coordinator.
var (
	electedAfterStop = random.LogNormal(110*time.Millisecond, 340*time.Millisecond) // SIGTERM -> others lead its partitions
	electedAfterKill = random.Uniform(8*time.Second, 9700*time.Millisecond)         // broker.session.timeout.ms, as the controller checks it
	electedAfterMove = random.Uniform(100*time.Millisecond, 200*time.Millisecond)   // new replica order -> preferred leader elected
	resigning        = random.Uniform(2*time.Millisecond, 80*time.Millisecond)      // elected -> the old leader resigns, if it lives
	noticed          = random.Uniform(10*time.Millisecond, 110*time.Millisecond)    // elected -> the new one begins to load, mostly later
	noticedAfterKill = random.Uniform(1*time.Millisecond, 17*time.Millisecond)      // the same, after the longer wait for the election
	closedAfterStop  = random.Uniform(2300*time.Millisecond, 4700*time.Millisecond) // SIGTERM -> its port closes
	closedAlone      = random.Uniform(340*time.Millisecond, 760*time.Millisecond)   // the same without another broker
	loadedBefore     = random.Constant(9800 * time.Millisecond)                     // the only broker, killed: it loads by its own log -> it is back
	fencedBefore     = random.Constant(1500 * time.Millisecond)                     // the controller misses its former life and fences it -> it is back
)

// handover is one step of a fail-over.
type handover struct {
	step     handoverStep
	fault    *fault
	graceful bool
	broker   *broker    // that does it, or that the partition is taken from
	of       *partition // nil: all that the broker leads
	unseen   bool       // its port is still closed
	term     uint32     // of the partition: a later election makes the step void
}

type handoverStep uint8

const (
	electOther   handoverStep = iota // another broker leads in the metadata
	unloadShard                      // the old leader resigns
	beginLoading                     // the new leader reads the log
	endLoading                       // and coordinates
	closePort                        // the broker's process ends
	openPort                         // it is back
	loadUnseen                       // it does not know yet that it will be fenced, and loads what it led
	fence                            // it resigns from that again
)

func (w *world) plan(at clock.Time, h handover) {
	w.queue.Schedule(at, event{kind: handedOver, to: &h})
}

func (w *world) handOver(h *handover) {
	w.cause = int32(h.fault.number)
	switch h.step {
	case electOther:
		for _, p := range w.cluster.partitions {
			if p.leader == h.broker.id && (h.of == nil || h.of == p) {
				w.elect(h, p)
			}
		}
	case unloadShard:
		if s := h.of.shardOn(h.broker); s.role != resigned && h.of.leader != h.broker.id {
			w.unload(s)
		}
	case beginLoading:
		if h.of.term == h.term && h.reachable() {
			w.beginLoad(h)
		}
	case endLoading:
		if h.of.term == h.term && h.reachable() {
			w.endLoad(h.of.shardOn(h.broker))
		}
	case closePort:
		w.closePort(h)
	case openPort:
		w.openPort(h)
	case loadUnseen:
		for _, p := range w.ledBy(h.broker) {
			w.beginLoad(&handover{fault: h.fault, broker: h.broker, of: p, term: p.term, unseen: true})
		}
	case fence:
		for _, p := range w.ledBy(h.broker) {
			if s := p.shardOn(h.broker); s.role != resigned {
				w.unload(s)
			}
		}
	}
}

func (h *handover) reachable() bool { return h.unseen || h.broker.listening }

// ledBy returns the partitions that a broker leads in the metadata.
func (w *world) ledBy(b *broker) []*partition {
	return slices.DeleteFunc(slices.Clone(w.cluster.partitions), func(p *partition) bool { return p.leader != b.id })
}

// draw draws one of the durations above for a fault.
func (w *world) draw(f *fault, purpose string, d random.Distribution) time.Duration {
	return w.eventStream(f.number, purpose).Draw(d)
}

// drawFor does so for one partition, so that the others do not change what it draws.
func (w *world) drawFor(p *partition, f *fault, purpose string, d random.Distribution) time.Duration {
	return w.draw(f, fmt.Sprintf("%s/%d", purpose, p.number), d)
}

// restartBroker stops or kills a broker and lets it come back. Where there are others they take over what it
// leads, and keep it.
func (w *world) restartBroker(f *fault) {
	b := w.brokerOf(f.event)
	if b.restarting {
		w.warn("%s found broker %d restarting already", f.event.Do, b.id)
		return
	}
	alone := w.alone(b)
	b.restarting = true
	h := handover{step: electOther, fault: f, broker: b, graceful: f.event.Graceful}
	closes, elected := w.now(), w.now()
	switch {
	case f.event.Closes > 0:
		closes = clock.At(f.event.Closes)
	case f.event.Graceful && alone:
		closes = closes.Add(w.draw(f, "closed", closedAlone))
	case f.event.Graceful:
		closes = closes.Add(w.draw(f, "closed", closedAfterStop))
		elected = elected.Add(w.draw(f, "elected", electedAfterStop))
	case !alone:
		elected = elected.Add(w.draw(f, "elected", electedAfterKill))
	}
	opens := closes.Add(w.draw(f, "down", f.event.Down))
	if f.event.Back > 0 {
		opens = clock.At(f.event.Back)
	}
	opens = max(opens, elected) // a broker that is missed has to register anew
	w.recordFault(trace.Event{Kind: trace.FaultBegan, Text: string(f.event.Do), Who: b.name(), Until: opens})
	if !alone {
		w.plan(elected, h)
	}
	h.step = closePort
	if closes > w.now() {
		w.plan(closes, h)
	} else {
		w.closePort(&h)
	}
	if !f.event.Graceful && alone {
		w.planFencing(h, opens)
	}
	h.step = openPort
	b.stopped = w.now()
	w.plan(opens, h)
}

// planFencing lets the only broker of a cluster, killed and started again, load what it led, and resign when the
// controller misses its former life: only then is it registered anew and back. One that was away too shortly for
// that is not missed.
func (w *world) planFencing(h handover, opens clock.Time) {
	loads := opens.Add(-w.draw(h.fault, "loaded", loadedBefore))
	if known := h.fault.event.Loads; len(known) > 1 {
		loads = clock.At(known[0])
	}
	if loads <= w.now() {
		return
	}
	h.step = loadUnseen
	w.plan(loads, h)
	h.step = fence
	w.plan(opens.Add(-w.draw(h.fault, "fenced", fencedBefore)), h)
}

func (b *broker) name() string { return fmt.Sprintf("broker %d", b.id) }

// alone reports whether no other broker can take over from b.
func (w *world) alone(b *broker) bool {
	return !slices.ContainsFunc(w.cluster.brokers, func(o *broker) bool { return o != b && o.canLead() })
}

func (b *broker) canLead() bool { return b.listening && !b.restarting }

// brokerOf returns the broker that an event is about.
func (w *world) brokerOf(e *scenario.Event) *broker {
	if e.CoordinatorOf != "" {
		return w.leaderOf(e.CoordinatorOf)
	}
	return w.cluster.brokers[e.Broker-1]
}

// moveCoordinator makes another broker lead the offsets partition of a group, as reassigning it and electing
// the preferred leader does.
func (w *world) moveCoordinator(f *fault) {
	p := w.partitionOf(f.event.Group)
	old := w.cluster.brokers[p.leader-1]
	if w.alone(old) || !old.listening {
		w.warn("%s found no broker to move %s to", f.event.Do, f.event.Group)
		return
	}
	i := slices.Index(p.replicas, p.leader)
	p.replicas = slices.Concat(p.replicas[i+1:], p.replicas[:i+1])
	elected := w.now().Add(w.draw(f, "elected", electedAfterMove))
	w.plan(elected, handover{step: electOther, fault: f, broker: old, of: p, graceful: true})
	w.lasts(f, elected)
}

// elect gives a partition to the first of its replicas that lives. Where none does it waits for its leader.
func (w *world) elect(h *handover, p *partition) {
	i := slices.IndexFunc(p.replicas, func(id int32) bool {
		return id != h.broker.id && w.cluster.brokers[id-1].canLead()
	})
	if i < 0 {
		return
	}
	to := w.cluster.brokers[p.replicas[i]-1]
	p.elect(to.id)
	wait := noticedAfterKill
	if h.graceful {
		wait = noticed
		at := w.now().Add(w.drawFor(p, h.fault, "unload", resigning))
		w.plan(at, handover{step: unloadShard, fault: h.fault, broker: h.broker, of: p})
	}
	w.loadSoon(h.fault, to, p, wait)
}

func (w *world) loadSoon(f *fault, b *broker, p *partition, wait random.Distribution) {
	w.loadAt(w.now().Add(w.drawFor(p, f, "load", wait)), f, b, p)
}

func (w *world) loadAt(at clock.Time, f *fault, b *broker, p *partition) {
	w.plan(at, handover{step: beginLoading, fault: f, broker: b, of: p, term: p.term})
}

// unload lets a shard resign: what is parked there is answered NOT_COORDINATOR.
func (w *world) unload(s *shard) {
	effects := s.resign(w.now())
	if s.partition.serving == s {
		s.partition.serving = nil
	}
	w.apply(s, effects)
}

func (w *world) beginLoad(h *handover) {
	s := h.of.refusing(h.broker)
	if s.role != resigned {
		w.unload(s) // it has not noticed yet that others led meanwhile
	}
	end := *h
	end.step = endLoading
	at := w.now().Add(w.drawFor(h.of, h.fault, "loading", w.scenario.Load))
	s.begin(w.now(), at)
	w.plan(at, end)
}

func (w *world) endLoad(s *shard) {
	p := s.partition
	w.groupsGone(p)
	p.serving, s.role, s.silent = s, coordinates, false
	w.apply(s, s.EndLoad(w.now()))
}

// groupsGone ends the groups of a shard that has not resigned, because its broker died or another one was
// quicker: in Kafka nobody says so.
func (w *world) groupsGone(p *partition) {
	if p.serving == nil {
		return
	}
	p.serving.silent, p.serving = true, nil
	for _, g := range w.groups {
		if g.state != wire.Dead && w.partitionOf(g.group) == p {
			w.Record(trace.Event{
				At: w.now(), Kind: trace.GroupBecame, Group: g.group, From: g.state, To: wire.Dead,
				Generation: g.generation, Reason: trace.Unloaded,
			})
		}
	}
}

// closePort ends a broker's process. A graceful one resigns first, from what nobody has taken over.
func (w *world) closePort(h *handover) {
	b := h.broker
	for _, p := range w.cluster.partitions {
		s := p.shards[b.id-1]
		switch {
		case s == nil || s.role == resigned:
		case h.graceful:
			w.unload(s)
		default:
			w.die(s)
		}
	}
	b.listening = false
	w.hangUp(b)
}

// die takes a shard away without a word.
func (w *world) die(s *shard) {
	if s.partition.serving == s {
		w.groupsGone(s.partition)
	}
	s.silent = true
	s.resign(w.now())
}

// openPort brings a broker back. It coordinates what nobody has taken over, and nothing else.
func (w *world) openPort(h *handover) {
	b := h.broker
	b.listening, b.restarting = true, false
	b.restarts++
	for _, p := range w.cluster.partitions {
		switch {
		case p.leader != b.id || p.serving != nil:
		case len(h.fault.event.Loads) > 0:
			w.loadAt(max(w.now(), clock.At(h.fault.event.Loads[len(h.fault.event.Loads)-1])), h.fault, b, p)
		default:
			w.loadSoon(h.fault, b, p, noticed)
		}
	}
	w.recordFault(trace.Event{Kind: trace.FaultEnded, Text: string(h.fault.event.Do), Who: b.name(), Since: b.stopped})
}

// lasts records the beginning of what is done to brokers until an instant, and its end where there is one.
func (w *world) lasts(f *fault, until clock.Time) {
	w.recordFault(trace.Event{Kind: trace.FaultBegan, Group: f.event.Group, Text: string(f.event.Do), Until: until})
	if until > w.now() {
		e := trace.Event{Kind: trace.FaultEnded, Group: f.event.Group, Text: string(f.event.Do), Since: w.now()}
		w.queue.Schedule(until, event{kind: faulted, to: &fault{event: f.event, number: f.number, ends: &e}})
	}
}

func (w *world) recordFault(e trace.Event) {
	e.At = w.now()
	w.Record(e)
}
