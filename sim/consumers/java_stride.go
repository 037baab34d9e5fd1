package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// stride returns the instant until which polls alone need no steps of their own; the zero Time when they do.
func (p *java) stride() clock.Time {
	if !p.loaded() || !p.justConsumes() {
		return 0
	}
	h, c := &p.heartbeat, &p.conns[CoordinatorConn]
	until := min(h.sendAt, h.sessionUntil, h.pollUntil, p.poll.autoCommitAt, c.usedAt.Add(p.plan.Config.IdleTimeout))
	if !p.mayStride(p.poll.wait.Kind, until, p.plan.Config.MaxPollRecords) {
		return 0
	}
	return until
}

// justConsumes reports whether nothing is under way but polls that return records.
func (p *java) justConsumes() bool {
	return p.state == stable && !p.rejoinNeeded && p.join.stage == noJoin && !p.closing() && p.coordinator >= 0 &&
		p.Heartbeating() && p.plan.Config.AutoCommit && p.fetching() && len(p.positions.missing) == 0 &&
		len(p.pending) == 0 && len(p.inbox) == 0 && p.metadata.newer == nil &&
		p.poll.fatal == wire.None && !p.poll.noOffset
}

// catchUp makes the polls before an instant that were left out. What has reached the sockets meanwhile comes after them.
// They are no news, but for records that a member which is out of the group by now has had meanwhile.
func (p *java) catchUp(to clock.Time) {
	if p.strideUntil == 0 {
		return
	}
	p.strideUntil, p.stepped = 0, to
	inbox := p.inbox
	p.inbox = nil
	var before lull
	period := p.arrivalPeriod()
	for p.poll.wait.Until < to {
		p.now = p.poll.wait.Until
		p.pollThreadWakes()
		if now := (lull{p.now, p.poll.fetchAt, p.done.Polls}); period > 0 && p.lulled() {
			switch passed := now.at.Sub(before.at); {
			case before.at > 0 && passed < period:
				continue
			case before.at > 0 && passed == period && now.fetchAt.Sub(before.fetchAt) == period:
				p.skip(before, period, to.Sub(p.now)/period)
				period = 0
			}
			before = now
		}
	}
	p.inbox, p.stepped = inbox, 0
}

// lull is an instant at which a member has handled everything and calls poll(). Where records arrive in even periods and
// take the same time, all that follows on one is determined: if there is another one exactly a period later, every
// period goes like the one between.
type lull struct {
	at, fetchAt clock.Time
	polls       int64 // so far
}

func (p *java) lulled() bool {
	return p.poll.wait.Kind == WaitRecords && p.heartbeat.polledAt == p.now && p.nextRecord() > p.now
}

// arrivalPeriod returns the time in which each partition that the member reads gets one record, 0 if there is none or
// what the application does with them is drawn.
func (p *java) arrivalPeriod() time.Duration {
	if !p.plan.Processing.IsConstant() || !p.plan.PerRecord.IsConstant() {
		return 0
	}
	var common time.Duration
	for i, tp := range p.assigned {
		if i > 0 && tp.Topic == p.assigned[i-1].Topic {
			continue
		}
		period, ok := p.env.Records.Period(tp.Topic)
		if !ok || common > 0 && period != common {
			return 0
		}
		common = period
	}
	return common
}

// skip lets n periods pass that go like the one since an instant.
func (p *java) skip(since lull, period time.Duration, n time.Duration) {
	by := n * period
	p.done.Polls += int64(n) * (p.done.Polls - since.polls)
	for _, at := range []*clock.Time{
		&p.now, &p.poll.wait.Since, &p.poll.ends, &p.poll.records, &p.poll.fetchAt,
		&p.heartbeat.polledAt, &p.heartbeat.pollUntil, &p.heartbeat.tickFrom,
	} {
		if *at >= since.at {
			*at = at.Add(by)
		}
	}
	for i, tp := range p.assigned {
		at := &p.positions.load.at[i]
		p.env.Records.Hand(tp, at.taken, at.taken+int64(n))
		at.taken += int64(n)
	}
	p.handleAll()
	p.waitInPoll(WaitRecords, p.nextDue())
}
