package assignors

import (
	"slices"

	"simulate/sim/wire"
)

// assignRange gives each subscriber of a topic a range of its partitions, one more to the first ones
// when they do not come out even; each topic on its own. With racks, partitions first go to members in a
// rack of one of their replicas, topics with the same subscribers and size in step.
// Kafka: RangeAssignor (racks: KIP-881).
func assignRange(in Input) (Output, error) {
	var topics []*rangedTopic
	racks := false
	for _, t := range subscribedTopics(in, memberOrder(in.Members)) {
		topic := newRangedTopic(t, in.Members)
		topics = append(topics, topic)
		racks = racks || topic.needsRacks
	}
	if racks {
		for _, together := range coPartitioned(topics) {
			matchRacks(together)
		}
	}
	out := Output{Assigned: make([][]wire.TopicPartition, len(in.Members))}
	for _, t := range topics {
		t.fill(func(int, int) bool { return true })
		t.appendTo(out.Assigned)
	}
	return out, nil
}

// rangedTopic is a topic while it is handed out. Subscribers are numbered in member order.
// Kafka: RangeAssignor.TopicAssignmentState.
type rangedTopic struct {
	subscribed
	rackOf     []string // of each subscriber
	racks      []map[string]bool
	needsRacks bool

	quota    int   // what everybody gets
	extras   int   // how many may still get one more
	unowned  []int // partitions, ascending
	assigned [][]int
}

func newRangedTopic(s subscribed, members []Member) *rangedTopic {
	t := &rangedTopic{
		subscribed: s,
		quota:      s.Partitions / len(s.members),
		extras:     s.Partitions % len(s.members),
		unowned:    make([]int, s.Partitions),
		assigned:   make([][]int, len(s.members)),
	}
	for p := range t.unowned {
		t.unowned[p] = p
	}
	for _, m := range s.members {
		t.rackOf = append(t.rackOf, members[m].Rack)
	}
	var all map[string]bool
	t.racks, all = s.rackSets()
	t.needsRacks = needsRacks(t.rackOf, t.racks, all)
	return t
}

// room returns how many more partitions subscriber c may get now.
func (t *rangedTopic) room(c int) int {
	most := t.quota
	if t.extras > 0 {
		most++
	}
	return max(0, most-len(t.assigned[c]))
}

func (t *rangedTopic) matches(c, p int) bool { return rackMatches(t.rackOf[c], t.racks[p]) }

// fill gives each subscriber in turn the first unowned partitions that it may have, up to its room.
func (t *rangedTopic) fill(may func(c, p int) bool) {
	for c := range t.members {
		given, most := len(t.assigned[c]), len(t.assigned[c])+t.room(c)
		var passed []int // that it may not have
		looked := 0
		for ; looked < len(t.unowned) && len(t.assigned[c]) < most; looked++ {
			if p := t.unowned[looked]; may(c, p) {
				t.assigned[c] = append(t.assigned[c], p)
			} else {
				passed = append(passed, p)
			}
		}
		t.unowned = t.unowned[looked-len(passed):]
		copy(t.unowned, passed)
		t.countExtra(c, given)
	}
}

// give gives one unowned partition to subscriber c.
func (t *rangedTopic) give(c, p int) {
	t.unowned = slices.DeleteFunc(t.unowned, func(u int) bool { return u == p })
	t.assigned[c] = append(t.assigned[c], p)
	t.countExtra(c, len(t.assigned[c])-1)
}

// countExtra takes note that c had that many partitions before and may have got its extra one.
func (t *rangedTopic) countExtra(c, before int) {
	if now := len(t.assigned[c]); now > before && now > t.quota {
		t.extras--
	}
}

func (t *rangedTopic) appendTo(assigned [][]wire.TopicPartition) {
	for c, m := range t.members {
		slices.Sort(t.assigned[c])
		for _, p := range t.assigned[c] {
			assigned[m] = append(assigned[m], wire.TopicPartition{Topic: t.name, Partition: int32(p)})
		}
	}
}

// coPartitioned groups the topics that have the same subscribers and the same number of partitions.
func coPartitioned(topics []*rangedTopic) [][]*rangedTopic {
	var groups [][]*rangedTopic
	for _, t := range topics {
		i := slices.IndexFunc(groups, func(g []*rangedTopic) bool {
			return g[0].Partitions == t.Partitions && slices.Equal(g[0].members, t.members)
		})
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], t)
	}
	return groups
}

// matchRacks hands out what can be had in the reader's own rack. Several topics do so in step whether or
// not they need it themselves, so that partition p of each goes to the same member.
// Kafka: RangeAssignor.assignWithRackMatching, assignCoPartitionedWithRackMatching.
func matchRacks(together []*rangedTopic) {
	first := together[0]
	if len(together) == 1 {
		if first.needsRacks {
			first.fill(first.matches)
		}
		return
	}
	for p := range first.Partitions {
		for c := range first.members {
			if !slices.ContainsFunc(together, func(t *rangedTopic) bool { return t.room(c) == 0 || !t.matches(c, p) }) {
				for _, t := range together {
					t.give(c, p)
				}
				break
			}
		}
	}
}
