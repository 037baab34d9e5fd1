package incident

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// mostClients is how many clients of a group are followed.
const mostClients = 1024

// view is a group as its clients tell of it, merged by generation.
type view struct {
	course  course
	wanted  logs.Event   // the first JoinGroup of which nobody knows yet whether it makes the group rebalance
	wantsAt logs.Instant // when it was sent; NoTime: there is none
	clients map[clientKey]*client
	order   []*client
	polled  [16]wire.MemberID // who left last because max.poll.interval.ms ran out
	next    int
}

// clientKey tells clients apart: processes on several machines may have one client id, but log to files of their own.
type clientKey struct {
	name   string
	source int32
}

// noJoin is a JoinGroup of which nothing is logged yet.
var noJoin = ClientJoin{
	Sent: logs.NoTime, Answered: logs.NoTime, Synced: logs.NoTime, Told: logs.NoTime, FailedAt: logs.NoTime, Generation: logs.Unknown,
}

// client is one of them.
type client struct {
	Client
	joins      kept[ClientJoin]
	join       ClientJoin // that is not complete; Line.Line is 0 when there is none
	generation int32      // that it was told last; logs.Unknown
	precision  time.Duration
	evicted    bool         // it was told so since it last sent JoinGroup
	refused    bool         // for its assignors
	left       logs.Instant // when it last left; NoTime
	parts      partitions
	found      logs.Instant  // when it was last told who is its coordinator; NoTime
	beat       logs.Instant  // its last heartbeat; NoTime
	told       logs.Instant  // when it was first told of a rebalance since it last sent JoinGroup; NoTime
	exceeded   time.Duration // by what it said last that max.poll.interval.ms was exceeded
	leaves     []Leave       // the first maxLines
	asked      logs.Place    // where it was last told of a rebalance
	askedFrom  logs.Instant  // when it was told so for the first time since it last sent JoinGroup
	askedTo    logs.Instant  // and for the last time
}

// client takes what a client says.
func (f *Fold) client(s *source, e *logs.Event) {
	g := f.clientsGroup(s, e)
	if g == nil {
		return
	}
	g.touch(e)
	if g.view == nil {
		g.view = &view{course: newCourse(g.room, g.options), wantsAt: logs.NoTime, clients: map[clientKey]*client{}}
	}
	if e.Kind == logs.PollTimeout && g.view.repeats(e) {
		return
	}
	c := g.view.client(e)
	if c == nil {
		return
	}
	at := g.view.course.at(e)
	c.precision = max(c.precision, e.Precision)
	c.Member, c.Instance = cmp.Or(e.Member, c.Member), cmp.Or(e.Instance, c.Instance)
	g.told(c, e, at)
	g.view.course.last = at
}

// clientsGroup returns the group that a client's record is about: one that names none is about that of the record before.
func (f *Fold) clientsGroup(s *source, e *logs.Event) *group {
	if e.Group == "" {
		if g := f.clientGroups[e.Client]; g != nil && e.Client != "" {
			return g
		}
		if s.group != nil {
			return s.group
		}
	}
	g := f.group(e.Group)
	if e.Group == "" && g != nil {
		s.nameless = true
		if g.records == 0 {
			f.nameless = e.Place.Source
		} else if f.nameless != e.Place.Source {
			f.nameless = nobody // of several sources
		}
	}
	if e.Group != "" {
		g = f.named(e, g)
		s.group = g
		if len(f.clientGroups) < mostLive {
			f.clientGroups[e.Client] = g
		}
	}
	return g
}

// named gives records without a group, with which a source began, to the group that it names afterwards.
func (f *Fold) named(e *logs.Event, g *group) *group {
	nameless := f.groups[""]
	if nameless == nil || g == nil || g.records > 0 || f.nameless != e.Place.Source {
		return g
	}
	delete(f.groups, "")
	f.order = slices.DeleteFunc(f.order, func(o *group) bool { return o == g })
	nameless.name = e.Group
	f.groups[e.Group] = nameless
	f.recent = nameless
	return nameless
}

func (v *view) client(e *logs.Event) *client {
	key := clientKey{e.Client, e.Place.Source}
	c := v.clients[key]
	if c == nil && len(v.order) < mostClients {
		c = newClient(e.Client)
		v.clients[key] = c
		v.order = append(v.order, c)
	}
	if c != nil && c.Library == logs.NoLibrary {
		c.Library = e.Library
	}
	return c
}

