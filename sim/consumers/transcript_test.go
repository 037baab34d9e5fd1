package consumers

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/records"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// TestTranscripts runs the scripts in testdata. Each begins with the rule in words.
//
//	start static poll=1s session=10s heartbeat=3s max-poll=60s request=30s reconnect=50ms
//	      commit=no interval=5s assignors=(range,cooperative-sticky) processing=2s boot=1s
//	      on-revoke=1s on-assign=1s on-lost=1s cold=500ms topics=(t,u) pattern=(t.*) metadata-age=5m
//	      poll-again=1s client=java-2.8
//	      idle=9m remains block-rebalance max-wait=500ms watch each-batch handler-heartbeat=5s
//	      rate=4 backlog=12 handed=(t-0,5) reset=earliest max-records=500 per-record=10ms step-by-step
//	    starts process c in group g, subscribed to topic t of 4 partitions, at instant 0; again: another one.
//	    Topic t gets rate records a second and has backlog at the start; the group was handed a partition up to an
//	    offset. With step-by-step every poll is a step of its own, which the transcript shows
//	joining, completing, stable assigned=(t-0,t-1)
//	    the same, silently up to where JoinGroup is outstanding, SyncGroup is, or the group is joined;
//	    its member id is then c-1
//	answer join NONE id=c-1 gen=1 leader=c-1 protocol=range members=(c-1,d-1) topics=(t) skip
//	    d-1=(3,t-0) says what a member claims to have held, and in which generation
//	answer sync NONE assigned=(t-0,t-1) protocol=range garbage
//	answer find NONE broker=2
//	answer fetch NONE offsets=(t-0,12)
//	answer heartbeat REBALANCE_IN_PROGRESS
//	    answers the oldest open request: join, sync, heartbeat, commit, leave, find, fetch
//	manual heartbeat commit, auto heartbeat
//	    leaves requests of these kinds unanswered until the script answers them. All but join and sync
//	    are answered without an error, at once, unless told otherwise
//	refuse, ignore, accept
//	    refuses connections from now on; does not even answer; accepts them again
//	close coordinator, close node, close join
//	    the broker closes a connection
//	stall for=10s at-once, slow-assign for=10s, slow-revoke for=10s, freeze-in-assign for=10s, throw-in-callback
//	stop timeout=10s operation=LEAVE_GROUP
//	subscribe topics=(t,u) at-once, subscribe pattern=(t.*), unsubscribe at-once, enforce-rebalance at-once, commit
//	    tells the application to do so
//	topics t=4 u=2
//	    the cluster has these topics, with so many partitions, from now on
//	lose-fetch
//	    lets the answer of the Fetch that is in flight get lost, if one is
//	observe
//	    prints what the world can ask a process, and the highest generations that its assignors have seen
//	freeze, thaw
//	    pauses the whole process; bytes go on arriving meanwhile
//	advance by=5s, advance to=60s
//	    lets time pass; every command takes to=
//
// Messages take no time. A line is one effect or event in the order of its emission, or what the poll
// thread waits for.
func TestTranscripts(t *testing.T) {
	seenKinds, seenWaits := map[trace.Kind]bool{}, map[WaitKind]bool{}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	ran := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			ran++
			s := newScript(t)
			s.onEvent = func(e trace.Event) { seenKinds[e.Kind] = true }
			s.onWait = func(k WaitKind) { seenWaits[k] = true }
			datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string { return s.run(t, d) })
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
	if len(seenKinds) > 0 {
		t.Errorf("not listed as emitted: %v", seenKinds)
	}
	for k := WaitRecords; k <= WaitExited; k++ {
		if !seenWaits[k] {
			t.Errorf("no transcript has the wait %s", waitNames[k])
		}
	}
}

// TestOtherClients runs the scripts of the other client libraries, a folder each. Every one of their scripts names
// its client in each start.
func TestOtherClients(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(file, "testdata/"), ".txt"), func(t *testing.T) {
			s := newScript(t)
			datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string { return s.run(t, d) })
		})
	}
}

// emittedKinds lists what a consumer can record.
var emittedKinds = []trace.Kind{
	trace.ProcessStarted, trace.ProcessExited, trace.PartitionsAssigned, trace.PartitionsRevoked, trace.PartitionsLost,
	trace.RejoinRequested, trace.JoinSent, trace.LeaveSent, trace.PollTimeout, trace.CoordinatorLost,
	trace.CoordinatorFound, trace.MembershipReset, trace.SubscriptionChanged, trace.ConsumerFailed, trace.ProcessingBegan, trace.StallBegan,
	trace.StallEnded, trace.CallbackBegan, trace.CallbackEnded, trace.PollThrew, trace.HeartbeatAnswered, trace.CommitAnswered,
	trace.PositionsSet, trace.RecordsRedelivered,
}

