package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// jsBatch is what the last fetch returned, partition by partition, and how far the worker has come with it.
// kafkajs: fetcher.js, worker.js, Runner.handleBatch.
type jsBatch struct {
	sizes    []int         // messages by assigned partition; those of the batches that are done are 0
	at       int           // the partition whose batch is handled, -1 before the first one
	handling int           // messages of it in the running calls of the handler
	ends     []clock.Time  // when each of these calls ends; none with eachBatch
	next     time.Duration // how long the next call lasts; 0: not drawn yet
	given    int           // messages that the handler has got for sure; the others follow when it has returned
	since    clock.Time
	until    clock.Time // when the running calls end
	stalled  bool       // in a call that was told to last longer
	last     bool       // the batch is over: its commit and its heartbeat follow
	thrown   bool       // a batch has failed, with the first error
	err      wire.Err
}

// fetch begins the next fetch. Before that it asks for metadata that are too old, and rejoins if they show other
// partitions, or miss some that it has.
// kafkajs: ConsumerGroup.fetch, checkForStaleAssignment.
func (p *kafkaJS) fetch() {
	p.batch = jsBatch{sizes: p.batch.sizes[:0], ends: p.batch.ends[:0]}
	switch {
	case p.closing:
		p.leaves()
		return
	case p.now >= p.refreshAt || p.missesIn(p.cluster):
		if p.refreshMetadata(); p.stale() {
			p.requestRejoin("topic has been updated")
			p.rejoins()
			return
		}
	}
	if len(p.positions.missing) > 0 {
		p.ask(CoordinatorConn, jsGetsPositions, p.positionsRequest(), 0)
		return
	}
	p.await(jsFetches, min(p.now.Add(max(p.plan.Config.FetchMaxWait, time.Millisecond)), p.nextRecord()))
}

// LoseFetch makes the fetch that is in flight a request like any other, because its answer will be lost: the loop, and its
// heartbeats with it, waits until that arrives or the request has timed out.
func (p *kafkaJS) LoseFetch(now clock.Time) (ticket wire.Ticket, answered clock.Time, ok bool) {
	if p.loop.stage != jsFetches || p.conns[NodeConn].state != ready {
		return 0, 0, false
	}
	sent, answered := p.loop.wait.Since, p.loop.wait.Until
	p.now = now
	p.loop.ticket = p.loseFetch(NodeConn, sent)
	p.pending[len(p.pending)-1].deadline = clock.Never
	p.await(jsMisses, sent.Add(max(p.plan.Config.RequestTimeout, time.Millisecond)))
	return p.loop.ticket, max(answered, now), true
}

// stallsNow reports whether a stall begins although no message comes: where topics hold none.
func (p *kafkaJS) stallsNow() bool {
	return p.asked.stall > 0 && p.loop.stage == jsFetches && p.nextRecord() == clock.Never
}

// fetched takes what the fetch has returned. An empty one is followed by a heartbeat if one is due.
func (p *kafkaJS) fetched() {
	b := &p.batch
	b.at = -1
	if p.closing {
		p.leaves()
		return
	}
	for i := range p.positions.load.at {
		b.sizes = append(b.sizes, int(min(p.left(i), int64(p.plan.Config.MaxPollRecords))))
	}
	if d := p.asked.stall; d > 0 && p.fetchable(0) == 0 && p.nextRecord() == clock.Never {
		p.stall(d)
		return
	}
	p.nextBatch()
}

// nextBatch begins the batch of another partition, or goes on to the next fetch when there is none.
func (p *kafkaJS) nextBatch() {
	b := &p.batch
	b.last = false
	for b.at++; b.at < len(b.sizes); b.at++ {
		if b.sizes[b.at] > 0 && !p.closing {
			p.positions.load.turn, p.positions.load.marks = b.at, b.at
			p.handleSome()
			return
		}
	}
	if b.thrown {
		p.throws(b.err)
		return
	}
	b.last = true // nothing is left but the heartbeat of an empty fetch
	p.beat()
}

// handleSome calls the handler: for one message after the other until a heartbeat is due, or with eachBatch for all.
func (p *kafkaJS) handleSome() {
	b := &p.batch
	n, takes := 0, time.Duration(0)
	b.ends = b.ends[:0]
	if p.plan.Config.EachBatch {
		n, takes = b.sizes[b.at], p.takes(b.sizes[b.at])
	}
	for n < b.sizes[b.at] && !(n > 0 && (p.closing || p.now.Add(takes) >= p.beatAt)) {
		next := b.next
		if next == 0 {
			next = p.takes(1)
		}
		if b.next = 0; n > 0 && next > p.plan.Config.HeartbeatInterval {
			b.next = next // its call is told of by itself
			break
		}
		n, takes = n+1, takes+next
		b.ends = append(b.ends, p.now.Add(takes))
	}
	b.handling, b.given = n, 1
	if p.plan.Config.EachBatch {
		b.given = n
	}
	p.take(b.given)
	if d := p.asked.stall; d > 0 {
		p.stall(d + takes)
		return
	}
	p.handles(p.work(takes))
}

// cutShort lets nothing follow the call of the handler that runs, because the consumer is to stop, or the next call to take
// longer.
func (p *kafkaJS) cutShort() {
	b := &p.batch
	if p.loop.stage != jsHandles || b.stalled {
		return
	}
	for i, end := range b.ends {
		if end >= p.now {
			b.handling, b.until, b.ends = i+1, end, b.ends[:i+1]
			p.handlesOn()
			return
		}
	}
}

