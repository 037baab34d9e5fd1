package assignors

import (
	"slices"

	"simulate/sim/wire"
)

// sticky is one call of a sticky assignor: as balanced as can be, then with as few moves as can be. Who
// subscribes alike is served by the constrained algorithm, the others by the general one.
// Kafka: AbstractStickyAssignor.
type sticky struct {
	members []Member
	walk    []int        // the members in the order of Java's maps
	topics  []subscribed // by name; subscribers in walk order
	racks   rackInfo
	claims  []claims                     // of each member
	owned   [][]wire.TopicPartition      // of each member: its claims without the conflicts
	multi   map[wire.TopicPartition]bool // claimed by several members of one generation
	highest wire.Generation              // that any member, or an earlier call, has named

	// transferring are the partitions that the constrained algorithm takes from a member that may still
	// own them, and who gets them.
	transferring map[wire.TopicPartition]int

	lastFirst bool // the general algorithm hands out what is free from the last partition on, once members hold any
}

// assignSticky is eager: what members owned stands in their user data.
// Kafka: StickyAssignor.
func assignSticky(in Input) (Output, error) {
	s := newSticky(in, stickyClaims)
	assigned, err := s.assign((*sticky).fitting)
	return Output{Assigned: assigned, MaxGeneration: s.highest}, err
}

// assignCooperativeSticky withholds, until the next rebalance, what members still own and lose.
// Kafka: CooperativeStickyAssignor.
func assignCooperativeSticky(in Input) (Output, error) { return cooperatively(in, (*sticky).fitting) }

// cooperatively runs an algorithm and withholds what changes its owner.
func cooperatively(in Input, algorithm func(*sticky) [][]wire.TopicPartition) (Output, error) {
	s := newSticky(in, cooperativeClaims)
	assigned, err := s.assign(algorithm)
	if err != nil {
		return Output{MaxGeneration: s.highest}, err
	}
	if s.transferring == nil {
		s.transferring = s.changingOwner(assigned)
	}
	out := Output{Assigned: assigned, Withheld: make([][]wire.TopicPartition, len(assigned)), MaxGeneration: s.highest}
	for tp, m := range s.transferring {
		out.Assigned[m] = without(out.Assigned[m], tp)
		out.Withheld[m] = append(out.Withheld[m], tp)
	}
	for _, list := range out.Withheld {
		slices.SortFunc(list, compareByTopic)
	}
	return out, nil
}

func newSticky(in Input, claimed func(*Subscription) claims) *sticky {
	walk := walkOrder(in)
	s := &sticky{
		members: in.Members,
		walk:    walk,
		topics:  subscribedTopics(in, walk),
		claims:  make([]claims, len(in.Members)),
		owned:   make([][]wire.TopicPartition, len(in.Members)),
		multi:   map[wire.TopicPartition]bool{},
		highest: in.MaxGeneration,
	}
	s.racks = newRackInfo(s.members, s.topics)
	for _, m := range walk {
		s.claims[m] = claimed(&in.Members[m].Subscription)
		s.highest = max(s.highest, s.claims[m].generation)
	}
	s.settleConflicts()
	return s
}

// assign runs an algorithm. What Java would throw comes back as the error.
func (s *sticky) assign(algorithm func(*sticky) [][]wire.TopicPartition) (assigned [][]wire.TopicPartition, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			e, ok := thrown.(Exception)
			if !ok {
				panic(thrown)
			}
			assigned, err = nil, e
		}
	}()
	return algorithm(s), nil
}

// fitting is the algorithm that the subscriptions allow.
func (s *sticky) fitting() [][]wire.TopicPartition {
	if s.subscribeAlike() {
		return s.constrained()
	}
	return s.general()
}

// subscribeAlike compares each member with the first one that subscribes to anything; members without
// topics that are walked before it count as equal (rule A13).
func (s *sticky) subscribeAlike() bool {
	var first []string
	for _, m := range s.walk {
		topics := s.members[m].Topics
		if len(first) == 0 {
			first = topics
		} else if len(topics) != len(first) || slices.ContainsFunc(topics, func(t string) bool { return !slices.Contains(first, t) }) {
			return false
		}
	}
	return true
}

// settleConflicts finds out whose claims count. Of two claims to a partition the higher generation wins;
// of equal ones neither. The other's generation is always taken from its subscription, even where its
// user data says something else (rule A12).
// Kafka: AbstractStickyAssignor.allSubscriptionsEqual.
func (s *sticky) settleConflicts() {
	exists := map[string]bool{}
	for _, t := range s.topics {
		exists[t.name] = true
	}
	claimant := map[wire.TopicPartition]int{}
	for _, m := range s.walk {
		for _, tp := range s.claims[m].partitions {
			if !exists[tp.Topic] {
				continue
			}
			other, claimed := claimant[tp]
			switch generation := s.claims[m].generation; {
			case !claimed:
				s.owned[m] = append(s.owned[m], tp)
				claimant[tp] = m
			case generation == s.members[other].Generation:
				s.multi[tp] = true
				s.owned[other] = without(s.owned[other], tp)
				claimant[tp] = m
			case generation > s.members[other].Generation:
				s.owned[m] = append(s.owned[m], tp)
				s.owned[other] = without(s.owned[other], tp)
				claimant[tp] = m
			}
		}
	}
}

// changingOwner returns what one member loses and another one gets, and who.
// Kafka: CooperativeStickyAssignor.computePartitionsTransferringOwnership.
func (s *sticky) changingOwner(assigned [][]wire.TopicPartition) map[wire.TopicPartition]int {
	added := map[wire.TopicPartition]int{}
	var revoked []wire.TopicPartition
	for _, m := range s.walk {
		owned, given := setOf(s.members[m].Owned), setOf(assigned[m])
		for _, tp := range assigned[m] {
			if !owned[tp] {
				added[tp] = m
			}
		}
		for _, tp := range s.members[m].Owned {
			if !given[tp] {
				revoked = append(revoked, tp)
			}
		}
	}
	changing := map[wire.TopicPartition]int{}
	for _, tp := range revoked {
		if m, ok := added[tp]; ok {
			changing[tp] = m
		}
	}
	return changing
}

func setOf(list []wire.TopicPartition) map[wire.TopicPartition]bool {
	set := make(map[wire.TopicPartition]bool, len(list))
	for _, tp := range list {
		set[tp] = true
	}
	return set
}

// unassigned returns all partitions but the assigned ones, both in the order of compare. A partition that
// does not exist, claimed by a member whose metadata is older or newer, stops the comparison: everything
// after it counts as unassigned (rule A16).
// Kafka: AbstractStickyAssignor.getUnassignedPartitions.
func unassigned(all, assigned []wire.TopicPartition, compare func(a, b wire.TopicPartition) int) []wire.TopicPartition {
	assigned = slices.SortedStableFunc(slices.Values(assigned), compare)
	var rest []wire.TopicPartition
	for _, tp := range all {
		if len(assigned) > 0 && assigned[0] == tp {
			assigned = assigned[1:]
		} else {
			rest = append(rest, tp)
		}
	}
	return rest
}

// allPartitions lists the partitions of the topics.
func allPartitions(topics []subscribed) []wire.TopicPartition {
	var all []wire.TopicPartition
	for _, t := range topics {
		for p := range t.Partitions {
			all = append(all, wire.TopicPartition{Topic: t.name, Partition: int32(p)})
		}
	}
	return all
}
