package coordinator

import (
	"maps"

	"pgregory.net/rapid"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// storage sends a request about offsets or groups.
func (w *world) storage() {
	tp := wire.TopicPartition{Topic: rapid.SampledFrom([]string{"t", "u", "v"}).Draw(w.t, "topic")}
	producer := rapid.Int64Range(1, 2).Draw(w.t, "producer")
	switch rapid.IntRange(0, 7).Draw(w.t, "about") {
	case 0, 1:
		offset := wire.OffsetToCommit{TopicPartition: tp, Offset: int64(w.last)}
		r := w.request(wire.TxnOffsetCommit, &wire.TxnOffsetCommitRequest{
			OffsetCommitRequest: wire.OffsetCommitRequest{RetentionTimeMs: noTimestamp, Offsets: []wire.OffsetToCommit{offset}},
			ProducerID:          producer,
		})
		if rapid.Bool().Draw(w.t, "anonymous") {
			r.Member, r.Instance, r.Generation = "", "", wire.NoGeneration
		}
		w.send(r)
	case 2:
		w.send(w.request(wire.WriteTxnMarkers, &wire.WriteTxnMarkersRequest{ProducerID: producer, Commit: rapid.Bool().Draw(w.t, "commit")}))
	case 3:
		w.send(w.request(wire.OffsetFetch, &wire.OffsetFetchRequest{RequireStable: rapid.Bool().Draw(w.t, "stable"), All: true}))
	case 4:
		w.send(w.request(wire.OffsetDelete, &wire.OffsetDeleteRequest{Partitions: []wire.TopicPartition{tp}}))
	case 5:
		w.send(w.request(wire.DeleteGroups, &wire.DeleteGroupsRequest{Groups: []string{"g", "h"}}))
	case 6:
		w.send(w.request(wire.DescribeGroups, &wire.DescribeGroupsRequest{Groups: []string{"g", "h"}}))
		w.send(w.request(wire.ListGroups, &wire.ListGroupsRequest{}))
	case 7:
		w.carryOut(w.shard.DeleteTopics(w.now, []Topic{{Name: tp.Topic}}))
		w.checkTickets(wire.Request{API: wire.NumAPIs})
	}
}

// reload moves the shard to another broker, which reads the log. What was not committed is lost; every
// request that waited for the log, and none that is parked elsewhere, has been answered.
func (w *world) reload() {
	for _, e := range w.shard.Unload(w.now) {
		if e.Kind != Reply {
			w.t.Fatalf("a shard that resigns wants %+v", e)
		}
		delete(w.open, e.Response.Ticket)
	}
	for ticket, api := range w.open {
		if api != wire.JoinGroup && api != wire.SyncGroup {
			w.t.Fatalf("%v %d is not answered by a shard that resigned", api, ticket)
		}
	}
	w.held, w.hold = nil, false
	w.timers, w.queue = map[TimerKey]clock.Handle{}, clock.Queue[TimerKey]{}
	w.queue.Next(w.now)
	w.open, w.parked, w.folds = map[wire.Ticket]wire.API{}, map[wire.Ticket]place{}, map[string]*fold{}
	w.refused, w.broken = false, false
	w.carryOut(w.shard.Load(w.now, w.log))
	w.checkLoaded()
	w.checkTickets(wire.Request{API: wire.NumAPIs})
	w.advance(0)
}

// checkLoaded compares the groups with their last records.
func (w *world) checkLoaded() {
	last := map[string]GroupMetadataRecord{}
	for _, r := range w.log {
		if r, ok := r.(GroupMetadataRecord); ok {
			last[r.Group] = r
		}
	}
	for id, r := range last {
		g, ok := w.shard.groups.get(id)
		if r.Tombstone {
			continue // an offset may have brought a simple group back
		}
		over := len(r.Members) > w.shard.cfg.MaxSize
		if !ok || g.generation != r.Generation || g.members.len() != len(r.Members) || (g.state == wire.PreparingRebalance) != over {
			w.t.Fatalf("group %s was loaded as %+v from %+v", id, g, r)
		}
	}
}

// busy reports whether any timer but that of the retention run is armed.
func (w *world) busy() bool {
	if _, armed := w.timers[TimerKey{Kind: RetentionTimer}]; armed {
		return len(w.timers) > 1
	}
	return len(w.timers) > 0
}

// commit writes a batch to the log.
func (w *world) commit(b batch) {
	for _, r := range b.records {
		w.log = append(w.log, r)
		w.twin.apply(r, len(w.log))
	}
}

// twin is a dumb model of the offsets: maps, and the log read from its start.
type twin struct {
	stored  map[offsetKey]offsetAt
	pending map[int64]map[offsetKey]offsetAt
}

type offsetKey struct {
	group string
	tp    wire.TopicPartition
}

type offsetAt struct {
	offset   int64
	position int
}

func newTwin() *twin {
	return &twin{map[offsetKey]offsetAt{}, map[int64]map[offsetKey]offsetAt{}}
}

func (t *twin) apply(r Record, position int) {
	switch r := r.(type) {
	case *OffsetCommitRecord:
		key, value := offsetKey{r.Group, r.TopicPartition}, offsetAt{r.Offset, position}
		switch {
		case r.Tombstone:
			delete(t.stored, key)
			for _, pending := range t.pending {
				delete(pending, key)
			}
		case r.Transactional:
			if t.pending[r.ProducerID] == nil {
				t.pending[r.ProducerID] = map[offsetKey]offsetAt{}
			}
			t.pending[r.ProducerID][key] = value
		default:
			t.stored[key] = value
		}
	case TransactionMarker:
		for key, value := range t.pending[r.ProducerID] {
			if r.Commit && value.position > t.stored[key].position {
				t.stored[key] = value
			}
		}
		delete(t.pending, r.ProducerID)
	}
}

// checkOffsets compares the committed offsets, and while nothing is in flight the latest ones, with what
// the log says.
func (w *world) checkOffsets() {
	views := []bool{false}
	if !w.shard.outstanding() {
		views = append(views, true)
	}
	for _, latest := range views {
		got := map[offsetKey]int64{}
		for _, group := range []string{"g", "h"} {
			for _, tp := range w.shard.partitionsOf(group, latest) {
				o, _ := w.shard.offsets.stored.committed(group, tp)
				if latest {
					o, _ = w.shard.offsets.stored.get(group, tp)
				}
				got[offsetKey{group, tp}] = o.Offset
			}
		}
		want := map[offsetKey]int64{}
		for key, value := range w.twin.stored {
			want[key] = value.offset
		}
		if !maps.Equal(got, want) {
			w.t.Fatalf("the shard has the offsets %v, the log says %v (latest: %v)", got, want, latest)
		}
	}
}
