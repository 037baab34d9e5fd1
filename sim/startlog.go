package sim

import (
	"simulate/sim/coordinator"
	"simulate/sim/offsetslog"
	"simulate/sim/wire"
)

// loadLog lets the coordinators begin with the groups in the log that the scenario starts from. Their members
// are ghosts: they have a session and no process. A partition without records is loaded too: its retention runs
// count from there.
func (w *world) loadLog() {
	w.logged = make(map[wire.MemberID]bool)
	loaded := make(map[*partition][]coordinator.Record) // for look-up only
	for _, e := range w.scenario.Log {
		p := w.partition(e.Partition)
		p.log.end = e.Offset
		p.log.add([]coordinator.Record{e.Record})
		w.offsetsCommitted([]coordinator.Record{e.Record})
		loaded[p] = append(loaded[p], e.Record)
		for _, id := range offsetslog.MembersOf(e.Record) {
			w.logged[id] = true
		}
		if w.commits != nil {
			w.commits(e)
		}
	}
	for _, p := range w.cluster.partitions {
		w.apply(p.serving, p.serving.Load(w.now(), loaded[p]))
	}
}

// committed adds a batch to the log of a partition.
func (w *world) committed(p *partition, b *batch) {
	if w.commits != nil {
		for i, r := range b.records {
			w.commits(offsetslog.Entry{
				Partition: p.number, Offset: p.log.end + int64(i), TimestampMs: b.at.Millis(), Record: r,
			})
		}
	}
	p.log.add(b.records)
	w.offsetsCommitted(b.records)
}
