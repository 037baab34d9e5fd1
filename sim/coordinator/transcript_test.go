package coordinator

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// TestTranscripts runs the scripts in testdata. Each begins with the rule in words.
//
//	broker initial-delay=3s max-size=2 commit-timeout=5s
//	    starts anew with other settings than Kafka's defaults; kafka=3 is the older coordinator
//	stable A B C/i1 session=10s rebalance=60s lists=range
//	    brings a group to generation 1, and is silent about it; C is static.
//	    "completing" stops before anybody syncs
//	join new=A v=3 instance=i1 session=10s rebalance=60s lists=(range,sticky) type=consumer meta=x reason=why
//	    a JoinGroup without member id, which is given the id A if it is given one; "join A" has one
//	sync A gen=1 give=(A:p0,B:p1)
//	heartbeat A gen=1
//	leave A B /i1 v=5
//	commit A gen=1 metadata=100
//	advance by=5s, advance to=60s
//	    fires the timers that are due meanwhile; every command takes to=
//	hold, release, refuse err=NOT_ENOUGH_REPLICAS
//	    keeps batches from the log; lets the log commit or refuse them
//	waiting
//	    prints what the group waits for
//	commit topic=t partition=0 offset=5 retention=60s metadata=100; txn-commit producer=7
//	txn-end producer=7 commit, txn-end producer=7 abort
//	fetch topic=t, fetch all stable
//	delete-offset topic=t, delete-group, delete-topic t, describe v=6, list states=(Empty)
//	unload, load, begin-load, end-load
//	    load reads what the log has of this transcript
//	restart max-size=1
//	    replaces the broker by one with other settings, which has loaded nothing
//
// The group is always g. Each line of output is one effect or event in the order of its emission.
func TestTranscripts(t *testing.T) {
	seenKinds, seenReasons := map[trace.Kind]bool{}, map[trace.Reason]bool{}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	ran := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			ran++
			var s *script
			datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
				if s == nil || d.Cmd == "broker" {
					s = newScript(brokerConfig(t, d))
					s.onEvent = func(e trace.Event) { seenKinds[e.Kind], seenReasons[e.Reason] = true, true }
				}
				return s.run(t, d)
			})
		})
	}
	if t.Failed() || ran < len(files) {
		return
	}
	for _, k := range emittedKinds {
		if !seenKinds[k] {
			t.Errorf("no transcript has the event %v", k)
		}
		delete(seenKinds, k)
	}
	for _, r := range emittedReasons {
		if !seenReasons[r] {
			t.Errorf("no transcript has the reason %v", r)
		}
		delete(seenReasons, r)
	}
	if len(seenKinds) > 0 || len(seenReasons) > 0 {
		t.Errorf("not listed as emitted: kinds %v, reasons %v", seenKinds, seenReasons)
	}
}

// emittedKinds lists what the coordinator can record.
var emittedKinds = []trace.Kind{
	trace.GroupCreated, trace.GroupBecame, trace.MemberAdded, trace.MemberRemoved, trace.MemberIDIssued,
	trace.PendingRemoved, trace.LeaderElected, trace.LeaderReplaced, trace.NobodyRejoined, trace.NotRejoined,
	trace.SyncTimedOut, trace.AssignmentReceived, trace.AssignmentMissing, trace.AssignmentEmpty,
	trace.StaticNoRebalance, trace.Fenced, trace.SyncTimerUnexpected, trace.RunWarning,
	trace.GroupLoaded, trace.GroupUnloaded, trace.GroupsDeleted, trace.DeletionRefused, trace.OffsetsExpired,
	trace.TopicDeleted, trace.OffsetSuperseded, trace.SubscriptionMalformed, trace.AppendRefused,
	trace.GroupRecordRefused, trace.ReplacementRefused, trace.GhostPrepared, trace.OperationFailed, trace.TimerFailed,
}

var emittedReasons = []trace.Reason{
	trace.NoReason, trace.MemberJoined, trace.MemberRejoined, trace.LeaderRejoined, trace.Left, trace.SessionExpired,
	trace.SyncExpired, trace.PendingLeft, trace.StaticReplaced, trace.AppendFailed, trace.OverCapacity,
	trace.JoinPhaseComplete, trace.NoMembersLeft, trace.AssignmentStored, trace.NewDynamic, trace.NewStatic,
	trace.PendingJoined, trace.NewMemberExpired, trace.NotRejoinedInTime, trace.Deleted, trace.Retired, trace.Unloaded,
	trace.Loaded,
}

