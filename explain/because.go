package explain

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// endOf returns why a process ended: what it threw, or the event that killed or stopped it.
func (c *causes) endOf(e trace.Event, p *process) *Step {
	switch {
	case e.Reason == trace.Failed:
		return p.failed
	case e.Cause != 0:
		return c.event(e)
	}
	return c.told(e.Group, p)
}

// told returns the event that told a process to end: one that acts on it, or on its whole group.
func (c *causes) told(group string, p *process) *Step {
	lives := []scenario.Verb{scenario.Kill, scenario.Stop, scenario.Restart, scenario.CrashLoop, scenario.Scale, scenario.RollingRestart, scenario.Rollout}
	return later(p.lastAct(lives...), c.on(group, scenario.RollingRestart, scenario.Rollout, scenario.Scale))
}

// behindSource returns why a source of the scenario did something to a process: what kept it from answering its liveness
// probe, or, when its grace period was over, what had told it to end.
func (c *causes) behindSource(e trace.Event) *Step {
	switch scenario.Verb(e.Text) {
	case scenario.Restart:
		return c.process(e.Who).kept(e.At, e.At)
	case scenario.Kill:
		return c.event(e)
	}
	return nil
}

// keptFromPolling returns what a process did instead of polling.
func (c *causes) keptFromPolling(e trace.Event, p *process) *Step {
	if s := p.kept(e.Since, e.At); s != nil {
		return s
	}
	return &Step{At: e.Since, Kind: Processing, Who: e.Who, Client: p.client, For: e.At.Sub(e.Since)}
}

// behindException returns what made poll() throw.
func (c *causes) behindException(e trace.Event, p *process) *Step {
	if subscribes := p.lastAct(scenario.Subscribe); e.Text == "IllegalStateException" && subscribes != nil {
		return subscribes
	}
	if throws := p.lastAct(scenario.ThrowInCallback); e.Text == "KafkaException" && throws != nil {
		return throws
	}
	if g := c.group(e.Group).rebalancing(); g != nil && says(e.Text, "InvalidTopic", "InconsistentGroupProtocol", "IllegalState") {
		return later(g, p.subscribed)
	}
	if e.Err == wire.NetworkException {
		return later(c.behindLoss(e, p), p.forgot, p.lost, p.rejoin, p.life)
	}
	return later(p.forgot, p.lost, p.rejoin, p.life)
}

// behindLoss returns what took the coordinator from a process: the network between them, the process itself that was
// frozen, or the broker; else whom the group waited for while the request of this process was parked for
// request.timeout.ms.
func (c *causes) behindLoss(e trace.Event, p *process) *Step {
	outer := later(p.lastAct(scenario.Drop, scenario.Delay, scenario.Reset, scenario.Pause, scenario.FreezeInAssign, scenario.HoldLeaderSync),
		c.brokerEvent(e.Group), c.on(e.Group, scenario.SlowAppend, scenario.FailAppend), c.silenceOf(p))
	if outer != nil {
		return outer
	}
	g := c.group(e.Group)
	return later(g.owing, g.rebalancing())
}

// waited returns whose rebalance timeout it was by which a member was removed: the longest of the group. That of the
// Java consumer is not in the trace.
func (c *causes) waited(group string, removed *Step) Setting {
	of := func(who string) Setting {
		return Setting{waitsFor(c.process(who).client), who, metrics.Brief(removed.For)}
	}
	if p := c.process(removed.Who); removed.Who == "" || p.timeout == 0 || p.timeout == removed.For {
		return of(removed.Who)
	}
	for _, timeout := range []time.Duration{removed.For, 0} {
		for _, who := range slices.Sorted(maps.Keys(c.processes)) {
			if p := c.processes[who]; p.group == group && p.timeout == timeout {
				return of(who)
			}
		}
	}
	return of(removed.Who)
}

