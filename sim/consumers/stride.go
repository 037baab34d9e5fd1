package consumers

import (
	"time"

	"simulate/sim/clock"
)

// A member that consumes and has nothing else to do takes records hundreds of times between two heartbeats. Nothing of
// that is seen from outside, so the world need not step it for each: it says in Wake when something else will happen,
// and makes up for what it left out until then in one step, at the instants at which it was. That is a stride.

// strides is a variable only so that tests can compare with single steps.
var strides = true

// reader is the part of a machine that takes records and handles them.
type reader interface {
	readsAt() clock.Time // when it goes on by itself
	readOn()             // lets it go on at that instant
}

// mayStride reports whether what an application that waits so does until an instant, with at most so many records
// at a time (0: no bound), needs no steps of its own.
func (p *client) mayStride(wait WaitKind, until clock.Time, most int) bool {
	return strides && p.loaded() && (wait == WaitRecords || wait == WaitProcessing) && until > p.now && until != clock.Never &&
		!p.asked.any() && !p.redelivers() && !p.mayWorkLong(until, most)
}

// mayWorkLong reports whether a batch that begins by then, of at most so many records (0: no bound), may take longer than
// heartbeat.interval.ms: that is an event, and those come in the order of time.
func (p *client) mayWorkLong(until clock.Time, most int) bool {
	batch, ok := p.plan.Processing.Longest()
	each, bounded := p.plan.PerRecord.Longest()
	rest := p.plan.Config.HeartbeatInterval - batch
	if !ok || !bounded || rest < 0 {
		return true
	}
	now := p.now
	p.now = until
	n := p.fetchable(most)
	p.now = now
	return each > 0 && time.Duration(n) > rest/each
}

// makeUp does what a stride has left out before an instant. What has reached the sockets meanwhile comes after that.
// It is no news, but for records that a member which is out of the group by now has had meanwhile.
func (p *client) makeUp(r reader, to clock.Time) {
	if p.strideUntil == 0 {
		return
	}
	p.strideUntil, p.stepped = 0, to
	for at := r.readsAt(); at < to; at = r.readsAt() {
		p.now = at
		r.readOn()
	}
	p.stepped = 0
}

// Freeze ends a stride: what comes later than now does not happen at its instant.
func (p *client) Freeze() { p.strideUntil = 0 }
