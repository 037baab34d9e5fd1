package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// rdAppThread is the application's thread: it polls in a loop, and every callback runs in it, inside poll().
type rdAppThread struct {
	wait     Wait
	polledAt clock.Time // when poll() returned last

	offered  listenerCall // the callback that the main thread asks for
	listener listenerCall // the one that runs

	work      rdWork
	fetchedAt clock.Time // when it got records last

	fatal  wire.Err // what the consumer cannot go on after
	failed bool     // the application ends because of an error
}

func (p *librdkafka) appWaits(kind WaitKind, until clock.Time) {
	since := p.now
	if kind == p.app.wait.Kind && kind == WaitRecords {
		since = p.app.wait.Since
	}
	p.app.wait = Wait{Kind: kind, Since: since, Until: until}
}

// inPoll reports whether the application is inside poll() or close(), callbacks included: max.poll.interval.ms does not
// count then. librdkafka: rd_kafka_app_poll_blocking.
func (p *librdkafka) inPoll() bool {
	k := p.app.wait.Kind
	return k == WaitRecords || k == WaitListener || k == WaitClose
}

// appCanGoOn reports whether what the application's thread waits for is there.
func (p *librdkafka) appCanGoOn() bool {
	switch p.app.wait.Kind {
	case WaitRecords:
		return p.now >= p.app.wait.Until || p.app.offered.kind != noCallback || p.app.fatal != wire.None || p.asked.stop
	case WaitClose:
		return p.app.offered.kind != noCallback || p.terminated()
	}
	return p.now >= p.app.wait.Until
}

// appRuns goes on after whatever the application's thread waited for.
func (p *librdkafka) appRuns() {
	switch p.app.wait.Kind {
	case WaitBoot:
		p.makesConsumer()
	case WaitRecords:
		switch {
		case p.asked.stop:
			p.beginClose()
		case p.app.fatal != wire.None:
			p.throws(p.app.fatal, "KafkaException")
		case p.app.offered.kind != noCallback:
			p.callBack()
		default:
			p.pollReturns()
		}
	case WaitListener:
		p.callbackReturned()
	case WaitProcessing, WaitStall:
		if p.app.wait.Kind == WaitStall {
			p.recordStallEnd(p.app.wait.Since)
		}
		p.workDone()
		p.betweenPolls()
	case WaitClose:
		if p.app.offered.kind != noCallback {
			p.callBack()
			return
		}
		reason := trace.Stopped
		if p.app.failed {
			reason = trace.Failed
		}
		p.exit(reason)
	}
}

// makesConsumer starts the main thread, and polls.
func (p *librdkafka) makesConsumer() {
	m := &p.main
	m.runs, m.committing, m.servedAt, m.since = true, p.now, p.now, p.now
	p.metadata.refreshed = p.now
	p.lookAtTopics()
	p.beginPoll()
	p.serve()
}

// beginPoll is the application's call of poll().
func (p *librdkafka) beginPoll() {
	p.appWaits(WaitRecords, p.now.Add(p.plan.PollTimeout))
	p.awaitRecords()
}

// awaitRecords lets poll() return as soon as there are records.
func (p *librdkafka) awaitRecords() {
	if w := &p.app.wait; w.Kind == WaitRecords {
		w.Until = min(w.Until, p.nextFetch())
	}
}

// pollReturns ends the running poll().
func (p *librdkafka) pollReturns() {
	p.app.polledAt = p.now
	if d := p.asked.stall; d > 0 {
		p.stalls(d)
		return
	}
	p.obey()
	if w := p.nextWork(); w.records > 0 {
		if !p.worksOff(w) {
			p.beginPoll()
		}
		return
	}
	d := p.takes(0)
	if d == 0 {
		p.beginPoll()
		return
	}
	p.appWaits(WaitProcessing, p.now.Add(d))
	p.recordProcessing(0, d)
}

// stalls lets the application hang in a record, if there is one.
func (p *librdkafka) stalls(d time.Duration) {
	p.asked.stall = 0
	if p.fetches() && p.fetchable(1) > 0 {
		p.app.work = rdWork{records: 1}
		p.workDone()
	}
	p.appWaits(WaitStall, p.now.Add(d))
	p.recordStall(d)
}

// betweenPolls stalls if the application was told to, does what it was asked, and polls again.
func (p *librdkafka) betweenPolls() {
	if d := p.asked.stall; d > 0 {
		p.stalls(d)
		return
	}
	p.obey()
	p.beginPoll()
	p.serve()
}

// obey carries out what the application was asked to do before it polls again.
func (p *librdkafka) obey() {
	asked := &p.asked
	if asked.commit {
		asked.commit = false
		if p.hasPositions() {
			p.commitNow()
		}
	}
	for to, ok := p.nextSubscription(); ok; to, ok = p.nextSubscription() {
		p.resubscribe(to)
	}
}

// callBack runs the rebalance callback that the main thread asks for.
func (p *librdkafka) callBack() {
	call := p.app.offered
	p.app.offered = listenerCall{}
	call.losing = call.kind != taking && p.main.lost
	d := p.beginCall(&call)
	if call.kind == taking {
		p.hold(append(p.assigned[:len(p.assigned):len(p.assigned)], call.partitions...))
	}
	p.app.listener = call
	if d > 0 {
		p.appWaits(WaitListener, p.now.Add(d))
		return
	}
	p.callbackReturned()
}

// callbackReturned does what follows a callback: the binding calls assign() or unassign(), even if it has thrown. The
// exception leaves poll() then.
func (p *librdkafka) callbackReturned() {
	call, since := p.app.listener, p.app.wait.Since
	p.app.listener = listenerCall{}
	threw := p.throwsNow(call.partitions)
	if call.kind == taking {
		p.assignCalled()
	} else {
		p.recordGivenUp(call.partitions, call.losing)
		p.unassignCalled(call)
	}
	p.endCall(call, since)
	switch {
	case p.main.terminating:
		p.appWaits(WaitClose, clock.Never)
	case threw:
		p.throws(wire.None, "KafkaException")
	default:
		p.beginPoll()
	}
	p.serve()
}

// throws lets an exception leave poll(). It ends the application, unless that polls again after one that may pass.
func (p *librdkafka) throws(err wire.Err, exception string) {
	p.app.polledAt = p.now
	if p.isEndedBy(err, exception) {
		p.app.failed = true
		p.beginClose()
		return
	}
	p.appWaits(WaitProcessing, p.now.Add(p.plan.PollAgain))
}

// beginClose is the application's call of close(): everything is given up, then a dynamic member leaves. The callbacks run
// inside it. librdkafka: rd_kafka_cgrp_terminate0, rd_kafka_cgrp_unsubscribe.
func (p *librdkafka) beginClose() {
	m := &p.main
	p.appWaits(WaitClose, clock.Never)
	if m.join == rdWaitAssignCall { // assign() is treated as unassign()
		p.app.offered = listenerCall{}
	}
	m.terminating, m.ticksFrom, m.added, m.rejoins, m.incurred = true, 0, nil, false, false
	m.leaves = p.member != "" && p.who.Instance == "" && p.plan.Config.LeaveOnClose
	switch {
	case m.join == rdWaitUnassignCall || m.join == rdWaitUnassigned || m.join == rdWaitPartlyUnassigned:
	case len(p.assigned) > 0:
		p.offer(listenerCall{kind: givingUp, partitions: p.assigned})
	default:
		p.unassigned()
	}
	p.serve()
}
