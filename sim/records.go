package sim

import (
	"simulate/sim/coordinator"
	"simulate/sim/records"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// recordLogs is what the topics hold, as each group reads it; nothing when no topic ever holds a record.
type recordLogs struct {
	logs   *records.Logs             // nil: there are none
	groups map[string]*records.Group // for look-up only
}

func newRecordLogs(s *scenario.Scenario) recordLogs {
	if !s.HasRecords() {
		return recordLogs{}
	}
	r := recordLogs{records.NewLogs(), map[string]*records.Group{}}
	for _, t := range s.Topics {
		r.logs.Create(t.Name, t.Partitions, t.Rate, t.Backlog)
	}
	return r
}

// of returns the records as a group reads them, nil when there are none.
func (r *recordLogs) of(group string) *records.Group {
	if r.logs == nil {
		return nil
	}
	g := r.groups[group]
	if g == nil {
		g = r.logs.NewGroup()
		r.groups[group] = g
	}
	return g
}

// changeRecords lets a change of a topic begin to count for what arrives in it.
func (w *world) changeRecords(e *scenario.Event) {
	logs := w.records.logs
	if logs == nil {
		return
	}
	for _, f := range w.fleets {
		for _, a := range f.members {
			w.settle(a)
		}
	}
	switch e.Do {
	case scenario.DeleteTopic:
		logs.Delete(e.Topic, w.now())
	case scenario.Partitions:
		logs.Grow(e.Topic, e.Count, w.now())
	}
}

// offsetsCommitted tells which offsets a batch of the offsets topic moved, a group's in a row at once. Where topics hold no
// records, nothing follows from them.
func (w *world) offsetsCommitted(batch []coordinator.Record) {
	if w.records.logs == nil {
		return
	}
	e := trace.Event{At: w.now(), Kind: trace.OffsetsCommitted}
	flush := func() {
		if len(e.Partitions) > 0 {
			w.Record(e)
		}
		e.Partitions, e.Offsets = nil, nil
	}
	for _, r := range batch {
		o, ok := r.(*coordinator.OffsetCommitRecord)
		if !ok {
			continue
		}
		if o.Group != e.Group {
			flush()
			e.Group = o.Group
		}
		offset := o.Offset
		if o.Tombstone {
			offset = -1
		}
		if w.records.of(o.Group).Commit(o.TopicPartition, offset) {
			e.Partitions, e.Offsets = append(e.Partitions, o.TopicPartition), append(e.Offsets, offset)
		}
	}
	flush()
}
