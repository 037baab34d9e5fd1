package metrics

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"simulate/sim/clock"
	"simulate/sim/records"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// PollTimeoutReason is what a Java consumer gives as the reason of its LeaveGroup when
// max.poll.interval.ms ran out. Kafka: AbstractCoordinator.HeartbeatThread; KIP-800.
const PollTimeoutReason = "consumer poll timeout has expired."

// uuidSuffix is the length of "-<uuid>", which the coordinator appends to client.id or instance id.
const uuidSuffix = 37

// Fold keeps the history of all groups of a run. It is a trace.Sink.
type Fold struct {
	options   Options
	topics    map[string]int // partitions of each topic now
	logs      *records.Logs  // what topics hold, nil when that is nothing
	groups    []*history     // sorted by name
	processes map[string]*process
	names     map[wire.MemberID]string // member id -> process
	joiners   map[instanceKey]string   // static identity -> the process that joined with it last
	warnings  []Warning
}

type instanceKey struct {
	group    string
	instance wire.InstanceID
}

// NewFold returns a Fold that has seen nothing. Groups of the options' fleets are part of every summary,
// whether they come to exist or not.
func NewFold(o Options) *Fold {
	o.Thresholds = cmp.Or(o.Thresholds, Defaults())
	f := &Fold{
		options:   o,
		topics:    maps.Clone(o.Topics),
		logs:      o.logs(),
		processes: map[string]*process{},
		names:     map[wire.MemberID]string{},
		joiners:   map[instanceKey]string{},
	}
	for _, name := range o.groups() {
		f.group(name)
	}
	return f
}

// Record adds one event. Events come in order of time.
func (f *Fold) Record(e trace.Event) {
	switch {
	case e.Kind == trace.RoutineCounted && len(e.Offsets) == 3:
		f.group(e.Group).routine = &Routine{e.Offsets[0], e.Offsets[1], e.Offsets[2]}
	case e.Kind.Routine():
	case e.Kind < trace.ProcessStarted:
		f.coordinator(e)
	case e.Kind < trace.FaultBegan:
		f.consumer(e)
	case e.Kind == trace.FaultBegan:
		f.faultBegan(e)
	case e.Kind == trace.TopicChanged:
		f.topicChanged(e)
	case e.Kind == trace.RunWarning:
		f.warnings = append(f.warnings, Warning{e.At, e.Text})
	case e.Kind == trace.FaultEnded:
		f.faultEnded(e)
	}
}

// IgnoresRoutine reports that no metric counts routine events.
func (f *Fold) IgnoresRoutine() bool { return true }

// topicChanged counts the partitions of a topic anew, in the groups that subscribe to it.
func (f *Fold) topicChanged(e trace.Event) {
	if len(e.Partitions) == 0 {
		return // no run records that, but a file may say so
	}
	topic := e.Partitions[0].Topic
	if f.topics == nil {
		f.topics = map[string]int{}
	}
	f.topics[topic] = int(e.Members)
	f.logsChanged(topic, e)
	for _, h := range f.groups {
		if _, subscribed := h.holding.topics[topic]; subscribed {
			h.holding.resize(topic, int(e.Members))
			h.held(e.At)
		}
	}
}

func (f *Fold) coordinator(e trace.Event) {
	if e.Group == "" {
		return
	}
	h := f.group(e.Group)
	switch e.Kind {
	case trace.GroupCreated, trace.GroupBecame:
		h.become(e, f.who(e))
	case trace.GroupLoaded:
		h.loaded = e.At
	case trace.MemberAdded:
		h.add(e, f.who(e))
		f.seat(h, e)
	case trace.MemberIDIssued:
		h.issued[e.Member] = e.At
		h.sit(seat{member: e.Member, who: f.who(e), pending: true, vacant: e.At}, e.At)
	case trace.MemberRemoved:
		h.remove(f.removal(e))
		f.unseat(h, e)
	case trace.PendingRemoved:
		h.removePending(e, f.who(e))
		h.rise(e.Member, e.At)
	case trace.LeaderElected:
		h.leaders = append(h.leaders, leaderAt{e.At, Leader{Member: e.Member, Who: f.who(e)}})
	case trace.Fenced:
		h.fenced = append(h.fenced, Fencing{At: e.At, Member: e.Member, Who: f.who(e)})
	case trace.OffsetsCommitted:
		h.read.committed(e)
	case trace.Blocked:
		s := h.current()
		s.blocked = append(s.blocked, f.blocked(h, e))
	}
}

