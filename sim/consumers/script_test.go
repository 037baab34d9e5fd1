package consumers

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/records"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// script is the world around one process in a transcript: it carries out what the process wants, plays the
// broker, and writes down what happens. Messages take no time.
type script struct {
	t        *testing.T
	instance string // with which a process is started
	process  Process
	at       clock.Time
	out      strings.Builder
	printed  int // how many effects of the running step are written down

	onEvent  func(trace.Event)
	onWait   func(WaitKind)
	onAnswer func(api wire.API, err wire.Err, answer func()) // carries out an answer command
	onLost   func(openRequest, string)                       // an open request is lost by a "disconnect" or its "time-out"
	waiting  WaitKind                                        // the one that was written down last

	records *records.Group // what topics hold for the next process, nil for none

	frozen  bool // the process is paused: nothing steps it
	accepts acceptance
	manual  [wire.NumAPIs]bool
	open    []openRequest // sent and not answered
}

// acceptance is what becomes of connections that the process opens.
type acceptance uint8

const (
	accept acceptance = iota
	refuse
	ignore
)

type openRequest struct {
	conn    Conn
	request wire.Request
	sent    clock.Time
}

func newScript(t *testing.T) *script {
	s := &script{t: t, waiting: WaitExited}
	s.onEvent, s.onWait = func(trace.Event) {}, func(WaitKind) {}
	s.onAnswer = func(_ wire.API, _ wire.Err, answer func()) { answer() }
	s.onLost = func(openRequest, string) {}
	s.manual[wire.JoinGroup], s.manual[wire.SyncGroup] = true, true
	return s
}

// start begins another process, at instant 0.
func (s *script) start(plan Plan) {
	s.process, s.at, s.open, s.waiting = nil, 0, nil, WaitExited
	s.process = Start(s.at, Identity{Name: "c", Instance: s.instance}, &plan, Env{
		Sink:    s,
		Topics:  map[string]assignors.Topic{"t": {Partitions: 4}, "u": {Partitions: 1}},
		Backoff: random.Seed(1).Stream("c", "backoff"),
		Work:    random.Seed(1).Stream("c", "work"),
		Listen:  random.Seed(1).Stream("c", "listen"),
		Records: s.records,
	})
	s.step()
}

// Record writes an event down, behind the effects that came before it.
func (s *script) Record(e trace.Event) {
	s.onEvent(e)
	if s.process != nil {
		s.printEffects(clientOf(s.process).out)
	}
	s.printEvent(e)
}

// advance steps the process at every instant at which it wants to be stepped. Frozen, it is not.
func (s *script) advance(to clock.Time) {
	for !s.frozen && s.process != nil && s.process.Wake() <= to {
		s.at = max(s.at, s.process.Wake())
		s.step()
	}
	s.at = max(s.at, to)
}

// step lets the process go on until it waits and nothing is left to be answered by itself.
func (s *script) step() {
	for !s.frozen {
		s.printed = 0
		effects := s.process.Step(s.at)
		s.printEffects(effects)
		s.printWait()
		if !s.deliver(effects) {
			return
		}
	}
}

// deliver lets the broker react to the effects: it accepts connections and answers what the script does not
// answer itself. It reports whether anything reached the process.
func (s *script) deliver(effects []Effect) bool {
	any := false
	for _, e := range effects {
		if e.Kind != Connect || s.accepts == ignore {
			continue
		}
		any = true
		if s.accepts == refuse {
			s.process.Closed(e.Conn)
		} else {
			s.process.Connected(e.Conn)
		}
	}
	for i := 0; i < len(s.open); {
		if r := s.open[i].request; !s.manual[r.API] {
			s.receive(i, okResponse(r))
			any = true
			continue
		}
		i++
	}
	return any
}

func okResponse(r wire.Request) wire.Response {
	response := wire.Response{Ticket: r.Ticket, API: r.API}
	if r.API == wire.FindCoordinator {
		response.Body = &wire.FindCoordinatorResponse{Broker: 1}
	}
	return response
}

// receive lets the response to an open request reach the process.
func (s *script) receive(i int, r wire.Response) {
	o := s.open[i]
	s.open = append(s.open[:i], s.open[i+1:]...)
	r.Ticket, r.API = o.request.Ticket, o.request.API
	s.process.Receive(o.conn, r)
}

