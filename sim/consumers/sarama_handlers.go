package consumers

import (
	"time"

	"simulate/sim/clock"
)

// handlersBusy reports whether a call of ConsumeClaim() has not come back to its channel.
func (p *sarama) handlersBusy() bool { return p.handlers.Kind != WaitRecords }

// handlersDue returns when the handlers go on although nothing arrives.
func (p *sarama) handlersDue() clock.Time {
	switch {
	case p.handlersBusy():
		return p.handlers.Until
	case p.claimsRun() && p.fetchRuns():
		return p.fetch.batch
	}
	return clock.Never
}

// strides returns the instant until which what the handlers do needs no steps of its own; 0 when it does. Marks that
// they set make the next tick of the commits one that counts.
func (p *sarama) strides() clock.Time {
	until := p.nextDue()
	if p.offsets.running {
		until = min(until, p.offsets.wakes)
	}
	if p.handlersDue() >= until || !p.justConsumes() || !p.mayStride(p.handlers.Kind, until, p.chunk()*len(p.assigned)) {
		return 0
	}
	return until
}

// justConsumes reports whether nothing is under way but Fetches, and handlers that work on what they bring.
func (p *sarama) justConsumes() bool {
	c := CoordinatorConn
	return p.consume.stage == saramaInSession && p.claimsRun() && p.fetchRuns() && !p.fetch.cut && !p.session.rejoin &&
		len(p.pending) == 0 && len(p.lines[c].waiting) == 0 && len(p.lines[NodeConn].waiting) == 0
}

func (p *sarama) readsAt() clock.Time { return p.handlersDue() }
func (p *sarama) readOn()             { p.handlersWake() }

// claimsRun reports whether handlers take what is fetched: not any more once a session is over.
func (p *sarama) claimsRun() bool {
	return p.fetch.claims && !p.session.over && p.consume.stage != saramaReleases
}

// handlersWake lets the handlers of the claims go on: they finish what they were busy with, and take the next batch. It
// reports whether they did.
func (p *sarama) handlersWake() bool {
	switch {
	case p.handlersBusy() && p.now >= p.handlers.Until:
		if p.handlers.Kind == WaitStall {
			p.recordStallEnd(p.handlers.Since)
		}
		p.handlers = Wait{Until: clock.Never}
		p.handled(p.fetch.took)
	case p.handlersBusy() || !p.claimsRun():
		return false
	case p.asked.stall > 0 && (p.fetch.batch == clock.Never || p.now >= p.fetch.batch && p.fetchRuns()):
		d := p.asked.stall
		p.asked.stall = 0
		p.handlers = Wait{Kind: WaitStall, Since: p.now, Until: p.now.Add(d)}
		p.recordStall(d)
	case p.now >= p.fetch.batch && p.fetchRuns():
		p.takeBatch()
	default:
		return false
	}
	return true
}

// takeBatch lets the handlers work on what has been fetched. Each claim has a handler of its own.
func (p *sarama) takeBatch() {
	n := 0
	if p.loaded() {
		if late := p.now.Sub(p.fetch.batch) > 0; late { // the process was frozen, or cut off, and has to ask again
			p.fetch.at = p.now
			p.awaitBatch()
			return
		}
		p.fetch.at = p.now
		n = p.fetchable(p.chunk() * len(p.assigned))
		p.take(n)
	}
	claims := max(1, len(p.assigned))
	d := p.takes((n + claims - 1) / claims)
	if d == 0 {
		p.handled(n)
		return
	}
	p.fetch.took = n
	p.handlers = Wait{Kind: WaitProcessing, Since: p.now, Until: p.now.Add(d)}
	p.recordProcessing(n, d)
}

// handled marks n records, and lets the handlers wait for more.
func (p *sarama) handled(n int) {
	if p.fetch.took = 0; n > 0 {
		p.handle(n)
	}
	p.awaitBatch()
}

// chunk returns how many records a handler works on before it looks whether its session is over, which in truth it
// does after each.
func (p *sarama) chunk() int {
	each := p.plan.PerRecord.Quantile(0.5)
	if each <= 0 {
		return saramaChannelSize
	}
	return int(min(max(1, saramaHandlersChunk/each), saramaChannelSize))
}

// awaitBatch lets the handlers wait for what the next Fetch brings, unless working on it takes no time ever.
func (p *sarama) awaitBatch() {
	f := &p.fetch
	f.batch = clock.Never
	switch d := p.plan.Processing; {
	case p.loaded():
		if next := p.nextRecord(); next < clock.Never {
			f.batch = max(next, f.at, p.now).Add(saramaFetchTrip)
		}
	case !d.IsConstant() || d.A > 0:
		f.batch = max(p.fetched(), p.now.Add(time.Millisecond))
	}
}
