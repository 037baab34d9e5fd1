package consumers

import "simulate/sim/clock"

// Calm reports whether the process does nothing but poll, commit and send heartbeats as long as nothing happens to it.
func (p *java) Calm() (Calm, bool) {
	wait := p.poll.wait.Kind
	if wait != WaitRecords && wait != WaitProcessing || !p.isAtRest() || !p.onlyRoutineInFlight() {
		return Calm{}, false
	}
	c := &p.plan.Config
	processing, bounded := p.plan.Processing.Longest()
	poll := p.plan.PollTimeout + pollCost + processing
	silence := c.HeartbeatInterval + selectorCost + heartbeatTick // outside poll() a heartbeat waits for a tick
	if !bounded || processing > c.HeartbeatInterval || poll >= c.MaxPollInterval || silence >= min(c.SessionTimeout, c.IdleTimeout) {
		return Calm{}, false // a batch, a poll, a session or an idle connection may be an event
	}
	calm := Calm{Cycle: max(poll, silence), Heartbeat: p.heartbeat.sendAt.Add(heartbeatTick)}
	if c.AutoCommit {
		calm.Cycle = max(calm.Cycle, c.AutoCommitInterval+poll)
		calm.Commits = c.AutoCommitInterval
	}
	return calm, true
}

// isAtRest reports whether the member of a stable group has nothing under way, and knows of nothing that is to come.
func (p *java) isAtRest() bool {
	return !p.loaded() && p.state == stable && !p.rejoinNeeded && p.join.stage == noJoin && !p.asked.any() && !p.closing() &&
		p.coordinator >= 0 && p.Heartbeating() && p.heartbeat.failures == 0 && p.cutUntil <= p.now &&
		p.conns[NodeConn].state == ready && p.conns[CoordinatorConn].state == ready &&
		len(p.positions.missing) == 0 && p.metadata.newer == nil && !p.metadata.news && !p.missesIn(p.metadata.topics) &&
		p.poll.fatal == 0 && !p.poll.noOffset && p.poll.throwsAt == clock.Never && !p.poll.unsubscribing &&
		!p.subscription.none()
}

// FastForward does the routine up to an instant, at which it is not yet, as if each request were answered at once: what
// an answer brings is forgotten with the next one. It needs a process that waits for records, with nothing in flight.
func (p *java) FastForward(to clock.Time) (Forwarded, bool) {
	if p.poll.wait.Kind != WaitRecords || len(p.pending) > 0 || len(p.inbox) > 0 || p.Wake() >= to {
		return Forwarded{}, false
	}
	conn, before := &p.conns[CoordinatorConn], p.done
	used := conn.usedAt
	if p.plan.Processing.IsConstant() && p.plan.Processing.A == 0 && p.hasPositions() {
		p.computeRoutine(to)
	} else {
		p.doRoutine(to)
	}
	p.due = p.nextStep()
	done := Forwarded{Heartbeats: p.done.Heartbeats - before.Heartbeats, Session: p.plan.Config.SessionTimeout}
	if conn.usedAt != used {
		done.LastRequest = conn.usedAt
	}
	return done, true
}

// doRoutine does it step by step.
func (p *java) doRoutine(to clock.Time) {
	p.forwarding = true
	for p.nextStep() < to {
		p.now = max(p.now, p.nextStep())
		if p.poll.wait.Kind.readsNetwork() || !p.heartbeatTicks() {
			p.pollThreadWakes()
		}
	}
	p.forwarding = false
}

// computeRoutine is doRoutine of an application that polls all the time: heartbeats, commits and polls then have nothing
// to do with one another.
func (p *java) computeRoutine(to clock.Time) {
	c, h := &p.plan.Config, &p.heartbeat
	beats, sent := cycles(&h.sendAt, c.HeartbeatInterval+selectorCost, to)
	if beats > 0 {
		h.sessionUntil = sent.Add(c.SessionTimeout)
	}
	var commits int64
	var committed clock.Time
	if c.AutoCommit {
		commits, committed = cycles(&p.poll.autoCommitAt, c.AutoCommitInterval, to)
	}
	polls, returned := cycles(&p.poll.ends, p.plan.PollTimeout+pollCost, to)
	p.done.Add(Routine{Heartbeats: beats, Commits: commits, Polls: polls})
	conn := &p.conns[CoordinatorConn]
	conn.usedAt = max(conn.usedAt, sent, committed)
	if polls > 0 {
		p.now = returned
		p.fetchesReturned()
	}
	p.now = max(sent, committed, returned)
	p.polled(p.now)
	p.waitInPoll(WaitRecords, p.nextDue())
}
