package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// saramaConsumeLoop is the application's goroutine: it calls Consume() again and again, and Close() in the end.
type saramaConsumeLoop struct {
	stage   saramaStage
	wait    Wait
	retries int // of this attempt to join
	warm    bool
	tries   int // of OffsetFetch
	answer  *wire.JoinGroupResponse
	err     failure // what Consume() will return; the zero value is no error
	failed  bool    // Close() follows an error after which the application does not go on
}

// saramaStage is how far Consume(), or Close(), has come.
type saramaStage uint8

const (
	saramaBoots        saramaStage = iota
	saramaUnsubscribed             // the application waits for a subscription
	saramaPauses                   // it waits after an error
	saramaRefreshes                // Metadata
	saramaFinds                    // FindCoordinator
	saramaCold                     // Plan.JoinNotBefore
	saramaJoins                    // JoinGroup
	saramaBalances                 // the leader's Metadata
	saramaAssigns                  // the leader's strategy
	saramaSyncs                    // SyncGroup
	saramaRetries                  // waits before it joins again
	saramaFindsAgain               // FindCoordinator after that
	saramaManages                  // FindCoordinator for the offsets of claims
	saramaInitializes              // OffsetFetch
	saramaSetsUp                   // Setup()
	saramaInSession
	saramaReleases     // claims end
	saramaCleansUp     // Cleanup()
	saramaFlushes      // their last commit
	saramaQuiets       // the heartbeat goroutine ends
	saramaFindsToLeave // Close(): FindCoordinator
	saramaLeaves       // Close(): LeaveGroup
)

// at lets the application's goroutine wait in a stage.
func (p *sarama) at(stage saramaStage, kind WaitKind, until clock.Time) {
	p.consume.stage = stage
	p.wait(kind, until)
}

func (p *sarama) wait(kind WaitKind, until clock.Time) {
	since := p.now
	if kind == p.consume.wait.Kind {
		since = p.consume.wait.Since
	}
	p.consume.wait = Wait{Kind: kind, Since: since, Until: until}
}

// consumeDue returns when the application's goroutine goes on although nothing arrives.
func (p *sarama) consumeDue() clock.Time {
	switch p.consume.stage {
	case saramaReleases:
	case saramaInSession:
		return p.session.watch
	default:
		return p.consume.wait.Until
	}
	due := clock.Never
	if !p.handlersBusy() || p.fetch.claims && !p.session.reconciling {
		due = p.claimsEnd()
	}
	if p.session.reconciling {
		due = min(due, p.session.revokeUntil)
	}
	return due
}

// consumeWakes lets the application's goroutine go on if it can. It reports whether it did.
func (p *sarama) consumeWakes() bool {
	switch p.consume.stage {
	case saramaInSession:
		return p.sessionEnds()
	case saramaReleases:
		return p.release()
	case saramaQuiets:
		return p.quiet()
	}
	if p.now < p.consume.wait.Until {
		return false
	}
	switch p.consume.stage {
	case saramaBoots, saramaUnsubscribed, saramaPauses:
		p.callConsume()
	case saramaCold:
		p.sendJoin()
	case saramaAssigns:
		p.sendSync()
	case saramaRetries:
		p.rejoin()
	case saramaInitializes:
		p.manageClaims()
	case saramaSetsUp:
		p.setUp()
	case saramaCleansUp:
		p.cleanedUp()
	}
	return true
}

// callConsume is the application's call of Consume(), unless it is to end, or has no topics. Consume() begins with
// Metadata. sarama: consumerGroup.Consume.
func (p *sarama) callConsume() {
	if p.asked.stop {
		p.leave()
		return
	}
	p.obey()
	if p.subscription.none() {
		p.at(saramaUnsubscribed, WaitSubscription, clock.Never)
		return
	}
	p.consume.err = failure{}
	p.at(saramaRefreshes, WaitCoordinator, clock.Never)
	p.inquire(saramaConsumeCaller, wire.Metadata)
}

// obey carries out what the application was asked to do before it calls Consume() again, which enforces a rebalance
// by itself.
func (p *sarama) obey() {
	p.asked.enforce = false
	for to, ok := p.nextSubscription(); ok; to, ok = p.nextSubscription() {
		p.changeSubscription(to)
	}
}