func (f *Fold) consumer(e trace.Event) {
	p := f.process(e.Who)
	if p == nil {
		return
	}
	if e.Member != "" {
		f.names[e.Member] = e.Who
	}
	switch e.Kind {
	case trace.ProcessStarted:
		p.instance, p.client, p.started, p.failed, p.running = e.Instance, e.Text, e.At, false, true
		p.group.runsOn(e.Text, e.At)
	case trace.ConsumerFailed:
		p.fail(Failure{At: e.At, Who: e.Who, Client: p.client, Err: e.Err, Exception: e.Text})
	case trace.PollThrew:
		p.group.thrown = append(p.group.thrown, Failure{At: e.At, Who: e.Who, Client: p.client, Err: e.Err, Exception: e.Text})
	case trace.ProcessExited:
		if e.Reason == trace.Failed {
			p.fail(Failure{At: e.At, Who: e.Who, Client: p.client, Err: e.Err, Exception: e.Text})
		}
		p.exited(e.At)
		if p.subscribed != nil { // the next one begins with the fleet's subscription
			p.subscribed = nil
			f.resubscribe(p, e.At)
		}
		f.ended(p, e.At)
	case trace.PartitionsAssigned:
		p.assigned(e)
		f.weigh(p, e.At)
	case trace.PartitionsRevoked, trace.PartitionsLost:
		p.released(e.At, e.Partitions)
		f.weigh(p, e.At)
	case trace.SubscriptionChanged:
		p.subscribed = strings.FieldsFunc(e.Text, func(c rune) bool { return c == ',' })
		if p.subscribed == nil {
			p.subscribed = []string{}
		}
		f.resubscribe(p, e.At)
	case trace.JoinSent:
		p.timedOut = false
		p.group.current().joiner = e.Who
		if p.instance != "" {
			f.joiners[instanceKey{p.group.name, p.instance}] = e.Who
		}
	case trace.PositionsSet:
		p.group.read.began(e)
	case trace.RecordsRedelivered:
		p.group.redelivered = append(p.group.redelivered, Redelivery{At: e.At, Who: e.Who, Records: int(e.Members)})
	case trace.PollTimeout:
		p.timedOut, p.limit = true, e.For
	case trace.LeaveSent:
		if !p.timedOut {
			p.closeGap(e.At, true) // it is closed or unsubscribes: nobody stopped it
		}
	case trace.StallBegan:
		p.halt(&p.stalls, e.At, e.At.Add(e.For))
	case trace.CallbackBegan:
		p.halt(&p.stalls, e.At, e.At.Add(e.For))
		p.calling, p.called = true, e.At
	case trace.StallEnded:
		p.resume(&p.stalls, e.At, e.Since)
	case trace.CallbackEnded:
		p.resume(&p.stalls, e.At, e.Since)
		p.calling = false
	}
}

// resubscribe takes in that a process subscribes to something else, and counts anew which partitions its group
// subscribes to: those of its fleets, but for the processes that subscribe to something else by now.
func (f *Fold) resubscribe(p *process, at clock.Time) {
	p.topics = topicsOf(p.subscribed)
	if fleet, _ := f.options.fleetOf(p.name); p.subscribed == nil {
		p.topics = topicsOf(fleet.Topics)
	}
	f.weigh(p, at)
	h := p.group
	topics := map[string]int{}
	for _, fleet := range f.options.Fleets {
		if fleet.Group != h.name {
			continue
		}
		subscribed := f.subscriptions(fleet)
		for _, topic := range subscribed {
			topics[topic] = f.topics[topic]
		}
	}
	h.holding.subscribe(topics)
	h.held(at)
}

// subscriptions lists what the processes of a fleet subscribe to; topics may be listed several times.
func (f *Fold) subscriptions(fleet Fleet) []string {
	var topics []string
	processes, changed := 0, 0
	for _, name := range slices.Sorted(maps.Keys(f.processes)) {
		if of, ok := f.options.fleetOf(name); !ok || of.Name != fleet.Name {
			continue
		}
		processes++
		if p := f.processes[name]; p.subscribed != nil {
			changed++
			topics = append(topics, p.subscribed...)
		}
	}
	if processes == 0 || changed < processes {
		topics = append(topics, fleet.Topics...)
	}
	return topics
}

func (f *Fold) faultBegan(e trace.Event) {
	p := f.process(e.Who)
	group := e.Group
	if p != nil {
		group = p.group.name
	}
	for _, h := range f.groups {
		if e.Cause >= 0 && (group == h.name || group == "" && h.concerns(e)) { // a source never rests
			h.faults = append(h.faults, Happening{At: e.At, Verb: e.Text})
		}
	}
	if p == nil {
		return
	}
	if !e.Passes() {
		p.acts = append(p.acts, act{Happening{At: e.At, Verb: e.Text}, e.Until})
	}
	if e.Freezes() {
		p.halt(&p.pauses, e.At, e.Until)
	}
	if (e.Freezes() || e.Text == "drop") && f.options.lasts(e.Until) {
		p.group.die(p.member, e.At)
	}
}

