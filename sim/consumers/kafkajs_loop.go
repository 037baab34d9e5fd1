package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// jsLoop is the event loop: the await that it is at, and the retries that it has left.
type jsLoop struct {
	stage  jsStage
	wait   Wait
	ticket wire.Ticket   // the request whose answer it waits for, 0 when that is here
	answer wire.Response // the last one
	joined *wire.JoinGroupResponse
	then   jsStage // what a back-off is followed by
	idOnly bool    // the member id was only handed out: it is forgotten where the join fails

	outer   jsRetry // of Runner.scheduleFetchManager: since the last rebalance
	joining jsRetry // of ConsumerGroup.joinAndSync
	seeds   jsRetry // of BrokerPool.connect
}

// jsStage is the one thing that the loop awaits.
type jsStage uint8

const (
	jsBoots         jsStage = iota
	jsConnects              // a connection to any broker
	jsRejoins               // until FindCoordinator is sent
	jsLooksUp               // FindCoordinator
	jsReaches               // a connection to the coordinator, in order to join
	jsPrepares              // until JoinGroup is sent
	jsJoins                 // JoinGroup
	jsAssigns               // until SyncGroup is sent
	jsSyncs                 // SyncGroup
	jsGetsPositions         // OffsetFetch
	jsFetches               // records, or that the fetch finds none
	jsMisses                // the answer of a fetch that was lost, when it is sent again
	jsHandles               // a call of the handler, or several
	jsBeats                 // Heartbeat
	jsCommits               // OffsetCommit
	jsBacksOff
	jsLeaves // LeaveGroup
	jsStops  // until the process ends
	jsIdles  // it is subscribed to nothing
	jsExited
)

var jsWaits = [...]WaitKind{
	jsBoots: WaitBoot, jsConnects: WaitCoordinator, jsRejoins: WaitRejoin, jsLooksUp: WaitCoordinator,
	jsReaches: WaitCoordinator, jsPrepares: WaitRejoin, jsJoins: WaitJoinResponse, jsAssigns: WaitRejoin,
	jsSyncs: WaitSyncResponse, jsGetsPositions: WaitRecords, jsFetches: WaitRecords, jsMisses: WaitRecords,
	jsHandles: WaitProcessing,
	jsBeats:   WaitRecords, jsCommits: WaitCommit, jsBacksOff: WaitBackoff, jsLeaves: WaitClose, jsStops: WaitClose,
	jsIdles: WaitSubscription, jsExited: WaitExited,
}

// jsRetry is one retrier: so many tries in a row, each after twice the time, +-20 %. kafkajs: src/retry.
type jsRetry struct {
	failed int
	next   time.Duration
}

// again returns how long to wait before the next try; false when there is none left.
func (p *kafkaJS) again(r *jsRetry) (time.Duration, bool) {
	c := &p.plan.Config
	jittered := func(d time.Duration) time.Duration { return p.spread(d).Round(time.Millisecond) }
	if r.failed == 0 {
		r.next = jittered(c.RetryBackoff)
	}
	if r.failed == c.Retries {
		return r.next, false
	}
	d := r.next
	r.failed++
	r.next = min(2*jittered(d), c.RetryBackoffMax)
	return max(d, time.Millisecond), true
}

// await lets the loop wait for something else, at most until an instant.
func (p *kafkaJS) await(stage jsStage, until clock.Time) {
	kind := jsWaits[stage]
	if stage == jsAssigns && p.leading {
		kind = WaitAssign
	}
	p.loop.stage, p.loop.wait = stage, Wait{Kind: kind, Since: p.now, Until: until}
}

// ask sends a request for whose answer the loop waits; on a connection that has to be opened first if need be. A time-out
// costs the request alone, not the connection.
func (p *kafkaJS) ask(c Conn, stage jsStage, r wire.Request, timeout time.Duration) {
	timeout = max(timeout, p.plan.Config.RequestTimeout, time.Millisecond)
	p.loop.ticket = p.send(c, r, timeout)
	p.pending[len(p.pending)-1].deadline = clock.Never
	p.await(stage, p.now.Add(timeout))
}