func brokerConfig(t *testing.T, d *datadriven.TestData) Config { return settings(t, d, Defaults()) }

// settings returns cfg with the settings of a command.
func settings(t *testing.T, d *datadriven.TestData, cfg Config) Config {
	cfg.InitialRebalanceDelay = duration(t, d, "initial-delay", cfg.InitialRebalanceDelay)
	cfg.CommitTimeout = duration(t, d, "commit-timeout", cfg.CommitTimeout)
	cfg.OffsetsRetention = duration(t, d, "retention", cfg.OffsetsRetention)
	cfg.RetentionCheckInterval = duration(t, d, "check", cfg.RetentionCheckInterval)
	cfg.Kafka = text(t, d, "kafka", cfg.Kafka)
	d.MaybeScanArgs(t, "max-size", &cfg.MaxSize)
	return cfg
}

func (s *script) run(t *testing.T, d *datadriven.TestData) string {
	s.out.Reset()
	if to := duration(t, d, "to", -1); to >= 0 {
		s.advance(to)
	}
	switch d.Cmd {
	case "broker":
		return "ok\n"
	case "completing":
		s.joinPhase(t, d)
	case "stable":
		s.joinPhase(t, d)
		s.syncPhase(d)
	case "join":
		s.request(s.join(t, d, subject(d)))
	case "sync":
		s.request(s.syncRequest(t, d))
	case "heartbeat":
		s.request(s.identified(t, d, wire.Heartbeat, 4))
	case "leave":
		s.request(s.leave(t, d))
	case "commit":
		s.request(s.commit(t, d))
	case "advance":
		if by := duration(t, d, "by", -1); by >= 0 {
			s.advance(s.now().SinceStart() + by)
		}
	case "hold":
		s.hold = true
	case "release":
		s.release(wire.None)
	case "refuse":
		err, ok := wire.ParseErr(text(t, d, "err", ""))
		if !ok {
			d.Fatalf(t, "no such error")
		}
		s.release(err)
	case "waiting":
		s.printWaiting()
	default:
		s.runStorage(t, d)
	}
	if s.out.Len() == 0 {
		return "nothing\n"
	}
	return s.out.String()
}

// subject returns the words of a command that are no settings.
func subject(d *datadriven.TestData) []string {
	var words []string
	for _, a := range d.CmdArgs {
		if len(a.Vals) == 0 {
			words = append(words, a.Key)
		}
	}
	return words
}

func (s *script) join(t *testing.T, d *datadriven.TestData, words []string) wire.Request {
	r := s.identified(t, d, wire.JoinGroup, 9)
	r.ClientID = "client"
	if len(words) == 0 {
		s.nextID = wire.MemberID(text(t, d, "new", "?"))
	}
	body := &wire.JoinGroupRequest{
		SessionTimeoutMs:   int32(duration(t, d, "session", 10*time.Second).Milliseconds()),
		RebalanceTimeoutMs: int32(duration(t, d, "rebalance", time.Minute).Milliseconds()),
		ProtocolType:       text(t, d, "type", "consumer"),
		Reason:             text(t, d, "reason", ""),
	}
	metadata := subscriptionTo(list(d, "topics", "t"), text(t, d, "meta", ""))
	if _, raw := d.Arg("raw"); raw {
		metadata = []byte(text(t, d, "raw", ""))
	}
	for _, name := range list(d, "lists", "range") {
		body.Protocols = append(body.Protocols, wire.Protocol{Name: name, Metadata: metadata})
	}
	r.Body = body
	return r
}

func (s *script) syncRequest(t *testing.T, d *datadriven.TestData) wire.Request {
	r := s.identified(t, d, wire.SyncGroup, 5)
	body := &wire.SyncGroupRequest{ProtocolType: text(t, d, "type", ""), Protocol: text(t, d, "protocol", "")}
	for _, pair := range list(d, "give", "") {
		member, bytes, _ := strings.Cut(pair, ":")
		body.Assignments = append(body.Assignments, wire.Assignment{Member: wire.MemberID(member), Bytes: []byte(bytes)})
	}
	r.Body = body
	return r
}