// recordsOf returns what topic t holds, nil if no setting speaks of records.
func recordsOf(t *testing.T, d *datadriven.TestData) *records.Group {
	if !d.HasArg("rate") && !d.HasArg("backlog") {
		return nil
	}
	rate, backlog := 0, 0
	d.MaybeScanArgs(t, "rate", &rate)
	d.MaybeScanArgs(t, "backlog", &backlog)
	logs := records.NewLogs()
	logs.Create("t", 4, records.Rate{Records: int64(rate), Per: time.Second}, int64(backlog))
	g := logs.NewGroup()
	for _, o := range offsets(d, "handed") {
		g.Hand(o.TopicPartition, 0, o.Offset)
	}
	return g
}

// offsets reads a list of partitions, each followed by an offset.
func offsets(d *datadriven.TestData, key string) (all []wire.FetchedOffset) {
	words := list(d, key)
	for i := 0; i+1 < len(words); i += 2 {
		n, _ := strconv.ParseInt(words[i+1], 10, 64)
		all = append(all, wire.FetchedOffset{TopicPartition: partitionList(words[i : i+1])[0], Offset: n})
	}
	return all
}

func (s *script) run(t *testing.T, d *datadriven.TestData) string {
	s.t = t
	s.out.Reset()
	if to := duration(t, d, "to", -1); to >= 0 {
		s.advance(clock.At(to))
	}
	switch d.Cmd {
	case "start":
		s.startCommand(t, d)
	case "joining", "completing", "stable":
		s.startCommand(t, d)
		s.joinGroup(d.Cmd, "c-1", partitions(d))
	case "answer":
		s.answerCommand(t, d)
	case "manual", "auto":
		for _, name := range words(d) {
			s.manual[apiOf(t, d, name)] = d.Cmd == "manual"
		}
	case "accept":
		s.accepts = accept
	case "refuse":
		s.accepts = refuse
	case "ignore":
		s.accepts = ignore
	case "close":
		c := CoordinatorConn
		switch {
		case d.HasArg("node"):
			c = NodeConn
		case d.HasArg("join"):
			c = JoinConn
		}
		s.forget(c, true)
		s.process.Closed(c)
		s.step()
	case "stall":
		s.process.Stall(duration(t, d, "for", 0), d.HasArg("at-once"))
		s.step()
	case "slow-assign":
		s.process.SlowAssign(duration(t, d, "for", 0))
	case "throw-in-callback":
		s.process.ThrowInCallback()
	case "slow-revoke":
		s.process.SlowRevoke(duration(t, d, "for", 0))
	case "freeze-in-assign":
		s.process.FreezeInAssign(duration(t, d, "for", 0))
	case "subscribe", "unsubscribe":
		s.process.Subscribe(Subscription{Topics: list(d, "topics"), Pattern: text(t, d, "pattern", "")}, d.HasArg("at-once"))
		s.step()
	case "enforce-rebalance":
		s.process.EnforceRebalance(d.HasArg("at-once"))
		s.step()
	case "commit":
		s.process.Commit()
		s.step()
	case "topics":
		topics := map[string]assignors.Topic{}
		for _, arg := range d.CmdArgs {
			if arg.Key == "to" {
				continue
			}
			n, _ := strconv.Atoi(arg.Vals[0])
			topics[arg.Key] = assignors.Topic{Partitions: n}
		}
		s.process.TopicsChanged(s.at, topics)
		s.step()
	case "stop":
		o := CloseOptions{Operation: map[string]MembershipOperation{
			"": LeaveByDefault, "LEAVE_GROUP": LeaveGroup, "REMAIN_IN_GROUP": RemainInGroup,
		}[text(t, d, "operation", "")]}
		if timeout := duration(t, d, "timeout", -1); timeout >= 0 {
			o.Timeout = &timeout
		}
		s.process.Stop(o)
		s.step()
	case "observe":
		p := s.process
		text := fmt.Sprintf("member=%s aware=%v heartbeating=%v poll deadline %v",
			someone(p.Member()), p.Aware(), p.Heartbeating(), p.PollDeadline())
		if since, ok := p.Committing(); ok {
			text += fmt.Sprintf(" committing since %v", since)
		}
		for _, name := range []string{"sticky", "cooperative-sticky"} {
			if g := clientOf(p).memory.highest[name]; g != wire.NoGeneration {
				text += fmt.Sprintf(" %s has seen gen=%d", name, g)
			}
		}
		s.line("observe", text)
	case "lose-fetch":
		if _, answered, ok := s.process.LoseFetch(s.at); ok {
			s.line("lost", fmt.Sprintf("the Fetch that is answered at %v", answered))
		}
	case "freeze":
		s.step() // it makes up for what it has left out
		s.process.Freeze()
		s.frozen = true
	case "thaw":
		s.frozen = false
		s.step()
	case "advance":
		if by := duration(t, d, "by", -1); by >= 0 {
			s.advance(s.at.Add(by))
		}
	default:
		d.Fatalf(t, "unknown command %s", d.Cmd)
	}
	if s.out.Len() == 0 {
		return "nothing\n"
	}
	return s.out.String()
}

