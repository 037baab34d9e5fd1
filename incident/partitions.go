package incident

import (
	"slices"

	"simulate/incident/logs"
)

// mostNamed is of how many partitions of a client the names are followed; where it has more, they are counted only.
const mostNamed = 64

// partitions follows what a client says of the partitions that it gets and gives up. Some libraries name them, and some of
// those in a line for each topic or for each partition; others print how many there are.
type partitions struct {
	moves  kept[PartitionMove]
	at     logs.Instant // of the last record of the last move; NoTime: there is none
	going  bool         // nothing came since that would part what is said next from it
	names  []string     // of the last move
	held   []string     // by name, as far as the log tells
	before []string     // that it held before the last move, or gave up in it
	many   bool         // it has had more than are followed by name
	given  int          // how many it is about to give up, as it says before it does; logs.Unknown
}

func newPartitions() partitions { return partitions{at: logs.NoTime, given: logs.Unknown} }

// moved takes a record about partitions that were given up or assigned, and reports whether it begins a move.
func (p *partitions) moved(e *logs.Event, at, near logs.Instant, g *group) bool {
	got, count := isAssignment(e.Kind), int(e.Count)
	last := p.moves.last()
	same := last != nil && isAssignment(last.Kind) == got && (p.at >= near || p.going && len(e.Partitions) == 0)
	if !same {
		if !got || last == nil || isAssignment(last.Kind) { // else it gave them up just before
			p.before = append(p.before[:0], p.held...)
		}
		last = p.moves.slot(g.room)
		*last = PartitionMove{At: at, Kind: e.Kind, Count: logs.Unknown}
		p.names = p.names[:0]
	}
	p.at, p.going = at, true
	if len(e.Partitions) == 0 {
		last.Count = max(last.Count, count)
	}
	for _, partition := range e.Partitions {
		if !slices.Contains(p.names, partition) {
			p.names = p.append(p.names, partition)
			last.Count = max(last.Count, 0) + 1
			p.one(partition, got, last)
		}
	}
	last.All = last.All || e.Text == logs.Eager
	return !same
}

// append keeps a name while there are few.
func (p *partitions) append(list []string, partition string) []string {
	if p.many = p.many || len(list) >= mostNamed; p.many {
		return list
	}
	return append(list, partition)
}

// one takes a partition that is named for the first time in a move.
func (p *partitions) one(partition string, got bool, move *PartitionMove) {
	at := slices.Index(p.held, partition)
	switch {
	case got && at < 0:
		p.held = p.append(p.held, partition)
	case !got && at >= 0:
		p.held = slices.Delete(p.held, at, at+1)
	case !got:
		p.before = p.append(p.before, partition)
	}
	if got && len(p.before) > 0 && len(move.New) < maxLines && !p.many && !slices.Contains(p.before, partition) {
		move.New = append(move.New, partition)
	}
}

// eagerOnly is the join state of librdkafka before 1.6, which gave up all that it had.
const eagerOnly = "wait-revoke-rebalance_cb"

func isAssignment(k logs.Kind) bool { return k == logs.PartitionsAssigned || k == logs.Synced }

// Assigned reports whether the client got them.
func (m *PartitionMove) Assigned() bool { return isAssignment(m.Kind) }

// unassigning takes that librdkafka's client waits for its partitions to be given up, of which it has said how many when they
// are all.
func (p *partitions) unassigning(e *logs.Event) logs.Event {
	said := *e
	if said.Count = int32(p.given); p.given != logs.Unknown || e.Text == eagerOnly {
		said.Text = logs.Eager
	}
	p.given = logs.Unknown
	return said
}

// joins parts what is said next of partitions from what was said before.
func (p *partitions) joins() { p.going = false }

// unassigns are the join states of librdkafka in which it gives its partitions up, in the words of 1.6 and of what was before.
var unassigns = map[string]bool{"wait-unassign-call": true, "wait-incr-unassign-to-complete": true, eagerOnly: true}

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

// givesUp takes that partitions were given up. A library that says so of each, or of each broker's, says one thing in many
// lines.
func (c *client) givesUp(g *group, e *logs.Event, at logs.Instant) {
	if c.parts.moved(e, at, c.near(at), g) && e.Count != 0 {
		c.GaveUp++
	}
}

// near returns from when on records are of one moment with one that is written now.
func (c *client) near(at logs.Instant) logs.Instant { return at.Add(-max(slack, c.precision)) }
