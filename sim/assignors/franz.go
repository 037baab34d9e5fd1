package assignors

import (
	"slices"

	"simulate/sim/wire"
)

// FindFranz returns the assignor of that name as franz-go has it. Its sticky ones are another algorithm than Java's,
// which stands in where members subscribe to different topics, or racks matter.
func FindFranz(name string) (Assignor, bool) {
	a, ok := Find(name)
	java := a.Assign
	switch name {
	case "sticky":
		a.Assign = func(in Input) (Output, error) {
			if f := newFranz(in); f != nil {
				return f.assign(in, stickyClaims), nil
			}
			return java(in)
		}
	case cooperativeSticky:
		a.Assign = func(in Input) (Output, error) {
			if f := newFranz(in); f != nil {
				return withhold(in, f.assign(in, franzClaims)), nil
			}
			return java(in)
		}
	}
	return a, ok
}

// franz is one call of a sticky balancer of franz-go for members that all subscribe alike: what members hold stays
// with them, what nobody holds goes to who has least, and then who has most gives to who has least, from the highest
// partition down. kgo: internal/sticky, balancer.
type franz struct {
	members    []int // indices, in the order of range
	partitions []wire.TopicPartition
	numbers    map[wire.TopicPartition]int
	plan       [][]int // of each member, in that order: numbers of partitions
	levels     [][]int // members that have so many
}

// franzClaims reads what a member holds: what its subscription says when that names a generation, its user data
// otherwise. kgo: balancer.parseMemberMetadata.
func franzClaims(s *Subscription) claims {
	if s.Generation >= 0 {
		return claims{partitions: s.Owned, generation: s.Generation}
	}
	return stickyClaims(s)
}

// newFranz returns nil where the algorithm does not apply.
func newFranz(in Input) *franz {
	order := memberOrder(in.Members)
	topics := subscribedTopics(in, order)
	differ := slices.ContainsFunc(topics, func(t subscribed) bool { return len(t.members) != len(order) })
	if racks := newRackInfo(in.Members, topics); differ || racks.matter {
		return nil
	}
	f := &franz{members: order, partitions: allPartitions(topics), numbers: map[wire.TopicPartition]int{}, plan: make([][]int, len(order))}
	for n, tp := range f.partitions {
		f.numbers[tp] = n
	}
	return f
}

func (f *franz) assign(in Input, claimed func(*Subscription) claims) Output {
	f.keep(in.Members, claimed)
	f.fill()
	f.level()
	out := Output{Assigned: make([][]wire.TopicPartition, len(in.Members)), MaxGeneration: in.MaxGeneration}
	for i, m := range f.members {
		slices.Sort(f.plan[i])
		for _, n := range f.plan[i] {
			out.Assigned[m] = append(out.Assigned[m], f.partitions[n])
		}
	}
	return out
}

// withhold takes from a plan what somebody else has to give up first. A claim that a later generation contradicts
// does not count as owned. kgo: BalancePlan.AdjustCooperative.
func withhold(in Input, out Output) Output {
	latest := map[wire.TopicPartition]wire.Generation{}
	for _, m := range in.Members {
		for _, tp := range m.Owned {
			if g, claimed := latest[tp]; !claimed || m.Generation > g {
				latest[tp] = m.Generation
			}
		}
	}
	revoked := map[wire.TopicPartition]bool{}
	for i, m := range in.Members {
		planned := setOf(out.Assigned[i])
		for _, tp := range m.Owned {
			revoked[tp] = revoked[tp] || !planned[tp]
		}
	}
	out.Withheld = make([][]wire.TopicPartition, len(in.Members))
	for i, m := range in.Members {
		owned := setOf(m.Owned)
		out.Assigned[i] = slices.DeleteFunc(out.Assigned[i], func(tp wire.TopicPartition) bool {
			moves := revoked[tp] && (!owned[tp] || m.Generation < latest[tp])
			if moves {
				out.Withheld[i] = append(out.Withheld[i], tp)
			}
			return moves
		})
	}
	return out
}

