package consumers

import (
	"time"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// goGroup is the goroutine that makes one generation after the other. kafka-go: ConsumerGroup.run, nextGeneration.
type goGroup struct {
	stage   goStage
	wait    Wait
	ticket  wire.Ticket   // the request whose answer it waits for, 0 when that is here
	answer  wire.Response // the last one
	joined  *wire.JoinGroupResponse
	leaving bool     // it looks for the coordinator in order to leave
	failure wire.Err // why it leaves; wire.None: because it was closed
	at      string   // where that happened
	warm    bool     // it has sent a JoinGroup
}

// goStage is the one thing that the group's goroutine waits for.
type goStage uint8

const (
	goBoots       goStage = iota
	goDials               // a connection to any broker
	goLooksUp             // FindCoordinator on it
	goDialsBroker         // a connection to the coordinator
	goPrepares            // until JoinGroup is sent
	goJoins
	goAssigns // until SyncGroup is sent
	goSyncs
	goFetchesOffsets
	goRuns      // a generation
	goEnds      // the goroutines of the generation that ends
	goLeaves    // LeaveGroup
	goBacksOff  // JoinGroupBackoff
	goHasClosed // the reader; a new one may be opened
	goExited
)

// waits names what each stage waits for as other clients do. A generation that ends waits for its Fetches.
var goWaits = [...]WaitKind{
	goBoots: WaitBoot, goDials: WaitCoordinator, goLooksUp: WaitCoordinator, goDialsBroker: WaitCoordinator,
	goPrepares: WaitRejoin, goJoins: WaitJoinResponse, goAssigns: WaitRejoin, goSyncs: WaitSyncResponse,
	goFetchesOffsets: WaitCoordinator, goRuns: WaitRecords, goEnds: WaitRecords, goLeaves: WaitClose,
	goBacksOff: WaitBackoff, goHasClosed: WaitSubscription, goExited: WaitExited,
}

// enter lets the group's goroutine wait for something else, at most until an instant.
func (p *kafkaGo) enter(stage goStage, until clock.Time) {
	kind := goWaits[stage]
	if stage == goAssigns && p.leading {
		kind = WaitAssign
	}
	p.group.stage, p.group.wait = stage, Wait{Kind: kind, Since: p.now, Until: until}
}

// groupGoes lets the group's goroutine go on if what it waits for is there. It reports whether it went on.
func (p *kafkaGo) groupGoes() bool {
	g := &p.group
	switch g.stage {
	case goDials, goDialsBroker:
		c := NodeConn
		if g.stage == goDialsBroker {
			c = CoordinatorConn
		}
		if p.conns[c].state == connecting {
			return false
		}
		p.dialed(c)
		return true
	case goLooksUp, goJoins, goSyncs, goFetchesOffsets, goLeaves:
		if g.ticket != 0 {
			return false
		}
		p.groupAnswered(g.answer)
		return true
	case goRuns:
		return false
	case goEnds:
		if p.now < g.wait.Until && g.wait.Until < clock.Never {
			return false // Fetches are in flight
		}
		if p.busy() {
			g.wait.Until = clock.Never
			return false
		}
		p.generationEnded()
		return true
	case goBacksOff, goHasClosed:
		if p.closing && p.now < g.wait.Until {
			p.closed()
			return true
		}
	}
	if p.now < g.wait.Until {
		return false
	}
	p.groupWakes()
	return true
}

// groupWakes goes on when time is up.
func (p *kafkaGo) groupWakes() {
	switch p.group.stage {
	case goBoots, goBacksOff:
		p.dial(false)
	case goPrepares:
		p.sendJoin()
	case goAssigns:
		p.sendSync()
	}
}

// groupAnswered goes on with the answer to its request.
func (p *kafkaGo) groupAnswered(r wire.Response) {
	switch p.group.stage {
	case goLooksUp:
		p.lookedUp(r)
	case goJoins:
		p.joinAnswered(r)
	case goSyncs:
		p.syncAnswered(r)
	case goFetchesOffsets:
		if r.Err != wire.None {
			p.fails(r.Err, "OffsetFetch")
			return
		}
		p.begin()
	case goLeaves:
		p.left()
	}
}

// dial begins the next generation, or a leave, with a connection to any broker.
// kafka-go: ConsumerGroup.coordinator.
func (p *kafkaGo) dial(toLeave bool) {
	if p.closing && !toLeave {
		p.closed()
		return
	}
	p.group.leaving = toLeave
	p.connect(NodeConn)
	p.enter(goDials, clock.Never)
}

// dialed goes on when a connection is established, or is not.
func (p *kafkaGo) dialed(c Conn) {
	g := &p.group
	switch {
	case p.conns[c].state != ready:
		p.fails(wire.NetworkException, "connection")
	case c == NodeConn:
		p.ask(NodeConn, goLooksUp, p.findRequest(), p.plan.Config.RequestTimeout)
	case g.leaving:
		p.sendLeave()
	default:
		at := p.now
		if !g.warm {
			at = max(at, p.started.Add(p.plan.JoinNotBefore))
		}
		p.enter(goPrepares, at)
	}
}

func (p *kafkaGo) lookedUp(r wire.Response) {
	p.disconnect(NodeConn)
	if r.Err != wire.None {
		p.fails(r.Err, "FindCoordinator")
		return
	}
	p.takeCoordinator(r.Body.(*wire.FindCoordinatorResponse).Broker)
	p.connect(CoordinatorConn)
	p.enter(goDialsBroker, clock.Never)
}

// ask sends a request for whose answer the group's goroutine waits.
func (p *kafkaGo) ask(c Conn, stage goStage, r wire.Request, timeout time.Duration) {
	p.enter(stage, clock.Never)
	p.group.ticket = p.request(c, r, timeout)
}

// request sends a request on a connection. Its deadline becomes that of all that are outstanding on it.
// kafka-go: timeoutCoordinator, Conn.SetDeadline.
func (p *kafkaGo) request(c Conn, r wire.Request, timeout time.Duration) wire.Ticket {
	timeout = max(timeout, time.Millisecond)
	ticket := p.send(c, r, timeout)
	for i := range p.pending {
		if p.pending[i].conn == c {
			p.pending[i].deadline = p.now.Add(timeout)
		}
	}
	return ticket
}

func (p *kafkaGo) sendJoin() {
	p.group.warm = true
	p.state, p.generation = preparing, wire.NoGeneration
	p.recordJoin()
	c := &p.plan.Config
	p.ask(CoordinatorConn, goJoins, p.joinRequest(), c.RequestTimeout+c.rebalanceTimeout())
}

func (p *kafkaGo) joinAnswered(r wire.Response) {
	if r.Err != wire.None {
		p.forgets(r.Err, "JoinGroup") // so that it cannot leave any more
		p.fails(r.Err, "JoinGroup")
		return
	}
	p.group.joined = p.takeGeneration(r)
	if !p.leading {
		p.enter(goAssigns, p.now.Add(goFollowerCost))
		return
	}
	p.enter(goAssigns, p.work(goLeadCost).Add(p.slowsAssign()))
}

func (p *kafkaGo) sendSync() {
	var given []wire.Assignment
	if p.leading {
		var err error
		if given, err = p.assign(p.group.joined); err != nil {
			p.fails(wire.UnknownServerError, "balancer")
			return
		}
	}
	p.group.joined = nil
	c := &p.plan.Config
	p.ask(CoordinatorConn, goSyncs, p.syncRequest(given), c.RequestTimeout+c.SessionTimeout)
}

func (p *kafkaGo) syncAnswered(r wire.Response) {
	if r.Err != wire.None {
		p.fails(r.Err, "SyncGroup")
		return
	}
	assigned, _, err := assignors.DecodeAssignment(r.Body.(*wire.SyncGroupResponse).Assignment)
	if err != nil {
		p.fails(wire.UnknownServerError, "assignment")
		return
	}
	p.state = stable
	p.hold(p.subscription.wanted(assigned))
	p.ask(CoordinatorConn, goFetchesOffsets, p.positionsRequest(), p.plan.Config.RequestTimeout)
}

// fails ends an attempt to begin a generation, or to leave. Without a rebalance as excuse the member leaves under the
// id that it still knows, forgets that, and waits.
func (p *kafkaGo) fails(err wire.Err, at string) {
	p.disconnect(CoordinatorConn)
	p.giveUp()
	p.state = unjoined
	g := &p.group
	switch {
	case g.leaving:
		p.left()
	case err == wire.RebalanceInProgress && p.closing:
		p.closed() // without a leave
	case err == wire.RebalanceInProgress:
		p.requestRejoin("the group is rebalancing")
		p.dial(false)
	default:
		g.failure, g.at = err, at
		p.leave()
	}
}

// leave begins to leave the group, over connections of its own. kafka-go: ConsumerGroup.leaveGroup.
func (p *kafkaGo) leave() {
	if p.member == "" {
		p.left()
		return
	}
	p.dial(true)
}

func (p *kafkaGo) sendLeave() {
	why := ""
	if g := &p.group; g.failure != wire.None {
		why = failedWith(g.at, g.failure)
	}
	p.recordLeave(why)
	p.ask(CoordinatorConn, goLeaves, p.leaveRequest(""), p.plan.Config.RequestTimeout)
}

// left forgets the member id, whether or not the coordinator has heard of it.
func (p *kafkaGo) left() {
	g := &p.group
	p.disconnect(CoordinatorConn)
	g.leaving = false
	p.forgets(g.failure, g.at)
	p.generation = wire.NoGeneration
	if p.closing {
		p.closed()
		return
	}
	p.requestRejoin(failedWith(g.at, g.failure))
	p.enter(goBacksOff, p.now.Add(p.plan.Config.JoinGroupBackoff))
}

// forgets gives the member id up, because of an error at some step if there is one.
func (p *kafkaGo) forgets(err wire.Err, at string) {
	id := p.member
	p.member = ""
	if id != "" && err != wire.None {
		p.record(trace.Event{Kind: trace.MembershipReset, Other: id, Generation: p.generation, Err: err, Text: at})
	}
}

// failedWith says what failed, and how.
func failedWith(what string, err wire.Err) string {
	if err == wire.NetworkException {
		return what + " failed: no answer"
	}
	return what + " failed: " + err.String()
}

// closed ends the process, or opens a reader for other topics.
func (p *kafkaGo) closed() {
	p.member, p.state, p.generation = "", unjoined, wire.NoGeneration
	if p.asked.stop {
		p.enter(goExited, clock.Never)
		p.exits(trace.Stopped)
		return
	}
	p.closing = false
	for to, ok := p.nextSubscription(); ok; to, ok = p.nextSubscription() {
		p.changeSubscription(to)
	}
	if p.subscription.none() {
		p.enter(goHasClosed, clock.Never)
		return
	}
	p.dial(false)
}