// owing returns for whom a group waits, and why that process does not answer.
func (c *causes) owing(e trace.Event) *Step {
	if len(e.Chain) == 0 {
		return nil
	}
	l := e.Chain[0]
	s := &Step{At: e.At, Kind: Owing, Who: l.Who, Member: l.Member, Text: l.On}
	p := c.processes[l.Who]
	switch {
	case p == nil:
	case trace.IsDead(l.Because):
		s.because = p.ended
		if s.because != nil && s.because.At > e.Since { // it owed the request before it ended
			s.because = cmp.Or(later(p.preparedBetween(c.group(e.Group).before(), e.Since), p.kept(e.Since, s.because.At)), s.because)
		}
	case l.Because == trace.CauseProcessing:
		s.because = &Step{At: l.Since, Kind: Processing, Who: l.Who, Client: l.Client, For: l.Until.Sub(l.Since)}
	default:
		s.because = p.kept(l.Since, e.At)
	}
	if s.because == nil {
		s.because = c.group(e.Group).rebalancing()
	}
	return s
}

// silenceOf returns how the member that a process was till now was removed, if it was.
func (c *causes) silenceOf(p *process) *Step {
	if p.member == "" {
		return nil
	}
	return c.gone[p.member]
}

// Crash is where a consumer of kafkajs forgets its membership when its retries are used up, behind the exception.
const Crash = "crash"

// behindForgetting returns why a process forgot its membership: the coordinator had removed it, or knew another one
// in its place, or the process left by itself.
func (c *causes) behindForgetting(e trace.Event, p *process) *Step {
	switch {
	case says(e.Text, "session timed out"): // by the client's own clock
		return c.behindLoss(e, p)
	case e.Text == Crash:
		return p.threw
	case e.Text == "LeaveGroup":
		return later(p.lastAct(scenario.Unsubscribe), p.timedOut, p.left, p.subscribed)
	case c.silenceOf(p) != nil:
		return c.silenceOf(p)
	}
	g := c.group(e.Group)
	if s := later(g.loaded, g.refused, c.on(e.Group, scenario.SlowAppend, scenario.FailAppend), g.rebalancing()); s != nil {
		return s
	}
	return p.rejoin // it was joining still
}

// behindLeave returns why a process left its group.
func (c *causes) behindLeave(e trace.Event, p *process) *Step {
	switch {
	case e.Text == metrics.PollTimeoutReason, p.timedOut != nil && p.timedOut.At == e.At:
		return p.timedOut
	case says(e.Text, "unsubscribed"): // a pattern that matched nothing is given up without a change
		return later(p.lastAct(scenario.Unsubscribe), p.subscribed)
	case says(e.Text, " failed: "): // kafka-go
		return c.behindLoss(e, p)
	}
	if e.Cause != 0 {
		return c.event(e)
	}
	resubscribed := p.lastAct(scenario.Subscribe, scenario.Unsubscribe) // kafkajs and kafka-go start over for that
	if s := later(p.failed, c.told(e.Group, p), resubscribed); s != nil {
		return s
	}
	return cmp.Or(p.rejoin, c.behindLoss(e, p)) // kafka-go leaves when it could not join
}

// wantsToRejoin notes why a process will send its next JoinGroup. That the coordinator wants to see the member id
// which it has just given out is no reason of its own.
func (c *causes) wantsToRejoin(s *Step, e trace.Event, p *process) {
	if says(e.Text, "given member-id", "MEMBER_ID_REQUIRED", "member id that it was given") {
		return
	}
	s.Kind, s.because = Rejoining, c.behindRejoin(e, p)
	p.rejoin = s
}

