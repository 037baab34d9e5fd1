package explain

import (
	"cmp"
	"slices"
	"strings"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// causes is the fold: what is known up to an event of the trace. Record is to be called in order of time.
type causes struct {
	names     *metrics.Fold
	events    map[eventKey]*Step // the last time that each event of the scenario happened, to a group and to any
	processes map[string]*process
	lives     map[wire.MemberID]*Step // the process that each member id belongs to
	gone      map[wire.MemberID]*Step // how each member, or id, was removed
	wide      []*Step                 // events of the scenario that act on brokers, topics or a whole group
	groups    map[string]*groupCauses
}

type groupCauses struct {
	rebalances []*Step
	removed    []*Step // members and ids
	failed     []*Step // what poll() threw
	gone       *Step   // the member or id that was removed last
	loaded     *Step
	unserved   []*Step // each time that it lost its coordinator
	refused    *Step   // an append
	owing      *Step   // for whom it waited last in a stuck stay
	preparing  bool
}

func newCauses(names *metrics.Fold) *causes {
	return &causes{
		names: names, events: map[eventKey]*Step{}, processes: map[string]*process{},
		lives: map[wire.MemberID]*Step{}, gone: map[wire.MemberID]*Step{}, groups: map[string]*groupCauses{},
	}
}

func (c *causes) process(who string) *process {
	p := c.processes[who]
	if p == nil {
		p = &process{}
		c.processes[who] = p
	}
	return p
}

func (c *causes) group(name string) *groupCauses {
	g := c.groups[name]
	if g == nil {
		g = &groupCauses{}
		c.groups[name] = g
	}
	return g
}

// rebalancing returns the rebalance of a group that began last, if there was one.
func (g *groupCauses) rebalancing() *Step {
	if n := len(g.rebalances); n > 0 {
		return g.rebalances[n-1]
	}
	return nil
}

// before returns when the rebalance before the last one began: 0 when there was none.
func (g *groupCauses) before() clock.Time {
	if n := len(g.rebalances); n > 1 {
		return g.rebalances[n-2].At
	}
	return 0
}

// Record adds an event of the trace.
func (c *causes) Record(e trace.Event) {
	switch {
	case e.Kind == trace.FaultBegan:
		c.happened(e)
	case e.Kind < trace.ProcessStarted:
		c.coordinator(e)
	case e.Kind < trace.FaultBegan && e.Who != "":
		c.consumer(e, c.process(e.Who))
	case e.Kind == trace.CommitAnswered:
		c.committed(e, c.process(e.Who))
	}
}

// committed takes the answer to a commit. What is refused because of a topic that is gone is tried again and again.
func (c *causes) committed(e trace.Event, p *process) {
	switch {
	case e.Err != wire.UnknownTopicOrPartition:
		p.refused = nil
	case p.refused == nil:
		p.refused = &Step{At: e.At, Kind: Uncommitted, Who: e.Who, Member: e.Member, Err: e.Err, because: c.topicChange()}
	}
}

type eventKey struct {
	number int32
	group  string
}

// event returns the event of the scenario that the trace names as the cause of e.
func (c *causes) event(e trace.Event) *Step {
	if s := c.events[eventKey{e.Cause, e.Group}]; s != nil {
		return s
	}
	return c.events[eventKey{e.Cause, ""}]
}

// happened takes an event of the scenario.
func (c *causes) happened(e trace.Event) {
	s := &Step{At: e.At, Kind: Scripted, Who: e.Who, Text: e.Text, Until: e.Until, Event: e.Cause, Source: e.Operation, group: e.Group, passing: e.Passes()}
	if e.Cause == 0 { // what was prepared happens
		if prepared := c.process(e.Who).lastAct(scenario.Verb(e.Text)); prepared != nil {
			s.Event = prepared.Event
		}
	}
	if e.Operation != "" {
		s.because = c.behindSource(e)
	}
	c.events[eventKey{e.Cause, ""}], c.events[eventKey{e.Cause, e.Group}] = s, s
	if verb := scenario.Verb(e.Text); e.Who == "" || verb == scenario.BrokerRestart || verb == scenario.Scale { // Who is no process
		c.wide = append(c.wide, s)
		return
	}
	p := c.process(e.Who)
	p.acts = append(p.acts, s)
}

// consumer takes what a process did.
func (c *causes) consumer(e trace.Event, p *process) {
	if e.Member != "" {
		p.member = e.Member
		if p.life != nil {
			c.lives[e.Member] = p.life
		}
	}
	s := &Step{At: e.At, Who: e.Who, Client: p.client, Member: e.Member, Text: e.Text, Err: e.Err, For: e.For, Reason: e.Reason}
	switch e.Kind {
	case trace.ProcessStarted:
		s.Client, s.Text, s.For = e.Text, "", 0
		s.Kind, s.because, s.instance, s.again = Started, c.event(e), e.Instance, p.ended != nil
		p.begin(s)
		p.group, p.timeout = e.Group, e.For
	case trace.ProcessExited:
		s.Kind, s.because = Ended, c.endOf(e, p)
		p.ended = s
	case trace.StallBegan:
		s.Kind, s.Until, s.because = Stalled, clock.Never, p.lastAct(scenario.Stall)
		p.doing = append(p.doing, s)
	case trace.StallEnded:
		p.stallEnded(e.At)
	case trace.ProcessingBegan:
		s.Kind, s.Until, s.Records, s.because = Processing, e.Until, int(e.Members), p.behindBatch(e)
		p.batch = s
		p.doing = append(p.doing, s)
	case trace.CallbackBegan:
		s.Kind, s.Until, s.because = InCallback, e.At.Add(e.For), p.lastAct(scenario.SlowRevoke)
		p.doing = append(p.doing, s)
	case trace.PositionsSet:
		if out := p.out(); out != nil && p.resumed < out.At {
			p.resumed = e.At
		}
	case trace.PollTimeout:
		s.Kind, s.because = TimedOut, c.keptFromPolling(e, p)
		p.timedOut = s
	case trace.ConsumerFailed:
		s.Kind, s.because = Failed, c.behindException(e, p)
		p.failed = s
		c.group(e.Group).failed = append(c.group(e.Group).failed, s)
	case trace.PollThrew:
		s.Kind, s.because = Threw, c.behindException(e, p)
		p.threw = s
	case trace.SubscriptionChanged:
		s.Kind, s.because = Subscribed, later(p.lastAct(scenario.Subscribe, scenario.Unsubscribe), c.topicChange())
		if before := p.subscribed; before != nil && before.Text == "" {
			p.rejoin = s // without a subscription it had no reason to join
		}
		p.subscribed = s
	case trace.CoordinatorLost:
		s.Kind, s.because = Lost, c.behindLoss(e, p)
		p.lost = s
	case trace.MembershipReset:
		s.Kind, s.because = Forgot, c.behindForgetting(e, p)
		p.forgot = s
		if e.Text == Crash {
			p.rejoin = s // it starts again by itself, and tells no other reason
		}
	case trace.LeaveSent:
		s.Kind, s.because = Leaving, c.behindLeave(e, p)
		if p.life != nil {
			s.instance = p.life.instance
		}
		p.left = s
	case trace.RejoinRequested:
		c.wantsToRejoin(s, e, p)
	case trace.JoinSent:
		if g := c.group(e.Group); g.preparing {
			s.Kind, s.because = Joining, cmp.Or(p.kept(g.rebalancing().At, e.At), p.rejoin)
			g.rebalancing().joining = s
		}
	}
}

// coordinator takes what happened to a group.
func (c *causes) coordinator(e trace.Event) {
	if e.Group == "" {
		return
	}
	g := c.group(e.Group)
	s := &Step{At: e.At, Who: c.names.Who(e), Member: e.Member, Text: e.Text, Err: e.Err, Reason: e.Reason}
	if p := c.processes[s.Who]; p != nil {
		s.Client = p.client
	}
	switch e.Kind {
	case trace.MemberAdded:
		if p := c.processes[e.Who]; p != nil && p.life != nil && c.lives[e.Member] == nil { // it may end before it knows that id
			c.lives[e.Member] = p.life
		}
	case trace.MemberRemoved:
		s.Kind, s.because = Removed, c.behindRemoval(e, s.Who)
		c.removed(s, e)
	case trace.PendingRemoved:
		s.Kind, s.because = GivenUp, c.behindRemoval(e, s.Who)
		c.removed(s, e)
	case trace.GroupLoaded:
		s.Kind = Loaded
		if e.At > 0 {
			s.because = c.brokerEvent(e.Group)
		}
		g.loaded = s
	case trace.AppendRefused, trace.OperationFailed:
		s.Kind, s.because = AppendRefused, c.on(e.Group, scenario.FailAppend, scenario.SlowAppend)
		g.refused = s
	case trace.Blocked:
		g.owing = c.owing(e)
	case trace.GroupBecame:
		c.became(e, g, s)
	}
}

// removed takes a member, or an id, that the coordinator removed, and how long the timer was that did it.
func (c *causes) removed(s *Step, e trace.Event) {
	g := c.group(e.Group)
	switch began := g.rebalancing(); {
	case e.Reason == trace.SessionExpired && e.Since > 0:
		s.For = e.At.Sub(e.Since)
	case (e.Reason == trace.NotRejoinedInTime || e.Reason == trace.SyncExpired) && began != nil:
		s.For = e.At.Sub(began.At)
		s.limit = c.waited(e.Group, s)
	}
	if p := c.processes[s.Who]; p != nil && s.For > 0 {
		p.lapsed = s
	}
	g.gone, c.gone[e.Member] = s, s
	g.removed = append(g.removed, s)
}

// became takes the change of a group's state: the begin of a rebalance, the end of its join phase, or that nobody
// coordinates it.
func (c *causes) became(e trace.Event, g *groupCauses, s *Step) {
	g.preparing = e.To == wire.PreparingRebalance
	switch {
	case e.To == wire.Dead && e.Reason == trace.Unloaded:
		s.Kind, s.because = Unserved, c.brokerEvent(e.Group)
		g.unserved = append(g.unserved, s)
	case e.To == wire.PreparingRebalance:
		s.Kind, s.Rebalance = Rebalanced, len(g.rebalances)+1
		s.because = c.behindRebalance(e, g, s.Who)
		if s.because != nil && s.because == g.gone {
			s.because.began = s.Rebalance
		}
		if p := c.processes[s.Who]; p != nil && e.Reason == trace.MemberJoined {
			s.lapsed = p.lapsed
		}
		g.rebalances = append(g.rebalances, s)
	case e.To == wire.CompletingRebalance && g.rebalancing() != nil:
		g.rebalancing().protocol = e.Protocol
		if g.gone != nil && g.gone.At == e.At {
			g.rebalancing().freed = g.gone
		}
	}
}

// on returns the last event of the scenario with one of the verbs that acted on a group as a whole, or on no group in
// particular.
func (c *causes) on(group string, verbs ...scenario.Verb) *Step {
	for _, s := range slices.Backward(c.wide) {
		if (s.group == "" || s.group == group) && slices.Contains(verbs, scenario.Verb(s.Text)) {
			return s
		}
	}
	return nil
}

// topicVerbs are the verbs that change the topics.
var topicVerbs = []scenario.Verb{scenario.Partitions, scenario.CreateTopic, scenario.DeleteTopic}

// topicChange returns the last event that changed the topics.
func (c *causes) topicChange() *Step { return c.on("", topicVerbs...) }

func (s *Step) changesTopics() bool {
	return s.Kind == Scripted && slices.Contains(topicVerbs, scenario.Verb(s.Text))
}

// brokerEvent returns the last event that acted on a broker or moved the coordinator of a group.
func (c *causes) brokerEvent(group string) *Step {
	return c.on(group, scenario.BrokerRestart, scenario.MoveCoordinator)
}

// later returns the one of the steps that happened last; nil ones never did.
func later(steps ...*Step) *Step {
	var last *Step
	for _, s := range steps {
		if s != nil && (last == nil || s.At >= last.At) {
			last = s
		}
	}
	return last
}

// says reports whether a reason that a client gives contains what Kafka's text for it contains.
func says(text string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