// planDefaults are the defaults of the client, and for Java ones that make transcripts short.
func planDefaults(t *testing.T, d *datadriven.TestData) Config {
	profile, ok := FindProfile(text(t, d, "client", ""))
	if !ok {
		d.Fatalf(t, "no such client")
	}
	if profile.Options != nil {
		return profile.Config
	}
	c := Defaults()
	c.SessionTimeout, c.MaxPollInterval, c.Assignors = 10*time.Second, time.Minute, []string{"range"}
	return c
}

func planOf(t *testing.T, d *datadriven.TestData) Plan {
	c := planDefaults(t, d)
	c.SessionTimeout = duration(t, d, "session", c.SessionTimeout)
	c.HeartbeatInterval = duration(t, d, "heartbeat", c.HeartbeatInterval)
	c.MaxPollInterval = duration(t, d, "max-poll", c.MaxPollInterval)
	c.RebalanceTimeout = duration(t, d, "rebalance", c.RebalanceTimeout)
	c.RequestTimeout = duration(t, d, "request", c.RequestTimeout)
	c.ReconnectBackoff = duration(t, d, "reconnect", c.ReconnectBackoff)
	c.AutoCommit = c.AutoCommit && !d.HasArg("commit")
	c.AutoCommitInterval = duration(t, d, "interval", c.AutoCommitInterval)
	c.MetadataMaxAge = duration(t, d, "metadata-age", c.MetadataMaxAge)
	c.FetchMaxWait = duration(t, d, "max-wait", c.FetchMaxWait)
	c.WatchPartitionChanges, c.EachBatch = d.HasArg("watch"), d.HasArg("each-batch")
	c.HandlerHeartbeat = duration(t, d, "handler-heartbeat", 0)
	if names := list(d, "assignors"); names != nil {
		c.Assignors = names
	}
	c.AutoOffsetReset = text(t, d, "reset", c.AutoOffsetReset)
	d.MaybeScanArgs(t, "max-records", &c.MaxPollRecords)
	constant := func(key string) random.Distribution { return random.Constant(duration(t, d, key, 0)) }
	p := Plan{
		Group: "g", Topics: []string{"t"}, Pattern: text(t, d, "pattern", ""), Config: c,
		PollTimeout: duration(t, d, "poll", time.Second), JoinNotBefore: duration(t, d, "cold", 0),
		Processing: constant("processing"), PerRecord: constant("per-record"), Boot: constant("boot"),
		OnRevoke: constant("on-revoke"), OnAssign: constant("on-assign"), OnLost: constant("on-lost"),
	}
	p.Client = text(t, d, "client", "")
	c.LeaveOnClose = !d.HasArg("remains")
	c.BlockRebalance = d.HasArg("block-rebalance")
	c.IdleTimeout = duration(t, d, "idle", c.IdleTimeout)
	p.Config = c
	if topics := list(d, "topics"); topics != nil {
		p.Topics = topics
	}
	p.PollAgain = duration(t, d, "poll-again", 0)
	return p
}

func (s *script) startCommand(t *testing.T, d *datadriven.TestData) {
	s.records = recordsOf(t, d)
	strides = !d.HasArg("step-by-step")
	if s.instance = ""; d.HasArg("static") {
		s.instance = "i"
	}
	s.start(planOf(t, d))
}

