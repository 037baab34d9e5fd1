package assignors

import (
	"slices"

	"simulate/sim/wire"
)

// reassign moves partitions of the list until no pass over it moves any, and reports whether one did.
// Kafka: GeneralAssignmentBuilder.performReassignments.
func (g *general) reassign(list []wire.TopicPartition) bool {
	moved := false
	for {
		again := false
		for _, tp := range list {
			if g.balanced() {
				break
			}
			again = g.improve(tp) || again
		}
		if !again {
			return moved
		}
		moved = true
	}
}

// improve moves tp if its owner holds at least two more than another member: than the one that owned it
// before or, if it has none such, any other subscriber, at first only those in its racks (rule A19.7).
func (g *general) improve(tp wire.TopicPartition) bool {
	owner := g.owner[tp]
	if before, ok := g.previous[tp]; ok && g.load(owner) > g.load(before.member)+1 {
		g.move(tp, before.member)
		return true
	}
	subscribers := g.topicOf[tp.Topic].members
	lighter := func(m int) bool { return g.load(owner) > g.load(m)+1 }
	near := g.racks.shares(owner, tp) && slices.ContainsFunc(subscribers, func(m int) bool {
		return g.racks.shares(m, tp) && lighter(m)
	})
	if !near && !slices.ContainsFunc(subscribers, lighter) {
		return false
	}
	// Whoever was found lighter, the least loaded subscriber gets it.
	i := slices.IndexFunc(g.byLoad, func(m int) bool { return g.wants[m][tp.Topic] })
	g.move(tp, g.byLoad[i])
	return true
}

// move gives tp, or a partition of its topic that came the other way, to member to.
// Kafka: GeneralAssignmentBuilder.reassignPartition, processPartitionMovement.
func (g *general) move(tp wire.TopicPartition, to int) {
	tp = g.moves.instead(tp, move{g.owner[tp], to})
	from := g.owner[tp]
	g.leave(from)
	g.leave(to)
	g.moves.record(tp, move{from, to})
	g.assigned[from] = without(g.assigned[from], tp)
	g.assigned[to] = append(g.assigned[to], tp)
	g.owner[tp] = to
	g.enter(to)
	g.enter(from)
}

// balanced reports whether nobody that takes part could get a partition from a member that holds at least
// two more.
// Kafka: GeneralAssignmentBuilder.isBalanced.
func (g *general) balanced() bool {
	if len(g.byLoad) == 0 {
		panic(Exception("NoSuchElementException"))
	}
	least, most := g.byLoad[0], g.byLoad[len(g.byLoad)-1]
	if g.load(least) >= g.load(most)-1 {
		return true
	}
	holder := map[wire.TopicPartition]int{}
	for _, m := range g.walk {
		if !g.fixed[m] {
			for _, tp := range g.assigned[m] {
				holder[tp] = m
			}
		}
	}
	for _, m := range g.byLoad {
		if g.load(m) != g.most(m) && g.couldGetMore(m, holder) {
			return false
		}
	}
	return true
}

func (g *general) couldGetMore(m int, holder map[wire.TopicPartition]int) bool {
	for _, topic := range g.members[m].Topics {
		t := g.topicOf[topic]
		if t == nil {
			continue
		}
		for p := range t.Partitions {
			tp := wire.TopicPartition{Topic: topic, Partition: int32(p)}
			if slices.Contains(g.assigned[m], tp) {
				continue
			}
			other, held := holder[tp]
			if !held {
				panic(Exception("NullPointerException"))
			}
			if g.load(m)+1 < g.load(other) {
				return true
			}
		}
	}
	return false
}

// movements records who gave which partition to whom in this call, so that no two members exchange
// partitions of one topic.
// Kafka: AbstractStickyAssignor.PartitionMovements.
type movements struct {
	made map[wire.TopicPartition]move
	by   map[topicMove]*partitionSet
}

type move struct{ from, to int }

type topicMove struct {
	topic string
	move
}

// record takes note that tp moved. Moves of one partition are joined: from its first owner to its last.
func (m *movements) record(tp wire.TopicPartition, mv move) {
	if earlier, ok := m.made[tp]; ok {
		delete(m.made, tp)
		m.by[topicMove{tp.Topic, earlier}].remove(tp)
		if earlier.from == mv.to {
			return // it is back
		}
		mv.from = earlier.from
	}
	m.made[tp] = mv
	key := topicMove{tp.Topic, mv}
	if m.by[key] == nil || len(m.by[key].list) == 0 {
		m.by[key] = &partitionSet{}
	}
	m.by[key].add(tp)
}

// instead returns the partition to move in place of tp: one of the same topic that moved the opposite
// way, if there is any.
func (m *movements) instead(tp wire.TopicPartition, mv move) wire.TopicPartition {
	if earlier, ok := m.made[tp]; ok {
		mv.from = earlier.from
	}
	if back := m.by[topicMove{tp.Topic, move{mv.to, mv.from}}]; back != nil && len(back.list) > 0 {
		return back.first()
	}
	return tp
}
