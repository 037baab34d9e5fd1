package coordinator

import "simulate/sim/wire"

// arena hands out slices of one type from blocks, so that what every commit leaves behind costs the
// allocator one call in arenaBlock, not several each. A block is freed when nothing in it is used any more.
type arena[T any] struct{ block []T }

const arenaBlock = 1024

// take returns n zero values.
func (a *arena[T]) take(n int) []T {
	if n > arenaBlock {
		return make([]T, n)
	}
	if len(a.block) < n {
		a.block = make([]T, arenaBlock)
	}
	taken := a.block[:n:n]
	a.block = a.block[n:]
	return taken
}

// arenas are those of a shard.
type arenas struct {
	results   arena[wire.PartitionError]
	responses arena[wire.OffsetCommitResponse]
	commits   arena[OffsetCommitRecord]
	records   arena[Record]
	events    arena[event]
}
