package assignors

import (
	"cmp"
	"slices"

	"simulate/sim/wire"
)

// FindKafkaPython returns the assignor of that name as kafka-python has it. Its cooperative-sticky is another algorithm
// than Java's, which stands in where members subscribe to different topics.
func FindKafkaPython(name string) (Assignor, bool) {
	a, ok := Find(name)
	if name != cooperativeSticky {
		return a, ok
	}
	java := a.Assign
	a.Assign = func(in Input) (Output, error) {
		if p := newPython(in); p != nil {
			return p.assign(), nil
		}
		return java(in)
	}
	return a, ok
}

// python is one call of the cooperative sticky assignor of kafka-python for members that all subscribe alike. Their
// subscriptions name no generation: of two that claim a partition the first one holds it, but it counts as owned by the
// last one. kafka-python: StickyAssignmentExecutor, CooperativeStickyAssignor.assign.
type python struct {
	members    []Member
	partitions []wire.TopicPartition
	holds      [][]wire.TopicPartition     // of each member
	holder     map[wire.TopicPartition]int // the first to claim
	owner      map[wire.TopicPartition]int // the last one
}

// newPython returns nil where the algorithm does not apply.
func newPython(in Input) *python {
	walk := walkOrder(in)
	topics := subscribedTopics(in, walk)
	if slices.ContainsFunc(topics, func(t subscribed) bool { return len(t.members) != len(walk) }) {
		return nil
	}
	p := &python{
		members: in.Members, partitions: allPartitions(topics), holds: make([][]wire.TopicPartition, len(in.Members)),
		holder: map[wire.TopicPartition]int{}, owner: map[wire.TopicPartition]int{},
	}
	exists := setOf(p.partitions)
	for i, m := range in.Members {
		for _, tp := range m.Owned {
			if _, claimed := p.holder[tp]; !claimed && exists[tp] {
				p.holder[tp] = i
				p.holds[i] = append(p.holds[i], tp)
			}
			p.owner[tp] = i
		}
	}
	return p
}

// assign gives what nobody holds to who has least, then lets who has more give to who has least, and withholds what
// changes its owner.
func (p *python) assign() Output {
	candidates := p.candidates()
	for _, tp := range candidates {
		if _, held := p.holder[tp]; !held {
			p.give(tp, p.least())
		}
	}
	for moved := true; moved; {
		moved = false
		for _, tp := range candidates {
			from, to := p.holder[tp], p.least()
			if len(p.holds[from]) > len(p.holds[to])+1 {
				p.holds[from] = without(p.holds[from], tp)
				p.give(tp, to)
				moved = true
			}
		}
	}
	n := len(p.members)
	out := Output{Assigned: make([][]wire.TopicPartition, n), Withheld: make([][]wire.TopicPartition, n)}
	for i, holds := range p.holds {
		slices.SortFunc(holds, compareByTopic)
		for _, tp := range holds {
			if owner, owned := p.owner[tp]; owned && owner != i {
				out.Withheld[i] = append(out.Withheld[i], tp)
				continue
			}
			out.Assigned[i] = append(out.Assigned[i], tp)
		}
	}
	return out
}

func (p *python) give(tp wire.TopicPartition, to int) {
	p.holder[tp] = to
	p.holds[to] = append(p.holds[to], tp)
}

// candidates lists all partitions in the order in which they are moved: each time the last one of who has most, and
// behind them what nobody holds. kafka-python: _populate_sorted_partitions.
func (p *python) candidates() []wire.TopicPartition {
	rest, all := slices.Clone(p.holds), slices.Clone(p.partitions)
	var list []wire.TopicPartition
	for {
		most := p.extreme(rest, 1)
		last := len(rest[most]) - 1
		if last < 0 {
			break
		}
		list = append(list, rest[most][last])
		rest[most] = rest[most][:last]
	}
	slices.SortFunc(all, compareByTopic)
	for _, tp := range all {
		if _, held := p.holder[tp]; !held {
			list = append(list, tp)
		}
	}
	return list
}

func (p *python) least() int { return p.extreme(p.holds, -1) }

// extreme returns the member with most, or with sign -1 least, in lists; of equals that with the greatest, or smallest,
// id.
func (p *python) extreme(lists [][]wire.TopicPartition, sign int) int {
	best := 0
	for i := range lists {
		if c := cmp.Or(cmp.Compare(len(lists[i]), len(lists[best])), cmp.Compare(p.members[i].ID, p.members[best].ID)); c*sign > 0 {
			best = i
		}
	}
	return best
}
