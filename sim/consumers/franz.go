package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// franz is franz-go's group consumer: the manage goroutine, which joins, syncs, heartbeats for a session and joins
// again; the goroutines that call the application back and that commit; and the application, whose loop of
// PollFetches has nothing to do with the group unless it blocks rebalances. Kafka is what franz-go talks to, kgo its
// client. Goroutines run whenever something reaches them; each waits for one thing.
type franz struct {
	client

	manage  franzManage
	session franzSession
	call    franzCall
	app     franzApp

	// Requests to the coordinator, each tried again and again by its goroutine.

	group   franzRequest // JoinGroup, SyncGroup, Heartbeat or LeaveGroup, of the manage goroutine
	commit  franzRequest
	offsets franzRequest
	finding wire.Ticket // of the FindCoordinator that is in flight, 0 when none is

	commits  franzCommits
	topics   franzTopics
	stopping bool   // the context of the group is cancelled
	rejoin   string // why to rejoin, "" for no reason; the channel that ends a session
	owesJoin bool   // gave partitions up that the group assigns only when this member rejoins
}

// franzManage is the manage goroutine. kgo: groupConsumer.manage.
type franzManage struct {
	stage    franzStage
	since    clock.Time
	until    clock.Time // when it goes on by itself; clock.Never when only an answer, or a callback, lets it
	why      string     // goes into the next JoinGroup
	failures int        // sessions and joins in a row that ended with an error
	err      wire.Err   // of the last one
	failed   wire.API   // whose it was
	answer   *wire.JoinGroupResponse
	plan     []wire.Assignment // that a leader has computed
	own      []byte            // of a plan that it may not send: its own part
}

// franzStage is what the manage goroutine does.
type franzStage uint8

const (
	franzBoots        franzStage = iota
	franzNeedsTopics             // there is no goroutine before one of the topics exists
	franzAwaitsCommit            // before it joins: no commit is made between JoinGroup and the end of SyncGroup
	franzBuildsJoin
	franzJoins
	franzBuildsSync // and computes the assignment, of a leader
	franzSyncs
	franzInSession
	franzLoses    // tells the application that the session is over, by an error
	franzBacksOff // before it joins again
	franzLeavesGroup
	franzGone
)

func startFranz(c client) Process {
	p := &franz{client: c}
	p.owner, p.cooperative = p, false // until the group votes
	p.topics.wanted = p.subscription.topics
	p.become(franzBoots, p.now.Add(p.env.Work.Draw(p.plan.Boot)))
	p.app.wait = Wait{Kind: WaitBoot, Since: p.now, Until: p.manage.until}
	p.commits.at = clock.Never
	return p
}

// become lets the manage goroutine wait in a stage.
func (p *franz) become(stage franzStage, until clock.Time) {
	p.manage.stage, p.manage.since, p.manage.until = stage, p.now, until
}

// Step lets all goroutines go on as far as they can at this instant. The effects are valid until the next step.
func (p *franz) Step(now clock.Time) []Effect {
	p.out = p.out[:0]
	p.makeUp(p, now)
	p.now = now
	for p.manage.stage != franzGone {
		p.pollNetwork()
		if !p.due() && len(p.inbox) == 0 {
			p.strideUntil = p.strides()
			break
		}
	}
	return p.out
}

// due runs the first goroutine whose time has come. It reports whether there was one.
func (p *franz) due() bool {
	switch {
	case p.obey() || p.takesRejoin():
	case p.now >= p.manage.until:
		p.manages()
	case p.call.stage == franzCallRuns && p.now >= p.call.until:
		p.callReturned()
	case p.now >= p.app.wait.Until:
		p.readOn()
	case p.now >= p.nextBeat():
		p.beat()
	case p.now >= p.commits.at:
		p.commitTicks()
	case p.now >= p.nextRefresh():
		p.findTopics()
	default:
		r := p.retryDue()
		if r == nil {
			return false
		}
		p.try(r)
	}
	return p.manage.stage != franzGone
}