// goes lets the loop go on if what it awaits is there, or does not come in time. It reports whether it went on.
func (p *kafkaJS) goes() bool {
	l := &p.loop
	switch l.stage {
	case jsConnects, jsReaches:
		c := NodeConn
		if l.stage == jsReaches {
			c = CoordinatorConn
		}
		if p.conns[c].state == connecting {
			return false
		}
		p.connectedTo(c)
		return true
	case jsLooksUp, jsJoins, jsSyncs, jsGetsPositions, jsMisses, jsBeats, jsCommits, jsLeaves:
		if l.ticket != 0 && p.now < l.wait.Until {
			return false
		}
		r := l.answer
		if l.ticket != 0 {
			l.ticket, r = 0, wire.Response{Err: wire.RequestTimedOut}
		}
		p.got(r)
		return true
	case jsFetches:
		if p.conns[NodeConn].state == disconnected {
			p.throws(wire.NetworkException)
			return true
		}
	case jsIdles:
		if p.closing {
			p.stopped()
			return true
		}
	}
	if p.now < l.wait.Until && !p.stallsNow() {
		return false
	}
	p.wakes()
	return true
}

// wakes goes on when time is up.
func (p *kafkaJS) wakes() {
	switch p.loop.stage {
	case jsBoots:
		p.restarts()
	case jsRejoins:
		p.ask(NodeConn, jsLooksUp, p.findRequest(), 0)
	case jsPrepares:
		p.sendJoin()
	case jsAssigns:
		p.sendSync()
	case jsFetches:
		p.fetched()
	case jsHandles:
		p.handledSome()
	case jsBacksOff:
		p.backOffEnds()
	case jsStops:
		p.await(jsExited, clock.Never)
		p.exits(trace.Stopped)
	}
}

// got goes on with an answer.
func (p *kafkaJS) got(r wire.Response) {
	switch p.loop.stage {
	case jsLooksUp:
		p.lookedUp(r)
	case jsJoins:
		p.joinAnswered(r)
	case jsSyncs:
		p.syncAnswered(r)
	case jsGetsPositions:
		if r.Err != wire.None {
			p.throws(r.Err)
			return
		}
		p.takeOffsets(r)
		p.fetch()
	case jsMisses:
		if r.Err != wire.None {
			p.throws(r.Err)
			return
		}
		p.fetched()
	case jsBeats:
		p.beatAnswered(r.Err)
	case jsCommits:
		p.committed(r.Err)
	case jsLeaves:
		p.hasLeft()
	}
}

// connectedTo goes on when a connection is established, or is not.
func (p *kafkaJS) connectedTo(c Conn) {
	up := p.conns[c].state == ready
	switch {
	case c == CoordinatorConn && up:
		at := p.now
		if !p.first {
			at = max(at, p.started.Add(p.plan.JoinNotBefore))
		}
		p.await(jsPrepares, at)
	case c == CoordinatorConn:
		p.throws(wire.NetworkException)
	case up:
		p.loop.seeds = jsRetry{}
		p.resumes()
	default:
		d, ok := p.again(&p.loop.seeds)
		if !ok {
			p.seedsFail(d)
			return
		}
		p.backsOff(jsConnects, d)
	}
}

// seedsFail crashes the consumer because no broker can be reached. Where it was running the error is wrapped, and says
// nothing of the time until the restart.
func (p *kafkaJS) seedsFail(last time.Duration) {
	if p.running {
		last = p.plan.Config.RetryBackoff
	}
	p.crashes(wire.NetworkException, "KafkaJSNumberOfRetriesExceeded", last)
}

func (p *kafkaJS) backsOff(then jsStage, d time.Duration) {
	p.loop.then = then
	p.await(jsBacksOff, p.now.Add(d))
}

// backOffEnds goes on after a back-off: a consumer that is to stop notices it here.
func (p *kafkaJS) backOffEnds() {
	switch {
	case p.closing:
		p.leaves()
	case p.loop.then == jsBoots:
		p.restarts()
	case p.loop.then == jsLooksUp:
		p.joinAndSync()
	default:
		p.reconnects()
	}
}

