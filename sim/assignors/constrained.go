package assignors

import (
	"cmp"
	"slices"

	"simulate/sim/wire"
)

// constrained is the assignment among members that subscribe alike: everybody keeps what it owned up to
// its quota, and the rest is dealt to those below theirs.
// Kafka: AbstractStickyAssignor.ConstrainedAssignmentBuilder.
type constrained struct {
	*sticky
	minQuota, maxQuota int
	expected           int // how many members may hold maxQuota; 0 when the quotas are equal
	atMax              int // how many do

	assigned [][]wire.TopicPartition
	below    []int // members with less than minQuota
	exact    []int // members with minQuota that may get one more
	revoked  map[wire.TopicPartition]int
}

func (s *sticky) constrained() [][]wire.TopicPartition {
	all := allPartitions(s.topics)
	n := len(s.members)
	if n == 0 {
		panic(Exception("ArithmeticException"))
	}
	c := &constrained{
		sticky:   s,
		minQuota: len(all) / n,
		maxQuota: (len(all) + n - 1) / n,
		expected: len(all) % n,
		assigned: make([][]wire.TopicPartition, n),
		revoked:  map[wire.TopicPartition]int{},
	}
	s.transferring = map[wire.TopicPartition]int{}
	for _, m := range s.walk {
		c.keep(m)
	}
	rest := unassigned(all, slices.Concat(c.assigned...), compareByTopic)
	slices.SortFunc(c.below, c.byID)
	slices.SortFunc(c.exact, c.byID)
	if s.racks.matter {
		rest = c.dealByRack(rest)
	}
	c.deal(rest)
	if len(c.below) > 0 {
		panic(Exception("IllegalStateException"))
	}
	return c.assigned
}

func (s *sticky) byID(a, b int) int { return compareJava(s.members[a].ID, s.members[b].ID) }

// keep lets member m keep what it owned, the lowest partitions first, up to its quota.
// Kafka: ConstrainedAssignmentBuilder.assignOwnedPartitions.
func (c *constrained) keep(m int) {
	var owned []wire.TopicPartition
	for _, tp := range c.owned[m] {
		switch {
		case c.racks.mismatch(m, tp):
			c.revoked[tp] = m
		case !c.multi[tp]:
			owned = append(owned, tp)
		}
	}
	slices.SortFunc(owned, compareByNumber)
	quota := c.minQuota
	switch {
	case len(owned) < c.minQuota:
		quota = len(owned)
		c.below = append(c.below, m)
	case len(owned) >= c.maxQuota && c.atMax < c.expected:
		quota = c.maxQuota
		c.atMax++
		if c.atMax == c.expected {
			c.exact = nil
		}
	case c.atMax < c.expected:
		c.exact = append(c.exact, m)
	}
	c.assigned[m] = owned[:quota:quota]
	for _, tp := range owned[quota:] {
		c.revoked[tp] = m
	}
}

// give gives tp to member m and returns how many it holds then. What another member may still own changes
// hands only after that one revoked it.
// Kafka: ConstrainedAssignmentBuilder.assignNewPartition.
func (c *constrained) give(tp wire.TopicPartition, m int) int {
	c.assigned[m] = append(c.assigned[m], tp)
	if owner, ok := c.revoked[tp]; ok && owner != m || c.multi[tp] {
		c.transferring[tp] = m
	}
	return len(c.assigned[m])
}

// deal gives the partitions to the members below their quota in turn, then to those at it.
// Kafka: ConstrainedAssignmentBuilder.assignRoundRobin.
func (c *constrained) deal(rest []wire.TopicPartition) {
	next := 0 // in below
	for _, tp := range rest {
		var m int
		switch {
		case len(c.below) > 0:
			if next >= len(c.below) {
				next = 0
			}
			m = c.below[next]
			next++
		case len(c.exact) > 0:
			m = c.exact[0]
			c.exact = c.exact[1:]
		default:
			panic(Exception("IllegalStateException"))
		}
		switch c.give(tp, m) {
		case c.minQuota:
			next--
			c.below = slices.Delete(c.below, next, next+1)
			c.exact = append(c.exact, m)
		case c.maxQuota:
			c.atMax++
		}
	}
}

// dealByRack gives each partition to a member in a rack of one of its replicas, those first that fewest
// members are near to, and returns what nobody near may have.
// Kafka: ConstrainedAssignmentBuilder.assignRackAwareRoundRobin.
func (c *constrained) dealByRack(rest []wire.TopicPartition) []wire.TopicPartition {
	slices.SortStableFunc(rest, func(a, b wire.TopicPartition) int { return cmp.Compare(c.racks.near(a), c.racks.near(b)) })
	var far []wire.TopicPartition
	next := 0 // in below
	for _, tp := range rest {
		if i := c.racks.find(c.below, next, tp); i >= 0 {
			m := c.below[i]
			if held := c.give(tp, m); held >= c.minQuota {
				c.below = slices.Delete(c.below, i, i+1)
				if held < c.maxQuota && c.atMax < c.expected {
					c.exact = append(c.exact, m)
				}
			} else {
				i++
			}
			next = 0
			if len(c.below) > 0 {
				next = i % len(c.below)
			}
			continue
		}
		i := c.racks.find(c.exact, 0, tp)
		if i < 0 {
			far = append(far, tp)
			continue
		}
		if c.give(tp, c.exact[i]) == c.maxQuota {
			c.exact = slices.Delete(c.exact, i, i+1)
			c.atMax++
			if c.atMax == c.expected {
				c.exact = nil
			}
		}
	}
	return far
}