func newClient(name string) *client {
	return &client{
		Client: Client{
			Name: name, Generation: logs.Unknown, MetadataAge: -1, SinceHeartbeat: -1, SessionLostAt: logs.NoTime,
			CoordinatorLostAt: logs.NoTime, CoordinatorHeld: -1, CoordinatorAway: -1,
		},
		join: noJoin, generation: logs.Unknown, left: logs.NoTime, parts: newPartitions(), found: logs.NoTime, beat: logs.NoTime, told: logs.NoTime,
	}
}

// told takes one record of a client.
func (g *group) told(c *client, e *logs.Event, at logs.Instant) {
	v := g.view
	switch e.Kind {
	case logs.JoinSent:
		v.sent(g, c, e, at)
	case logs.ClientStarted:
		if e.Library == logs.KafkaGo { // its loop begins with a JoinGroup, of which it logs the answer only
			v.sent(g, c, e, at)
		}
	case logs.RejoinRequested, logs.HeartbeatRebalances:
		v.asked(g, c, e, at)
	case logs.HeartbeatSent:
		v.beats(c, e, at)
	case logs.HeartbeatFailed:
		c.failedHeartbeat(e, at)
	case logs.PartitionsAssigned:
		c.partitions(g, e, at)
		if e.Generation >= 0 || c.join.Sent != logs.NoTime || c.join.Answered != logs.NoTime {
			v.synced(g, c, e, at) // of libraries that do not log the answer itself
		}
	case logs.JoinAnswered, logs.LeaderElected:
		v.answered(c, e, at)
	case logs.Synced:
		v.synced(g, c, e, at)
		c.partitions(g, e, at)
	case logs.JoinFailed, logs.SyncFailed:
		v.failed(g, c, e, at)
	case logs.HeartbeatEvicted:
		v.evicted(g, c, e, at)
	case logs.CommitRefused:
		c.CommitsRefused++
		if unknownMember(e.Text) {
			v.evicted(g, c, e, at)
		}
	case logs.SessionLost:
		g.lostSession(c, e, at)
	case logs.PollTimeout:
		v.timedOut(g, c, e, at)
	case logs.LeaveSent:
		v.leaves(g, c, e, at)
	case logs.ClientFenced:
		c.Fenced++
		g.causes.fenced(e)
	case logs.PartitionsRevoked, logs.PartitionsLost:
		c.partitions(g, e, at)
	case logs.JoinStateChanged:
		if unassigns[e.Text] {
			said := c.parts.unassigning(e)
			c.givesUp(g, &said, at)
		}
	case logs.NoOffset:
		c.NoOffsets += len(e.Partitions)
	case logs.MetadataUsed:
		c.MetadataAge = e.For
	case logs.CoordinatorFound:
		g.foundCoordinator(c, e, at)
	case logs.CoordinatorLost:
		g.lostCoordinator(c, e, at)
	}
}

func unknownMember(text string) bool {
	return strings.Contains(text, "UNKNOWN_MEMBER_ID") || strings.Contains(text, "UnknownMember") || strings.Contains(text, "Unknown member")
}

// failed takes that JoinGroup or SyncGroup was refused.
func (v *view) failed(g *group, c *client, e *logs.Event, at logs.Instant) {
	c.join.Failed, c.join.FailedAt, c.join.Generation = cmp.Or(e.Text, "failed"), at, max(c.join.Generation, e.Generation)
	c.join.Line = cmp.Or(c.join.Line, e.Place)
	v.finish(g, c)
	c.generation = max(c.generation, e.Generation)
	switch {
	case unknownMember(e.Text):
		v.evicted(g, c, e, at)
	case inconsistent(e.Text):
		g.refused(c, e)
	case strings.Contains(strings.ToLower(e.Text), "coordinator"):
		g.causes.tallies[CoordinatorMoved].sign(e.Place)
	}
}

