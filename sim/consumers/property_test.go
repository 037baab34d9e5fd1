package consumers

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/records"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// TestLaws lets a process meet a broker that answers anything at any time, or nothing, and an application that stalls
// and subscribes to this and that. Whatever happens:
//
//   - a process does not spin: after a step the next one is due later
//   - it sends only on connections that are established
//   - at most one JoinGroup is in flight
//   - a heartbeat is sent only under the membership that the last JoinGroup response gave, and not after the
//     next JoinGroup or LeaveGroup
//   - callbacks give nothing twice, take away only what was given, and everything before the process exits
//   - told to stop, it exits within the time of close(), and what its application does meanwhile
func TestLaws(t *testing.T) {
	checkLaws(t, "", func(Config) time.Duration { return closeTimeout })
}

// checkLaws checks them for a client, which closes within a time that depends on its settings.
func checkLaws(t *testing.T, client string, closes func(Config) time.Duration) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLaws(t, client)
		t.Repeat(map[string]func(*rapid.T){
			"":           func(*rapid.T) {},
			"advance":    l.advanceAtRandom,
			"answer":     l.answerAtRandom,
			"settle":     l.settle,
			"close":      l.closeAtRandom,
			"refuse":     func(*rapid.T) { l.refusing = !l.refusing },
			"freeze":     func(*rapid.T) { l.frozen = true },
			"thaw":       func(*rapid.T) { l.frozen = false; l.step() },
			"stall":      l.stallAtRandom,
			"slowAssign": l.slowAssignAtRandom,
			"slowRevoke": l.slowRevokeAtRandom,
			"subscribe":  l.subscribeAtRandom,
			"enforce":    func(t *rapid.T) { l.process.EnforceRebalance(rapid.Bool().Draw(t, "at once")); l.step() },
			"topics":     l.topicsAtRandom,
		})
		l.mustStop(closes(clientOf(l.process).plan.Config))
	})
}

// laws is the world around one process, and what the process may do in it.
type laws struct {
	t        *rapid.T
	process  Process
	at       clock.Time
	frozen   bool
	refusing bool
	open     []openRequest
	conns    [NumConns]connState // as the process must see them
	closing  [NumConns]bool      // its end is in the socket buffer

	beating    bool // a JoinGroup was answered, and nothing ended that membership since
	beatsOn    bool // the next JoinGroup does not end it
	member     wire.MemberID
	generation wire.Generation

	held map[wire.TopicPartition]bool // as the callbacks tell

	busy time.Duration // what the application may do between now and the exit
}

func newLaws(t *rapid.T, client string) *laws { return newLawsOf(t, anyPlan(t, client), nil) }

// newLawsOf is newLaws for a process that is started from plan, in a group that reads these records.
func newLawsOf(t *rapid.T, plan Plan, held *records.Group) *laws {
	l := &laws{t: t, busy: 20 * time.Second, held: map[wire.TopicPartition]bool{}, beatsOn: plan.Client == "kafkajs" || plan.Client == "librdkafka"}
	l.process = Start(0, Identity{Name: "c", Instance: anyInstance(t, &plan)}, &plan, Env{
		Sink: l, Topics: map[string]assignors.Topic{"t": {Partitions: 4}}, Records: held, Brokers: 1,
		Backoff: random.Seed(1).Stream("c", "backoff"),
		Work:    random.Seed(1).Stream("c", "work"),
		Listen:  random.Seed(1).Stream("c", "listen"),
	})
	l.step()
	return l
}

// Record judges what the callbacks tell.
func (l *laws) Record(e trace.Event) {
	switch e.Kind {
	case trace.PartitionsAssigned, trace.PartitionsRevoked, trace.PartitionsLost:
		given := e.Kind == trace.PartitionsAssigned
		for _, tp := range e.Partitions {
			if l.held[tp] == given {
				l.t.Fatalf("%v at %v of %v, held before: %v", e.Kind, e.At, tp, l.held[tp])
			}
			l.held[tp] = given
		}
	case trace.ProcessExited:
		for tp, held := range l.held {
			if held {
				l.t.Fatalf("the process exits at %v holding %v", e.At, tp)
			}
		}
	}
}

