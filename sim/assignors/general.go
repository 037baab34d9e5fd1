package assignors

import (
	"cmp"
	"slices"

	"simulate/sim/wire"
)

// general is the assignment among members that subscribe differently: whoever holds least and may have it
// gets what is free, then partitions move from those who hold more to those who hold less.
// Kafka: AbstractStickyAssignor.GeneralAssignmentBuilder.
type general struct {
	*sticky
	topics   []subscribed // the least wanted first
	topicOf  map[string]*subscribed
	wants    []map[string]bool             // of each member: the topics that it subscribes to
	previous map[wire.TopicPartition]claim // what stale members owned

	assigned [][]wire.TopicPartition
	owner    map[wire.TopicPartition]int // the last one to get it
	byLoad   []int                       // the members that take part, by load and id
	fixed    []bool                      // of each member: it takes no part
	moves    movements
}

// claim is who owned a partition in which generation.
type claim struct {
	member     int
	generation wire.Generation
}

func (s *sticky) general() [][]wire.TopicPartition {
	g := &general{
		sticky:   s,
		topics:   slices.Clone(s.topics),
		topicOf:  map[string]*subscribed{},
		wants:    make([]map[string]bool, len(s.members)),
		previous: map[wire.TopicPartition]claim{},
		assigned: make([][]wire.TopicPartition, len(s.members)),
		owner:    map[wire.TopicPartition]int{},
		fixed:    make([]bool, len(s.members)),
		moves:    movements{made: map[wire.TopicPartition]move{}, by: map[topicMove]*partitionSet{}},
	}
	slices.SortFunc(g.topics, func(a, b subscribed) int {
		return cmp.Or(cmp.Compare(len(a.members), len(b.members)), compareJava(a.name, b.name))
	})
	for i := range g.topics {
		g.topicOf[g.topics[i].name] = &g.topics[i]
	}
	for _, m := range s.walk {
		g.wants[m] = map[string]bool{}
		for _, topic := range s.members[m].Topics {
			g.wants[m][topic] = true
		}
		g.remember(m)
	}
	mustRevoke := g.keep()
	g.byLoad = slices.SortedFunc(slices.Values(s.walk), g.compareLoad)
	g.balance(mustRevoke)
	return g.assigned
}

// remember takes note of what member m owned if others have been in a later generation since.
// Kafka: GeneralAssignmentBuilder.prepopulateCurrentAssignments.
func (g *general) remember(m int) {
	generation := g.claims[m].generation
	if generation >= g.highest {
		return
	}
	for _, tp := range g.claims[m].partitions {
		if before, ok := g.previous[tp]; !ok || generation > before.generation {
			g.previous[tp] = claim{m, generation}
		}
	}
}

// keep lets everybody keep what it owned and still subscribes to, in a fitting rack. It reports whether
// somebody must give something up.
func (g *general) keep() (mustRevoke bool) {
	for _, m := range g.walk {
		for _, tp := range g.owned[m] {
			g.owner[tp] = m
			if !g.wants[m][tp.Topic] || g.racks.mismatch(m, tp) {
				mustRevoke = true
				continue
			}
			g.assigned[m] = append(g.assigned[m], tp)
		}
	}
	return mustRevoke
}

// compareLoad orders members by how much they hold, then by id.
// Kafka: AbstractStickyAssignor.SubscriptionComparator.
func (g *general) compareLoad(a, b int) int {
	return cmp.Or(cmp.Compare(len(g.assigned[a]), len(g.assigned[b])), g.byID(a, b))
}

// comparePartitions orders partitions by how many members subscribe to them, topic and number.
// Kafka: AbstractStickyAssignor.PartitionComparator.
func (g *general) comparePartitions(a, b wire.TopicPartition) int {
	return cmp.Or(cmp.Compare(len(g.topicOf[a.Topic].members), len(g.topicOf[b.Topic].members)), compareByTopic(a, b))
}