// restarts begins from the start: Runner.start.
func (p *kafkaJS) restarts() {
	if p.closing {
		p.stopped()
		return
	}
	p.refreshMetadata()
	p.beatAt = p.now.Add(p.plan.Config.HeartbeatInterval)
	p.reconnects()
}

// reconnects makes sure that some broker is connected.
func (p *kafkaJS) reconnects() {
	if p.conns[NodeConn].state == disconnected {
		p.connect(NodeConn)
	}
	p.await(jsConnects, clock.Never)
}

// resumes goes on with a connection: a consumer that has been in its group fetches what it holds, until a heartbeat tells
// it to rejoin.
func (p *kafkaJS) resumes() {
	if !p.running || p.generation == wire.NoGeneration {
		p.joinAndSync()
		return
	}
	if p.suspended {
		p.suspended = false
		p.recordAssigned(p.assigned)
	}
	p.fetch()
}

// throws reacts to an error that leaves the fetch manager, or the attempt to join. kafkajs: Runner.scheduleFetchManager.
func (p *kafkaJS) throws(err wire.Err) {
	switch {
	case jsRebalancing(err):
		p.requestRejoin("the group is rebalancing")
		p.rejoins()
		return
	case err == wire.UnknownMemberID:
		p.forgets(err, "Heartbeat")
		p.requestRejoin("the coordinator is not aware of this member")
		p.rejoins()
		return
	case !p.running:
		p.crashes(err, jsNonRetriable, p.plan.Config.RetryBackoff)
		return
	case !mayPass(err):
		p.crashes(err, jsNonRetriable, 0)
		return
	}
	d, ok := p.again(&p.loop.outer)
	if !ok {
		p.crashes(err, "KafkaJSNumberOfRetriesExceeded", d)
		return
	}
	p.backsOff(jsConnects, d)
}

// jsRebalancing reports whether an error means a rejoin under the same id. kafkajs: isRebalancing.
func jsRebalancing(err wire.Err) bool {
	return err == wire.RebalanceInProgress || err == wire.NotCoordinator || err == wire.IllegalGeneration
}

// jsNonRetriable wraps the error that keeps a retrier from trying again.
const jsNonRetriable = "KafkaJSNonRetriableError"

// crashes disconnects the consumer, which leaves the group if it can, and starts it again after a while; after an error
// that does not pass it ends. kafkajs: onCrash.
func (p *kafkaJS) crashes(err wire.Err, exception string, restart time.Duration) {
	if !mayPass(err) {
		p.record(trace.Event{Kind: trace.ConsumerFailed, Member: p.member, Err: err, Text: exception})
		p.giveUp(false)
		p.await(jsExited, clock.Never)
		p.exits(trace.Failed)
		return
	}
	p.record(trace.Event{Kind: trace.PollThrew, Member: p.member, Err: err, Text: exception, For: restart})
	if p.member != "" && p.conns[CoordinatorConn].state == ready {
		p.sendLeave("the consumer has crashed")
	}
	p.disconnect(CoordinatorConn)
	p.disconnect(NodeConn)
	p.forgets(err, "crash")
	p.loop.outer, p.loop.joining, p.loop.seeds = jsRetry{}, jsRetry{}, jsRetry{}
	p.loop.ticket, p.running, p.suspended, p.batch = 0, false, false, jsBatch{}
	p.rejoinReason = "the consumer has crashed"
	p.backsOff(jsBoots, restart)
}

// forgets gives the membership up, with all that is held.
func (p *kafkaJS) forgets(err wire.Err, at string) {
	p.giveUp(true)
	p.hold(nil)
	id := p.member
	p.member = ""
	if id != "" {
		p.record(trace.Event{Kind: trace.MembershipReset, Other: id, Generation: p.generation, Err: err, Text: at})
	}
	p.generation, p.state = wire.NoGeneration, unjoined
}

// giveUp tells that nothing is consumed any more of what is held, which may be lost.
func (p *kafkaJS) giveUp(lost bool) {
	if p.running && !p.suspended && len(p.assigned) > 0 {
		p.recordGivenUp(p.assigned, lost)
	}
	p.suspended = true
}
