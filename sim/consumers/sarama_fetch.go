package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// saramaBrokerConsumer is the goroutine that fetches from the broker of the coordinator for all claims there. Its Fetches
// are no events: one follows the other until somebody else wants the connection.
// sarama: brokerConsumer.subscriptionConsumer.
type saramaBrokerConsumer struct {
	claims bool       // there are any
	starts clock.Time // when the first Fetch is sent, unless there are no claims any more
	at     clock.Time // when the Fetch in flight was sent, or the first one will be
	yields clock.Time // when it returns; clock.Never while nobody waits for that
	queued bool       // it waits in line for the connection
	ahead  int        // how many requests are before it then
	cut    bool       // its connection was lost: claims look for their leaders anew until at
	lost   bool       // the Fetch in flight is a request like any other (LoseFetch)
	took   int        // records that the handlers work on
	batch  clock.Time // when the handlers take what a Fetch has brought; clock.Never when that takes them no time
}

// fetchBegins starts to fetch for claims, or for more of them.
func (p *sarama) fetchBegins() {
	f := &p.fetch
	if !f.claims {
		starts := p.now.Add(saramaBatchWait)
		*f = saramaBrokerConsumer{starts: starts, at: starts, yields: clock.Never}
	}
	f.claims = true
	p.awaitBatch()
}

func (p *sarama) fetchEnds() {
	p.fetch = saramaBrokerConsumer{yields: clock.Never, batch: clock.Never}
}

// fetched returns when the Fetch returns that is in flight, or will be next: with the next record, or after 500 ms
// without one.
func (p *sarama) fetched() clock.Time {
	at := p.fetch.at
	if p.fetch.queued {
		at = max(at, p.now)
	}
	cycles := max(1, (p.now.Sub(at)+fetchCycle-1)/fetchCycle)
	return min(at.Add(cycles*fetchCycle), max(p.arrival(), at.Add(saramaFetchTrip)))
}

// arrival returns when the broker has a record for the Fetch in flight; clock.Never when none comes. What handlers that
// are busy have not taken is with the client already.
func (p *sarama) arrival() clock.Time {
	if !p.handlersBusy() {
		return p.nextRecord()
	}
	next := clock.Never
	for _, tp := range p.assigned {
		if p.loaded() {
			next = min(next, p.env.Records.Next(tp, p.now))
		}
	}
	return next
}

// fetchHolds reports whether a Fetch is in flight on a connection, so that requests have to wait.
func (p *sarama) fetchHolds(c Conn) bool {
	f := &p.fetch
	return c == CoordinatorConn && f.claims && !f.queued && p.now >= f.at
}

// fetchRuns reports whether what a Fetch brings reaches the handlers.
func (p *sarama) fetchRuns() bool {
	f := &p.fetch
	return f.claims && !f.queued && !f.lost && p.conns[CoordinatorConn].state == ready
}

// fetchGoesOn lets the fetching goroutine do what is due: give the connection to those who wait for it, take it when
// its turn has come, and pause when it is lost.
func (p *sarama) fetchGoesOn() {
	f, c := &p.fetch, &p.conns[CoordinatorConn]
	if !f.claims {
		return
	}
	waiting := len(p.lines[CoordinatorConn].waiting)
	switch {
	case c.state != ready:
		if c.state == disconnected && !f.cut {
			f.cut, f.at = true, p.now.Add(saramaRedispatchBackoff+saramaBatchWait)
		}
		f.queued, f.yields = false, clock.Never
		return
	case p.pendingOn(CoordinatorConn) >= 0:
		if !f.queued && !f.lost && p.now >= f.at { // it came while that was in flight
			f.queued, f.ahead = true, waiting
		}
		return
	case f.queued && f.ahead <= 0:
		f.queued, f.at = false, max(f.at, p.now)
		if f.batch < clock.Never {
			p.awaitBatch()
		}
	}
	f.cut = f.cut && p.now < f.at
	if waiting > 0 && f.yields == clock.Never && p.fetchHolds(CoordinatorConn) {
		f.yields = p.fetched()
	}
	if p.now >= f.yields {
		p.fetchReturned()
	}
}

// fetchReturned puts the fetching goroutine into the line, behind those who waited for it.
func (p *sarama) fetchReturned() {
	f := &p.fetch
	f.queued, f.ahead, f.yields, f.lost = true, len(p.lines[CoordinatorConn].waiting), clock.Never, false
}

// claimsEnd returns when claims that are to end have: when the Fetch in flight has returned. clock.Never while it is
// not sent.
func (p *sarama) claimsEnd() clock.Time {
	f := &p.fetch
	switch {
	case !f.claims || f.cut && p.now < f.at || p.conns[CoordinatorConn].state != ready:
		return p.now
	case f.queued || p.pendingOn(CoordinatorConn) >= 0:
		return clock.Never
	case p.now <= f.starts:
		return f.starts
	}
	return p.fetched()
}

// LoseFetch makes the Fetch that is in flight a request like any other, because its answer will be lost: it is pending
// until that arrives or Net.ReadTimeout is over, and everything else waits in line.
func (p *sarama) LoseFetch(now clock.Time) (ticket wire.Ticket, answered clock.Time, ok bool) {
	c := CoordinatorConn
	if p.now = now; p.conns[c].state != ready || p.pendingOn(c) >= 0 || !p.fetchHolds(c) {
		return 0, 0, false
	}
	answered = p.fetched()
	p.lines[c].caller = saramaFetchCaller
	p.fetch.yields, p.fetch.lost = clock.Never, true
	return p.loseFetch(c, answered.Add(-fetchCycle)), answered, true
}
