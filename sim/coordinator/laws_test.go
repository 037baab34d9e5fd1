package coordinator

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// TestLaws sends random requests of hostile clients to two groups of one shard, with a log that takes its
// time and sometimes refuses, and checks after every input what must always hold. In the end it sends
// nothing more: everything must fall quiet.
func TestLaws(t *testing.T) { rapid.Check(t, laws) }

// FuzzLaws lets the native fuzzer choose the requests.
func FuzzLaws(f *testing.F) { f.Fuzz(rapid.MakeFuzz(laws)) }

func laws(t *rapid.T) {
	cfg := Defaults()
	cfg.OffsetsRetention, cfg.RetentionCheckInterval = 20*time.Second, 15*time.Second
	cfg.Kafka = rapid.SampledFrom([]string{"4", "4", "3"}).Draw(t, "kafka")
	cfg.InitialRebalanceDelay = time.Duration(rapid.IntRange(0, 3).Draw(t, "initial delay")) * time.Second
	cfg.MaxSize = rapid.IntRange(1, 6).Draw(t, "max size")
	w := newWorld(t, cfg)
	for range rapid.IntRange(1, 150).Draw(t, "steps") {
		w.step()
	}
	w.fallQuiet()
}

// world is a host that keeps account of every ticket and folds the events.
type world struct {
	t      *rapid.T
	shard  *Shard
	queue  clock.Queue[TimerKey]
	timers map[TimerKey]clock.Handle
	now    clock.Time

	ids     []wire.MemberID // every id that was handed out
	open    map[wire.Ticket]wire.API
	parked  map[wire.Ticket]place // where open tickets were parked before this input
	last    wire.Ticket
	hold    bool
	held    []batch
	log     []Record // what is committed
	twin    *twin    // what the log says of offsets
	refused bool     // an append was: the revert of a static member may leave wrong protocol counts behind
	broken  bool     // an internal error happened: a group may hang, as in Kafka
	folds   map[string]*fold
}

type place struct {
	g   *group
	m   *member
	api wire.API
}

func newWorld(t *rapid.T, cfg Config) *world {
	w := &world{
		t: t, timers: map[TimerKey]clock.Handle{}, open: map[wire.Ticket]wire.API{},
		parked: map[wire.Ticket]place{}, folds: map[string]*fold{}, twin: newTwin(),
	}
	w.shard = New(cfg, w, w)
	return w
}

func (w *world) NewMemberID(r wire.Request) wire.MemberID {
	id := wire.MemberID(fmt.Sprintf("%s%s-%d", r.ClientID, r.Instance, len(w.ids)))
	w.ids = append(w.ids, id)
	return id
}

func (w *world) step() {
	switch rapid.IntRange(0, 14).Draw(w.t, "what") {
	case 0, 1, 2, 3:
		w.send(w.join())
	case 4, 5:
		w.send(w.request(wire.SyncGroup, &wire.SyncGroupRequest{Assignments: w.assignments()}))
	case 6:
		w.send(w.request(wire.Heartbeat, nil))
	case 7:
		w.send(w.leave())
	case 8:
		offset := wire.OffsetToCommit{Metadata: rapid.SampledFrom([]string{"", string(make([]byte, 5000))}).Draw(w.t, "metadata")}
		w.send(w.request(wire.OffsetCommit, &wire.OffsetCommitRequest{RetentionTimeMs: -1, Offsets: []wire.OffsetToCommit{offset}}))
	case 9, 10:
		w.advance(time.Duration(rapid.IntRange(0, 8000).Draw(w.t, "ms")) * time.Millisecond)
	case 11:
		w.toggleLog()
	case 12, 13:
		w.storage()
	case 14:
		w.reload()
	}
}

func (w *world) join() wire.Request {
	lists := [][]string{{"range"}, {"range", "sticky"}, {"sticky", "range"}, {"roundrobin"}, {"range", "range"}, {}}
	body := &wire.JoinGroupRequest{
		SessionTimeoutMs:   int32(rapid.IntRange(5999, 20000).Draw(w.t, "session")),
		RebalanceTimeoutMs: int32(rapid.IntRange(1, 20000).Draw(w.t, "rebalance")),
		ProtocolType:       "consumer",
	}
	for _, name := range rapid.SampledFrom(lists).Draw(w.t, "lists") {
		body.Protocols = append(body.Protocols, wire.Protocol{Name: name})
	}
	return w.request(wire.JoinGroup, body)
}

func (w *world) leave() wire.Request {
	r := w.request(wire.LeaveGroup, nil)
	body := &wire.LeaveGroupRequest{Members: []wire.LeavingMember{{Member: r.Member, Instance: r.Instance}}}
	if r.Version > 2 && rapid.Bool().Draw(w.t, "batch") {
		body.Members = append(body.Members, wire.LeavingMember{Member: w.member(r.Group)})
	}
	r.Body = body
	return r
}

