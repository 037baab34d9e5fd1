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

// repeats reports whether an application logs what its library has logged already, which it was told as an error: that its
// max.poll.interval.ms was exceeded by so much.
func (v *view) repeats(e *logs.Event) bool {
	for key, c := range v.clients {
		if key.source == e.Place.Source && key.name != e.Client && e.For > 0 && c.exceeded == e.For {
			return true
		}
	}
	return false
}

// refused takes that the group does not take a client, for its assignors; each client counts once.
func (g *group) refused(c *client, e *logs.Event) {
	if t := &g.causes.tallies[NoCommonAssignor]; c.refused {
		t.line(e.Place)
	} else {
		c.refused = true
		t.sign(e.Place)
	}
}

func inconsistent(text string) bool {
	return strings.Contains(text, "INCONSISTENT_GROUP_PROTOCOL") || strings.Contains(text, "InconsistentGroupProtocol")
}

// lostSession takes that a client gave its session up, once for all records about it.
func (g *group) lostSession(c *client, e *logs.Event, at logs.Instant) {
	if c.SessionsLost == 0 || at.Sub(c.SessionLostAt) > time.Second {
		c.SessionsLost++
		c.SessionLostAt = at
		g.causes.tallies[SessionTimeouts].sign(e.Place)
	}
	c.Silent = max(c.Silent, time.Duration(e.Quiet)*time.Millisecond)
}

// refusedToJoin takes the reason of Java's client to join again that is the error of its JoinGroup or SyncGroup, unless a record
// of its own said so.
func (v *view) refusedToJoin(g *group, c *client, e *logs.Event, at logs.Instant) {
	if !strings.HasPrefix(e.Text, "rebalance failed due to ") {
		return
	}
	if last := c.joins.last(); c.join.Line.Line == 0 && last != nil && last.FailedAt != logs.NoTime && at.Sub(last.FailedAt) <= slack {
		return
	}
	c.join.Failed, c.join.FailedAt = cmp.Or(logs.ProtocolError(e.Text), e.Text), at
	c.join.Line = cmp.Or(c.join.Line, e.Place)
	v.finish(g, c)
}

// waitedForLast notes the client that sent its JoinGroup last in a join phase that ends, when that was in the last tenth of
// it: the others were there long before.
func (g *group) waitedForLast(at logs.Instant) {
	c := &g.course
	if g.view == nil || c.state != PreparingRebalance {
		return
	}
	after := at.Add(-max(slack, at.Sub(c.since)/10))
	for _, client := range g.view.order {
		if j := &client.join; j.Sent != logs.NoTime && j.Sent >= after && j.Answered == logs.NoTime {
			after = j.Sent
			c.stuck.latest, c.stuck.latestLine = cmp.Or(client.Member, wire.MemberID(client.Name)), j.Line
		}
	}
}

// timedOut takes that max.poll.interval.ms ran out, after which a client leaves.
func (v *view) timedOut(g *group, c *client, e *logs.Event, at logs.Instant) {
	c.PollTimeouts++
	c.Exceeded, c.exceeded = max(c.Exceeded, e.For), e.For
	if e.Kind == logs.PollTimeout {
		c.PollInterval = cmp.Or(e.Text, c.PollInterval)
	}
	if c.SinceHeartbeat = -1; c.beat != logs.NoTime {
		c.SinceHeartbeat = at.Sub(c.beat)
	}
	v.polled[v.next] = cmp.Or(e.Member, c.Member)
	v.next = (v.next + 1) % len(v.polled)
	g.departures.backwards(func(l *Leave) bool {
		if l.Member != "" && l.Member == cmp.Or(e.Member, c.Member) {
			l.PollTimeout = true
		}
		return at.Sub(l.At) <= time.Minute
	})
	if o := &g.course; g.brokered() && o.state == PreparingRebalance && c.join.Sent < o.since { // a static member does not leave
		g.course.stuck.missing(cmp.Or(e.Member, c.Member), e.Place)
	}
	g.causes.tallies[PollTimeouts].sign(e.Place)
	v.leave(g, c, e, at, true)
}