func anyPlan(t *rapid.T, client string) Plan {
	profile, _ := FindProfile(client)
	among := func(name string, values ...time.Duration) time.Duration {
		return rapid.SampledFrom(values).Draw(t, name)
	}
	const ms, s = time.Millisecond, time.Second
	p := Plan{
		Client: client, Group: "g", Topics: []string{"t"}, Config: profile.Config,
		PollTimeout:   among("poll", 0, 100*ms, s, 20*s),
		Processing:    random.Constant(among("processing", 0, 100*ms, 2*s)),
		OnRevoke:      random.Constant(among("on-revoke", 0, s)),
		OnAssign:      random.Constant(among("on-assign", 0, s)),
		OnLost:        random.Constant(among("on-lost", 0, s)),
		JoinNotBefore: among("cold", 0, s),

		PollAgain: among("invalid-topic-pause", 0, s),
	}
	if p.PollTimeout == 0 {
		p.Processing = random.Constant(100 * ms)
	}
	c := &p.Config
	c.SessionTimeout = among("session", 6*s, 45*s)
	c.HeartbeatInterval = among("heartbeat", 100*ms, 3*s)
	c.MaxPollInterval = among("max-poll", s, 5*s, 60*s)
	c.RequestTimeout = among("request", s, 30*s)
	c.RetryBackoff = among("retry", 0, 100*ms)
	c.RetryBackoffMax = among("retry-max", 0, s)
	c.ReconnectBackoff = among("reconnect", 0, 50*ms)
	c.ReconnectMax = among("reconnect-max", 0, s)
	c.AutoCommitInterval = among("interval", 100*ms, 5*s)
	c.AutoCommit = rapid.Bool().Draw(t, "commit")
	c.MetadataMaxAge = among("metadata-age", 0, s, 300*s)
	if client == franzGoProfile.Name {
		c.BlockRebalance = rapid.Bool().Draw(t, "block rebalance")
	}
	switch client {
	case "", franzGoProfile.Name:
		c.Assignors = rapid.SampledFrom([][]string{{"range"}, {"sticky"}, {"cooperative-sticky"}}).Draw(t, "assignors")
	case librdkafkaProfile.Name:
		c.Assignors = rapid.SampledFrom([][]string{{"range"}, {"cooperative-sticky"}}).Draw(t, "assignors")
	}
	return p
}

// anyInstance draws the group.instance.id of a process, or none.
func anyInstance(t *rapid.T, p *Plan) string {
	if profileOf(p.Client).AlwaysDynamic || !rapid.Bool().Draw(t, "static") {
		return ""
	}
	return "i"
}

func (l *laws) advanceAtRandom(t *rapid.T) {
	const ms, s = time.Millisecond, time.Second
	l.advance(l.at.Add(rapid.SampledFrom([]time.Duration{ms, 7 * ms, 100 * ms, s, 11 * s, 40 * s}).Draw(t, "by")))
}

func (l *laws) answerAtRandom(t *rapid.T) {
	if len(l.open) == 0 {
		return
	}
	i := rapid.IntRange(0, len(l.open)-1).Draw(t, "request")
	err := rapid.SampledFrom([]wire.Err{
		wire.None, wire.None, wire.None, wire.MemberIDRequired, wire.RebalanceInProgress, wire.IllegalGeneration,
		wire.UnknownMemberID, wire.NotCoordinator, wire.CoordinatorNotAvailable, wire.CoordinatorLoadInProgress,
		wire.UnknownTopicOrPartition, wire.RequestTimedOut, wire.FencedInstanceID, wire.UnstableOffsetCommit,
	}).Draw(t, "error")
	l.answer(t, i, err)
}

