package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// pythonPoll is the application's thread. kafka-python: KafkaConsumer.poll.
type pythonPoll struct {
	wait Wait

	ends       clock.Time // when the running poll(), or close(), gives up what it waits for
	sleepUntil clock.Time // its back-off before the next lookup, 0 for none
	fetching   bool       // it waits for records
	lull       bool       // over several calls of poll()
	joined     bool       // it has joined, and does not look again before it has waited for records
	fetchAt    clock.Time // when the first Fetch of the assignment was sent
	returned   int        // records that the last poll() returned, and that are not handled yet

	fatal        wire.Err // what the next poll() raises
	autoCommitAt clock.Time
	listener     listenerCall
	thrown       bool // on_partitions_revoked has raised, and on_partitions_assigned is called all the same
}

// applicationWakes goes on with what the application does outside poll().
func (p *kafkaPython) applicationWakes() {
	switch p.poll.wait.Kind {
	case WaitBoot:
		p.bootstraps()
		p.poll.autoCommitAt = p.now.Add(p.plan.Config.AutoCommitInterval)
	case WaitStall:
		p.recordStallEnd(p.poll.wait.Since)
	}
	p.betweenPolls()
}

// betweenPolls is the application outside poll(): it stalls if it was told to, else handles what poll() returned,
// then polls again.
func (p *kafkaPython) betweenPolls() {
	returned := !p.outside()
	if d := p.asked.stall; d > 0 {
		p.asked.stall = 0
		p.wait(WaitStall, p.now.Add(d))
		p.recordStall(d)
		return
	}
	if !p.obey() {
		return
	}
	if returned && p.processes() {
		return
	}
	p.callPoll()
}

// processes handles what poll() returned. It reports whether that takes time.
func (p *kafkaPython) processes() bool {
	d := p.takes(p.poll.returned)
	if d <= 0 {
		return false
	}
	p.wait(WaitProcessing, p.now.Add(d))
	p.recordProcessing(p.poll.returned, d)
	return true
}

// callPoll calls poll(), or close() when the application was asked to end; nothing wakes a running poll() up for that.
// From now on commits say what the last poll() returned.
func (p *kafkaPython) callPoll() {
	p.handleAll()
	p.poll.returned = 0
	switch {
	case p.asked.stop:
		p.beginClose()
	case p.subscription.none():
		p.wait(WaitSubscription, clock.Never)
	default:
		p.poll.ends = p.now.Add(p.pollTakes())
		p.poll.sleepUntil, p.poll.fetching, p.poll.joined = 0, false, false
		p.join.awaited = false
		p.wait(WaitRecords, p.poll.ends)
		p.continuePoll()
	}
}

// continuePoll goes on inside poll(), or close(), as far as it goes without waiting.
// kafka-python: KafkaConsumer._poll_once, ConsumerCoordinator.poll.
func (p *kafkaPython) continuePoll() {
	if p.poll.lull && p.now >= p.poll.wait.Until {
		p.endLull()
	}
	switch {
	case p.loop.task != pythonIdle:
		p.waitForLoop()
		return
	case p.closing.stage != notClosing:
		p.continueClose()
		return
	case p.poll.fetching && p.now < p.poll.wait.Until:
		return
	case p.poll.fetching && p.now >= p.poll.ends:
		p.betweenPolls()
		return
	case p.poll.fatal != wire.None:
		p.throws(p.poll.fatal, pythonError(exceptionName(p.poll.fatal)))
		return
	}
	p.poll.joined = p.poll.joined && !p.poll.fetching
	p.poll.fetching = false
	if p.coordinatorReady() && p.inGroup() && p.positioned() {
		p.fetchRecords()
	}
	waits := !p.outside() && p.loop.task == pythonIdle && p.closing.stage == notClosing && !p.poll.fetching
	if waits && p.now >= p.poll.ends && p.now >= p.poll.wait.Until {
		p.betweenPolls()
	}
}

// fetchRecords waits for records, at most until something else is due.
// kafka-python: ConsumerCoordinator.time_to_next_poll, Fetcher.fetch_records.
func (p *kafkaPython) fetchRecords() {
	if n := p.fetchable(p.plan.Config.MaxPollRecords); n > 0 {
		p.take(n)
		p.poll.returned = n
		p.betweenPolls()
		return
	}
	until := min(p.poll.ends, p.nextRecord())
	if p.poll.lull = p.lulls(); p.poll.lull {
		until = clock.Never
	}
	if p.plan.Config.AutoCommit {
		until = min(until, p.poll.autoCommitAt)
	}
	if next := p.nextHeartbeat(); next > p.now && p.Heartbeating() {
		until = min(until, next)
	}
	p.poll.fetching = true
	p.wait(WaitRecords, min(until, max(p.nextMetadata(), p.now)))
}

// strides returns the instant until which polls that return records, or nothing, need no steps of their own; 0 when they
// do.
func (p *kafkaPython) strides() clock.Time {
	w := &p.poll.wait
	quiet := p.state == stable && !p.rejoinNeeded && p.join.stage == noJoin && p.loop.task == pythonIdle && p.hasPositions() &&
		p.coordinator >= 0 && len(p.pending) == 0 && p.poll.fatal == wire.None && p.closing.stage == notClosing &&
		!p.metadata.news // for which the next poll() rejoins
	if !quiet || w.Kind == WaitRecords && !p.poll.fetching {
		return 0
	}
	until := min(p.nextTimeout(), p.heartbeatDue(), p.nextHeartbeat(), p.nextMetadata())
	if p.plan.Config.AutoCommit {
		until = min(until, p.poll.autoCommitAt)
	}
	if w.Until >= until || !p.mayStride(w.Kind, until, p.plan.Config.MaxPollRecords) {
		return 0
	}
	return until
}

func (p *kafkaPython) readsAt() clock.Time { return p.poll.wait.Until }

func (p *kafkaPython) readOn() {
	if p.outside() {
		p.applicationWakes()
		return
	}
	p.goOn()
}

// looksAgain ends a wait for records when the Fetch in flight is answered, or without any Fetch when the sleep instead
// of it is over.
func (p *kafkaPython) looksAgain() {
	if !p.poll.fetching || p.outside() {
		return
	}
	from, each := p.poll.wait.Since, p.plan.Config.RetryBackoff
	if p.hasPositions() {
		from, each = p.poll.fetchAt, fetchCycle
	}
	p.poll.wait.Until = min(p.poll.wait.Until, from.Add((p.now.Sub(from)/each+1)*each))
	p.cutLull()
}

// throws lets an exception leave poll(). It ends the application, unless that polls again after an exception that may
// pass.
func (p *kafkaPython) throws(err wire.Err, exception string) {
	if p.isEndedBy(err, exception) {
		p.closing.failed = true
		p.beginClose()
		return
	}
	p.poll.fatal = wire.None
	p.wait(WaitProcessing, p.now.Add(p.plan.PollAgain))
}
