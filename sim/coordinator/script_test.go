package coordinator

import (
	"fmt"
	"strings"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// script is the host of a shard in a transcript: it keeps the timers and the log, and writes down what
// happens.
type script struct {
	cfg     Config
	without Switch
	shard   *Shard
	queue   clock.Queue[TimerKey]
	timers  map[TimerKey]clock.Handle
	at      clock.Time
	out     strings.Builder
	onEvent func(trace.Event)
	printed int // how many effects of this input are written down

	nextID wire.MemberID
	ticket wire.Ticket
	open   map[wire.Ticket]string // unanswered requests, as they are printed

	hold    bool
	appends []batch // of this input
	held    []batch
	log     []Record // what is committed
}

// batch is what one event wrote.
type batch struct {
	id      AppendID
	records []Record
}

func newScript(cfg Config) *script {
	s := &script{cfg: cfg, without: numSwitches, timers: map[TimerKey]clock.Handle{}, open: map[wire.Ticket]string{}, onEvent: func(trace.Event) {}}
	s.start()
	return s
}

// start makes a shard that behaves like the settings say, but for one switch that a test turns off.
func (s *script) start() {
	s.shard = New(s.cfg, s, s)
	if s.without < numSwitches {
		s.shard.old[s.without] = false
	}
}

// NewMemberID hands out the id that the script names.
func (s *script) NewMemberID(wire.Request) wire.MemberID { return s.nextID }

// Record writes an event down, behind the effects that came before it.
func (s *script) Record(e trace.Event) {
	s.onEvent(e)
	s.printEffects(s.shard.effects)
	s.printEvent(e)
}

func (s *script) now() clock.Time { return s.at }

func (s *script) advance(to time.Duration) {
	for {
		at, key, ok := s.queue.Next(clock.At(to))
		if !ok {
			break
		}
		s.at = at
		delete(s.timers, key)
		s.line("expire", timerName(key))
		s.printed = 0
		s.finish(s.shard.Expire(at, key))
	}
	s.at = clock.At(to)
}

func (s *script) request(r wire.Request) {
	s.ticket++
	r.Ticket = s.ticket
	who := string(r.Member)
	switch {
	case r.API == wire.LeaveGroup:
		who = leavers(r.Body.(*wire.LeaveGroupRequest))
	case who == "" && r.API < wire.OffsetFetch:
		who = string(s.nextID)
	}
	label := fmt.Sprintf("%s(%s)", apiName(r.API), who)
	s.open[r.Ticket] = label
	s.printed = 0
	s.finish(s.shard.Handle(s.at, &r))
	if _, unanswered := s.open[r.Ticket]; unanswered {
		s.line("parked", label)
	}
	s.zeroDelays()
}

// zeroDelays fires the timers that were armed with no delay, before anything else can happen.
func (s *script) zeroDelays() { s.advance(s.at.SinceStart()) }

// finish carries out the rest of an input's effects. Batches commit at once unless they are held.
func (s *script) finish(effects []Effect) {
	s.printEffects(effects)
	appends := s.appends
	s.appends = nil
	if s.hold || len(s.held) > 0 {
		s.held = append(s.held, appends...)
		return
	}
	for _, b := range appends {
		s.printed = 0
		s.log = append(s.log, b.records...)
		s.finish(s.shard.Appended(s.at, b.id, wire.None))
	}
}

// release ends the hold: the log commits what it got meanwhile, or refuses it with err.
func (s *script) release(err wire.Err) {
	s.hold = false
	for len(s.held) > 0 {
		b := s.held[0]
		what := "committed"
		if err != wire.None {
			what = "refused " + err.String()
		} else {
			s.log = append(s.log, b.records...)
		}
		s.line("log", fmt.Sprintf("#%d %s", b.id, what))
		s.printed = 0
		s.finish(s.shard.Appended(s.at, b.id, err))
		s.held = s.held[1:]
	}
	s.zeroDelays()
}

// printEffects carries out and writes down the effects that are new.
func (s *script) printEffects(effects []Effect) {
	for ; s.printed < len(effects); s.printed++ {
		s.carryOut(effects[s.printed])
	}
}

func (s *script) carryOut(e Effect) {
	hidden := e.Timer.Kind == WriteTimer && !s.hold
	switch e.Kind {
	case Reply:
		s.line("reply", s.open[e.Response.Ticket]+" "+describe(e.Response))
		delete(s.open, e.Response.Ticket)
	case SetTimer:
		s.stop(e.Timer)
		s.timers[e.Timer] = s.queue.Schedule(e.At, e.Timer)
		if !hidden {
			s.line("timer", fmt.Sprintf("%s at %v", timerName(e.Timer), e.At))
		}
	case StopTimer:
		if s.stop(e.Timer) && !hidden {
			s.line("stop", timerName(e.Timer))
		}
	case Append:
		for _, r := range e.Records {
			s.line("append", fmt.Sprintf("#%d %s", e.Append, describeRecord(r)))
		}
		s.appends = append(s.appends, batch{e.Append, e.Records})
	}
}

func (s *script) stop(k TimerKey) bool {
	h, armed := s.timers[k]
	delete(s.timers, k)
	return armed && s.queue.Cancel(h)
}
