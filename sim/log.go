package sim

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/coordinator"
	"simulate/sim/random"
	"simulate/sim/wire"
)

// offsetsLog is what a coordinator is loaded from: the committed records of a partition of the offsets topic,
// without those that a later one of the same key makes useless.
type offsetsLog struct {
	kept    bool // only where a coordinator can be loaded
	records []coordinator.Record
	end     int64 // the offset of the next record
	cleaned int   // how many records the last cleaning left
}

// cleanAfter is how many records a log has at least before it is cleaned.
const cleanAfter = 1000

func (l *offsetsLog) add(records []coordinator.Record) {
	l.end += int64(len(records))
	if !l.kept {
		return
	}
	l.records = append(l.records, records...)
	if len(l.records) > 2*l.cleaned+cleanAfter {
		l.clean()
	}
}

// recordKey is the key of a record: a group's, or that of a group's offset.
type recordKey struct {
	group    string
	isOffset bool
	offset   wire.TopicPartition
}

func keyOf(r coordinator.Record) recordKey {
	switch r := r.(type) {
	case coordinator.GroupMetadataRecord:
		return recordKey{group: r.Group}
	case *coordinator.OffsetCommitRecord:
		return recordKey{group: r.Group, isOffset: true, offset: r.TopicPartition}
	}
	return recordKey{}
}

// clean keeps the last record of each key, in their order, as Kafka's log cleaner does. Nobody in a run writes
// transactions, whose records must not be cleaned like that.
func (l *offsetsLog) clean() {
	last := make(map[recordKey]int)
	for i, r := range l.records {
		last[keyOf(r)] = i
	}
	var left []coordinator.Record
	for i, r := range l.records {
		if last[keyOf(r)] == i {
			left = append(left, r)
		}
	}
	l.records, l.cleaned = left, len(left)
}

// appendTrouble is what is wrong with the log of a partition.
type appendTrouble struct {
	slow      random.Distribution // what an append takes until slowUntil
	slowUntil clock.Time

	err      wire.Err   // what batches are refused with
	errUntil clock.Time // the first instant at which they are not
	once     bool       // the next batch is refused, whenever it comes
}

// appendTime draws how long the next append takes.
func (p *partition) appendTime(w *world) time.Duration {
	d := w.scenario.Append
	if w.now() < p.trouble.slowUntil {
		d = p.trouble.slow
	}
	return p.latency.Draw(d)
}

// refusal returns what the log says to the batch that is due now.
func (p *partition) refusal(now clock.Time) wire.Err {
	t := &p.trouble
	if t.once || now < t.errUntil {
		t.once = false
		return t.err
	}
	return wire.None
}

// slowAppend makes the log slow for a while: that of one group, or of all.
func (w *world) slowAppend(f *fault) {
	until := w.now().Add(w.lasting(f))
	for _, p := range w.partitions(f.event.Group) {
		p.trouble.slow, p.trouble.slowUntil = f.event.Append, until
	}
	w.lasts(f, until)
}

// failAppend makes the log refuse the next batch, or all of them for a while: those of one group, or of all.
func (w *world) failAppend(f *fault) {
	until := w.now()
	once := f.event.For.IsConstant() && f.event.For.A == 0
	if !once {
		until = until.Add(w.lasting(f))
	}
	for _, p := range w.partitions(f.event.Group) {
		p.trouble.err, p.trouble.errUntil, p.trouble.once = f.event.Error, until, once
	}
	w.lasts(f, until)
}