func (c *causes) behindRejoin(e trace.Event, p *process) *Step {
	g := c.group(e.Group)
	switch {
	case says(e.Text, "subscription has changed", "match the current subscription", "interests have changed", "topics purged", "topic that is not subscribed to"):
		// librdkafka and aiokafka do not tell of a subscription to what does not exist yet
		return cmp.Or(later(p.subscribed, p.lastAct(scenario.Subscribe, scenario.Unsubscribe)), c.topicChange(), p.life)
	case says(e.Text, "cached metadata has changed", "have new partitions", "partitions on topics",
		"partitions of the group's topics", "partitions were added", "partition changes found", "topic has been updated",
		"Metadata for subscribed topic"):
		return later(c.topicChange(), c.brokerEvent(e.Group))
	case says(e.Text, "enforced", "ForceRebalance"):
		return p.lastAct(scenario.EnforceRebalance)
	case says(e.Text, "max_poll_interval_ms is over", "max.poll.interval.ms exceeded"):
		return p.timedOut
	case says(e.Text, "pro-actively leaving"):
		return later(p.lastAct(scenario.Unsubscribe), p.timedOut, p.left, p.subscribed)
	case says(e.Text, "NETWORK_EXCEPTION", "no answer", "lost connection", "ErrOutOfBrokers", "session timed out"):
		return cmp.Or(c.behindLoss(e, p), p.life)
	case says(e.Text, "UnknownMemberId", "IllegalGeneration", "UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "not aware of this member",
		"not known by the group coordinator", "not recognized", "encountered", "modified by heartbeat"):
		return cmp.Or(later(p.forgot, g.rebalancing()), later(g.refused, g.loaded), p.life)
	case says(e.Text, "Disconnect", "NotCoordinator", "CoordinatorNotAvailable", "CoordinatorLoad", "Timeout",
		"NOT_COORDINATOR", "COORDINATOR_NOT_AVAILABLE", "COORDINATOR_LOAD"):
		return cmp.Or(later(p.lost, g.loaded, c.brokerEvent(e.Group)), c.behindLoss(e, p))
	}
	return cmp.Or(g.rebalancing(), c.behindLoss(e, p), p.life)
}

// behindRemoval returns why a member, or an id that was given out, was removed.
func (c *causes) behindRemoval(e trace.Event, who string) *Step {
	if e.Cause != 0 && c.event(e) != nil {
		return c.event(e) // an administrator, or a client that is no consumer
	}
	p := c.processes[who]
	switch {
	case p == nil || p.life == nil:
		return later(c.raw(e.Group, who), c.on(e.Group, scenario.RemoveMembers), c.group(e.Group).loaded)
	case e.Reason == trace.Left && c.former(e.Member, p):
		return p.ended
	case e.Reason == trace.Left:
		return later(p.left, c.on(e.Group, scenario.RemoveMembers))
	case e.Reason == trace.StaticReplaced:
		return p.rejoin
	case e.Reason == trace.OverCapacity:
		return later(c.group(e.Group).loaded, p.rejoin)
	}
	silenced := c.silenced(e, p)
	if e.Since == 0 || e.Kind == trace.PendingRemoved || silenced != nil && silenced.Kind == Rebalanced {
		return silenced
	}
	return &Step{At: e.Since, Kind: Silent, Who: who, Member: e.Member, because: silenced}
}

// former reports whether a member was the process that ran before p began.
func (c *causes) former(member wire.MemberID, p *process) bool {
	life := c.lives[member]
	return life != nil && p.life != life
}

