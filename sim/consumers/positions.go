package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// positions are the offsets from which a member consumes what is assigned to it. Until they are known it has
// nothing to commit. They are forgotten with the assignment.
type positions struct {
	known   bool
	ticket  wire.Ticket // of the OffsetFetch that is outstanding, 0 when none is
	failed  int         // attempts in a row
	retryAt clock.Time
	commit  *wire.OffsetCommitRequest // them all, nil until something was committed
}

func (p *Process) hasPositions() bool { return p.positions.known && len(p.assigned) > 0 }

// fetchPositions asks for the committed offsets of what is newly assigned.
// Kafka: ConsumerCoordinator.initWithCommittedOffsetsIfNeeded.
func (p *Process) fetchPositions() {
	if p.now < p.nextPositions() || p.coordinator < 0 {
		return
	}
	p.send(CoordinatorConn, wire.Request{
		API: wire.OffsetFetch, Version: fetchVersion, Member: p.member, Generation: p.generation,
	}, p.plan.Config.RequestTimeout)
	p.positions.ticket = p.tickets
}

// positionsAnswered handles an OffsetFetch response. Kafka: OffsetFetchResponseHandler.
func (p *Process) positionsAnswered(sent pendingRequest, err wire.Err) {
	if p.positions.ticket != sent.ticket {
		return
	}
	p.positions.ticket = 0
	switch err {
	case wire.None:
		p.positions.known, p.poll.fetchAt = true, p.now
		return
	case wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.coordinatorErred(err)
	case wire.NetworkException, wire.CoordinatorLoadInProgress, wire.UnstableOffsetCommit:
	default:
		p.poll.fatal = err
	}
	p.positions.retryAt = p.now.Add(p.retryBackoff(p.positions.failed))
	p.positions.failed++
}

// nextPositions returns when the next OffsetFetch is due, clock.Never when none is.
func (p *Process) nextPositions() clock.Time {
	if p.positions.known || len(p.assigned) == 0 || p.positions.ticket != 0 {
		return clock.Never
	}
	return p.positions.retryAt
}