// asked takes that a client was told of a rebalance, or wants one.
func (v *view) asked(g *group, c *client, e *logs.Event, at logs.Instant) {
	switch {
	case strings.Contains(e.Text, "leaving the group"):
		v.leave(g, c, e, at, false)
		return
	case e.Text == "unsubscribe": // librdkafka closes: it says so apart when it leaves, which a static member does not
		return
	case unknownMember(e.Text):
		v.evicted(g, c, e, at)
	case inconsistent(e.Text):
		g.refused(c, e)
	}
	if c.Asked == 0 {
		c.askedFrom, c.AskedAt, c.AskedBy = at, nil, ""
	}
	if c.Asked++; len(c.AskedAt) < maxLines {
		c.AskedAt = append(c.AskedAt, at)
	}
	if e.Kind == logs.HeartbeatRebalances && e.Text != "" {
		c.AskedBy = e.Text
	}
	if c.told == logs.NoTime {
		c.told = at
	}
	if e.Kind == logs.RejoinRequested && e.Count != logs.Unknown {
		c.parts.given = int(e.Count)
	}
	v.refusedToJoin(g, c, e, at)
	c.askedTo, c.asked = at, e.Place
	c.generation = max(c.generation, e.Generation)
	if e.Library == logs.Librdkafka && c.generation == logs.Unknown && strings.Contains(e.Text, "Metadata") { // it starts: its JoinGroup will tell
		return
	}
	if c.left == logs.NoTime || at.Sub(c.left) > time.Second { // else it is about its own end
		v.rebalances(g, c, e, at)
	}
}

// beats takes a heartbeat, which tells the generation.
func (v *view) beats(c *client, e *logs.Event, at logs.Instant) {
	c.beat = at
	if e.Generation < 0 {
		return
	}
	c.generation = e.Generation
	if o := &v.course; o.state == Unknown && o.generation == logs.Unknown {
		o.become(Stable, at)
		o.generation, o.cut = e.Generation, true
	}
}

// sent takes a JoinGroup that goes out.
func (v *view) sent(g *group, c *client, e *logs.Event, at logs.Instant) {
	v.finish(g, c)
	c.join = noJoin
	c.join.Sent, c.join.Told, c.join.Line = at, c.told, e.Place
	c.told = logs.NoTime
	c.parts.joins()
	v.rebalances(g, c, e, at)
	c.Asked, c.evicted = 0, false
}

// finish puts a JoinGroup on the list, complete or not.
func (v *view) finish(g *group, c *client) {
	if c.join.Line.Line != 0 || c.join.Failed != "" {
		c.joins.add(c.join, g.room)
	}
	c.join = noJoin
}

// rebalances takes that the group rebalances, as a client learned or wants it.
func (v *view) rebalances(g *group, c *client, e *logs.Event, at logs.Instant) {
	o := &v.course
	behind := c.generation != logs.Unknown && c.generation < o.generation
	near := o.state != Unknown && at.Sub(o.since) <= max(slack, e.Precision)
	if o.state == PreparingRebalance || behind && (near || e.Kind == logs.HeartbeatRebalances) {
		return
	}
	if e.Kind == logs.JoinSent { // that of a static member is answered, and nothing else happens
		if v.wantsAt == logs.NoTime {
			v.wanted, v.wantsAt = logs.Event{Kind: e.Kind, Place: e.Place, Member: e.Member}, at
		}
		if !c.evicted {
			return
		}
	}
	v.begin(e, at)
	switch r := o.now; {
	case g.brokered():
	case c.evicted:
		g.causes.count(SessionTimeouts, r)
	case r.ClientReason != "":
		if kind := g.causes.rejoinedFor(r); kind != Enforced || strings.Contains(r.ClientReason, "enforced") {
			g.causes.count(kind, r)
		}
	}
}

// begin starts a rebalance: where a JoinGroup has been sent before, with that.
func (v *view) begin(e *logs.Event, at logs.Instant) {
	o := &v.course
	if v.wantsAt != logs.NoTime {
		e, at = &v.wanted, max(v.wantsAt, o.since)
		v.wantsAt = logs.NoTime
	}
	from := o.state
	o.become(PreparingRebalance, at)
	r := o.begin(at, e, false)
	r.From, r.Old, r.Member, r.ClientReason = from, o.generation, e.Member, e.ClientReason
	if e.Kind == logs.RejoinRequested {
		r.ClientReason = cmp.Or(e.ClientReason, e.Text)
	}
	o.count++
	o.watch.began(at, e.Place)
}