// settle answers everything without an error for a second, which brings an undisturbed process into its group.
func (l *laws) settle(t *rapid.T) {
	for range 20 {
		for n := len(l.open); n > 0 && len(l.open) > 0; n-- {
			l.answer(t, 0, wire.None)
		}
		l.advance(l.at.Add(50 * time.Millisecond))
	}
}

func (l *laws) answer(t *rapid.T, i int, err wire.Err) {
	o := l.open[i]
	l.open = append(l.open[:i], l.open[i+1:]...)
	l.process.Receive(o.conn, l.response(t, o.request, err))
	l.step()
}

func (l *laws) response(t *rapid.T, r wire.Request, err wire.Err) wire.Response {
	response := wire.Response{Ticket: r.Ticket, API: r.API, Err: err}
	switch r.API {
	case wire.JoinGroup:
		leader := rapid.SampledFrom([]wire.MemberID{"c-1", "other"}).Draw(t, "leader")
		body := &wire.JoinGroupResponse{Protocol: clientOf(l.process).plan.Config.Assignors[0], Leader: leader}
		subscription := assignors.Subscription{Topics: []string{"t"}, Generation: wire.NoGeneration}
		body.Members = []wire.JoinedMember{{Member: "c-1", Metadata: assignors.EncodeSubscription(subscription, current.protocol)}}
		response.Member, response.Generation, response.Body = "c-1", l.generation+1, body
		if err == wire.None {
			l.beating, l.member, l.generation = true, response.Member, response.Generation
		}
	case wire.SyncGroup:
		some := rapid.SampledFrom(partitionList([]string{"t-0", "t-1", "t-2", "u-0"}))
		response.Body = syncResponse(rapid.SliceOfNDistinct(some, 0, 3, rapid.ID).Draw(t, "assigned")).Body
	case wire.FindCoordinator:
		response.Body = &wire.FindCoordinatorResponse{Broker: 1}
	}
	return response
}

func (l *laws) closeAtRandom(t *rapid.T) {
	c := Conn(rapid.IntRange(0, int(NumConns)-1).Draw(t, "connection"))
	if l.conns[c] == ready && !l.closing[c] {
		l.closed(c)
		l.step()
	}
}

// closed tells the process that the broker closed, or refused, a connection.
func (l *laws) closed(c Conn) {
	l.forget(c)
	l.closing[c] = true
	l.process.Closed(c)
}

func (l *laws) stallAtRandom(t *rapid.T) {
	l.process.Stall(3*time.Second, rapid.Bool().Draw(t, "at once"))
	l.busy += 3 * time.Second
	l.step()
}

func (l *laws) slowRevokeAtRandom(*rapid.T) {
	l.process.SlowRevoke(3 * time.Second)
	l.busy += 3 * time.Second
}

// subscribeAtRandom changes the subscription, or ends it.
func (l *laws) subscribeAtRandom(t *rapid.T) {
	to := rapid.SampledFrom([]Subscription{
		{}, {Topics: []string{"t"}}, {Topics: []string{"t", "u"}}, {Topics: []string{"u"}}, {Topics: []string{"x$"}},
		{Pattern: "t.*"},
	}).Draw(t, "subscription")
	l.process.Subscribe(to, rapid.Bool().Draw(t, "at once"))
	l.step()
}

func (l *laws) topicsAtRandom(t *rapid.T) {
	topics := map[string]assignors.Topic{}
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"t", "t2", "u"}), rapid.ID).Draw(t, "topics") {
		topics[name] = assignors.Topic{Partitions: rapid.IntRange(1, 4).Draw(t, "partitions")}
	}
	l.process.TopicsChanged(l.at, topics)
	l.step()
}

func (l *laws) slowAssignAtRandom(*rapid.T) {
	l.process.SlowAssign(3 * time.Second)
	l.busy += 3 * time.Second
}

