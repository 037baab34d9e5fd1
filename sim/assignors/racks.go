package assignors

import (
	"maps"
	"slices"

	"simulate/sim/wire"
)

// rackSets returns the racks of each partition of t, and all of them. Brokers without a rack add nothing.
func (t *Topic) rackSets() (sets []map[string]bool, all map[string]bool) {
	sets = make([]map[string]bool, t.Partitions)
	all = map[string]bool{}
	for p := range sets {
		sets[p] = map[string]bool{}
		if p >= len(t.Racks) {
			continue
		}
		for _, rack := range t.Racks[p] {
			if rack != "" {
				sets[p][rack] = true
				all[rack] = true
			}
		}
	}
	return sets, all
}

// needsRacks reports whether an assignment should look at racks: some member is in a rack with replicas,
// and the partitions differ in theirs.
// Kafka: AbstractPartitionAssignor.useRackAwareAssignment (KIP-881).
func needsRacks(memberRacks []string, sets []map[string]bool, all map[string]bool) bool {
	shared := slices.ContainsFunc(memberRacks, func(rack string) bool { return all[rack] })
	return shared && slices.ContainsFunc(sets, func(racks map[string]bool) bool { return len(racks) != len(all) })
}

// rackMatches reports whether a member in memberRack ("": in none) may read a partition with replicas in
// these racks from its own.
func rackMatches(memberRack string, racks map[string]bool) bool {
	return memberRack == "" || racks[memberRack]
}

// rackInfo is what the sticky assignors know of racks.
// Kafka: AbstractStickyAssignor.RackInfo.
type rackInfo struct {
	matter     bool
	members    []string // the rack of each member
	partitions map[wire.TopicPartition]map[string]bool
	inRack     map[string]int // how many members are in each
}

func newRackInfo(members []Member, topics []subscribed) rackInfo {
	r := rackInfo{partitions: map[wire.TopicPartition]map[string]bool{}, inRack: map[string]int{}}
	for _, m := range members {
		r.members = append(r.members, m.Rack)
		if m.Rack != "" {
			r.inRack[m.Rack]++
		}
	}
	all := map[string]bool{}
	var sets []map[string]bool
	for _, t := range topics {
		racks, ofTopic := t.rackSets()
		sets = append(sets, racks...)
		maps.Copy(all, ofTopic)
		for p, set := range racks {
			r.partitions[wire.TopicPartition{Topic: t.name, Partition: int32(p)}] = set
		}
	}
	r.matter = needsRacks(r.members, sets, all)
	return r
}

// mismatch reports whether member m is in a rack without a replica of tp.
func (r *rackInfo) mismatch(m int, tp wire.TopicPartition) bool {
	return r.matter && !rackMatches(r.members[m], r.partitions[tp])
}

// shares reports whether member m is in a rack with a replica of tp.
func (r *rackInfo) shares(m int, tp wire.TopicPartition) bool {
	return r.matter && r.partitions[tp][r.members[m]]
}

// near counts the members in the racks of tp.
func (r *rackInfo) near(tp wire.TopicPartition) int {
	n := 0
	for rack := range r.partitions[tp] {
		n += r.inRack[rack]
	}
	return n
}

// find returns the index of the first member in a rack of tp, looked for from the given index on and
// around; -1 when there is none.
func (r *rackInfo) find(members []int, from int, tp wire.TopicPartition) int {
	for k := range members {
		if i := (from + k) % len(members); r.shares(members[i], tp) {
			return i
		}
	}
	return -1
}
