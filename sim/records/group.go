package records

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Group is the logs as one consumer group reads them, with what its applications were handed so far.
type Group struct {
	logs   *Logs
	handed map[wire.TopicPartition]int64 // behind the last record that any of them got; for look-up only
}

// NewGroup returns the logs as a group reads them to which nothing was handed yet.
func (l *Logs) NewGroup() *Group {
	return &Group{logs: l, handed: map[wire.TopicPartition]int64{}}
}

// End is Logs.End.
func (g *Group) End(tp wire.TopicPartition, at clock.Time) int64 { return g.logs.End(tp, at) }

// Next is Logs.Next.
func (g *Group) Next(tp wire.TopicPartition, after clock.Time) clock.Time {
	return g.logs.Next(tp, after)
}

// Hand notes that an application gets the records of a partition from one offset to before another. It returns how
// many of them an application of the group had got before.
func (g *Group) Hand(tp wire.TopicPartition, from, to int64) (again int64) {
	before := g.handed[tp]
	if to > before {
		g.handed[tp] = to
	}
	return max(0, min(to, before)-from)
}
