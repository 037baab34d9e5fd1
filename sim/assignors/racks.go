package assignors

import "slices"

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