// manages goes on with what the manage goroutine waited for the time of.
func (p *franz) manages() {
	switch p.manage.until = clock.Never; p.manage.stage {
	case franzBoots:
		p.opens()
	case franzBuildsJoin:
		p.sendJoin()
	case franzBuildsSync:
		p.sendSync()
	case franzBacksOff:
		p.manage.why = "rejoining after we previously errored and backed off"
		p.joinAndSync()
	}
}

// Wake returns the instant of the next step that is due without any arrival, clock.Never when there is none.
// After a step it is later than that step.
func (p *franz) Wake() clock.Time {
	if p.manage.stage == franzGone {
		return clock.Never
	}
	if p.strideUntil != 0 {
		return p.strideUntil
	}
	return min(p.nextDue(), p.app.wait.Until)
}

// nextDue returns when something is due that has nothing to do with the application's loop.
func (p *franz) nextDue() clock.Time {
	at := min(p.manage.until, p.nextBeat(), p.commits.at, p.nextRefresh(), p.nextTimeout())
	if p.call.stage == franzCallRuns {
		at = min(at, p.call.until)
	}
	for _, r := range p.requests() {
		if r.stage == franzRequestBacksOff {
			at = min(at, r.at)
		}
	}
	return at
}

// PollWait returns what keeps the member from what its group wants of it: the callback that runs, the application
// that blocks it, or the request that is outstanding; in a session what the application's loop does.
func (p *franz) PollWait() Wait {
	if p.call.stage == franzCallRuns {
		return Wait{Kind: WaitListener, Since: p.call.since, Until: p.call.until}
	}
	if p.call.stage == franzCallBlocked {
		return p.app.wait
	}
	if p.call.stage == franzCallCommits {
		return Wait{Kind: WaitCommit, Since: p.call.since, Until: clock.Never}
	}
	if p.manage.stage == franzInSession || p.manage.stage == franzNeedsTopics {
		return p.app.wait
	}
	wait := Wait{Kind: p.manage.waits(p.leading), Since: p.manage.since, Until: p.manage.until}
	switch p.group.stage {
	case franzRequestLooks:
		wait.Kind = WaitCoordinator
	case franzRequestBacksOff:
		wait.Kind, wait.Until = WaitBackoff, p.group.at
	}
	return wait
}

// waits returns the name of what the manage goroutine waits for.
func (m *franzManage) waits(leading bool) WaitKind {
	switch m.stage {
	case franzBoots:
		return WaitBoot
	case franzAwaitsCommit:
		return WaitCommit
	case franzJoins:
		return WaitJoinResponse
	case franzBuildsSync:
		if leading {
			return WaitAssign
		}
	case franzSyncs:
		return WaitSyncResponse
	case franzBacksOff:
		return WaitBackoff
	case franzLoses, franzLeavesGroup:
		return WaitClose
	case franzGone:
		return WaitExited
	}
	return WaitRejoin
}

// Aware reports whether the member knows that it has to rejoin, or is on its way.
func (p *franz) Aware() bool {
	return p.manage.stage != franzInSession || p.session.revoking || p.session.failed
}

// Heartbeating reports whether the loop of heartbeats is at work. It goes on while the application gives up
// partitions.
func (p *franz) Heartbeating() bool { return p.manage.stage == franzInSession && !p.session.failed }

// Committing reports since when a commit is tried again, behind which the JoinGroup waits.
func (p *franz) Committing() (since clock.Time, ok bool) {
	waits := p.call.stage == franzCallCommits || p.manage.stage == franzAwaitsCommit
	return p.commit.since, waits && p.commit.stage != franzRequestIdle && p.commit.tries > 1
}

// franzBackoff returns how long kgo waits after so many failures in a row. kgo: cfg.retryBackoff.
func (p *franz) franzBackoff(failures int) time.Duration {
	c := &p.plan.Config
	if failures > 10 {
		return c.RetryBackoffMax
	}
	d := c.RetryBackoff << max(failures-1, 0)
	return min(p.spread(d), c.RetryBackoffMax)
}

func (p *franz) exit(reason trace.Reason) {
	p.become(franzGone, clock.Never)
	p.exits(reason)
}
