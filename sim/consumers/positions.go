package consumers

import (
	"slices"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// positions are the offsets from which a member consumes what is assigned to it. Of a partition without one
// there is nothing to commit, and nothing to fetch.
type positions struct {
	missing []wire.TopicPartition // what is assigned and has none
	ticket  wire.Ticket           // of the OffsetFetch that is outstanding, 0 when none is
	failed  int                   // attempts in a row
	retryAt clock.Time
	commit  *wire.OffsetCommitRequest // them all, nil until something was committed
}

func (p *Process) hasPositions() bool { return len(p.positions.missing) < len(p.assigned) }

// hold makes partitions the assignment. Those that were assigned before keep their positions.
func (p *Process) hold(partitions []wire.TopicPartition) {
	positions := positions{missing: without(partitions, without(p.assigned, p.positions.missing))}
	if slices.Equal(positions.missing, p.positions.missing) {
		positions.ticket = p.positions.ticket
	}
	p.assigned, p.positions = partitions, positions
}

// without returns the partitions of list that are not in others.
func without(list, others []wire.TopicPartition) []wire.TopicPartition {
	if len(others) == 0 {
		return list
	}
	set := make(map[wire.TopicPartition]bool, len(others))
	for _, tp := range others {
		set[tp] = true
	}
	var rest []wire.TopicPartition
	for _, tp := range list {
		if !set[tp] {
			rest = append(rest, tp)
		}
	}
	return rest
}

// fetchPositions asks for the committed offsets of what is newly assigned.
// Kafka: ConsumerCoordinator.initWithCommittedOffsetsIfNeeded.
func (p *Process) fetchPositions() {
	if p.now < p.nextPositions() || p.coordinator < 0 {
		return
	}
	p.send(CoordinatorConn, wire.Request{
		API: wire.OffsetFetch, Version: p.profile.versions.fetch, Member: p.member, Generation: p.generation,
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
		if !p.hasPositions() {
			p.fetchBegins()
		}
		p.positions.missing, p.positions.commit = nil, nil
		return
	case wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.coordinatorErred(err)
	default:
		if !mayPass(err) {
			p.poll.fatal = err
		}
	}
	p.positions.retryAt = p.now.Add(p.retryBackoff(p.positions.failed))
	p.positions.failed++
}

// fetchBegins notes the first Fetch of an assignment. A member that subscribes by pattern has asked for metadata
// once more when it had joined, and gets them behind that Fetch (recorded).
func (p *Process) fetchBegins() {
	p.poll.fetchAt = p.now
	if p.subscription.pattern != nil {
		p.metadata.refreshed = p.now.Add(fetchCycle)
	}
}

// nextPositions returns when the next OffsetFetch is due, clock.Never when none is.
func (p *Process) nextPositions() clock.Time {
	if len(p.positions.missing) == 0 || p.positions.ticket != 0 {
		return clock.Never
	}
	return p.positions.retryAt
}
