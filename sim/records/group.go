package records

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Group is the logs as one consumer group reads them, with what its applications were handed and what is committed so
// far.
type Group struct {
	logs      *Logs
	handed    map[wire.TopicPartition]int64 // behind the last record that any of them got; for look-up only
	committed map[wire.TopicPartition]int64 // for look-up only
}

// NewGroup returns the logs as a group reads them to which nothing was handed yet.
func (l *Logs) NewGroup() *Group {
	return &Group{l, map[wire.TopicPartition]int64{}, map[wire.TopicPartition]int64{}}
}

// End is Logs.End.
func (g *Group) End(tp wire.TopicPartition, at clock.Time) int64 { return g.logs.End(tp, at) }

// Next is Logs.Next.
func (g *Group) Next(tp wire.TopicPartition, after clock.Time) clock.Time {
	return g.logs.Next(tp, after)
}

// Period is Logs.Period.
func (g *Group) Period(topic string) (time.Duration, bool) { return g.logs.Period(topic) }

// Hand notes that an application gets the records of a partition from one offset to before another. It returns how
// many of them an application of the group had got before.
func (g *Group) Hand(tp wire.TopicPartition, from, to int64) (again int64) {
	before := g.handed[tp]
	if to > before {
		g.handed[tp] = to
	}
	return max(0, min(to, before)-from)
}

// Handed returns the offset behind the last record of a partition that any application of the group got.
func (g *Group) Handed(tp wire.TopicPartition) int64 { return g.handed[tp] }

// Commit notes what is committed of a partition, -1 for nothing any more. It reports whether it was something else before.
func (g *Group) Commit(tp wire.TopicPartition, offset int64) bool {
	before, ok := g.committed[tp]
	switch {
	case offset < 0:
		delete(g.committed, tp)
		return ok
	case ok && before == offset:
		return false
	}
	g.committed[tp] = offset
	return true
}

// Committed returns the offset that is committed of a partition; false when none is.
func (g *Group) Committed(tp wire.TopicPartition) (offset int64, ok bool) {
	offset, ok = g.committed[tp]
	return offset, ok
}
