package coordinator

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// MemberIDs hands out the ids of new members, "<instance id or client id>-<uuid>" in Kafka.
type MemberIDs interface {
	NewMemberID(r wire.Request) wire.MemberID
}

// Shard coordinates the groups of one partition of the offsets topic. It handles one input at a time
// and answers with effects; it never looks at a clock, and it starts nothing by itself.
//
// The effects that a method returns are valid until the next call. Instants must not go backwards.
type Shard struct {
	cfg  Config
	ids  MemberIDs
	sink trace.Sink

	old     switches // in what it behaves like Kafka 3
	serving service
	resignations,
	leaving int32 // which resignation is under way; 0 when none is
	ghosts map[TimerKey]*group // of the join timers that resignations left behind
	memory
	pipeline
	spares

	now     clock.Time
	effects []Effect
	event   event    // what is being handled
	records []Record // what the event writes
	failure string   // the internal error that ended the event, in Kafka's words
	next    []func() // events that this one made, to be handled after it
}

// memory is what a shard forgets when it resigns.
type memory struct {
	history    *history
	groups     *timelineMap[string, *group]
	offsets    *offsets
	syncTimers map[string]wire.Generation // for which generation a group's sync timer was armed
}

func newMemory() memory {
	h := &history{}
	return memory{
		history:    h,
		groups:     newTimelineMap[string, *group](h, wire.StringHash),
		offsets:    newOffsets(h),
		syncTimers: map[string]wire.Generation{},
	}
}

// New returns the shard of an empty partition, which serves at once. It records what happens to sink. A
// shard that looks after old offsets and groups is one that was loaded.
func New(cfg Config, ids MemberIDs, sink trace.Sink) *Shard {
	s := &Shard{cfg: cfg, ids: ids, sink: sink, old: switchesOf(cfg.Kafka), memory: newMemory(), ghosts: map[TimerKey]*group{}}
	s.history.batch = s.lastAppend + 1
	return s
}

// Handle takes a request that arrived, and keeps nothing of it but its Body. That must be the one that belongs to its API;
// a request of an API that is not coordinated here is answered UNSUPPORTED_VERSION.
func (s *Shard) Handle(now clock.Time, r *wire.Request) []Effect {
	s.begin(now)
	s.dispatch(r)
	if s.failure != "" {
		s.refuseFailed()
	}
	s.end()
	return s.effects
}

func (s *Shard) dispatch(r *wire.Request) {
	if s.serving != active && s.unavailable(r) {
		return
	}
	switch r.API {
	case wire.JoinGroup:
		s.joinGroup(r, r.Body.(*wire.JoinGroupRequest))
	case wire.SyncGroup:
		s.syncGroup(r, r.Body.(*wire.SyncGroupRequest))
	case wire.Heartbeat:
		s.heartbeat(r)
	case wire.LeaveGroup:
		s.leaveGroup(r, r.Body.(*wire.LeaveGroupRequest))
	case wire.OffsetCommit:
		s.commitOffsets(r, r.Body.(*wire.OffsetCommitRequest))
	case wire.TxnOffsetCommit:
		s.commitPending(r, r.Body.(*wire.TxnOffsetCommitRequest))
	case wire.WriteTxnMarkers:
		s.writeMarker(r, r.Body.(*wire.WriteTxnMarkersRequest))
	case wire.OffsetFetch:
		s.fetchOffsets(r, r.Body.(*wire.OffsetFetchRequest))
	case wire.OffsetDelete:
		s.deleteOffsets(r, r.Body.(*wire.OffsetDeleteRequest))
	case wire.DeleteGroups:
		s.deleteGroups(r, r.Body.(*wire.DeleteGroupsRequest))
	case wire.DescribeGroups:
		s.describeGroups(r, r.Body.(*wire.DescribeGroupsRequest))
	case wire.ListGroups:
		s.listGroups(r, r.Body.(*wire.ListGroupsRequest))
	default:
		s.reply(wire.Response{Ticket: r.Ticket, API: r.API, Err: wire.UnsupportedVersion})
	}
}

// Expire takes the firing of a timer that the shard armed. The host never fires a timer that was
// stopped or replaced.
func (s *Shard) Expire(now clock.Time, k TimerKey) []Effect {
	s.begin(now)
	if k.Kind == WriteTimer {
		s.writeExpired(k.Event)
	} else {
		key := k
		s.event.timer = &key
		s.expired(k)
	}
	s.end()
	return s.effects
}

func (s *Shard) expired(k TimerKey) {
	if k.Left > 0 {
		s.leftOver(k)
		return
	}
	switch k.Kind {
	case SessionTimer:
		s.sessionExpired(k.Group, k.Member)
	case JoinTimer:
		s.joinExpired(k.Group)
	case SyncTimer:
		s.syncExpired(k.Group)
	case RetentionTimer:
		s.cleanUp()
	}
	if s.failure != "" {
		s.event.timer = nil
		s.sink.Record(timerFailed(s.now, k, s.failure))
	}
}

