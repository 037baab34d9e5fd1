package consumers

import (
	"slices"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// joinAndSync begins to join, once no commit is on its way any more: one that overtook the JoinGroup would fail.
// kgo: groupConsumer.joinAndSync, noCommitDuringJoinAndSync.
func (p *franz) joinAndSync() {
	if p.committing() {
		p.become(franzAwaitsCommit, clock.Never)
		return
	}
	p.leading = false
	p.startJoin()
}

// startJoin is where an attempt to join starts over, with what it has learned. A process that is told to stop does
// not begin another one.
func (p *franz) startJoin() {
	if p.stopping {
		p.fails(wire.None)
		return
	}
	p.rejoin, p.state = "", preparing
	p.become(franzBuildsJoin, p.work(franzJoinCost))
}

func (p *franz) sendJoin() {
	p.become(franzJoins, clock.Never)
	p.ask(wire.JoinGroup)
}

// joined handles a JoinGroup response. kgo: groupConsumer.handleJoinResp.
func (p *franz) joined(r wire.Response) {
	switch r.Err {
	case wire.None:
	case wire.MemberIDRequired:
		p.member = r.Member
		p.startJoin()
		return
	case wire.UnknownMemberID:
		p.record(trace.Event{Kind: trace.MembershipReset, Other: p.member, Generation: p.generation, Err: r.Err, Text: "JoinGroup"})
		p.member = ""
		p.startJoin()
		return
	default:
		p.fails(r.Err)
		return
	}
	p.manage.answer = p.takeGeneration(r)
	p.cooperative = assignors.Cooperative([]string{p.protocol})
	p.become(franzBuildsSync, p.work(franzSyncCost))
	if p.leading {
		p.manage.until = p.manage.until.Add(p.slowsAssign())
	}
}

// sendSync sends a SyncGroup: everybody's assignment if this member leads and may assign.
func (p *franz) sendSync() {
	p.manage.plan, p.manage.own = nil, nil
	if p.leading {
		answer := *p.manage.answer
		answer.SkipAssignment = false // kgo assigns all the same, to compare
		plan, err := p.assign(&answer)
		if err != nil {
			p.fails(wire.UnknownServerError)
			return
		}
		i := slices.IndexFunc(plan, func(a wire.Assignment) bool { return a.Member == p.member })
		if p.manage.plan = plan; p.manage.answer.SkipAssignment && i >= 0 {
			p.manage.plan, p.manage.own = nil, plan[i].Bytes
		}
	}
	p.become(franzSyncs, clock.Never)
	p.ask(wire.SyncGroup)
}

// synced handles a SyncGroup response. A static leader that came back and may not assign rejoins when its own plan
// gives it something else. kgo: groupConsumer.handleSyncResp, joinAndSync.
func (p *franz) synced(r wire.Response) {
	switch r.Err {
	case wire.None:
	case wire.RebalanceInProgress:
		p.startJoin()
		return
	default:
		p.fails(r.Err)
		return
	}
	answer := r.Body.(*wire.SyncGroupResponse)
	assigned, _, err := assignors.DecodeAssignment(answer.Assignment)
	if err != nil {
		p.fails(wire.UnknownServerError)
		return
	}
	if own := p.manage.own; own != nil && !slices.Equal(own, answer.Assignment) {
		p.wantsRejoin("instance group leader restarted and was reassigned old plan, our topic interests changed and we must rejoin to force a rebalance")
	}
	p.beginSession(assigned)
}
