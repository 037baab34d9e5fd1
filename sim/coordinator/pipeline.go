package coordinator

import (
	"fmt"
	"slices"

	"simulate/sim/wire"
)

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
	unwritten  []*group // groups that were created after the last batch was handed out
}

// write is one batch that is not committed.
type write struct {
	id      AppendID
	created []*group // they exist only if the batch does
	events  []event  // the one that wrote the batch, and those that wait behind it
}

// event is what one input wants from the log. It ends when the batch is committed or refused, or after
// offsets.commit.timeout.ms.
type event struct {
	id       EventID       // of its write timer
	request  *request      // the JoinGroup or SyncGroup that it handles
	response wire.Response // what another request is answered then; no Ticket when it was answered
	after    afterAppend
}

// afterAppend is what becomes of the shard's memory when a group's metadata is committed or not. A
// group does not roll back with the log, so each record has its own way to make good.
type afterAppend interface {
	committed(s *Shard)
	refused(s *Shard, err wire.Err)
}

// open reports whether anything happens when the event ends.
func (e *event) open() bool {
	return e.after != nil || e.response.Ticket != 0 || e.request != nil && !e.request.answered
}

// write hands the records of the event to the log.
func (s *Shard) write() {
	s.lastAppend++
	s.effects = append(s.effects, Effect{Kind: Append, Append: s.lastAppend, Records: s.records})
	s.writes = append(s.writes, write{id: s.lastAppend, created: s.unwritten})
	s.unwritten = nil
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
		last.events = s.events.take(1)[:0]
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
}

// refused forgets the groups that exist only because of a batch that is not in the log, and fails the
// events that wait for it. Groups that existed before keep everything they have in memory.
func (s *Shard) refused(a AppendID, err wire.Err) {
	i := s.find(a)
	failed := s.writes[i]
	s.writes = slices.Delete(s.writes, i, i+1)
	s.rollBack(failed.created, err)
	s.rollBack(s.unwritten, err)
	s.unwritten = nil
	for i := range failed.events {
		e := &failed.events[i]
		s.stopTimer(writeTimer(e.id))
		s.failed(e, err)
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

func (s *Shard) rollBack(created []*group, err wire.Err) {
	for _, g := range created {
		if s.groups[g.id] == g {
			delete(s.groups, g.id)
			g.vanish(err)
		}
	}
}

// writeExpired fails an event that waited too long. Its batch may be committed all the same.
func (s *Shard) writeExpired(id EventID) {
	for i := s.oldest; i < len(s.writes); i++ {
		events := s.writes[i].events
		for j := range events {
			if events[j].id == id {
				late := events[j]
				s.writes[i].events = slices.Delete(events, j, j+1)
				s.failed(&late, wire.RequestTimedOut)
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
func (s *Shard) failed(e *event, err wire.Err) {
	if e.after != nil {
		e.after.refused(s, err)
		s.records = nil // what a callback writes is lost, as in Kafka
	}
	if e.response.Ticket != 0 {
		s.reply(failedResponse(e.response, operationError(err)))
	}
	if e.request != nil {
		s.refuse(e.request, operationError(err), "")
	}
}

func writeTimer(id EventID) TimerKey { return TimerKey{Kind: WriteTimer, Event: id} }
