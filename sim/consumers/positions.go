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

	load load // with records
}

func (p *client) hasPositions() bool { return len(p.positions.missing) < len(p.assigned) }

// hold makes partitions the assignment. Those that were assigned before keep their positions.
func (p *client) hold(partitions []wire.TopicPartition) {
	positions := positions{missing: without(partitions, without(p.assigned, p.positions.missing)), load: p.keep(partitions)}
	if slices.Equal(positions.missing, p.positions.missing) {
		positions.ticket = p.positions.ticket
	}
	p.assigned, p.positions = partitions, positions
}

// nextPositions returns when the next OffsetFetch is due, clock.Never when none is.
func (p *client) nextPositions() clock.Time {
	if len(p.positions.missing) == 0 || p.positions.ticket != 0 {
		return clock.Never
	}
	return p.positions.retryAt
}

// fetchPositions asks for the committed offsets of what is newly assigned, if that is due.
// Kafka: ConsumerCoordinator.initWithCommittedOffsetsIfNeeded; aiokafka: GroupCoordinator._commit_refresh_routine.
func (p *client) fetchPositions() {
	if p.now < p.nextPositions() || p.coordinator < 0 {
		return
	}
	p.positions.ticket = p.send(CoordinatorConn, p.positionsRequest(), p.plan.Config.RequestTimeout)
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
