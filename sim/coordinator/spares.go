package coordinator

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
		commit = new(OffsetCommitRecord)
	}
	*commit = r
	return commit
}
