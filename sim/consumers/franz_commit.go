package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// franzCommits is the goroutine that commits by a ticker, and the order of all commits: one at a time. None begins
// between JoinGroup and the end of SyncGroup. kgo: groupConsumer.loopCommit, commit.
type franzCommits struct {
	at     clock.Time // of the next tick; clock.Never before the group is managed
	body   *wire.OffsetCommitRequest
	queued int  // behind the one that is on its way
	waits  bool // for the end of SyncGroup
}

func (p *franz) commitTicks() {
	p.commits.at = p.commits.at.Add(p.plan.Config.AutoCommitInterval)
	p.wantsCommit()
}

// wantsCommit commits the positions, as soon as that may be.
func (p *franz) wantsCommit() {
	switch p.manage.stage {
	case franzInSession:
		if p.canCommit() {
			p.queueCommit()
		}
	case franzAwaitsCommit, franzBuildsJoin, franzJoins, franzBuildsSync, franzSyncs:
		p.commits.waits = true
	}
}

// canCommit reports whether there is anything to commit: all positions, or with records what moved.
func (p *franz) canCommit() bool { return p.hasPositions() && (!p.loaded() || p.uncommitted()) }

// commitAfterSync makes the commit that waited for the end of SyncGroup.
func (p *franz) commitAfterSync() {
	if p.commits.waits {
		p.commits.waits = false
		p.wantsCommit()
	}
}

// queueCommit commits behind those that are on their way.
func (p *franz) queueCommit() {
	if p.commit.stage != franzRequestIdle {
		p.commits.queued++
		return
	}
	p.sendCommit()
}

func (p *franz) sendCommit() {
	if p.loaded() {
		p.commits.body = p.handledBody(true)
	} else {
		p.commits.body = p.commitBody()
	}
	p.ask(wire.OffsetCommit)
}

func (p *franz) committing() bool { return p.commit.stage != franzRequestIdle }

// committed handles the end of a commit. A coordinator that does not know the member lets it rejoin.
func (p *franz) committed(err wire.Err) {
	p.recordAnswer(trace.CommitAnswered, p.member, err)
	if err != wire.None {
		p.commitLost()
	}
	if err == wire.UnknownMemberID || err == wire.IllegalGeneration {
		p.wantsRejoin("offset commit error: " + err.String())
	}
	for p.commits.queued > 0 {
		p.commits.queued--
		if p.canCommit() {
			p.sendCommit()
			return
		}
	}
	switch {
	case p.call.stage == franzCallCommits:
		p.runCall()
	case p.manage.stage == franzAwaitsCommit:
		p.joinAndSync()
	}
}

// cancelCommits forgets the commits of the ticker, in a process that stops. That of a callback, the last one, is made.
func (p *franz) cancelCommits() {
	calling := p.call.stage == franzCallCommits
	if calling && p.commits.queued == 0 {
		return // it is on its way
	}
	p.commit.stage, p.commits.queued = franzRequestIdle, 0
	if calling {
		p.sendCommit()
	}
}

// offsetsFetched handles the end of an OffsetFetch: the member knows its positions, or the session ends.
// kgo: groupConsumer.fetchOffsets.
func (p *franz) offsetsFetched(r wire.Response) {
	if r.Err != wire.None {
		p.loopErrs(r.Err)
		return
	}
	p.takeOffsets(r)
	p.awaitRecords()
	p.refreshSoon()
}
