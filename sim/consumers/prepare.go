package consumers

// hookStage says how far the pre-join hook has come, which poll() may leave and enter again.
type hookStage uint8

const (
	hookNone   hookStage = iota
	hookBegun            // the poll thread has noticed that it has to rejoin
	hookCommit           // waits for its commit
	hookDone             // its callback has run
)

// prepareJoin is the pre-join hook: commit, then give up what is held. It reports whether it is done.
// Kafka: ConsumerCoordinator.onJoinPrepare.
func (p *Process) prepareJoin() bool {
	switch p.poll.hook {
	case hookNone:
		if len(p.assigned) > 0 {
			p.poll.hook = hookBegun
			p.wait(WaitRejoin, p.now.Add(noticeCost))
			return false
		}
		fallthrough
	case hookBegun:
		if p.poll.hookUntil == 0 {
			p.poll.hookUntil = p.now.Add(p.plan.Config.MaxPollInterval)
		}
		p.poll.hook = hookCommit
		p.poll.commit = commitNone
		if p.plan.Config.AutoCommit && p.canCommit() {
			p.sendCommit()
		}
	case hookDone:
		return true
	}
	switch p.poll.commit {
	case commitSent:
		if p.now < p.poll.hookUntil {
			p.waitInPoll(WaitCommit, min(p.poll.hookUntil, p.nextHeartbeat()))
			return false
		}
	case commitRetriable:
		if p.now < p.poll.hookUntil {
			p.poll.hook = hookBegun
			p.waitInPoll(WaitBackoff, p.now.Add(p.plan.Config.RetryBackoff))
			return false
		}
	}
	return p.giveUp()
}

// giveUp takes away everything that is assigned: lost when the membership is, revoked otherwise. It
// reports false while a callback runs.
func (p *Process) giveUp() bool {
	p.leading = false
	takes := p.plan.OnRevoke
	if p.membershipIsLost() {
		takes = p.plan.OnLost
	}
	if len(p.assigned) == 0 {
		p.poll.hook = hookDone
		return true
	}
	return p.callback(givingUp, takes)
}
