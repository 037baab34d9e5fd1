package sim

import (
	"maps"

	"pgregory.net/rapid"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/records"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// reckoned is what a group has of the records of a topic, added up one partition after the other.
type reckoned struct {
	logs *records.Logs
	from map[string]map[wire.TopicPartition]int64 // from where the lag counts, by group
	gone map[string]bool                          // topics that were deleted: commits may have been on their way
}

// recordsAddUp: the lag of a group at the end is what has arrived less what is committed; nothing is committed that has not
// arrived.
func recordsAddUp(t *rapid.T, s *scenario.Scenario, events []trace.Event, summary metrics.Summary) {
	t.Helper()
	if !s.HasRecords() {
		return
	}
	r := reckoned{newRecordLogs(s).logs, map[string]map[wire.TopicPartition]int64{}, map[string]bool{}}
	for _, e := range events {
		r.record(t, e)
	}
	for _, g := range summary.Groups {
		if g.Records == nil {
			continue
		}
		lag := int64(0)
		for tp, from := range r.from[g.Name] {
			lag += r.logs.End(tp, clock.At(s.Duration)) - from
		}
		if g.Records.Lag != lag || g.Records.MaxLag < lag {
			t.Fatalf("the lag of %s is %d, at most %d; added up %d", g.Name, g.Records.Lag, g.Records.MaxLag, lag)
		}
	}
}

func (r *reckoned) record(t *rapid.T, e trace.Event) {
	t.Helper()
	switch e.Kind {
	case trace.TopicChanged:
		r.changed(e)
	case trace.PositionsSet, trace.OffsetsCommitted:
		from := r.from[e.Group]
		if from == nil {
			from = map[wire.TopicPartition]int64{}
			r.from[e.Group] = from
		}
		for i, tp := range e.Partitions {
			if end := r.logs.End(tp, e.At); e.Offsets[i] > end && !r.gone[tp.Topic] {
				t.Fatalf("%v of %v at %v is %d, behind the end %d", e.Kind, tp, e.At, e.Offsets[i], end)
			}
			_, known := from[tp]
			switch {
			case e.Offsets[i] < 0:
				delete(from, tp)
			case e.Kind == trace.OffsetsCommitted || !known:
				from[tp] = e.Offsets[i]
			}
		}
	}
}

func (r *reckoned) changed(e trace.Event) {
	topic := e.Partitions[0].Topic
	if e.Members > 0 {
		r.logs.Grow(topic, int(e.Members), e.At)
		return
	}
	r.logs.Delete(topic, e.At)
	r.gone[topic] = true
	for _, from := range r.from {
		maps.DeleteFunc(from, func(tp wire.TopicPartition, _ int64) bool { return tp.Topic == topic })
	}
}