// Appended takes the end of an append: err is None once the batch is committed, and the log's error
// when it refused the batch. Batches commit in the order in which they were handed out; a refused one
// need not wait for those before it.
func (s *Shard) Appended(now clock.Time, a AppendID, err wire.Err) []Effect {
	s.begin(now)
	if a <= s.forgotten {
		return nil
	}
	if err == wire.None {
		s.committed(a)
	} else {
		s.refused(a, err)
	}
	s.end()
	return s.effects
}

// Committed takes the news that the high watermark passed every batch up to a. It is what Appended says of
// each of them, in one event: what they make the shard do next comes after all of them.
func (s *Shard) Committed(now clock.Time, a AppendID) []Effect {
	s.begin(now)
	for s.outstanding() && s.writes[s.oldest].id <= a {
		s.committed(s.writes[s.oldest].id)
	}
	s.end()
	return s.effects
}

// Written tells the shard that the log has a batch, although it is not committed yet. Only what happens
// to the batch when the shard resigns depends on it.
func (s *Shard) Written(a AppendID) {
	if a > s.forgotten {
		s.writes[s.find(a)].written = true
	}
}

// Leader returns the leader of the group, "" when it has none. It reports false when there is no such
// group.
func (s *Shard) Leader(group string) (wire.MemberID, bool) {
	g, ok := s.groups.get(group)
	if !ok {
		return "", false
	}
	return g.leader, true
}

func (s *Shard) begin(now clock.Time) {
	s.now = now
	s.effects = s.effects[:0]
	s.next = s.next[:0]
	s.start()
}

func (s *Shard) start() {
	s.event = event{}
	s.records = nil
	s.failure = ""
}

// end finishes the event and handles those that it made.
func (s *Shard) end() {
	s.finish()
	for i := 0; i < len(s.next); i++ {
		s.start()
		s.next[i]()
		s.finish()
	}
}

// finish hands what the event wrote to the log and lets the event wait for what it must wait for.
func (s *Shard) finish() {
	if s.failure != "" {
		s.sink.Record(trace.Event{At: s.now, Kind: trace.RunWarning, Text: s.failure})
	}
	if len(s.records) > 0 {
		s.write()
	} else {
		s.wait()
	}
}

// append writes a record with the others of this event.
func (s *Shard) append(r Record) { s.records = append(s.records, r) }

// fail ends the event with an internal error. What was changed until then stays changed, as it does
// when Kafka throws.
func (s *Shard) fail(message string) { s.failure = message }

// refuseFailed answers a request whose event ended with an internal error.
func (s *Shard) refuseFailed() {
	s.sink.Record(trace.Event{At: s.now, Kind: trace.OperationFailed, Operation: s.event.name, Text: s.failure})
	if s.event.request != nil {
		s.refuse(s.event.request, wire.UnknownServerError, "")
		return
	}
	if failed := s.event.response; failed.Ticket != 0 {
		s.event.response = wire.Response{}
		s.reply(failedResponse(failed, wire.UnknownServerError))
	}
}

// reply answers a request.
func (s *Shard) reply(r wire.Response) {
	s.effects = append(s.effects, Effect{Kind: Reply, Response: r})
}

// replyAfterWrites answers the request of this event once everything written so far is committed.
//
// Kafka: CoordinatorRuntime.CoordinatorWriteEvent, also when it writes nothing itself.
func (s *Shard) replyAfterWrites(r wire.Response) {
	own := r.API == wire.OffsetCommit || r.API == wire.TxnOffsetCommit || r.API == wire.WriteTxnMarkers
	if s.old[AnswersNeverWait] && (!own || len(s.records) == 0) {
		s.reply(r)
		return
	}
	s.event.response = r
}

// answer answers a JoinGroup or SyncGroup unless that has happened.
func (s *Shard) answer(r *request, response wire.Response) {
	if r.answered {
		return
	}
	r.answered = true
	response.Ticket, response.API = r.ticket, r.api
	s.reply(response)
}

// refuse answers a JoinGroup or SyncGroup with an error; id is the member id that a JoinGroup response
// shows, which is "" when the client is meant to forget its id.
func (s *Shard) refuse(r *request, err wire.Err, id wire.MemberID) {
	response := wire.Response{Err: err}
	if r.api == wire.JoinGroup {
		response.Member, response.Generation = id, wire.NoGeneration
		response.Body = &wire.JoinGroupResponse{NullProtocol: r.version >= 7}
	} else {
		response.Body = &wire.SyncGroupResponse{}
	}
	s.answer(r, response)
}

func (s *Shard) setTimer(k TimerKey, at clock.Time) {
	k.Left = s.leaving
	s.effects = append(s.effects, Effect{Kind: SetTimer, Timer: k, At: at})
}

func (s *Shard) stopTimer(k TimerKey) {
	k.Left = s.leaving
	s.effects = append(s.effects, Effect{Kind: StopTimer, Timer: k})
}
