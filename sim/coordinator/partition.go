package coordinator

import (
	"math"

	"simulate/sim/wire"
)

// PartitionOf returns the partition of the offsets topic, out of n, that holds a group.
//
// Kafka: GroupCoordinatorService.partitionFor, Utils.abs (which maps the smallest int to 0).
func PartitionOf(group string, n int) int32 {
	h := wire.StringHash(group)
	if h == math.MinInt32 {
		h = 0
	}
	return max(h, -h) % int32(n)
}