// silenced returns what kept a member from the coordinator until it was removed.
func (c *causes) silenced(e trace.Event, p *process) *Step {
	if c.former(e.Member, p) {
		return p.ended
	}
	if p.ended != nil && p.life != nil && p.ended.At >= p.life.At {
		return p.ended
	}
	since := e.Since
	if since == 0 {
		since = e.At
		if r := c.group(e.Group).rebalancing(); r != nil {
			since = r.At // it owed a request from then on
		}
	}
	g := c.group(e.Group)
	for _, s := range []*Step{
		later(p.kept(since, e.At), after(c.on(e.Group, scenario.HoldLeaderSync), since)),
		later(after(p.timedOut, since), after(p.left, since), after(p.failed, since), after(p.threw, since)),
		later(p.refused, p.prepared(since)),
		p.prepared(e.At),
		later(after(p.lost, since), after(g.loaded, since), after(c.brokerEvent(e.Group), since)),
		// It closes, and does not get to its LeaveGroup; or it wants nothing any more, and does not leave.
		later(after(c.told(e.Group, p), since), after(p.subscribed, since), after(p.lastAct(scenario.Unsubscribe), since)),
		c.unaware(e, p),
		later(p.forgot, p.left, p.timedOut, p.threw), // it had given up before
		later(p.lost, g.refused, c.on(e.Group, scenario.SlowAppend, scenario.FailAppend)),
		later(p.lastAct(scenario.AbandonMemberID), c.on(e.Group, scenario.RawJoin)),
		p.subscribed, // it does not finish a join for what it does not want any more
		c.gaveUp(e, p),
		c.ending(e),
	} {
		if s != nil {
			return s
		}
	}
	if profile, _ := consumers.FindProfile(p.client); profile.HandlerSilent {
		return p.life // its heartbeats come when a message or a fetch ends, which alone can outlast a short session
	}
	return nil
}

// unaware returns the rebalance in which a member was removed though nothing kept it from rejoining: its rebalance
// timeout was over before the next heartbeat told it, or the rebalance did not end while it waited with its first join.
func (c *causes) unaware(e trace.Event, p *process) *Step {
	waited := e.Reason == trace.NotRejoinedInTime || e.Reason == trace.NewMemberExpired
	if !waited || after(p.forgot, e.Since) != nil {
		return nil
	}
	return c.group(e.Group).rebalancing()
}

// ending returns the rebalance for which a member was about to give up its partitions, without heartbeats, until its session
// was over: one of kafka-go waits until its fetches have returned.
func (c *causes) ending(e trace.Event) *Step {
	g := c.group(e.Group)
	if r := g.rebalancing(); e.Reason == trace.SessionExpired && g.preparing && r.At <= e.Since {
		return r
	}
	return nil
}

// gaveUp returns why a process joins again, or does no longer, that goes by another id than the member, or reads topics that
// have changed.
func (c *causes) gaveUp(e trace.Event, p *process) *Step {
	if p.member != e.Member {
		return p.rejoin
	}
	return later(after(c.topicChange(), e.Since), p.lastAct(scenario.Subscribe, scenario.Unsubscribe))
}

// after returns the step if it happened no earlier than an instant.
func after(s *Step, since clock.Time) *Step {
	if s == nil || s.At < since {
		return nil
	}
	return s
}

// joins returns why a process joins, or the event that makes a client join that is no consumer.
func (c *causes) joins(group, who string) *Step {
	if p := c.processes[who]; p != nil && p.rejoin != nil {
		return p.rejoin
	}
	return c.raw(group, who)
}

// raw returns the event behind a client that is no consumer.
func (c *causes) raw(group, who string) *Step {
	if p := c.processes[who]; p != nil && len(p.acts) > 0 {
		return p.acts[len(p.acts)-1]
	}
	return c.on(group, scenario.RawJoin)
}

// behindRebalance returns what made a group rebalance.
func (c *causes) behindRebalance(e trace.Event, g *groupCauses, who string) *Step {
	switch e.Reason {
	case trace.MemberJoined, trace.MemberRejoined, trace.LeaderRejoined, trace.StaticReplaced:
		return c.joins(e.Group, who)
	case trace.AppendFailed:
		return c.behindFailedAppend(e, g)
	case trace.OtherReason:
		return g.loaded
	}
	return g.gone
}

// behindFailedAppend returns why an assignment could not be written: the log refused it, was too slow, or went to
// another coordinator before it was written.
func (c *causes) behindFailedAppend(e trace.Event, g *groupCauses) *Step {
	log := later(g.refused, c.on(e.Group, scenario.FailAppend, scenario.SlowAppend))
	if e.Err == wire.NotCoordinator {
		return later(log, c.brokerEvent(e.Group))
	}
	return log
}