// openOf returns the oldest open request of that kind, -1 when there is none.
func (s *script) openOf(api wire.API) int {
	for i, o := range s.open {
		if o.request.API == api {
			return i
		}
	}
	return -1
}

func (s *script) printEffects(effects []Effect) {
	for ; s.printed < len(effects); s.printed++ {
		e := effects[s.printed]
		switch e.Kind {
		case Send:
			s.open = append(s.open, openRequest{e.Conn, e.Request, s.at})
			s.line("send", describeRequest(e.Request))
		case Connect:
			name := connName(e.Conn)
			if e.Conn != NodeConn && e.Broker != 1 {
				name += fmt.Sprintf(" %d", e.Broker)
			}
			s.line("connect", name)
		case Disconnect:
			s.forget(e.Conn, false)
			s.line("close", connName(e.Conn))
		case Exit:
			s.line("exit", e.Reason.String())
		case Freeze:
			s.frozen = true
			s.line("freeze", "for "+e.For.String())
		}
	}
}

// forget drops the requests of a connection that is gone, because the broker closed it or the process did.
func (s *script) forget(c Conn, byBroker bool) {
	config, kept := clientOf(s.process).plan.Config, s.open[:0]
	for _, o := range s.open {
		timeout := config.RequestTimeout
		if o.request.API == wire.JoinGroup {
			timeout = max(timeout, config.MaxPollInterval+joinGrace)
		}
		switch {
		case o.conn != c:
			kept = append(kept, o)
		case byBroker:
			s.onLost(o, "disconnect")
		case s.at >= o.sent.Add(timeout):
			s.onLost(o, "time-out")
		}
	}
	s.open = kept
}

// joinGroup brings a process into its group, up to the given outstanding request or all the way, and is
// silent about it.
func (s *script) joinGroup(upTo string, id wire.MemberID, assigned []wire.TopicPartition) {
	s.advance(clock.At(10 * time.Millisecond))
	s.advanceUntilSent(wire.JoinGroup)
	if clientOf(s.process).profile.versions.join >= 4 {
		s.answer(wire.JoinGroup, wire.Response{Err: wire.MemberIDRequired, Member: id, Body: &wire.JoinGroupResponse{}})
	}
	if s.openOf(wire.JoinGroup) < 0 { // some clients take a moment
		s.advance(clock.At(12 * time.Millisecond))
		s.advanceUntilSent(wire.JoinGroup)
	}
	if upTo != "joining" {
		s.answer(wire.JoinGroup, wire.Response{Member: id, Generation: 1, Body: &wire.JoinGroupResponse{Leader: "other", Protocol: clientOf(s.process).plan.Config.Assignors[0]}})
		s.advance(clock.At(20 * time.Millisecond))
		s.advanceUntilSent(wire.SyncGroup)
	}
	if upTo == "stable" {
		s.answer(wire.SyncGroup, syncResponse(assigned))
	}
	s.out.Reset()
	text := fmt.Sprintf("%s gen=%d", someone(clientOf(s.process).member), clientOf(s.process).generation)
	if len(assigned) > 0 {
		text += fmt.Sprintf(" holds %v", assigned)
	}
	s.line(upTo, text)
}

// advanceUntilSent lets time pass until a request is open, for clients that begin slowly.
func (s *script) advanceUntilSent(api wire.API) {
	for s.openOf(api) < 0 {
		s.advance(s.process.Wake())
	}
}

func (s *script) answer(api wire.API, r wire.Response) {
	i := s.openOf(api)
	if i < 0 {
		s.t.Fatalf("at %v no %v is open; there are %d requests", s.at, api, len(s.open))
	}
	s.receive(i, r)
	s.step()
}

// commitResponse has the error on a partition, as the coordinator reports it.
func commitResponse(err wire.Err) wire.Response {
	return wire.Response{Body: &wire.OffsetCommitResponse{Partitions: []wire.PartitionError{{Err: err}}}}
}

func syncResponse(assigned []wire.TopicPartition) wire.Response {
	return wire.Response{Body: &wire.SyncGroupResponse{Assignment: assignors.EncodeAssignment(assigned, nil, current.protocol)}}
}
