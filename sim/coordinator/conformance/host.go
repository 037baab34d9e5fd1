package conformance

import (
	"cmp"
	"slices"

	"simulate/sim/clock"
	"simulate/sim/coordinator"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// host stands around the shard as the recorder stood around Kafka: it keeps the timers, is the log, and
// hands out the recorded member ids.
type host struct {
	names
	brokerLog
	shard  *coordinator.Shard
	term   coordinator.Term
	timers []armed
	seq    int
	nextID []string // real ids to hand out
	log
}

type armed struct {
	key coordinator.TimerKey
	at  clock.Time
	seq int
}

func newHost(cfg coordinator.Config, render Renderer) *host {
	h := &host{names: newNames(), brokerLog: brokerLog{render: render}}
	h.start(0, cfg)
	return h
}

// start replaces the broker process. The log stays, but for what was not written.
func (h *host) start(now clock.Time, cfg coordinator.Config) {
	h.shard = coordinator.New(cfg, h, h)
	h.shard.Unload(now)
	h.term = coordinator.Term{}
	h.timers = nil
	h.log.restart(cfg.MaxMessageBytes)
}

// NewMemberID hands out the id that Kafka made up.
func (h *host) NewMemberID(wire.Request) wire.MemberID {
	if len(h.nextID) == 0 {
		return "an id that Kafka did not hand out"
	}
	id := h.nextID[0]
	h.nextID = h.nextID[1:]
	return wire.MemberID(id)
}

// Record notes what a broker would log of the event.
func (h *host) Record(e trace.Event) { h.note(h.names, e) }

// do carries out effects and adds what can be seen of them to s.
func (h *host) do(now clock.Time, effects []coordinator.Effect, s *segment) {
	var appends []batch
	for _, e := range effects {
		switch e.Kind {
		case coordinator.Reply:
			s.replies = append(s.replies, h.reply(now.Millis(), e.Response))
		case coordinator.SetTimer:
			h.stop(e.Timer)
			h.seq++
			h.timers = append(h.timers, armed{e.Timer, e.At, h.seq})
		case coordinator.StopTimer:
			h.stop(e.Timer)
		case coordinator.Append:
			for _, r := range e.Records {
				if _, marker := r.(coordinator.TransactionMarker); !marker {
					s.records = append(s.records, h.record(r))
				}
			}
			appends = append(appends, batch{e.Append, e.Records})
		}
	}
	s.lines = append(s.lines, h.take()...)
	for _, b := range appends {
		h.append(now, b, s)
	}
}

// append hands a batch to the log. A transactional one does not wait in the open batch.
func (h *host) append(now clock.Time, b batch, s *segment) {
	if h.holdWrite && !b.transactional() {
		h.open = append(h.open, b)
		return
	}
	h.flush(now, s)
	if b.size() > h.limit {
		h.refusing = len(b.records)
		h.do(now, h.shard.Appended(now, b.id, wire.RecordListTooLarge), s)
		return
	}
	h.write(b)
	h.commit(now, s)
}

// flush writes the open batch.
func (h *host) flush(now clock.Time, s *segment) {
	open := h.open
	h.open = nil
	for _, b := range open {
		h.write(b)
	}
	if len(open) > 0 {
		h.commit(now, s)
	}
}

func (h *host) write(b batch) {
	h.log.write(b)
	h.shard.Written(b.id)
}

// commit moves the high watermark to the end of the log, unless it is held.
func (h *host) commit(now clock.Time, s *segment) {
	if h.holdCommit {
		return
	}
	for len(h.written) > 0 {
		id := h.written[0]
		h.written = h.written[1:]
		h.do(now, h.shard.Appended(now, id, wire.None), s)
	}
}

// refuse lets the log refuse the open batch.
func (h *host) refuse(now clock.Time, err wire.Err, s *segment) {
	open := h.open
	h.open = nil
	for _, b := range open {
		h.refusing += len(b.records)
	}
	for _, b := range open {
		h.do(now, h.shard.Appended(now, b.id, err), s)
	}
}

func (h *host) stop(k coordinator.TimerKey) {
	h.timers = slices.DeleteFunc(h.timers, func(t armed) bool { return t.key == k })
}

// due finds the first timer that is due at limit.
func (h *host) due(limit clock.Time) (armed, bool) {
	h.sort()
	if len(h.timers) == 0 || h.timers[0].at > limit {
		return armed{}, false
	}
	return h.timers[0], true
}

func (h *host) sort() {
	slices.SortFunc(h.timers, func(a, b armed) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.seq, b.seq))
	})
}

// armedTimers lists the timers in the form of a recording, which leaves out write time-outs.
func (h *host) armedTimers() Timers {
	h.sort()
	var list Timers
	for _, t := range h.timers {
		if t.key.Kind != coordinator.WriteTimer {
			list = append(list, Timer{h.timerName(t.key), t.at.Millis()})
		}
	}
	return list
}

func (h *host) timerName(k coordinator.TimerKey) string {
	switch k.Kind {
	case coordinator.SessionTimer:
		return "heartbeat/" + k.Group + "/" + h.name(k.Member)
	case coordinator.JoinTimer:
		return "join/" + k.Group
	case coordinator.SyncTimer:
		return "sync/" + k.Group
	case coordinator.RetentionTimer:
		return retentionTimer
	}
	return writeTimeout
}
