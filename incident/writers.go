package incident

import (
	"slices"
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
)

// A log of nonsense may name any number of brokers and partitions; beyond these they are not told apart.
const (
	mostWriters = 4096
	mostOwners  = 64 // of one group
	mostShards  = 100_000
)

// writers are the brokers that log. A record that does not name its broker is by the one that was named last in the same
// source.
type writers struct {
	list     []writer
	byBroker map[int32]int32
	claims   map[int32]claim
}

type writer struct {
	broker int32    // logs.Unknown
	group  *group   // that its last record was about
	groups []*group // of which it was the coordinator
}

// claim is who became the coordinator of a partition of the offsets topic last, as far as epochs say.
type claim struct {
	writer int32
	epoch  int32
}

// who returns the index of who wrote a record.
func (w *writers) who(s *source, e *logs.Event) int32 {
	switch {
	case s.writer != nobody && (e.Broker == logs.Unknown || w.list[s.writer].broker == e.Broker):
	case e.Broker == logs.Unknown:
		s.writer = w.new(logs.Unknown)
	default:
		s.writer = w.named(e.Broker, s.writer)
	}
	return s.writer
}

// named returns the writer with a broker's id. One whose source did not say its id so far may be it.
func (w *writers) named(broker, nameless int32) int32 {
	if of, ok := w.byBroker[broker]; ok {
		return of
	}
	if w.byBroker == nil {
		w.byBroker = map[int32]int32{}
	}
	if len(w.byBroker) >= mostWriters {
		return mostWriters - 1
	}
	if nameless < 0 || w.list[nameless].broker != logs.Unknown {
		nameless = w.new(broker)
	} else {
		w.list[nameless].broker = broker
	}
	w.byBroker[broker] = nameless
	return nameless
}

func (w *writers) new(broker int32) int32 {
	if len(w.list) >= mostWriters {
		return mostWriters - 1
	}
	w.list = append(w.list, writer{broker: broker})
	return int32(len(w.list) - 1)
}

// claim takes that a broker became a coordinator.
func (w *writers) claim(of int32, e *logs.Event) {
	if e.Generation == logs.Unknown || e.Partition == logs.Unknown {
		return
	}
	if w.claims == nil {
		w.claims = map[int32]claim{}
	}
	if c, ok := w.claims[e.Partition]; !ok || e.Generation >= c.epoch {
		w.claims[e.Partition] = claim{of, e.Generation}
	}
}

// owned reports whether the broker that wrote a record counts as the group's coordinator; a record may make it so.
func (g *group) owned(f *Fold, w int32, e *logs.Event) bool {
	if e.Partition != logs.Unknown && (g.partition != e.Partition || g.shardOf != w) {
		g.partitioned(f, w, e.Partition)
	}
	if w == g.owner {
		return true
	}
	if g.owner != nobody && !g.yields(f, w, e) {
		g.zombies++
		return false
	}
	if c := &g.course; g.owner != nobody && c.state != Elsewhere {
		at := c.at(e)
		c.end(metrics.Abandoned, at, true)
		c.generation = c.expected()
		g.causes.moved(e)
		h := g.causes.hands()
		h.from, h.to, h.after = f.writers.list[g.owner].broker, f.writers.list[w].broker, at.Sub(c.last)
		c.lose(at)
		c.unsure = true
	}
	g.owns(f, w)
	return true
}

// yields reports whether another broker than the group's coordinator is its coordinator now. Of two that claim it the one
// with the higher epoch is right, then the one with the higher generation.
func (g *group) yields(f *Fold, w int32, e *logs.Event) bool {
	if e.Kind == logs.GroupUnloaded {
		return false
	}
	if e.Kind == logs.GroupLoaded || e.Kind == logs.MemberLoaded || g.course.state == Elsewhere {
		return true
	}
	if c, ok := f.writers.claims[g.partition]; ok && (c.writer == w) != (c.writer == g.owner) {
		return c.writer == w
	}
	return e.Generation == logs.Unknown || e.Generation >= g.course.generation
}

// nobody is no writer.
const nobody = -1

// owns makes a broker the group's coordinator.
func (g *group) owns(f *Fold, w int32) {
	g.owner = w
	if len(g.writers) >= mostOwners || slices.Contains(g.writers, w) {
		return
	}
	g.writers = append(g.writers, w)
	f.writers.list[w].groups = append(f.writers.list[w].groups, g)
}

// partitioned notes in which partition of the offsets topic the group is, and at which broker.
func (g *group) partitioned(f *Fold, w, partition int32) {
	if g.partition != logs.Unknown && g.partition != partition {
		g.partitions++
	}
	g.partition, g.shardOf = partition, w
	key := shard{w, partition}
	if groups := f.shards[key]; !slices.Contains(groups, g) && (groups != nil || len(f.shards) < mostShards) {
		f.shards[key] = append(groups, g)
		if e, ok := f.refused[key]; ok && g.to.Sub(e.At) <= time.Second {
			g.causes.storeFailed(&e)
		}
	}
}
