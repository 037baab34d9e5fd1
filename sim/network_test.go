package sim

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/random"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

const quickest, slowest = 5 * time.Millisecond, 900 * time.Millisecond

// passage is one message that reached the other end.
type passage struct {
	ticket wire.Ticket
	at     clock.Time
}

// TestConnection: whatever is cut, everything that was sent arrives, once, in order, and nothing passes
// during a cut.
func TestConnection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(loadRapid(t, three), trace.Discard)
		w.end = clock.At(time.Hour)
		w.scenario.Latency = random.Uniform(quickest, slowest)
		a := &actor{latency: w.stream("network/x", "latency"), links: []link{drawLink(t)}}
		w.cuts = true
		w.queue = clock.Queue[event]{} // without the fleet
		w.connect(a, consumers.NodeConn, w.cluster.brokers[0])
		c := a.conns[consumers.NodeConn]

		sent := rapid.IntRange(1, 8).Draw(t, "messages")
		for range sent {
			at := clock.At(time.Duration(rapid.IntRange(0, 12_000).Draw(t, "send")) * time.Millisecond)
			w.queue.Schedule(at, event{kind: sendOne})
		}
		var out, in []passage
		for next := wire.Ticket(1); ; {
			at, e, ok := w.queue.Next(w.end)
			switch {
			case !ok:
				checkPassages(t, "requests", sent, out, a.links[0].cut[outward])
				checkPassages(t, "answers", sent, in, a.links[0].cut[inward])
				return
			case e.kind == sendOne && !c.up:
				w.queue.Schedule(at.Add(time.Second), e) // not connected yet
				continue
			case e.kind == sendOne:
				w.sendRequest(c, &wire.Request{API: wire.OffsetFetch, Ticket: next})
				next++
				continue
			case e.kind == atBroker:
				out = append(out, passage{c.requests[c.out.head].Ticket, at})
			case e.kind == atClient:
				in = append(in, passage{c.responses[c.in.head].Ticket, at})
			}
			w.dispatch(e)
		}
	})
}

// sendOne is an event of the test's own: it sends the next message.
const sendOne eventKind = 255

// drawLink draws a link that is cut from an instant on, in either direction or both.
func drawLink(t *rapid.T) link {
	var l link
	for dir := range l.cut {
		l.cut[dir] = cut{
			until: clock.At(time.Duration(rapid.IntRange(0, 9000).Draw(t, "until")) * time.Millisecond),
			held:  rapid.Bool().Draw(t, "held"),
		}
	}
	return l
}

func checkPassages(t *rapid.T, what string, sent int, arrived []passage, cut cut) {
	t.Helper()
	if len(arrived) != sent {
		t.Fatalf("%d %s were sent and %d arrived", sent, what, len(arrived))
	}
	for i, p := range arrived {
		if p.ticket != wire.Ticket(i+1) {
			t.Fatalf("of the %s, number %d arrived in place %d", what, p.ticket, i+1)
		}
		if p.at < cut.until.Add(quickest) {
			t.Fatalf("of the %s, number %d arrived at %v; the link was cut until %v", what, p.ticket, p.at, cut.until)
		}
	}
}

// TestRetransmissions: the first after 210 ms, then doubling up to 2 min; of a SYN every second five times, then
// doubling.
func TestRetransmissions(t *testing.T) {
	lost := clock.At(time.Second)
	for _, c := range []struct {
		syn        bool
		heal, want time.Duration
	}{
		{false, 1100 * time.Millisecond, 1210 * time.Millisecond},
		{false, 1210 * time.Millisecond, 1210 * time.Millisecond},
		{false, 1211 * time.Millisecond, 1630 * time.Millisecond},
		{false, 21 * time.Second, 27670 * time.Millisecond},   // 0.21 s x (2^7 - 1) after it was lost
		{false, 300 * time.Second, 335830 * time.Millisecond}, // 0.21 s x (2^10 - 1) and 120 s
		{true, 1500 * time.Millisecond, 2 * time.Second},
		{true, 2001 * time.Millisecond, 3 * time.Second},
		{true, 6 * time.Second, 6 * time.Second},
		{true, 6001 * time.Millisecond, 8 * time.Second},
		{true, 21 * time.Second, 36 * time.Second},
	} {
		w := newWorld(loadText(t, three), trace.Discard)
		a := &actor{links: w.links()}
		a.links[0].cut[outward].until = clock.At(c.heal)
		conn := &connection{actor: a, broker: w.cluster.brokers[0], out: pipe{lostAt: lost, tryAfter: 210 * time.Millisecond, stuck: 1, syn: c.syn}}
		if got := w.passesAt(conn, outward); got != clock.At(c.want) {
			t.Errorf("lost at %v, healed at %v (syn: %v): passes at %v, want %v", lost, c.heal, c.syn, got, c.want)
		}
	}
}