// franzClaim is who holds a partition, and who else says so.
type franzClaim struct {
	member, stale         int // -1 for nobody
	generation, staleness wire.Generation
}

// keep gives members what they hold. Of two that claim a partition the later generation has it, the other only when
// it has less by more than one.
func (f *franz) keep(members []Member, claimed func(*Subscription) claims) {
	held := make([]franzClaim, len(f.partitions))
	for n := range held {
		held[n] = franzClaim{member: -1, stale: -1, generation: -1, staleness: -1}
	}
	for i, m := range f.members {
		c := claimed(&members[m].Subscription)
		generation := max(c.generation, 0)
		for _, tp := range c.partitions {
			n, exists := f.numbers[tp]
			if !exists {
				continue
			}
			switch h := &held[n]; {
			case generation > h.generation:
				*h = franzClaim{member: i, generation: generation, stale: h.member, staleness: h.generation}
			case generation > h.staleness:
				h.stale, h.staleness = i, generation
			}
		}
	}
	for n, h := range held {
		if h.member >= 0 {
			f.plan[h.member] = append(f.plan[h.member], n)
		}
	}
	for n, h := range held {
		if h.stale >= 0 && len(f.plan[h.stale])+1 < len(f.plan[h.member]) {
			f.plan[h.member] = slices.DeleteFunc(f.plan[h.member], func(other int) bool { return other == n })
			f.plan[h.stale] = append(f.plan[h.stale], n)
		}
	}
}

// fill gives what nobody holds to who has least, by a heap whose order of equals counts.
func (f *franz) fill() {
	heap := make([]int, len(f.members))
	for i := range heap {
		heap[i] = i
	}
	for i := len(heap)/2 - 1; i >= 0; i-- {
		f.down(heap, i)
	}
	taken := make([]bool, len(f.partitions))
	for _, plan := range f.plan {
		for _, n := range plan {
			taken[n] = true
		}
	}
	for n := range f.partitions {
		if !taken[n] {
			f.plan[heap[0]] = append(f.plan[heap[0]], n)
			f.down(heap, 0)
		}
	}
}

// down restores the heap below node. kgo: membersByPartitions.down.
func (f *franz) down(heap []int, node int) {
	for {
		least := 2*node + 1
		if least >= len(heap) {
			return
		}
		if right := least + 1; right < len(heap) && len(f.plan[heap[right]]) < len(f.plan[heap[least]]) {
			least = right
		}
		if len(f.plan[heap[node]]) <= len(f.plan[heap[least]]) {
			return
		}
		heap[node], heap[least] = heap[least], heap[node]
		node = least
	}
}

// level lets who has most give to who has least, a level at a time. kgo: balancer.balance.
func (f *franz) level() {
	f.levels = make([][]int, len(f.partitions)+1)
	for i, plan := range f.plan {
		f.levels[len(plan)] = append(f.levels[len(plan)], i)
		slices.SortFunc(plan, func(a, b int) int { return compareByNumber(f.partitions[a], f.partitions[b]) })
	}
	for {
		least := slices.IndexFunc(f.levels, func(l []int) bool { return len(l) > 0 })
		most := len(f.levels) - 1
		for len(f.levels[most]) == 0 {
			most--
		}
		if most <= least+1 {
			return
		}
		k := min(len(f.levels[least]), len(f.levels[most]))
		takers, givers := f.levels[least][:k], f.levels[most][:k]
		for i := range k {
			from, to := &f.plan[givers[i]], &f.plan[takers[i]]
			*to = append(*to, (*from)[len(*from)-1])
			*from = (*from)[:len(*from)-1]
		}
		f.levels[least], f.levels[most] = f.levels[least][k:], f.levels[most][k:]
		f.levels[least+1] = append(f.levels[least+1], takers...)
		f.levels[most-1] = append(f.levels[most-1], givers...)
	}
}
