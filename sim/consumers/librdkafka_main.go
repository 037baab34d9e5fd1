package consumers

import (
	"simulate/sim/clock"
)

// mainRuns is one round of the main thread. What timers have made due comes before what arrived meanwhile, as after a
// freeze (recorded): the threads of brokers first have to hand that over.
func (p *librdkafka) mainRuns() {
	if due := p.mainWakes(); p.now >= due {
		p.serve()
		if p.now > due {
			p.overslept()
		}
	}
	p.pollNetwork()
	p.serve()
}

// overslept begins the timers anew after a freeze. librdkafka: rd_kafka_timers_run.
func (p *librdkafka) overslept() {
	p.main.committing = p.now
	if p.main.ticksFrom > 0 {
		p.main.ticksFrom = p.now
	}
}

// serve looks at everything that may be due. librdkafka: rd_kafka_cgrp_serve, rd_kafka_timers_run.
func (p *librdkafka) serve() {
	m := &p.main
	if !m.runs {
		return
	}
	p.autoCommit()
	m.servedAt = p.now
	p.keepConnected()
	if m.join == rdSteady {
		p.checkSession()
	}
	p.serveCoordinator()
	p.serveAssignment()
	p.checkMaxPoll()
	p.checkMetadata()
}

// mainWakes returns when the main thread goes on although nothing has arrived.
func (p *librdkafka) mainWakes() clock.Time {
	if !p.main.runs {
		return clock.Never
	}
	at := min(p.nextTimeout(), p.nextConnect(), p.nextAutoCommit(), p.metadataDue(), p.assignDue(), p.PollDeadline())
	if !p.main.joined {
		at = min(at, p.joinDue())
	}
	return min(at, p.wakes(min(
		p.sessionDue(), p.heartbeatDue(), p.joinDue(), p.queryDue(), p.deferralDue(), p.nextPositions(),
	)))
}

// wakes returns when the main thread looks at what is due at an instant. It sleeps until a timer fires, and at most
// a second; nothing else is timed.
func (p *librdkafka) wakes(due clock.Time) clock.Time {
	m := &p.main
	if due == clock.Never {
		return due
	}
	due = max(due, m.servedAt.Add(1))
	slept, at := m.servedAt, clock.Never
	if c := &p.plan.Config; c.AutoCommit {
		at = firstTick(m.committing, c.AutoCommitInterval, due)
		slept = max(slept, at.Add(-c.AutoCommitInterval))
	}
	if m.ticksFrom > 0 {
		return min(at, firstTick(m.ticksFrom, rdPollCheckInterval, due))
	}
	return min(at, firstTick(slept, rdMainSleep, due))
}

// becomes enters a state of the membership.
func (p *librdkafka) becomes(s rdJoinState) {
	p.main.join, p.main.since = s, p.now
}
