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
	shard  *coordinator.Shard
	timers []armed
	seq    int
	nextID []string // real ids to hand out

	holdWrite  bool // batches are not written
	holdCommit bool // batches are written, but not committed
	open       []coordinator.AppendID
	written    []coordinator.AppendID
}

type armed struct {
	key coordinator.TimerKey
	at  clock.Time
	seq int
}

func newHost(cfg coordinator.Config) *host {
	h := &host{names: names{nameOf: map[wire.MemberID]string{}, idOf: map[string]wire.MemberID{}}}
	h.shard = coordinator.New(cfg, h, trace.Discard)
	return h
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

// do carries out effects and adds what can be seen of them to s.
func (h *host) do(now clock.Time, effects []coordinator.Effect, s *segment) {
	var appends []coordinator.AppendID
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
				s.records = append(s.records, h.record(r))
			}
			appends = append(appends, e.Append)
		}
	}
	for _, a := range appends {
		switch {
		case h.holdWrite:
			h.open = append(h.open, a)
		case h.holdCommit:
			h.written = append(h.written, a)
		default:
			h.do(now, h.shard.Appended(now, a, wire.None), s)
		}
	}
}

func (h *host) stop(k coordinator.TimerKey) {
	h.timers = slices.DeleteFunc(h.timers, func(t armed) bool { return t.key == k })
}

// log carries out an input that concerns the log.
func (h *host) log(now clock.Time, op *Op, s *segment) {
	switch op.Op {
	case "hold":
		h.holdWrite = true
	case "hold-commit":
		h.holdCommit = true
	case "append-ok":
		h.holdWrite = false
		h.written = append(h.written, h.open...)
		h.open = nil
	case "append-fail":
		err, _ := wire.ParseErr(op.Error)
		h.holdWrite = false
		failed := h.open
		h.open = nil
		for _, a := range failed {
			h.do(now, h.shard.Appended(now, a, err), s)
		}
	case "commit-ok":
		h.holdCommit = false
	}
	if !h.holdCommit {
		committed := h.written
		h.written = nil
		for _, a := range committed {
			h.do(now, h.shard.Appended(now, a, wire.None), s)
		}
	}
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
	}
	return writeTimeout
}