// leave takes member m out of byLoad, before its load changes; enter puts it in again.
func (g *general) leave(m int) {
	if i, ok := slices.BinarySearchFunc(g.byLoad, m, g.compareLoad); ok {
		g.byLoad = slices.Delete(g.byLoad, i, i+1)
	}
}

func (g *general) enter(m int) {
	i, _ := slices.BinarySearchFunc(g.byLoad, m, g.compareLoad)
	g.byLoad = slices.Insert(g.byLoad, i, m)
}

// load returns how much member m holds. Members that take no part are not in Java's map.
func (g *general) load(m int) int {
	if g.fixed[m] {
		panic(Exception("NullPointerException"))
	}
	return len(g.assigned[m])
}

// balance hands out what is free and then moves partitions as long as that helps.
// Kafka: GeneralAssignmentBuilder.balance.
func (g *general) balance(mustRevoke bool) {
	all := allPartitions(g.topics)
	free := unassigned(all, slices.Concat(g.assigned...), g.comparePartitions)
	initializing := len(g.assigned[g.byLoad[len(g.byLoad)-1]]) == 0
	if g.lastFirst && !initializing {
		slices.Reverse(free)
	}
	rest := free
	if g.racks.matter {
		rest = g.assignFree(free, g.racks.mismatch)
	}
	g.assignFree(rest, func(int, wire.TopicPartition) bool { return false })

	immovable := func(tp wire.TopicPartition) bool { return !g.contended(tp.Topic) }
	movable := slices.DeleteFunc(all, immovable)
	free = slices.DeleteFunc(free, immovable)
	g.fix()

	before := make([][]wire.TopicPartition, len(g.assigned))
	for m := range before {
		before[m] = slices.Clone(g.assigned[m])
	}
	if !mustRevoke {
		g.reassign(free)
	}
	if g.reassign(movable) && !initializing && g.score(g.assigned) >= g.score(before) {
		g.assigned = before
	}
}

// contended reports whether several members subscribe to the topic.
func (g *general) contended(topic string) bool { return len(g.topicOf[topic].members) > 1 }

// assignFree gives each partition to the least loaded member that subscribes to its topic and is not
// refused, and returns those that nobody got.
func (g *general) assignFree(free []wire.TopicPartition, refused func(m int, tp wire.TopicPartition) bool) []wire.TopicPartition {
	var rest []wire.TopicPartition
	for _, tp := range free {
		i := slices.IndexFunc(g.byLoad, func(m int) bool { return g.wants[m][tp.Topic] && !refused(m, tp) })
		if i < 0 {
			rest = append(rest, tp)
			continue
		}
		m := g.byLoad[i]
		g.leave(m)
		g.assigned[m] = append(g.assigned[m], tp)
		g.owner[tp] = m
		g.enter(m)
	}
	return rest
}

// fix excludes the members that hold all they can, and nothing that another member could have.
// Kafka: GeneralAssignmentBuilder.canConsumerParticipateInReassignment.
func (g *general) fix() {
	for _, m := range g.walk {
		movable := slices.ContainsFunc(g.assigned[m], func(tp wire.TopicPartition) bool { return g.contended(tp.Topic) })
		if len(g.assigned[m]) >= g.most(m) && !movable {
			g.leave(m)
			g.fixed[m] = true
		}
	}
}

// most returns how many partitions the topics of member m have.
func (g *general) most(m int) int {
	n := 0
	for topic := range g.wants[m] {
		if t := g.topicOf[topic]; t != nil {
			n += t.Partitions
		}
	}
	return n
}

// score is the sum of the differences between any two members that take part; 0 is perfect.
// Kafka: GeneralAssignmentBuilder.getBalanceScore.
func (g *general) score(assigned [][]wire.TopicPartition) int {
	score := 0
	for i, a := range g.byLoad {
		for _, b := range g.byLoad[:i] {
			score += max(len(assigned[a])-len(assigned[b]), len(assigned[b])-len(assigned[a]))
		}
	}
	return score
}
