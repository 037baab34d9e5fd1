package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Where topics hold no records and the application does nothing between two polls, poll() returns in vain all the time.
// Such polls make no steps of their own: a lull waits over them, and reckons afterwards when they would have returned.

// lulls reports whether polls are left out.
func (p *kafkaPython) lulls() bool {
	longest, bounded := p.plan.Processing.Longest()
	idle := bounded && longest == 0 && !p.loaded() && p.asked.stall == 0 && !p.asked.stop
	return idle && !p.rejoinNeeded && p.coordinator >= 0 && p.poll.fatal == wire.None
}

// pollTakes returns how long a poll() takes that returns in vain.
func (p *kafkaPython) pollTakes() time.Duration { return p.plan.PollTimeout + pollCost }

// returnsAfter returns when the poll() returns that runs at an instant, in a lull or not.
func (p *kafkaPython) returnsAfter(t clock.Time) clock.Time {
	over := t.Sub(p.poll.ends)
	if !p.poll.lull || over <= 0 {
		return p.poll.ends
	}
	return p.poll.ends.Add((over + p.pollTakes() - 1) / p.pollTakes() * p.pollTakes())
}

// polledAt returns when poll() has looked after the group last. In a lull each one does that as it begins.
func (p *kafkaPython) polledAt() clock.Time {
	return max(p.heartbeat.polledAt, p.returnsAfter(p.now).Add(-p.pollTakes()))
}

// endLull makes the poll() that runs the current one. It is over if the process was frozen meanwhile.
func (p *kafkaPython) endLull() {
	p.heartbeat.polledAt, p.poll.ends = p.polledAt(), p.returnsAfter(p.now)
	if p.now > p.poll.wait.Until {
		p.poll.ends = p.now
	}
	p.poll.lull = false
}

// cutLull lets a lull end with the poll() that runs, because the application has something to do behind it.
func (p *kafkaPython) cutLull() {
	if p.poll.lull {
		p.poll.wait.Until = min(p.poll.wait.Until, p.returnsAfter(p.now))
	}
}