// concerns reports whether an event of the scenario that names no group acts on this one. What happens to a topic
// acts on those that subscribe to it.
func (h *history) concerns(e trace.Event) bool {
	if len(e.Partitions) == 0 {
		return true
	}
	_, subscribed := h.holding.topics[e.Partitions[0].Topic]
	return subscribed
}

func (f *Fold) faultEnded(e trace.Event) {
	p := f.process(e.Who)
	if p == nil {
		return
	}
	p.actEnded(e.Text, e.At)
	if e.Freezes() {
		p.resume(&p.pauses, e.At, e.Since)
	}
}

// blocked adds to a chain what is known of its holders at that instant.
func (f *Fold) blocked(h *history, e trace.Event) Blocked {
	b := Blocked{At: e.At, Chain: e.Chain}
	for _, l := range e.Chain {
		if l.Member != "" && !h.members[l.Member] {
			b.Pending = append(b.Pending, l.Member)
		}
		if p := f.processes[l.Who]; p != nil && trace.IsDead(l.Because) && p.started >= l.Since {
			b.Ghosts = append(b.Ghosts, l.Member)
		}
	}
	return b
}

// removal tells a leave because of max.poll.interval.ms from others, and the member of an earlier
// incarnation from that of the process that runs.
func (f *Fold) removal(e trace.Event) change {
	c := change{event: e, who: f.who(e)}
	p := f.processes[c.who]
	if p != nil {
		c.behind = p.actSince(e.Since)
	}
	if e.Reason == trace.SessionExpired {
		c.limit, c.ghost = e.At.Sub(e.Since), p != nil && p.started > e.Since
	}
	if e.Reason != trace.Left {
		return c
	}
	if p != nil && p.timedOut {
		c.pollTimeout, c.limit = true, p.limit
	}
	c.pollTimeout = c.pollTimeout || e.Text == PollTimeoutReason
	return c
}

// group returns the history of a group, which may be one that no fleet belongs to.
func (f *Fold) group(name string) *history {
	i, found := slices.BinarySearchFunc(f.groups, name, func(h *history, name string) int {
		return strings.Compare(h.name, name)
	})
	if !found {
		h := newHistory(name, f.options.partitions(name))
		h.logs = f.logsOf(name)
		f.groups = slices.Insert(f.groups, i, h)
	}
	return f.groups[i]
}

// process returns the process of that name, or nil when it belongs to no fleet.
func (f *Fold) process(name string) *process {
	if p := f.processes[name]; p != nil {
		return p
	}
	fleet, ok := f.options.fleetOf(name)
	if !ok {
		return nil
	}
	p := &process{
		name: name, group: f.group(fleet.Group), topics: topicsOf(fleet.Topics), held: map[wire.TopicPartition]bool{}, gap: -1,
	}
	f.processes[name] = p
	return p
}

// Who returns the process behind the member of an event, "" when it has none. What is recorded later can tell more.
func (f *Fold) Who(e trace.Event) string { return f.who(e) }

// NamesIn returns the processes behind the members in events that the fold has recorded, "" for one without.
func (f *Fold) NamesIn(events []trace.Event) map[wire.MemberID]string {
	names := map[wire.MemberID]string{}
	for _, e := range events {
		if e.Member != "" {
			names[e.Member] = f.who(e)
		}
	}
	return names
}

// who returns the process behind the event's member, "" when there is none.
func (f *Fold) who(e trace.Event) string {
	if e.Who != "" {
		return e.Who
	}
	if name, ok := f.names[e.Member]; ok {
		return name
	}
	name, ok := f.joiners[instanceKey{e.Group, e.Instance}]
	if e.Instance == "" || !ok {
		name = Prefix(e.Member)
	}
	if f.process(name) == nil {
		return ""
	}
	f.names[e.Member] = name
	return name
}

// Prefix returns what the coordinator built a member id from, "" for an id that has another form.
func Prefix(id wire.MemberID) string {
	n := len(id) - uuidSuffix
	if n <= 0 || id[n] != '-' {
		return ""
	}
	return string(id[:n])
}

// Summary looks at the run from its start to an instant, with all events at that instant. Stays that are
// open are cut there. The instant may be any up to the last recorded event and beyond it.
func (f *Fold) Summary(end clock.Time) Summary {
	return f.summarize(period{from: 0, to: end, before: end.Add(1)})
}

// Window looks at the half-open window [from, to): what happened in it, and times clipped to it. The
// state of a group, its members and its leader are those just before to; what ends later is open.
func (f *Fold) Window(from, to clock.Time) Summary {
	return f.summarize(period{from: from, to: to, before: to})
}

// Unheld returns what the window [from, to) has as a group's Stopped and Unassigned, without the rest of it.
func (f *Fold) Unheld(group string, from, to clock.Time) (stopped, unassigned time.Duration) {
	return f.group(group).unheld(period{from: from, to: to, before: to})
}
