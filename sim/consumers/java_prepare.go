package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// preJoinHook is the pre-join hook of the join that is due. poll() may leave it and enter it again.
type preJoinHook struct {
	stage hookStage
	until clock.Time // when it gives up its commit; zero until the first one
	again bool       // a commit failed and is tried again
}

// hookStage is how far the pre-join hook has come.
type hookStage uint8

const (
	hookNone    hookStage = iota
	hookNoticed           // the poll thread has noticed that it has to rejoin
	hookCommits           // waits for its commit
	hookDone              // its callback has run
)

// prepared runs the pre-join hook if it is due. It reports false while the hook waits for something. A reset in the
// meantime makes it due again, behind the JoinGroup.
func (p *java) prepared() bool {
	hook := &p.poll.hook
	if hook.stage == hookNone && !p.needsPrepare {
		return true
	}
	if hook.stage == hookNone {
		p.needsPrepare = false
	}
	if !p.prepareJoin() {
		return false
	}
	*hook = preJoinHook{}
	return true
}

// Committing reports since when the pre-join hook has been trying to commit, once a commit has failed; the
// JoinGroup leaves only after it. It reports false when that is not what the join waits for.
func (p *java) Committing() (since clock.Time, ok bool) {
	hook := &p.poll.hook
	ok = hook.again && hook.stage != hookDone
	return hook.until.Add(-p.plan.Config.MaxPollInterval), ok
}

// prepareJoin is the pre-join hook: commit, then give up what must not be held any more. It reports whether it is
// done.
// Kafka: ConsumerCoordinator.onJoinPrepare.
func (p *java) prepareJoin() bool {
	hook := &p.poll.hook
	switch hook.stage {
	case hookNone:
		if len(p.assigned) > 0 {
			hook.stage = hookNoticed
			cost := noticeCost
			if p.leading && p.cooperative {
				cost += leaderCost
			}
			p.wait(WaitRejoin, p.work(cost))
			return false
		}
		p.commitInHook()
	case hookNoticed:
		p.commitInHook()
	case hookDone:
		return true
	}
	if p.now >= hook.until {
		return p.giveUp(p.unwanted())
	}
	switch p.poll.commit.state {
	case commitSent:
		p.waitInPoll(WaitCommit, min(hook.until, p.nextHeartbeat()))
		return false
	case commitRetriable:
		hook.stage, hook.again = hookNoticed, true
		p.waitInPoll(WaitBackoff, p.now.Add(p.plan.Config.RetryBackoff))
		return false
	}
	return p.giveUp(p.unwanted())
}

// commitInHook sends the hook's commit, if there is anything to commit.
func (p *java) commitInHook() {
	hook := &p.poll.hook
	if hook.until == 0 {
		hook.until = p.now.Add(p.plan.Config.MaxPollInterval)
	}
	hook.stage = hookCommits
	p.poll.commit = awaitedCommit{}
	if p.plan.Config.AutoCommit && p.canCommit() {
		p.sendCommit()
	}
}

// unwanted returns what a member gives up before it rejoins: everything when it is eager or has lost its
// membership; else the partitions of topics that it does not subscribe to any more.
func (p *java) unwanted() []wire.TopicPartition {
	if !p.cooperative || p.membershipIsLost() {
		return p.assigned
	}
	return p.noLongerSubscribed()
}

// giveUp takes partitions away: they are lost when the membership is, revoked otherwise. It reports false while
// a callback runs.
func (p *java) giveUp(partitions []wire.TopicPartition) bool {
	p.leading = false
	if len(partitions) == 0 {
		p.poll.hook.stage = hookDone
		return true
	}
	return p.callback(givingUp, partitions)
}
