package coordinator

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// offsetsTopic is Kafka's Topic.GROUP_METADATA_TOPIC_NAME.
const offsetsTopic = "__consumer_offsets"

// pipeline holds what the shard handed to the log and does not know to be committed, and the events
// that wait behind it.
//
// Kafka writes an event's records at once when the coordinator is idle (append.linger.ms = -1), so a
// batch holds what one event wrote. An event that wrote nothing waits for the last batch before it,
// because its answer may rest on what is not committed yet.
//
// Kafka: CoordinatorRuntime.CoordinatorContext.append and DeferredEventCollection.
type pipeline struct {
	writes     []write // oldest first; those before index oldest are done
	oldest     int
	lastAppend AppendID
	lastEvent  EventID
	forgotten  AppendID // the last batch that was handed out before the shard resigned
	logEnd     int64    // offset of the next record
}

// write is one batch that is not committed.
type write struct {
	id      AppendID
	records int
	written bool    // the log has it
	events  []event // the one that wrote the batch, and those that wait behind it
}

// event is what one input wants from the log. It ends when the batch is committed or refused, or after
// offsets.commit.timeout.ms.
type event struct {
	id       EventID       // of its write timer
	name     string        // Kafka's name of the operation, such as "classic-group-join"
	request  *request      // the JoinGroup or SyncGroup that it handles
	response wire.Response // what another request is answered then; no Ticket when it was answered
	timer    *TimerKey     // the timer whose firing it handles
	after    afterAppend
}

// failure says why an event ended badly: the log refused its batch, or it waited too long.
type failure struct {
	err   wire.Err
	late  time.Duration // offsets.commit.timeout.ms after a write time-out, else 0
	event string        // the name of the event
}

// afterAppend is what becomes of the shard's memory when a group's metadata is committed or not. A
// group does not roll back with the log, so each record has its own way to make good.
type afterAppend interface {
	committed(s *Shard)
	refused(s *Shard, why failure)
}

// open reports whether anything happens when the event ends.
func (e *event) open() bool {
	return e.after != nil || e.response.Ticket != 0 || e.timer != nil || e.request != nil && !e.request.answered
}

// write hands the records of the event to the log.
func (s *Shard) write() {
	s.lastAppend++
	s.effects = append(s.effects, Effect{Kind: Append, Append: s.lastAppend, Records: s.records})
	s.writes = append(s.writes, write{id: s.lastAppend, records: len(s.records)})
	s.logEnd += int64(len(s.records))
	s.history.batch = s.lastAppend + 1
	if s.event.open() {
		s.enqueue()
	}
}

// wait ends an event that wrote nothing: at once when the log is quiet, else behind the last batch.
func (s *Shard) wait() {
	switch {
	case !s.event.open():
	case s.outstanding():
		s.enqueue()
	default:
		s.succeed(&s.event)
	}
}

func (s *Shard) enqueue() {
	s.lastEvent++
	s.event.id = s.lastEvent
	last := &s.writes[len(s.writes)-1]
	if last.events == nil {
		last.events = pop(&s.spares.events)
	}
	last.events = append(last.events, s.event)
	s.setTimer(writeTimer(s.event.id), s.now.Add(s.cfg.CommitTimeout))
	s.event = event{}
}

// committed ends the events of the oldest batch.
func (s *Shard) committed(a AppendID) {
	if !s.outstanding() || s.writes[s.oldest].id != a {
		panic(fmt.Sprintf("coordinator: append %d committed at %v out of order", a, s.now))
	}
	s.history.settle(a)
	done := s.writes[s.oldest]
	s.writes[s.oldest] = write{}
	s.oldest++
	if s.oldest == len(s.writes) {
		s.writes, s.oldest = s.writes[:0], 0
	}
	for i := range done.events {
		e := &done.events[i]
		s.stopTimer(writeTimer(e.id))
		s.succeed(e)
	}
	if done.events != nil {
		clear(done.events)
		s.spares.events = append(s.spares.events, done.events[:0])
	}
}

