package conformance

import (
	"encoding/binary"
	"fmt"

	"simulate/sim/coordinator"
)

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

// size is that of the batch in the log, all headers included.
//
// Kafka: DefaultRecordBatch.sizeInBytes, DefaultRecord.sizeInBytes.
func (b batch) size() int {
	const header = 61
	size := header
	for i, r := range b.records {
		key, value := coordinator.Encode(r)
		body := 3 + varint(i) + varint(len(key)) + len(key) + varint(len(value)) + len(value)
		size += varint(body) + body
	}
	return size
}

func varint(n int) int { return len(binary.AppendVarint(nil, int64(n))) }

// stored is a record as the log has it.
type stored struct {
	key, value []byte

	// The producer of the record's batch.
	transactional, control bool
	producerID             int64
	producerEpoch          int16
}

// log is the partition of the offsets topic.
type log struct {
	stored []stored

	holdWrite  bool    // records stay in the open batch
	holdCommit bool    // the high watermark stays
	open       []batch // of the open batch, one for each event
	written    []coordinator.AppendID
	limit      int // max.message.bytes
}

func (l *log) write(b batch) {
	for _, r := range b.records {
		s := stored{}
		s.key, s.value = coordinator.Encode(r)
		switch r := r.(type) {
		case *coordinator.OffsetCommitRecord:
			s.transactional, s.producerID, s.producerEpoch = r.Transactional, r.ProducerID, r.ProducerEpoch
		case coordinator.TransactionMarker:
			s.control, s.producerID, s.producerEpoch = true, r.ProducerID, r.ProducerEpoch
		}
		l.stored = append(l.stored, s)
	}
	l.written = append(l.written, b.id)
}

// records reads the log.
func (l *log) records() ([]coordinator.Record, error) {
	var list []coordinator.Record
	for i, s := range l.stored {
		r, err := s.record()
		if err != nil {
			return nil, fmt.Errorf("record %d of the log: %w", i, err)
		}
		list = append(list, r)
	}
	return list, nil
}

func (s stored) record() (coordinator.Record, error) {
	if s.control {
		return coordinator.DecodeMarker(s.key, s.producerID, s.producerEpoch)
	}
	r, err := coordinator.Decode(s.key, s.value)
	if o, ok := r.(*coordinator.OffsetCommitRecord); ok {
		o.Transactional, o.ProducerID, o.ProducerEpoch = s.transactional, s.producerID, s.producerEpoch
	}
	return r, err
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