// answered takes the first sign of a new generation: the answer to JoinGroup, or the leader's assignment.
func (v *view) answered(c *client, e *logs.Event, at logs.Instant) {
	o := &v.course
	if e.Generation < 0 && e.Library == logs.Librdkafka { // it prints -1 when it got no generation
		return
	}
	if e.Kind == logs.JoinAnswered || c.join.Answered == logs.NoTime {
		c.join.Answered = at
	}
	c.unlogged()
	c.join.Leads = c.join.Leads || e.Kind == logs.LeaderElected || e.Other != "" && e.Other == cmp.Or(e.Member, c.Member)
	c.join.Leader = cmp.Or(e.Other, c.join.Leader)
	c.parts.joins()
	c.join.Generation, c.generation = max(c.join.Generation, e.Generation), max(c.generation, e.Generation)
	c.join.Line = cmp.Or(c.join.Line, e.Place)
	if e.Generation < 0 {
		v.wants()
	}
	if e.Generation < 0 && o.state == PreparingRebalance { // nor does a library that prints none
		o.now.line(e.Place)
		o.now.Prepared = at
		o.become(CompletingRebalance, at)
		o.joined++
	}
	if e.Generation <= o.generation {
		v.unwanted(e.Generation)
		return
	}
	v.wants()
	v.reached(e, at)
	o.now.Prepared = at
	o.become(CompletingRebalance, at)
	o.generation = e.Generation
	o.joined++
}

// wants begins the rebalance that a JoinGroup was sent for.
func (v *view) wants() {
	if v.wantsAt != logs.NoTime && v.course.state != PreparingRebalance {
		v.begin(&v.wanted, v.wantsAt)
	}
}

// unwanted forgets a JoinGroup that was answered with the generation that the group has.
func (v *view) unwanted(generation int32) {
	if generation == v.course.generation && generation >= 0 {
		v.wantsAt = logs.NoTime
	}
}

// reached makes the rebalance that is going on that of a generation.
func (v *view) reached(e *logs.Event, at logs.Instant) {
	o := &v.course
	o.passed(o.generation, e.Generation-1, at)
	if o.now == nil {
		o.lose(at)
		o.begin(at, e, true)
	} else {
		o.now.line(e.Place)
	}
	o.now.Generation = e.Generation
	if e.Members > 0 {
		o.now.Members = int(e.Members)
	}
	if e.Other != "" {
		o.now.Leader = e.Other
	}
}

// assignedIn returns the generation of an assignment that arrived; below 0 when nothing tells it.
func (v *view) assignedIn(c *client, e *logs.Event, at logs.Instant) int32 {
	o := &v.course
	switch {
	case e.Generation >= 0:
		return e.Generation
	case c.join.Generation < 0 && e.Kind == logs.PartitionsAssigned && o.state == Stable && at.Sub(o.since) <= max(slack, e.Precision):
		return o.generation // others of the same rebalance said it
	}
	return c.join.Generation
}

// synced takes an assignment that arrived: the first of a generation ends the rebalance.
func (v *view) synced(g *group, c *client, e *logs.Event, at logs.Instant) {
	o := &v.course
	generation := v.assignedIn(c, e, at)
	c.unlogged()
	c.join.Synced, c.join.Generation = at, generation
	if e.Kind == logs.Synced && e.Generation < 0 && e.Text != "" { // it is told that it has none
		c.join.Failed = e.Text
	}
	c.join.Line = cmp.Or(c.join.Line, e.Place)
	c.generation = max(generation, c.generation)
	v.finish(g, c)
	if generation > o.generation || generation < 0 {
		v.wants()
	} else {
		v.unwanted(generation)
	}
	switch {
	case generation < 0 && o.now == nil && o.state == Unknown: // the first that is heard of the group
		o.begin(at, e, true)
	case generation < 0 && o.now == nil, generation >= 0 && generation < o.generation:
		return
	case generation >= 0 && generation == o.generation && (o.state == Stable || o.state == PreparingRebalance):
		return
	case generation > o.generation:
		v.reached(&logs.Event{Generation: generation, Members: e.Members, Place: e.Place}, at)
		o.joined++
	case o.now == nil:
		return
	default:
		o.now.line(e.Place)
	}
	o.now.Assigned = at
	o.end(metrics.Completed, at, false)
	o.become(Stable, at)
	o.generation = max(generation, o.generation)
	o.completed++
}

// evicted takes that a client was told that nobody knows it.
func (v *view) evicted(g *group, c *client, e *logs.Event, at logs.Instant) {
	c.ToldEvicted++
	if c.evicted {
		return
	}
	c.evicted = true
	c.Evicted++
	if g.brokered() {
		return
	}
	ev := Eviction{At: at, Member: cmp.Or(e.Member, c.Member), Cause: trace.SessionExpired, Seen: true, Line: e.Place}
	g.evicted[ev.Cause]++
	g.evictions.add(ev, g.room)
	g.causes.evicted(g, &ev)
}