// stall lets the running call of the handler last as long as it was told to.
func (p *kafkaJS) stall(d time.Duration) {
	p.asked.stall = 0
	p.recordStall(d)
	p.batch.stalled = true
	p.handles(p.now.Add(d))
}

// handles waits for the handler, which may call heartbeat() in between.
func (p *kafkaJS) handles(until clock.Time) {
	b := &p.batch
	b.since, b.until = p.now, until
	switch one := b.handling == 1 || p.plan.Config.EachBatch; {
	case b.stalled || b.handling == 0:
	case p.outlasts(until):
		p.recordBatch(b.handling, until.Sub(p.now))
	case one:
		p.recordProcessing(b.handling, until.Sub(p.now))
	}
	p.handlesOn()
}

// outlasts reports whether calls of the handler that begin now, and may each be shorter than heartbeat.interval.ms, add up
// with those before to all of the session, or nearly: there is no heartbeat until then.
func (p *kafkaJS) outlasts(until clock.Time) bool {
	k := &p.plan.Config
	nearly := k.HeartbeatInterval / 10 // the last heartbeat has arrived before it was answered
	return k.HandlerHeartbeat == 0 && p.member != "" && until.Sub(p.now) > k.HeartbeatInterval/2 &&
		until >= p.beatAt.Add(k.SessionTimeout-k.HeartbeatInterval-nearly)
}

func (p *kafkaJS) handlesOn() {
	until := p.batch.until
	if every := p.plan.Config.HandlerHeartbeat; every > 0 && !p.batch.stalled {
		until = min(until, p.now.Add(every))
	}
	p.await(jsHandles, until)
	if p.batch.stalled {
		p.loop.wait.Kind = WaitStall
	}
	p.loop.wait.Since = p.batch.since
}

// handledSome goes on when the handler has returned, or calls heartbeat().
func (p *kafkaJS) handledSome() {
	b := &p.batch
	if p.now < b.until {
		p.beat()
		return
	}
	if b.stalled {
		b.stalled = false
		p.recordStallEnd(b.since)
	}
	if b.handling == 0 { // it was a stall without a message
		b.last = true
		p.beat()
		return
	}
	b.sizes[b.at] -= b.handling
	p.returned(b.handling)
	if p.plan.Config.EachBatch || p.closing {
		p.batchEnds()
		return
	}
	p.beat()
}

// returned notes that the handler is done with so many of the messages at hand, and has no others any more.
func (p *kafkaJS) returned(n int) {
	b := &p.batch
	p.take(max(0, n-b.given))
	p.handle(n)
	b.handling = 0
}

// beat sends a heartbeat if one is due; else the loop goes on at once. kafkajs: ConsumerGroup.heartbeat.
func (p *kafkaJS) beat() {
	if p.member == "" || p.now < p.beatAt {
		p.beaten()
		return
	}
	p.ask(CoordinatorConn, jsBeats, p.heartbeatRequest(), 0)
}

func (p *kafkaJS) beatAnswered(err wire.Err) {
	if err == wire.None {
		p.beatAt = p.now.Add(p.plan.Config.HeartbeatInterval)
		p.beaten()
		return
	}
	p.batchFails(err)
}

// beaten goes on behind a heartbeat: with the handler that called it, the next messages, the end of the batch, or what
// follows that.
func (p *kafkaJS) beaten() {
	b := &p.batch
	switch {
	case p.now < b.until && b.handling > 0:
		p.handlesOn()
	case b.at < 0 || b.at >= len(b.sizes): // of an empty fetch, or of the last one
		p.fetch()
	case b.last:
		p.nextBatch()
	case b.sizes[b.at] > 0 && !p.closing:
		p.handleSome()
	default:
		p.batchEnds()
	}
}

// batchEnds commits what was handled, then sends a heartbeat if one is due.
func (p *kafkaJS) batchEnds() {
	p.batch.last = true
	p.commit()
}

// commit commits what is handled and not committed, if the consumer is to.
func (p *kafkaJS) commit() {
	if !p.plan.Config.AutoCommit || !p.loaded() || !p.uncommitted() {
		p.committed(wire.None)
		return
	}
	p.ask(CoordinatorConn, jsCommits, wire.Request{
		API: wire.OffsetCommit, Version: p.profile.versions.commit, Member: p.member, Generation: p.generation,
		Body: p.handledBody(true),
	}, 0)
}

func (p *kafkaJS) committed(err wire.Err) {
	b := &p.batch
	switch {
	case b.err != wire.None && !b.last: // it was that of a batch that has failed
		p.nextBatch()
	case err == wire.None:
		p.beat()
	default:
		p.commitLost()
		p.batchFails(err)
	}
}

// batchFails ends a batch with an error. What it has handled is committed when the group rebalances; then the batches
// of the other partitions follow all the same.
func (p *kafkaJS) batchFails(err wire.Err) {
	b := &p.batch
	if b.handling > 0 { // the handler throws at its next heartbeat(): it gets that message again
		done := 0
		for done < len(b.ends) && b.ends[done] <= p.now {
			done++
		}
		p.returned(done)
		at := &p.positions.load.at[b.at]
		at.taken = at.handled
	}
	if !b.thrown {
		b.thrown, b.err = true, err
	}
	if b.at < 0 || b.at >= len(b.sizes) {
		p.throws(b.err)
		return
	}
	b.sizes[b.at] = 0
	if jsRebalancing(err) && !b.last {
		p.commit()
		return
	}
	p.nextBatch()
}

// commitForUser sends a commit for which the loop does not wait.
func (p *kafkaJS) commitForUser() {
	if p.running && !p.suspended && p.hasPositions() && p.conns[CoordinatorConn].state == ready {
		p.requestCommit()
	}
}
