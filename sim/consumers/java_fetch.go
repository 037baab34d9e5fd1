package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// nextFetched returns the first instant, not before t, at which a Fetch is answered; clock.Never when none comes.
func (p *java) nextFetched(t clock.Time) clock.Time {
	if !p.hasPositions() || p.conns[NodeConn].state != ready || p.pendingOn(NodeConn) >= 0 {
		return clock.Never
	}
	cycles := (t.Sub(p.poll.fetchAt) + fetchCycle - 1) / fetchCycle
	return p.poll.fetchAt.Add(max(1, cycles) * fetchCycle)
}

// LoseFetch makes the Fetch that is in flight a request like any other, because its answer will be lost: it
// is pending until that arrives or request.timeout.ms is over, which costs NodeConn. It returns the ticket
// and when the broker answers; ok is false when none is in flight.
func (p *java) LoseFetch(now clock.Time) (ticket wire.Ticket, answered clock.Time, ok bool) {
	if !p.hasPositions() || p.conns[NodeConn].state != ready {
		return 0, 0, false
	}
	sent := p.poll.fetchAt
	if p.poll.wait.Kind.readsNetwork() {
		sent = sent.Add(now.Sub(sent) / fetchCycle * fetchCycle)
	}
	if now >= sent.Add(fetchCycle) {
		return 0, 0, false // the application has not come back for the answer
	}
	p.tickets++
	p.pending = append(p.pending, pendingRequest{
		ticket: p.tickets, api: wire.Fetch, conn: NodeConn, deadline: sent.Add(p.plan.Config.RequestTimeout),
		member: p.member, generation: p.generation,
	})
	return p.tickets, sent.Add(fetchCycle), true
}
