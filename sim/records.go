package sim

import (
	"simulate/sim/clock"
	"simulate/sim/records"
	"simulate/sim/scenario"
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

// changed carries a change of a topic out.
func (r *recordLogs) changed(e *scenario.Event, now clock.Time) {
	switch {
	case r.logs == nil:
	case e.Do == scenario.DeleteTopic:
		r.logs.Delete(e.Topic)
	case e.Do == scenario.Partitions:
		r.logs.Grow(e.Topic, e.Count, now)
	}
}
