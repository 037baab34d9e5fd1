package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// rdWork is what the application is about: records that it gets by one poll() each. They count as taken when it is done
// with them, so that it can stop between any two for a callback that the main thread asks for. The zero value is none.
type rdWork struct {
	records int
	each    time.Duration
}

// nextFetch returns when poll() finds records: clock.Never when none are on their way. What the threads of brokers fetch is
// looked at no more often than every rdFetchPace.
func (p *librdkafka) nextFetch() clock.Time {
	if !p.fetches() {
		return clock.Never
	}
	return max(p.nextRecord(), p.app.fetchedAt.Add(rdFetchPace))
}

func (p *librdkafka) fetches() bool {
	return p.loaded() && p.hasPositions() && p.main.join == rdSteady && p.conns[NodeConn].state == ready
}

// nextWork returns the records that the application handles next: those that are there, as long as they take it no
// longer than rdWorkSlice.
func (p *librdkafka) nextWork() rdWork {
	if !p.fetches() {
		return rdWork{}
	}
	n := p.fetchable(0)
	if n == 0 {
		return rdWork{}
	}
	each := p.takes(1)
	if each > 0 {
		n = min(n, max(1, int(rdWorkSlice/each)))
	}
	return rdWork{n, each}
}

// worksOff lets the application handle records. It reports whether that takes time in which a callback has to wait; what is
// shorter only delays the next look for records.
func (p *librdkafka) worksOff(w rdWork) bool {
	p.app.work, p.app.fetchedAt = w, p.now
	d := time.Duration(w.records) * w.each
	if d <= rdShortWork {
		p.workDone()
		return false
	}
	p.appWaits(WaitProcessing, p.now.Add(d))
	p.app.polledAt = p.now.Add(d - w.each) // the last of its polls; none before it can be late
	if w.records == 1 {
		p.recordProcessing(1, d)
	}
	return true
}

// strides returns the instant until which what the application does with records needs no steps of its own; 0 when it
// does. The main thread looks at what is due whenever the application polls.
func (p *librdkafka) strides() clock.Time {
	c := &p.plan.Config
	longest, ok := p.plan.PerRecord.Longest()
	batch, bounded := p.plan.Processing.Longest()
	if !c.AutoCommit || !ok || !bounded || longest+batch >= c.MaxPollInterval || !p.fetches() || p.main.rejoins || len(p.pending) > 0 {
		return 0
	}
	until := min(p.mainWakes(), p.sessionDue(), p.heartbeatDue(), firstTick(p.main.committing, c.AutoCommitInterval, p.main.servedAt.Add(1)))
	if p.app.wait.Until >= until || !p.mayStride(p.app.wait.Kind, until, 1) {
		return 0
	}
	return until
}

func (p *librdkafka) readsAt() clock.Time { return p.app.wait.Until }
func (p *librdkafka) readOn()             { p.appRuns() }

// cutWork ends what the application is about with the record that it has begun, because something else is to be done.
func (p *librdkafka) cutWork() {
	w, wait := &p.app.work, &p.app.wait
	if w.records < 2 || wait.Kind != WaitProcessing || p.app.offered.kind == noCallback && !p.asked.any() {
		return
	}
	begun := int(p.now.Sub(wait.Since)/w.each) + 1
	if begun >= w.records {
		return
	}
	w.records = begun
	wait.Until = wait.Since.Add(time.Duration(begun) * w.each)
	p.app.polledAt = wait.Until.Add(-w.each)
}

// workDone counts the records as taken and handled: the offset of a record is stored when poll() returns it.
// librdkafka: enable.auto.offset.store.
func (p *librdkafka) workDone() {
	n := min(p.app.work.records, p.fetchable(0))
	p.app.work = rdWork{}
	if n == 0 || !p.hasPositions() {
		return
	}
	p.take(n)
	p.handleAll()
	if !p.plan.Config.AutoCommit && p.main.join == rdSteady {
		p.commitNow()
	}
}

// toCommit reports whether anything was handled that no commit has said. An idle topic costs no commits (recorded).
func (p *librdkafka) toCommit() bool { return p.loaded() && p.hasPositions() && p.uncommitted() }

// LoseFetch makes the Fetch that is in flight a request like any other, because its answer will be lost: whatever else
// the connection carries, such as the answer to a query for the coordinator, arrives behind it. It returns the ticket and
// when the broker answers: when it has a record, or has waited for one; ok is false when none is in flight.
func (p *librdkafka) LoseFetch(now clock.Time) (ticket wire.Ticket, answered clock.Time, ok bool) {
	if !p.hasPositions() || p.conns[NodeConn].state != ready || p.main.join != rdSteady {
		return 0, 0, false
	}
	p.now = now
	answered = firstTick(p.main.since, fetchCycle, now.Add(1))
	if p.loaded() {
		answered = min(answered, p.nextRecord())
	}
	return p.loseFetch(NodeConn, now), max(answered, now), true
}