// refused takes back what a batch that is not in the log made of the storage, and with it what no batch
// has recorded yet, and fails the events that wait for it. A group that existed before keeps everything it
// has in memory.
func (s *Shard) refused(a AppendID, err wire.Err) {
	i := s.find(a)
	failed := s.writes[i]
	s.writes = slices.Delete(s.writes, i, i+1)
	s.sink.Record(trace.Event{
		At: s.now, Kind: trace.AppendRefused, Err: err, Members: int32(failed.records), Text: strconv.Itoa(s.cfg.MaxMessageBytes),
		Partitions: []wire.TopicPartition{{Topic: offsetsTopic, Partition: s.cfg.OffsetsPartition}},
	})
	s.logEnd -= int64(failed.records)
	s.rollBack(a, err)
	s.rollBack(s.lastAppend+1, err)
	s.failAll(&failed, err)
}

// failAll fails the events of a batch.
func (s *Shard) failAll(w *write, err wire.Err) {
	for i := range w.events {
		e := &w.events[i]
		if s.leaving == 0 {
			s.stopTimer(writeTimer(e.id))
		}
		s.failed(e, failure{err: err})
	}
}

// outstanding reports whether a batch is not committed.
func (s *Shard) outstanding() bool { return s.oldest < len(s.writes) }

func (s *Shard) find(a AppendID) int {
	for i := s.oldest; i < len(s.writes); i++ {
		if s.writes[i].id == a {
			return i
		}
	}
	panic(fmt.Sprintf("coordinator: append %d ended at %v, but it is not outstanding", a, s.now))
}

// rollBack takes back what a batch changed. A group that it created vanishes, and one that it deleted is
// there again.
func (s *Shard) rollBack(batch AppendID, err wire.Err) {
	before := s.groupsOf(batch)
	s.history.revert(batch)
	for _, b := range before {
		now, _ := s.groups.get(b.id)
		if now == b.g {
			continue
		}
		if b.g != nil {
			b.g.vanish(trace.AppendFailed, err)
		}
		if now != nil {
			now.gone = false
			now.record(trace.Event{Kind: trace.GroupCreated, To: now.state, Generation: now.generation})
		}
	}
}

// named is a group with its id, or an id whose group is gone.
type named struct {
	id string
	g  *group
}

// groupsOf lists the groups that a batch created or deleted.
func (s *Shard) groupsOf(batch AppendID) []named {
	var list []named
	for _, change := range s.history.changes[s.history.first:] {
		if c, ok := change.cell.(*cell[string, *group]); ok && change.batch == batch {
			list = append(list, named{c.key, c.now.value})
		}
	}
	return list
}

// writeExpired fails an event that waited too long. Its batch may be committed all the same.
func (s *Shard) writeExpired(id EventID) {
	for i := s.oldest; i < len(s.writes); i++ {
		events := s.writes[i].events
		for j := range events {
			if events[j].id == id {
				late := events[j]
				s.writes[i].events = slices.Delete(events, j, j+1)
				s.failed(&late, failure{err: wire.RequestTimedOut, late: s.cfg.CommitTimeout})
				return
			}
		}
	}
}

func (s *Shard) succeed(e *event) {
	if e.after != nil {
		e.after.committed(s)
	}
	if e.response.Ticket != 0 {
		s.reply(e.response)
	}
}

// failed tells the group first and answers then what is still unanswered, a parked request included:
// its member goes on counting as joined, but the end of the join phase will answer nobody.
func (s *Shard) failed(e *event, why failure) {
	why.event = e.name
	if e.after != nil {
		e.after.refused(s, why)
		s.records = nil // what a callback writes is lost, as in Kafka
	}
	if e.timer != nil {
		s.timerFailed(*e.timer, why)
	}
	if e.response.Ticket != 0 {
		if e.response.API != wire.WriteTxnMarkers {
			s.unexpected(e.name, why.err)
		}
		s.reply(failedResponse(e.response, s.answerTo(e.response.API, why.err)))
	}
	if e.request != nil && !e.request.answered {
		s.unexpected(e.name, why.err)
		s.refuse(e.request, operationError(why.err), "")
	}
}

// unexpected records an error that nobody expects of a log.
func (s *Shard) unexpected(operation string, err wire.Err) {
	if err == wire.UnknownServerError {
		s.sink.Record(trace.Event{At: s.now, Kind: trace.OperationFailed, Operation: operation, Err: err})
	}
}

func writeTimer(id EventID) TimerKey { return TimerKey{Kind: WriteTimer, Event: id} }
