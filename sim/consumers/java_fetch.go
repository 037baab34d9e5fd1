package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// fetching reports whether the answer to a Fetch may come.
func (p *java) fetching() bool {
	return p.hasPositions() && p.conns[NodeConn].state == ready && p.pendingOn(NodeConn) < 0
}

// awaitRecords notes when poll() returns with records: a moment after they are there. The broker answers a Fetch as soon
// as it has one record, which is fetch.min.bytes = 1.
func (p *java) awaitRecords() {
	if !p.loaded() {
		return
	}
	next := clock.Never
	if p.fetching() {
		next = p.nextRecord().Add(pollCost)
	}
	if p.now < p.poll.records {
		next = min(next, p.poll.records)
	}
	p.poll.records = next
}

// pollReturns reports whether poll() returns now: its time is over, or there are records.
func (p *java) pollReturns() bool {
	return p.now >= p.poll.ends || p.now >= p.poll.records && p.poll.wait.Kind.returnsRecords() && p.fetched() > 0
}

// fetched returns how many records poll() would return now: at most max.poll.records.
func (p *java) fetched() int {
	if !p.loaded() || !p.fetching() {
		return 0
	}
	return p.fetchable(p.plan.Config.MaxPollRecords)
}

// takeRecords hands the application what poll() returns, and tells how many records that is. A commit says from now on
// that they are done.
// Kafka: Fetcher.collectFetch, SubscriptionState.allConsumed.
func (p *java) takeRecords() int {
	n := p.fetched()
	if n > 0 {
		p.take(n)
		p.handleAll()
		p.poll.fetchAt = p.now
	}
	return n
}

// nextFetched returns the first instant, not before t, at which a Fetch is answered; clock.Never when none comes.
func (p *java) nextFetched(t clock.Time) clock.Time {
	if !p.fetching() {
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
	return p.loseFetch(NodeConn, sent), sent.Add(fetchCycle), true
}