// consumeInformed goes on when any broker has answered, or none has.
func (p *sarama) consumeInformed(api wire.API, ok bool) {
	switch p.consume.stage {
	case saramaRefreshes:
		p.refreshed(ok)
	case saramaFinds:
		p.foundToJoin(ok)
	case saramaFindsAgain:
		p.foundToRejoin(ok)
	case saramaBalances:
		p.balanced(ok)
	case saramaManages:
		p.offsets.knows = ok
		p.fetchOffsets()
	case saramaFlushes:
		p.offsetsInformed(saramaConsumeCaller, ok)
	case saramaFindsToLeave:
		p.sendLeave()
	}
}

func (p *sarama) refreshed(ok bool) {
	f := saramaOutOfBrokers
	if p.misses(p.metadata.topics) {
		f = saramaError(wire.UnknownTopicOrPartition)
	}
	switch {
	case !ok && p.session.reconciling:
		p.reconcileFails(f)
	case !ok:
		p.joinFails(f)
	case p.session.reconciling:
		p.manageClaims()
	default:
		p.consume.retries = saramaJoinRetries
		p.joinSync()
	}
}

// consumeAnswered handles the answer to a request of Consume() or Close().
func (p *sarama) consumeAnswered(sent pendingRequest, r wire.Response) {
	if r.Err == wire.NetworkException {
		p.disconnect(sent.conn)
	}
	switch sent.api {
	case wire.JoinGroup:
		p.joinWasAnswered(r)
	case wire.SyncGroup:
		p.syncWasAnswered(r)
	case wire.OffsetFetch:
		p.offsetsFetched(r)
	case wire.LeaveGroup:
		p.left()
	}
}

// saramaOutOfBrokers is the error when no broker answers. sarama: ErrOutOfBrokers.
var saramaOutOfBrokers = failure{err: wire.NetworkException, exception: "ErrOutOfBrokers"}

// saramaError returns the failure by an error that the coordinator answered with, or by a lost connection.
func saramaError(err wire.Err) failure {
	if err == wire.NetworkException { // it stands for a lost connection
		return failure{err: err, exception: "a lost connection"}
	}
	return failure{err: err, exception: err.String()}
}

// consumeReturns ends Consume(). After an error the application waits a moment and calls it again, unless there is no
// point in that.
func (p *sarama) consumeReturns() {
	f := p.consume.err
	p.session = saramaSession{watch: clock.Never}
	switch {
	case p.asked.stop || f == failure{}:
		p.callConsume()
	case p.isEndedBy(f.err, f.exception):
		p.consume.failed = true
		p.leave()
	default:
		p.at(saramaPauses, WaitProcessing, p.now.Add(p.plan.PollAgain))
	}
}

// leave is Close(), once Consume() has returned: a dynamic member leaves its group. sarama: consumerGroup.leave.
func (p *sarama) leave() {
	if p.member == "" {
		p.left()
		return
	}
	p.at(saramaFindsToLeave, WaitClose, clock.Never)
	if p.coordinator < 0 {
		p.inquire(saramaConsumeCaller, wire.FindCoordinator)
		return
	}
	p.sendLeave()
}

func (p *sarama) sendLeave() {
	if p.coordinator < 0 || p.who.Instance != "" {
		p.left()
		return
	}
	p.at(saramaLeaves, WaitClose, clock.Never)
	p.recordLeave(leavesClosing)
	p.call(saramaConsumeCaller, CoordinatorConn, p.leaveRequest(leavesClosing))
}

func (p *sarama) left() {
	p.state = unjoined
	if p.consume.failed {
		p.exit(trace.Failed)
		return
	}
	p.exit(trace.Stopped)
}

// callsListener lets the application's goroutine wait in Setup() or Cleanup(). It reports false if that takes no time.
func (p *sarama) callsListener(stage saramaStage, name string, kind callbackKind) bool {
	if len(p.assigned) == 0 {
		return false
	}
	d := p.listenerTakes(listenerCall{kind: kind})
	if d == 0 {
		return false
	}
	p.at(stage, WaitListener, p.now.Add(d))
	p.recordCallback(name, p.assigned, d)
	return true
}

// listenerReturned notes that Setup() or Cleanup() has returned. It reports whether with an error.
func (p *sarama) listenerReturned(name string) bool {
	if w := p.consume.wait; w.Kind == WaitListener {
		p.recordReturned(name, w.Since)
	}
	return p.throwsNow(p.assigned)
}