// request comes from a consumer that knows its generation most of the time.
func (w *world) request(api wire.API, body any) wire.Request {
	group := rapid.SampledFrom([]string{"g", "h"}).Draw(w.t, "group")
	r := wire.Request{
		API: api, Version: int16(rapid.IntRange(0, 9).Draw(w.t, "version")), Group: group, ClientID: "c", Body: body,
		Member:   w.member(group),
		Instance: rapid.SampledFrom([]wire.InstanceID{"", "", "", "i1", "i2"}).Draw(w.t, "instance"),
	}
	r.Generation = wire.Generation(rapid.IntRange(-1, 3).Draw(w.t, "generation"))
	if g, ok := w.shard.groups.get(group); ok && rapid.IntRange(0, 9).Draw(w.t, "honest") > 0 {
		r.Generation = g.generation
		if m, ok := g.members.get(r.Member); ok {
			r.Instance = m.instance
		}
	}
	return r
}

// member draws the id of a member, a pending id, an id that is no good, or none.
func (w *world) member(group string) wire.MemberID {
	candidates := []wire.MemberID{"", "unknown"}
	if g, ok := w.shard.groups.get(group); ok {
		candidates = append(candidates, append(g.members.keys(), g.pendingJoin.keys()...)...)
		candidates = append(candidates, g.members.keys()...)
	}
	if len(w.ids) > 0 {
		candidates = append(candidates, w.ids[len(w.ids)-1])
	}
	return rapid.SampledFrom(candidates).Draw(w.t, "member")
}

func (w *world) assignments() []wire.Assignment {
	var list []wire.Assignment
	for _, id := range w.ids[max(0, len(w.ids)-4):] {
		list = append(list, wire.Assignment{Member: id, Bytes: []byte("a")})
	}
	return list
}

func (w *world) send(r wire.Request) {
	w.last++
	r.Ticket = w.last
	w.open[r.Ticket] = r.API
	w.carryOut(w.shard.Handle(w.now, &r))
	w.checkTickets(r)
	w.advance(0)
}

func (w *world) advance(by time.Duration) {
	limit := w.now.Add(by)
	for {
		at, key, ok := w.queue.Next(limit)
		if !ok {
			break
		}
		w.now = at
		delete(w.timers, key)
		w.carryOut(w.shard.Expire(at, key))
		w.checkTickets(wire.Request{API: wire.NumAPIs})
	}
	w.now = limit
}

func (w *world) toggleLog() {
	w.hold = !w.hold
	err := wire.None
	if rapid.Bool().Draw(w.t, "refuse") {
		err = wire.NotEnoughReplicas
	}
	w.release(err)
}

func (w *world) release(err wire.Err) {
	for len(w.held) > 0 {
		b := w.held[0]
		if err == wire.None {
			w.commit(b)
		}
		w.carryOut(w.shard.Appended(w.now, b.id, err))
		w.held = w.held[1:]
		w.checkTickets(wire.Request{API: wire.NumAPIs})
	}
	w.advance(0)
}

func (w *world) carryOut(effects []Effect) {
	var appends []batch
	for _, e := range effects {
		switch e.Kind {
		case Reply:
			if _, ok := w.open[e.Response.Ticket]; !ok {
				w.t.Fatalf("ticket %d is answered twice or was never asked", e.Response.Ticket)
			}
			delete(w.open, e.Response.Ticket)
		case SetTimer:
			w.stop(e.Timer)
			w.timers[e.Timer] = w.queue.Schedule(e.At, e.Timer)
		case StopTimer:
			w.stop(e.Timer)
		case Append:
			appends = append(appends, batch{e.Append, e.Records})
		}
	}
	if w.hold || len(w.held) > 0 {
		w.held = append(w.held, appends...)
		return
	}
	for _, b := range appends {
		w.commit(b)
		w.carryOut(w.shard.Appended(w.now, b.id, wire.None))
	}
}

func (w *world) stop(k TimerKey) {
	if h, ok := w.timers[k]; ok {
		w.queue.Cancel(h)
		delete(w.timers, k)
	}
}

// fallQuiet stops all input and lets every timer run out.
func (w *world) fallQuiet() {
	w.hold = false
	w.release(wire.None)
	for fired := 0; w.busy(); fired++ {
		if fired > 10000 {
			w.t.Fatalf("without input timers fire for ever: %v", slices.Collect(maps.Keys(w.timers)))
		}
		w.advance(time.Second)
	}
	for ticket, api := range w.open {
		if _, parked := w.parked[ticket]; !parked && api != wire.JoinGroup && api != wire.SyncGroup {
			w.t.Fatalf("%v %d is never answered", api, ticket)
		}
	}
	for _, g := range w.shard.groups.all() {
		if !w.broken && g.members.len() > 0 {
			w.t.Fatalf("group %s has members for ever in %v", g.id, g.state)
		}
	}
}