// leaves takes a LeaveGroup that goes out.
func (v *view) leaves(g *group, c *client, e *logs.Event, at logs.Instant) {
	if recent := c.left != logs.NoTime && at.Sub(c.left) <= time.Second; PolledLate(e.Text) && !recent {
		v.timedOut(g, c, e, at)
		return
	}
	v.leave(g, c, e, at, false)
}

// leave ends a client's membership, once for all records about it.
func (v *view) leave(g *group, c *client, e *logs.Event, at logs.Instant, late bool) {
	if c.left != logs.NoTime && at.Sub(c.left) <= time.Second {
		return
	}
	c.left = at
	if len(c.leaves) < maxLines {
		c.leaves = append(c.leaves, Leave{At: at, Member: cmp.Or(e.Member, c.Member)})
	}
	if g.brokered() {
		return
	}
	l := Leave{At: at, Member: cmp.Or(e.Member, c.Member), ClientReason: e.Text, PollTimeout: late, Line: e.Place}
	if last := c.joins.last(); last != nil && last.Synced != logs.NoTime {
		l.Stayed = at.Sub(last.Synced)
	}
	g.departures.add(l, g.room)
	kind := g.causes.left(&l)
	others := slices.ContainsFunc(v.order, func(o *client) bool { return o != c && o.generation != logs.Unknown })
	switch o := &v.course; {
	case !others: // nobody else tells what the group does now
		o.end(metrics.Abandoned, at, true)
		o.become(Unknown, at)
	case o.state == Stable && c.generation == o.generation:
		v.begin(e, at)
		o.now.Reason, o.now.Member = trace.Left, l.Member
		o.byReason[trace.Left]++
		g.causes.tallies[kind].rebalances++
	}
	c.generation = logs.Unknown
}

// late reports whether a member left lately because max.poll.interval.ms ran out, as its client says.
func (v *view) late(id wire.MemberID) bool { return id != "" && slices.Contains(v.polled[:], id) }

// unlogged takes that a JoinGroup was answered which was not logged when it went out, if so.
func (c *client) unlogged() {
	if c.join.Sent == logs.NoTime && c.told != logs.NoTime {
		c.join.Told, c.told, c.Asked = c.told, logs.NoTime, 0
	}
}

// failedHeartbeat takes a heartbeat that failed for another reason than the group or its membership.
func (c *client) failedHeartbeat(e *logs.Event, at logs.Instant) {
	c.HeartbeatsFailed++
	if e.Text == "" {
		c.HeartbeatsUnexplained++
	}
	if c.told == logs.NoTime {
		c.told = at
	}
}

// lostCoordinator takes that a client lost its coordinator.
func (g *group) lostCoordinator(c *client, e *logs.Event, at logs.Instant) {
	c.CoordinatorLost++
	c.CoordinatorLostAt, c.CoordinatorHeld, c.CoordinatorAway = at, -1, -1
	if c.found != logs.NoTime {
		c.CoordinatorHeld = at.Sub(c.found)
	}
	if strings.Contains(strings.ToLower(e.Text), "session") { // it was not heard itself: its process stood still, or the network
		g.lostSession(c, e, at)
		return
	}
	g.causes.tallies[CoordinatorMoved].sign(e.Place)
}

// foundCoordinator takes the broker that a client was told is its coordinator.
func (g *group) foundCoordinator(c *client, e *logs.Event, at logs.Instant) {
	if e.Library == logs.Sarama && c.GaveUp > 0 && c.CoordinatorLost == 0 { // which says only so that it lost it
		g.causes.hands().lookups++
		g.causes.tallies[CoordinatorMoved].sign(e.Place)
	}
	c.CoordinatorFound++
	c.found = at
	if c.CoordinatorLostAt != logs.NoTime && c.CoordinatorAway < 0 {
		c.CoordinatorAway = at.Sub(c.CoordinatorLostAt)
	}
	n := len(c.Coordinators)
	if e.Broker < 0 || n > 0 && c.Coordinators[n-1] == e.Broker {
		return
	}
	if n == maxLines {
		c.Coordinators = c.Coordinators[1:]
	}
	c.Coordinators = append(c.Coordinators, e.Broker)
}