func (s *script) leave(t *testing.T, d *datadriven.TestData) wire.Request {
	r := s.identified(t, d, wire.LeaveGroup, 5)
	body := &wire.LeaveGroupRequest{}
	reason := text(t, d, "reason", "")
	for _, word := range subject(d) {
		member, instance, _ := strings.Cut(word, "/")
		body.Members = append(body.Members, wire.LeavingMember{
			Member: wire.MemberID(member), Instance: wire.InstanceID(instance), Reason: reason, HasReason: reason != "",
		})
	}
	r.Member, r.Body = "", body
	return r
}

func (s *script) commit(t *testing.T, d *datadriven.TestData) wire.Request {
	r := s.identified(t, d, wire.OffsetCommit, 9)
	metadata, offset := 0, int64(5)
	d.MaybeScanArgs(t, "metadata", &metadata)
	d.MaybeScanArgs(t, "offset", &offset)
	body := &wire.OffsetCommitRequest{RetentionTimeMs: noTimestamp, Offsets: []wire.OffsetToCommit{{
		TopicPartition: partition(t, d), Offset: offset, LeaderEpoch: -1, Metadata: strings.Repeat("x", metadata),
	}}}
	if retention := duration(t, d, "retention", -1); retention >= 0 {
		body.RetentionTimeMs = retention.Milliseconds()
	}
	r.Body = body
	return r
}

// identified fills in who sends a request.
func (s *script) identified(t *testing.T, d *datadriven.TestData, api wire.API, version int) wire.Request {
	d.MaybeScanArgs(t, "v", &version)
	generation := -1
	d.MaybeScanArgs(t, "gen", &generation)
	r := wire.Request{
		API: api, Version: int16(version), Group: "g",
		Instance: wire.InstanceID(text(t, d, "instance", "")), Generation: wire.Generation(generation),
	}
	if words := subject(d); len(words) > 0 {
		r.Member = wire.MemberID(words[0])
	}
	return r
}

// joinPhase brings the members to generation 1.
func (s *script) joinPhase(t *testing.T, d *datadriven.TestData) {
	words := subject(d)
	for _, word := range words {
		id, instance, _ := strings.Cut(word, "/")
		r := s.join(t, d, words)
		r.Member, r.Instance, r.Version = "", wire.InstanceID(instance), 3
		s.nextID = wire.MemberID(id)
		s.request(r)
	}
	s.advance(s.now().SinceStart() + 2*s.cfg.InitialRebalanceDelay)
	s.summarize()
}

// syncPhase syncs the members, the leader last; each gets its own name in small letters.
func (s *script) syncPhase(d *datadriven.TestData) {
	leader, _ := s.shard.Leader("g")
	sync := wire.Request{API: wire.SyncGroup, Group: "g", Generation: 1}
	assignments := &wire.SyncGroupRequest{}
	for _, word := range subject(d) {
		id, _, _ := strings.Cut(word, "/")
		assignments.Assignments = append(assignments.Assignments, wire.Assignment{Member: wire.MemberID(id), Bytes: []byte(strings.ToLower(id))})
		if id != string(leader) {
			sync.Member, sync.Body = wire.MemberID(id), &wire.SyncGroupRequest{}
			s.request(sync)
		}
	}
	sync.Member, sync.Body = leader, assignments
	s.request(sync)
	s.summarize()
}

// summarize prints the group instead of what led to it.
func (s *script) summarize() {
	s.out.Reset()
	g, _ := s.shard.Snapshot("g")
	s.line("group", fmt.Sprintf("%v  gen=%d  leader=%s members=%d", g.State, g.Generation, g.Leader, len(g.Members)))
}

func text(t *testing.T, d *datadriven.TestData, key, otherwise string) string {
	d.MaybeScanArgs(t, key, &otherwise)
	return strings.Trim(otherwise, `"`)
}

func list(d *datadriven.TestData, key, otherwise string) []string {
	if arg, ok := d.Arg(key); ok {
		return arg.Vals
	}
	if otherwise == "" {
		return nil
	}
	return []string{otherwise}
}

func duration(t *testing.T, d *datadriven.TestData, key string, otherwise time.Duration) time.Duration {
	word := ""
	d.MaybeScanArgs(t, key, &word)
	if word == "" {
		return otherwise
	}
	value, err := time.ParseDuration(word)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return value
}
