package assignors

import (
	"cmp"
	"slices"

	"simulate/sim/wire"
)

// The sticky assignors walk Java's hash maps, so that member ids decide between equals. The functions
// here give the order of those walks.

// hashOfPartition is org.apache.kafka.common.TopicPartition.hashCode.
func hashOfPartition(tp wire.TopicPartition) int32 {
	return 31*(31+tp.Partition) + wire.StringHash(tp.Topic)
}

// tableSize is the size of the table of a java.util.HashMap that n keys were put into.
func tableSize(n int) int {
	size := 16
	for n > size/4*3 {
		size *= 2
	}
	return size
}

func bucket(hash int32, size int) int { return int((uint32(hash) ^ uint32(hash)>>16) & uint32(size-1)) }

// hashOrder returns the indices of the keys, which were put in that order, as java.util.HashMap walks them.
func hashOrder(keys []string, size int) []int {
	buckets := make([]int, len(keys))
	order := make([]int, len(keys))
	for i, key := range keys {
		buckets[i] = bucket(wire.StringHash(key), size)
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(buckets[i], buckets[j]) })
	return order
}

// walkOrder returns the indices of the members as the assignor walks its maps of them.
func walkOrder(in Input) []int {
	ids := make([]string, len(in.Members))
	for i, m := range in.Members {
		ids[i] = string(m.ID)
	}
	order := hashOrder(ids, tableSize(len(ids)))
	if in.Ascending {
		slices.SortStableFunc(order, func(i, j int) int { return compareJava(ids[i], ids[j]) })
	}
	return order
}

// partitionSet is a java.util.HashSet of partitions, of which the first in hash order can be asked for.
type partitionSet struct {
	list    []wire.TopicPartition // in order of insertion
	largest int                   // its table never shrinks
}

func (s *partitionSet) add(tp wire.TopicPartition) {
	s.list = append(s.list, tp)
	s.largest = max(s.largest, len(s.list))
}

func (s *partitionSet) remove(tp wire.TopicPartition) { s.list = without(s.list, tp) }

func (s *partitionSet) first() wire.TopicPartition {
	size := tableSize(s.largest)
	return slices.MinFunc(s.list, func(a, b wire.TopicPartition) int {
		return cmp.Compare(bucket(hashOfPartition(a), size), bucket(hashOfPartition(b), size))
	})
}

// without removes the first tp from list, as java.util.List.remove does.
func without(list []wire.TopicPartition, tp wire.TopicPartition) []wire.TopicPartition {
	if i := slices.Index(list, tp); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}
