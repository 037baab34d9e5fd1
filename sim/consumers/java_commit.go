package consumers

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// awaitedCommit is the commit that somebody waits for: the pre-join hook or close().
type awaitedCommit struct {
	state  commitState
	ticket wire.Ticket
}

// commitState is the fate of an awaited commit.
type commitState uint8

const (
	commitNone commitState = iota
	commitSent
	commitDone // successfully, or with an error that does not help to retry
	commitRetriable
)

// canCommit reports whether there is anything to commit, and a membership to commit it under. Without
// positions a commit is empty and succeeds without a request; outside a stable membership it fails at once.
// Kafka: ConsumerCoordinator.sendOffsetCommitRequest.
func (p *java) canCommit() bool {
	return p.hasPositions() && p.state == stable && p.coordinator >= 0
}

// autoCommit commits in poll() once the interval has passed; nobody waits for the answer.
// Kafka: ConsumerCoordinator.maybeAutoCommitOffsetsAsync.
func (p *java) autoCommit() {
	if !p.plan.Config.AutoCommit || p.now < p.poll.autoCommitAt {
		return
	}
	p.poll.autoCommitAt = p.now.Add(p.plan.Config.AutoCommitInterval)
	if p.canCommit() {
		p.requestCommit()
	}
}

// sendCommit sends a commit whose fate is waited for.
func (p *java) sendCommit() {
	p.poll.commit = awaitedCommit{state: commitSent, ticket: p.requestCommit()}
}

// commitAnswered handles an OffsetCommit response. Kafka: OffsetCommitResponseHandler.
func (p *java) commitAnswered(sent pendingRequest, err wire.Err) {
	p.recordAnswer(trace.CommitAnswered, sent.member, err)
	fate := commitDone
	switch err {
	case wire.NetworkException, wire.CoordinatorLoadInProgress, wire.UnknownTopicOrPartition:
		fate = commitRetriable
	case wire.NotCoordinator, wire.CoordinatorNotAvailable, wire.RequestTimedOut:
		p.coordinatorErred(err)
		fate = commitRetriable
	case wire.RebalanceInProgress:
		p.requestRejoin("offset commit failed since group is already rebalancing")
	case wire.UnknownMemberID, wire.IllegalGeneration:
		if p.unchanged(sent) || p.state != preparing {
			p.resetOnError(wire.OffsetCommit, err)
		}
	case wire.FencedInstanceID:
		if p.unchanged(sent) {
			p.poll.fatal = err
		}
	}
	if p.poll.commit.state == commitSent && p.poll.commit.ticket == sent.ticket {
		p.poll.commit.state = fate
	} else if fate == commitRetriable {
		p.poll.autoCommitAt = p.now.Add(p.plan.Config.RetryBackoff)
	}
}

// commitError is the error of a commit: the coordinator reports a group-level error on every partition.
func commitError(r wire.Response) wire.Err {
	if body, ok := r.Body.(*wire.OffsetCommitResponse); ok && r.Err == wire.None {
		for _, tp := range body.Partitions {
			if tp.Err != wire.None {
				return tp.Err
			}
		}
	}
	return r.Err
}
