package conformance

import "simulate/sim/coordinator"

// batch is what one event wrote.
type batch struct {
	id      coordinator.AppendID
	records []coordinator.Record
}

// transactional reports whether the batch belongs to a producer's transaction, or ends one.
func (b batch) transactional() bool {
	switch r := b.records[0].(type) {
	case *coordinator.OffsetCommitRecord:
		return r.Transactional
	case coordinator.TransactionMarker:
		return true
	}
	return false
}

// log is the partition of the offsets topic.
type log struct {
	records []coordinator.Record

	holdWrite  bool    // records stay in the open batch
	holdCommit bool    // the high watermark stays
	open       []batch // of the open batch, one for each event
	written    []coordinator.AppendID
	limit      int // max.message.bytes
}

func (l *log) write(b batch) {
	l.records = append(l.records, b.records...)
	l.written = append(l.written, b.id)
}

func (l *log) restart(limit int) {
	l.resign()
	l.limit = limit
}

// resign ends every hold. What was not written is lost, and what was written counts.
func (l *log) resign() {
	l.holdWrite, l.holdCommit = false, false
	l.open, l.written = nil, nil
}

func (l *log) tooLarge(batch) bool { return false }