func (s *script) answerCommand(t *testing.T, d *datadriven.TestData) {
	names := words(d)
	if len(names) < 2 {
		d.Fatalf(t, "answer needs a request and an error")
	}
	err, ok := wire.ParseErr(names[1])
	if !ok {
		d.Fatalf(t, "no error is called %s", names[1])
	}
	r := wire.Response{Err: err}
	api := apiOf(t, d, names[0])
	switch api {
	case wire.JoinGroup:
		r = joinResponse(t, d, err, clientOf(s.process).plan.Config.Assignors[0])
	case wire.SyncGroup:
		r = syncResponse(partitions(d))
		if d.HasArg("garbage") {
			r.Body = &wire.SyncGroupResponse{Assignment: []byte{0}}
		}
		r.Err = err
		r.Body.(*wire.SyncGroupResponse).Protocol = text(t, d, "protocol", "")
	case wire.OffsetCommit:
		r = commitResponse(err)
	case wire.OffsetFetch:
		r.Body = &wire.OffsetFetchResponse{Offsets: offsets(d, "offsets")}
	case wire.FindCoordinator:
		broker := 1
		d.MaybeScanArgs(t, "broker", &broker)
		r.Body = &wire.FindCoordinatorResponse{Broker: int32(broker)}
	}
	s.onAnswer(api, err, func() { s.answer(api, r) })
}

func joinResponse(t *testing.T, d *datadriven.TestData, err wire.Err, protocol string) wire.Response {
	body := &wire.JoinGroupResponse{
		Protocol: text(t, d, "protocol", protocol), Leader: wire.MemberID(text(t, d, "leader", "other")),
		SkipAssignment: d.HasArg("skip"),
	}
	if arg, ok := d.Arg("members"); ok {
		topics := list(d, "topics")
		if topics == nil {
			topics = []string{"t"}
		}
		for _, id := range arg.Vals {
			subscription := claims(d, id)
			subscription.Topics = topics
			metadata := assignors.EncodeSubscription(subscription, current.protocol)
			if d.HasArg("garbage") {
				metadata = []byte{0}
			}
			body.Members = append(body.Members, wire.JoinedMember{Member: wire.MemberID(id), Metadata: metadata})
		}
	}
	generation := -1
	d.MaybeScanArgs(t, "gen", &generation)
	return wire.Response{Err: err, Member: wire.MemberID(text(t, d, "id", "")), Generation: wire.Generation(generation), Body: body}
}

// claims reads d-1=(3,t-0,t-1), in the form of both sticky assignors.
func claims(d *datadriven.TestData, id string) assignors.Subscription {
	arg, ok := d.Arg(id)
	if !ok {
		return assignors.Subscription{Generation: wire.NoGeneration}
	}
	n, _ := strconv.Atoi(arg.Vals[0])
	generation, owned := wire.Generation(n), partitionList(arg.Vals[1:])
	return assignors.Subscription{Owned: owned, Generation: generation, UserData: assignors.EncodeStickyUserData(owned, generation)}
}

func apiOf(t *testing.T, d *datadriven.TestData, name string) wire.API {
	api, ok := map[string]wire.API{
		"join": wire.JoinGroup, "sync": wire.SyncGroup, "heartbeat": wire.Heartbeat, "commit": wire.OffsetCommit,
		"leave": wire.LeaveGroup, "find": wire.FindCoordinator, "fetch": wire.OffsetFetch,
	}[name]
	if !ok {
		d.Fatalf(t, "no request is called %s", name)
	}
	return api
}

// list returns the values of a setting, nil when it is not given.
func list(d *datadriven.TestData, key string) []string {
	arg, _ := d.Arg(key)
	return arg.Vals
}

// words returns the words of a command that are no settings.
func words(d *datadriven.TestData) []string {
	var list []string
	for _, a := range d.CmdArgs {
		if len(a.Vals) == 0 {
			list = append(list, a.Key)
		}
	}
	return list
}

// partitions reads assigned=(t-0,u-0).
func partitions(d *datadriven.TestData) []wire.TopicPartition {
	return partitionList(list(d, "assigned"))
}

func partitionList(names []string) []wire.TopicPartition {
	var list []wire.TopicPartition
	for _, name := range names {
		topic, number, _ := strings.Cut(name, "-")
		list = append(list, wire.TopicPartition{Topic: topic, Partition: int32(number[0] - '0')})
	}
	return list
}

func text(t *testing.T, d *datadriven.TestData, key, otherwise string) string {
	d.MaybeScanArgs(t, key, &otherwise)
	return otherwise
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
