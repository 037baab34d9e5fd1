package incident

import (
	"slices"

	"simulate/incident/logs"
)

// mostPartitions is of how many partitions of a client the names are followed; beyond that they are counted only.
const mostPartitions = 4096

// partitions follows what a client says of the partitions that it gets and gives up. Some libraries name them, and some of those
// in a line for each topic or for each partition; others print how many there are.
type partitions struct {
	moves   kept[PartitionMove]
	at      logs.Instant // of the last record of the last move; NoTime: there is none
	going   bool         // nothing came since that would part what is said next from it
	names   []string     // of the last move
	held    []string     // by name, as far as the log tells
	before  []string     // that it held before the last move, or gave up in it
	holding int          // their number, as it said last; logs.Unknown
}

func newPartitions() partitions { return partitions{at: logs.NoTime, holding: logs.Unknown} }

// moved takes a record about partitions that were given up or assigned, and reports whether it begins a move.
func (p *partitions) moved(e *logs.Event, at, near logs.Instant, g *group) bool {
	got, count := isAssignment(e.Kind), int(e.Count)
	last := p.moves.last()
	same := last != nil && isAssignment(last.Kind) == got && (p.at >= near || p.going && len(e.Partitions) == 0)
	if !same {
		last = p.moves.slot(g.room)
		*last = PartitionMove{At: at, Kind: e.Kind, Count: logs.Unknown}
		p.names = p.names[:0]
		if got {
			p.before = append(p.before[:0], append(p.held, p.before...)...)
		} else {
			p.before = append(p.before[:0], p.held...)
		}
	}
	p.at, p.going = at, true
	p.name(e.Partitions, got, last)
	if len(p.names) > 0 {
		count = max(count, len(p.names))
	}
	last.Count = max(last.Count, count)
	last.All = last.All || e.Text == logs.Eager || eager[e.Text]
	return !same
}

// eager are those join states of librdkafka in which it gives up all that it has.
var eager = map[string]bool{"wait-unassign-call": true, "wait-revoke-rebalance_cb": true}

func isAssignment(k logs.Kind) bool { return k == logs.PartitionsAssigned || k == logs.Synced }

// name takes the partitions that a record names.
func (p *partitions) name(list []string, got bool, move *PartitionMove) {
	for _, partition := range list {
		if len(p.names) >= mostPartitions || slices.Contains(p.names, partition) {
			continue
		}
		p.names = append(p.names, partition)
		at := slices.Index(p.held, partition)
		switch {
		case got && at < 0:
			p.held = append(p.held, partition)
		case !got && at >= 0:
			p.held = slices.Delete(p.held, at, at+1)
		case !got && len(p.before) < mostPartitions:
			p.before = append(p.before, partition)
		}
		if got && len(p.before) > 0 && len(move.New) < maxLines && !slices.Contains(p.before, partition) {
			move.New = append(move.New, partition)
		}
	}
}

// asked takes that the client is told of a rebalance, or wants one: some say then how many partitions they have.
func (p *partitions) asked(e *logs.Event) {
	if e.Count != logs.Unknown {
		p.holding = int(e.Count)
	}
}

// joins parts what is said next of partitions from what was said before.
func (p *partitions) joins() { p.going = false }

// unassigns are the join states of librdkafka in which it gives its partitions up, in the words of 1.6 and of what was before.
var unassigns = map[string]bool{"wait-unassign-call": true, "wait-incr-unassign-to-complete": true, "wait-revoke-rebalance_cb": true}

// partitions takes a record that says which partitions the client got or gave up, or how many.
func (c *client) partitions(g *group, e *logs.Event, at logs.Instant) {
	switch {
	case e.Count == logs.Unknown && len(e.Partitions) == 0 && e.Text != logs.Eager:
	case isAssignment(e.Kind):
		c.parts.moved(e, at, c.near(at), g)
	default:
		c.givesUp(g, e, at)
	}
}

// givesUp takes that partitions were given up. A library that says so of each, or of each broker's, says one thing in many lines.
func (c *client) givesUp(g *group, e *logs.Event, at logs.Instant) {
	if c.parts.moved(e, at, c.near(at), g) && e.Count != 0 {
		c.GaveUp++
	}
}

// near returns from when on records are of one moment with one that is written now.
func (c *client) near(at logs.Instant) logs.Instant { return at.Add(-max(slack, c.precision)) }
