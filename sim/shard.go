package sim

import (
	"fmt"

	"simulate/sim/clock"
	"simulate/sim/coordinator"
	"simulate/sim/random"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// shard is a coordinator shard on one broker, with the timers and the log that it needs from its host.
type shard struct {
	*coordinator.Shard
	broker    *broker
	owner     uint32 // of its timers and appends
	partition *partition
	role      role
	loads     clock.Time // when it began to load, and will have loaded
	loaded    clock.Time
	silent    bool // another broker has the groups by now: what this one does to them is no news

	timers map[coordinator.TimerKey]*brokerTimer // those that are armed, but for writes; looked up, never walked for effect
	writes map[coordinator.EventID]*brokerTimer  // those of writes, of which each commit has one
	spare  []*brokerTimer                        // of keys that have no timer any more

	term uint32 // counts the resignations; what was on its way to the log before the last one is lost
	batches
}

// role is what a shard does with requests.
type role uint8

const (
	coordinates role = iota
	loads
	resigned
)

// refusal is what a shard answers to a request that it would not even look at.
func (r role) refusal() wire.Err {
	return [...]wire.Err{coordinates: wire.None, loads: wire.CoordinatorLoadInProgress, resigned: wire.NotCoordinator}[r]
}

// batches are on their way to the log, in order, from next on.
type batches struct {
	all  []batch
	next int
	last clock.Time // when the latest of them is committed
}

type batch struct {
	id      coordinator.AppendID
	at      clock.Time // of the append
	records []coordinator.Record
}

// brokerTimer is a timer of the coordinator.
type brokerTimer struct {
	shard  *shard
	key    coordinator.TimerKey
	armed  bool // else it waits for another key
	handle clock.Handle
}

func newShard(b *broker, p *partition) *shard {
	s := &shard{broker: b, owner: b.w.newOwner(), partition: p, timers: map[coordinator.TimerKey]*brokerTimer{}, writes: map[coordinator.EventID]*brokerTimer{}}
	config := b.w.scenario.Broker
	config.OffsetsPartition = p.number
	s.Shard = coordinator.New(config, memberIDs{b.w}, s)
	return s
}

// Record passes on what the coordinator does, as long as it is the one that counts.
func (s *shard) Record(e trace.Event) {
	if s.silent {
		return
	}
	if len(s.broker.w.cluster.brokers) > 1 {
		e.Broker = s.broker.id
	}
	s.broker.w.Record(e)
}

// begin begins to load the groups from the log.
func (s *shard) begin(now, loaded clock.Time) {
	s.role, s.loads, s.loaded = loads, now, loaded
	s.broker.w.lookForCoordinator(s.partition)
	s.BeginLoad(now, s.partition.log.records)
}

// resign forgets the groups, and with them every timer and what was on its way to the log.
func (s *shard) resign(now clock.Time) []coordinator.Effect {
	s.role = resigned
	s.broker.w.lookForCoordinator(s.partition)
	for _, t := range s.timers {
		s.broker.w.queue.Cancel(t.handle)
	}
	for _, t := range s.writes {
		s.broker.w.queue.Cancel(t.handle)
	}
	clear(s.timers)
	clear(s.writes)
	s.term++
	s.batches = batches{}
	return s.Unload(now)
}

// apply carries out what a shard wants done.
func (w *world) apply(s *shard, effects []coordinator.Effect) {
	now := w.now()
	for i := range effects {
		e := &effects[i]
		switch e.Kind {
		case coordinator.Reply:
			w.answer(w.conns[e.Response.Ticket-1], e.Response)
		case coordinator.SetTimer:
			w.setTimer(s, &e.Timer, max(e.At, now))
		case coordinator.StopTimer:
			if t := s.timer(&e.Timer); t != nil {
				w.queue.Cancel(t.handle)
				s.drop(t)
			}
		case coordinator.Append:
			s.last = max(s.last, now.Add(s.partition.appendTime(w)))
			s.all = append(s.all, batch{e.Append, now, e.Records})
			w.queue.Schedule(s.last, event{kind: appended, to: s, life: s.term})
		}
	}
	w.takeWaiting(effects)
}

func (w *world) setTimer(s *shard, key *coordinator.TimerKey, at clock.Time) {
	t := w.timerOf(s, key)
	if !w.queue.Reschedule(t.handle, at) {
		t.handle = w.queue.Schedule(at, event{kind: brokerTimed, to: t})
	}
}

// timerOf returns the timer of a key. That of the member whose request is being handled needs no look-up most times.
func (w *world) timerOf(s *shard, key *coordinator.TimerKey) *brokerTimer {
	c := w.taking
	if c != nil && c.timer != nil && c.timer.shard == s && c.timer.armed && c.timer.key == *key {
		return c.timer
	}
	t := s.timer(key)
	if t == nil {
		t = s.newTimer(key)
	}
	if c != nil && key.Member != "" {
		c.timer = t
	}
	return t
}

func (w *world) brokerTimerFired(t *brokerTimer) {
	s, key := t.shard, t.key
	s.drop(t)
	w.apply(s, s.Expire(w.now(), key))
}

// timer returns the timer of a key, nil when none is armed.
func (s *shard) timer(key *coordinator.TimerKey) *brokerTimer {
	if key.Kind == coordinator.WriteTimer {
		return s.writes[key.Event]
	}
	return s.timers[*key]
}

// newTimer takes a timer that is not in use: most last no longer than a write.
func (s *shard) newTimer(key *coordinator.TimerKey) *brokerTimer {
	if len(s.spare) == 0 {
		s.spare = append(s.spare, &brokerTimer{shard: s})
	}
	n := len(s.spare) - 1
	t := s.spare[n]
	s.spare = s.spare[:n]
	t.key, t.armed = *key, true
	if key.Kind == coordinator.WriteTimer {
		s.writes[key.Event] = t
	} else {
		s.timers[*key] = t
	}
	return t
}

func (s *shard) drop(t *brokerTimer) {
	t.armed = false
	if t.key.Kind == coordinator.WriteTimer {
		delete(s.writes, t.key.Event)
	} else {
		delete(s.timers, t.key)
	}
	s.spare = append(s.spare, t)
}

// commit ends the append of the oldest batch. A broker that does not lead the partition any more commits
// nothing: what it wrote is lost when it resigns.
func (w *world) commit(s *shard, term uint32) {
	if term != s.term {
		return
	}
	done := s.all[s.next]
	s.all[s.next] = batch{}
	if s.next++; s.next == len(s.all) {
		s.all, s.next = s.all[:0], 0
	}
	p := s.partition
	if p.leader != s.broker.id {
		return
	}
	err := p.refusal(w.now())
	if err == wire.None {
		w.committed(p, &done)
	}
	if !p.log.kept && w.commits == nil {
		s.Reuse(done.records)
	}
	w.apply(s, s.Appended(w.now(), done.id, err))
}

// partition is one partition of the offsets topic: who leads it, and its log.
type partition struct {
	number   int32
	replicas []int32 // every broker; the first one that lives is preferred as leader
	leader   int32   // in the cluster's metadata: what FindCoordinator answers
	term     uint32  // counts the elections; what an earlier one had planned is off
	found    *wire.FindCoordinatorResponse
	shards   []*shard // by broker - 1, nil where there was never one
	serving  *shard   // the one whose groups count, nil when there is none

	log     offsetsLog
	latency *random.Stream // of the log
	trouble appendTrouble
}

func newPartition(w *world, number int32) *partition {
	brokers := len(w.cluster.brokers)
	p := &partition{
		number: number, shards: make([]*shard, brokers),
		log:     offsetsLog{kept: w.scenario.MovesCoordinators()},
		latency: w.stream(fmt.Sprintf("offsets/%d", number), "append"),
	}
	for i := range brokers {
		p.replicas = append(p.replicas, int32((int(number)+i)%brokers)+1)
	}
	p.elect(p.replicas[0])
	p.serving = p.shardOn(w.cluster.brokers[p.leader-1])
	p.serving.role = coordinates
	return p
}

// elect makes a broker the leader in the metadata.
func (p *partition) elect(leader int32) {
	p.leader = leader
	p.term++
	p.found = &wire.FindCoordinatorResponse{Broker: leader}
}

// shardOn returns the shard of a broker; a new one coordinates.
func (p *partition) shardOn(b *broker) *shard {
	s := p.shards[b.id-1]
	if s == nil {
		s = newShard(b, p)
		p.shards[b.id-1] = s
	}
	return s
}

// refusing returns the shard of a broker; a new one coordinates nothing.
func (p *partition) refusing(b *broker) *shard {
	s := p.shards[b.id-1]
	if s == nil {
		s = p.shardOn(b)
		s.resign(b.w.now())
	}
	return s
}