// mustStop stops the process, with nobody answering any more. It closes within a time, after what its application does.
func (l *laws) mustStop(within time.Duration) {
	l.frozen = false
	l.step()
	l.process.Stop(CloseOptions{})
	l.step()
	l.advance(l.at.Add(within + l.busy))
	if k := l.process.PollWait().Kind; k != WaitExited {
		l.t.Fatalf("told to stop %v ago, the process is in %s", within+l.busy, waitNames[k])
	}
}

func (l *laws) advance(to clock.Time) {
	for !l.frozen && l.process.Wake() <= to {
		l.at = l.process.Wake()
		l.step()
	}
	l.at = to
}

// step lets the process go on, and reacts to it, until it waits for something else than a connection.
func (l *laws) step() {
	for n := 0; !l.frozen; n++ {
		if n > 20 {
			l.t.Fatalf("the process does not come to rest at %v", l.at)
		}
		effects := l.process.Step(l.at)
		for _, e := range effects {
			l.judge(e)
		}
		for c := range NumConns {
			if l.closing[c] && len(clientOf(l.process).inbox) == 0 { // it has read so, and did not connect again
				l.closing[c], l.conns[c] = false, disconnected
			}
		}
		if wake := l.process.Wake(); wake <= l.at {
			l.t.Fatalf("after the step at %v the next one is due at %v", l.at, wake)
		}
		if !l.connectAll() {
			return
		}
	}
}

// connectAll accepts, or refuses, what the process wants to connect. It reports whether there was any.
func (l *laws) connectAll() bool {
	any := false
	for c := range NumConns {
		if l.conns[c] != connecting || l.closing[c] {
			continue
		}
		any = true
		if l.refusing {
			l.closed(c)
		} else {
			l.conns[c] = ready
			l.process.Connected(c)
		}
	}
	return any
}

func (l *laws) judge(e Effect) {
	switch e.Kind {
	case Connect:
		l.conns[e.Conn], l.closing[e.Conn] = connecting, false
	case Disconnect:
		l.forget(e.Conn)
		l.conns[e.Conn], l.closing[e.Conn] = disconnected, false
	case Send:
		l.judgeRequest(e.Conn, e.Request)
	}
}

func (l *laws) judgeRequest(c Conn, r wire.Request) {
	if l.conns[c] != ready {
		l.t.Fatalf("%v at %v on the %s connection, which is not established", r.API, l.at, connName(c))
	}
	switch r.API {
	case wire.JoinGroup:
		for _, o := range l.open {
			if o.request.API == wire.JoinGroup {
				l.t.Fatalf("two JoinGroups in flight at %v", l.at)
			}
		}
		l.beating = l.beating && l.beatsOn
	case wire.LeaveGroup:
		l.beating = false
	case wire.Heartbeat:
		if forgot := r.Member == "" || r.Generation == wire.NoGeneration; forgot && clientOf(l.process).profile.Name == librdkafkaProfile.Name {
			break // recorded: it is due while the application gives up what is lost
		}
		if !l.beating || r.Member != l.member || !l.mayBeatIn(r.Generation) {
			l.t.Fatalf("heartbeat of %q in generation %d at %v", r.Member, r.Generation, l.at)
		}
	}
	if !l.closing[c] { // else nobody gets it
		l.open = append(l.open, openRequest{c, r, l.at})
	}
}

// mayBeatIn reports whether a heartbeat may be of a generation: the last that a JoinGroup response gave. librdkafka gives up
// partitions of a deleted topic while its JoinGroup is outstanding, drops the response to that, and goes on in the
// generation that it has.
func (l *laws) mayBeatIn(g wire.Generation) bool {
	if clientOf(l.process).profile.Name != librdkafkaProfile.Name {
		return g == l.generation
	}
	joins := slices.ContainsFunc(l.open, func(o openRequest) bool { return o.request.API == wire.JoinGroup })
	return g <= l.generation && !joins
}

func (l *laws) forget(c Conn) {
	kept := l.open[:0]
	for _, o := range l.open {
		if o.conn != c {
			kept = append(kept, o)
		}
	}
	l.open = kept
}
