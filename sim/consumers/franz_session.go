package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// franzSession is what lies between the end of a join and the beginning of the next one: the loop of heartbeats, and
// beside it the callbacks. kgo: groupConsumer.setupAssignedAndHeartbeat, heartbeat.
type franzSession struct {
	given, added []wire.TopicPartition

	beatAt  clock.Time // heartbeat.interval.ms after the last answer
	checkAt clock.Time // franzFastCheck, clock.Never when it was made

	assigned bool     // OnPartitionsAssigned has returned
	revoking bool     // the loop has seen a rebalance; the application gives up, while heartbeats go on
	revoked  bool     // it has
	failed   bool     // the loop has ended with an error
	err      wire.Err // that it saw last
}

// beginSession takes an assignment: first the application gives up what is gone, then it is told what is new.
func (p *franz) beginSession(given []wire.TopicPartition) {
	p.become(franzInSession, clock.Never)
	p.state, p.owesJoin, p.manage.why = stable, false, ""
	lost, added := p.assigned, given // of an eager member; it still holds something if it was cooperative until now
	if p.cooperative {
		lost, added = without(p.assigned, given), without(given, p.assigned)
	}
	p.session = franzSession{given: given, added: added, beatAt: p.now.Add(p.plan.Config.HeartbeatInterval), checkAt: clock.Never}
	if p.cooperative {
		p.session.checkAt = p.now.Add(franzFastCheck)
	}
	p.commitAfterSync()
	if len(lost) > 0 {
		p.callBack(listenerCall{kind: revoking, partitions: lost})
		return
	}
	p.tellAssigned()
}

// prerevoked follows when the application has given up what the group took away: the member rejoins, so that others
// get it. kgo: assignRevokeSession.prerevoke.
func (p *franz) prerevoked() {
	if p.cooperative {
		p.owesJoin = true
		p.wantsRejoin("after revoking what we lost from a rebalance")
	}
	p.tellAssigned()
}

func (p *franz) tellAssigned() {
	p.hold(p.session.given)
	p.awaitRecords()
	p.callBack(listenerCall{kind: taking, partitions: p.session.added})
}

// assignReturned follows when the application knows its assignment.
func (p *franz) assignReturned() {
	s := &p.session
	s.assigned = true
	switch {
	case s.failed:
		p.fails(s.err)
	case s.revoking:
		p.revoke()
	case len(p.positions.missing) > 0:
		p.ask(wire.OffsetFetch)
	}
}

// wantsRejoin lets the session end, unless there is a reason already. kgo: groupConsumer.rejoin.
func (p *franz) wantsRejoin(why string) {
	if p.rejoin == "" {
		p.rejoin = why
	}
}

// takesRejoin ends the session if somebody wants to rejoin and no heartbeat is on its way. It reports whether it did.
func (p *franz) takesRejoin() bool {
	if p.rejoin == "" || p.manage.stage != franzInSession || p.session.failed || p.group.stage != franzRequestIdle {
		return false
	}
	p.manage.why, p.rejoin = p.rejoin, ""
	p.loopErrs(wire.RebalanceInProgress)
	return true
}

// nextBeat returns when the next heartbeat is due, clock.Never while the loop waits for something else.
func (p *franz) nextBeat() clock.Time {
	if !p.Heartbeating() || p.group.stage != franzRequestIdle {
		return clock.Never
	}
	return min(p.session.beatAt, p.session.checkAt)
}

func (p *franz) beat() {
	if p.now >= p.session.checkAt {
		p.session.checkAt = clock.Never
	}
	p.ask(wire.Heartbeat)
}

// beaten handles the end of a heartbeat.
func (p *franz) beaten(err wire.Err) {
	p.recordAnswer(trace.HeartbeatAnswered, p.member, err)
	p.session.beatAt = p.now.Add(p.plan.Config.HeartbeatInterval)
	if err != wire.None {
		p.loopErrs(err)
	}
	p.endSession()
}

// loopErrs lets the loop of heartbeats end: at a rebalance when the application has given up what it must, at any
// other error at once, with everything lost. During a rebalance the last error counts. wire.None stands for a
// process that stops.
func (p *franz) loopErrs(err wire.Err) {
	s := &p.session
	switch {
	case s.revoking:
		s.err = err
	case err == wire.RebalanceInProgress:
		s.revoking, s.err = true, err
		p.record(trace.Event{Kind: trace.RejoinRequested, Member: p.member, Text: p.reasonToRejoin()})
		if s.assigned {
			p.revoke()
		}
	default:
		s.failed, s.err = true, err
		if s.assigned {
			p.fails(err)
		}
	}
}

// reasonToRejoin says why the session ends: what a heartbeat told, or what the member wants itself.
func (p *franz) reasonToRejoin() string {
	if p.manage.why == "" {
		return "group is already rebalancing"
	}
	return p.manage.why
}

// revoke lets the application give up what it must not hold while the group rebalances: all of it when it is eager, of
// a cooperative member what it does not subscribe to any more. It is called with nothing too. What is being fetched
// is not waited for. kgo: assignRevokeSession.revoke.
func (p *franz) revoke() {
	p.offsets.stage = franzRequestIdle
	gone := p.assigned
	if p.cooperative && !p.stopping {
		gone = p.noLongerSubscribed()
	}
	p.callBack(listenerCall{kind: givingUp, partitions: gone})
}

// endSession goes on to the next join when a rebalance ended the session, and its last heartbeat is answered.
func (p *franz) endSession() {
	s := &p.session
	switch {
	case !s.revoked || p.group.stage != franzRequestIdle:
	case s.err != wire.RebalanceInProgress:
		p.fails(s.err)
	default:
		if p.manage.failures = 0; p.manage.why == "" {
			p.manage.why = "rejoining from normal rebalance"
		}
		p.joinAndSync()
	}
}

// fails tells the application that all it holds is lost, or lets it give that up in a process that stops. The
// member id stays until the coordinator says that it knows it no more. kgo: groupConsumer.manageFailWait.
func (p *franz) fails(err wire.Err) {
	p.offsets.stage = franzRequestIdle
	p.manage.err, p.manage.failed = err, p.manage.stage.request()
	p.leading, p.state = false, unjoined
	p.become(franzLoses, clock.Never)
	p.callBack(listenerCall{kind: givingUp, losing: true, partitions: p.assigned})
}

// request returns the request of a stage.
func (s franzStage) request() wire.API {
	switch s {
	case franzJoins:
		return wire.JoinGroup
	case franzBuildsSync, franzSyncs:
		return wire.SyncGroup
	}
	return wire.Heartbeat
}

// lost follows when the application knows: the process leaves, or joins again after a back-off.
func (p *franz) lost() {
	p.commits.waits, p.metadata.watched = false, nil
	if p.stopping {
		p.leave()
		return
	}
	m := &p.manage
	m.failures++
	backoff := p.franzBackoff(m.failures)
	p.record(trace.Event{Kind: trace.MembershipReset, Member: p.member, Other: p.member, Generation: p.generation, Err: m.err, Text: m.failed.String()})
	p.record(trace.Event{Kind: trace.PollThrew, Member: p.member, Err: m.err, Text: "ErrGroupSession"})
	p.record(trace.Event{Kind: trace.RejoinRequested, Member: p.member, Text: "encountered " + m.err.String()})
	p.become(franzBacksOff, p.now.Add(backoff))
}
