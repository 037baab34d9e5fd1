package coordinator

import "simulate/sim/wire"

// arena hands out slices of one type from blocks, so that what commits leave behind costs the allocator one call in
// arenaBlock, not several each. A block is freed when nothing in it is used any more.
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
}

// spares is what a shard uses again: in a quiet group each commit needs what the one before has left.
type spares struct {
	events  [][]event // empty
	commits []*OffsetCommitRecord
	records [][]Record // empty
}

func pop[T any](stack *[]T) (top T) {
	if n := len(*stack); n > 0 {
		top = (*stack)[n-1]
		*stack = (*stack)[:n-1]
	}
	return top
}

// Reuse takes back the records of a batch of which the host keeps none.
func (s *Shard) Reuse(batch []Record) {
	for _, r := range batch {
		if commit, ok := r.(*OffsetCommitRecord); ok {
			s.spares.commits = append(s.spares.commits, commit)
		}
	}
	clear(batch)
	s.spares.records = append(s.spares.records, batch[:0])
}

// newCommit returns the record of an offset.
func (s *Shard) newCommit(r OffsetCommitRecord) *OffsetCommitRecord {
	commit := pop(&s.spares.commits)
	if commit == nil {
		commit = &s.arenas.commits.take(1)[0]
	}
	*commit = r
	return commit
}
