package reports

import (
	"fmt"
	"time"

	"simulate/explain"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
	"simulate/timeline"
)

// handMade is a run written by hand, in the order of what a coordinator and consumers record.
type handMade struct {
	name        string // of the golden files
	title       string // of the scenario, when it is another one
	fleet       metrics.Fleet
	group       string
	events      []trace.Event
	end         time.Duration
	planned     time.Duration
	outcome     Outcome
	expectation []Expectation
	warnings    []string

	at    clock.Time
	state wire.GroupState
	gen   wire.Generation
	ids   map[string]wire.MemberID
	size  int32 // of the group
	fixed int32 // members with an instance id
}

const (
	uuid   = "-11111111-2222-3333-4444-55555555555"
	topic  = "orders"
	twelve = 12
)

func begin(name, fleet, group string) *handMade {
	return &handMade{
		name: name, group: group, fleet: metrics.Fleet{Name: fleet, Group: group, Topics: []string{topic}},
		end: 10 * time.Minute, planned: 10 * time.Minute, ids: map[string]wire.MemberID{},
	}
}

func (h *handMade) report() Report {
	fold := metrics.NewFold(metrics.Options{
		StuckAfter: 30 * time.Second,
		Topics:     map[string]int{topic: twelve},
		Fleets:     []metrics.Fleet{h.fleet},
	})
	for _, e := range h.events {
		fold.Record(e)
	}
	title := h.title
	if title == "" {
		title = h.name
	}
	return Report{
		Scenario: Scenario{
			Name: title, Description: "Made by hand for " + h.name + ".", Seed: 7, Kafka: "4",
			Duration: h.planned, StuckAfter: 30 * time.Second,
		},
		Outcome:      h.outcome,
		At:           clock.At(h.end),
		Digest:       "5e1f09c2d4b7a803",
		Summary:      fold.Summary(clock.At(h.end)),
		Expectations: h.expectation,
		Warnings:     h.warnings,
		NotModelled:  []string{"disks, CPU and threads of the broker", "transactions"},
		Events:       h.events,
		Chains:       explain.Explain(h.events, fold),
		Timeline:     h.lanes(),
		Curves:       fold.Curves(clock.At(h.end)),
		Clients:      h.clients(),
		Names:        fold.NamesIn(h.events),
	}
}

func (h *handMade) clients() []*metrics.ClientCurves {
	clients := metrics.NewClients()
	for _, e := range h.events {
		clients.Record(e)
	}
	return clients.Curves(clock.At(h.end))
}

// lanes returns the lanes of the run, in which every process is one of the group.
func (h *handMade) lanes() timeline.Timeline {
	fold := timeline.NewFold()
	for _, e := range h.events {
		e.Group = h.group
		fold.Record(e)
	}
	return fold.Timeline(clock.At(h.end))
}

func (h *handMade) after(d time.Duration) *handMade {
	h.at = h.at.Add(d)
	return h
}

func (h *handMade) add(e trace.Event) *handMade {
	e.At = h.at
	if e.Kind < trace.ProcessStarted {
		e.Group = h.group
	}
	h.events = append(h.events, e)
	return h
}

func (h *handMade) create() *handMade {
	h.state = wire.Empty
	return h.add(trace.Event{Kind: trace.GroupCreated, To: wire.Empty})
}

func (h *handMade) become(to wire.GroupState, e trace.Event) *handMade {
	e.Kind, e.From, e.To = trace.GroupBecame, h.state, to
	if h.state == wire.PreparingRebalance {
		h.gen++
	}
	e.Generation, e.Members = h.gen, h.size
	h.state = to
	return h.add(e)
}

// join lets a process start and become a member, dynamic and by two JoinGroups.
func (h *handMade) join(who string) *handMade {
	id := wire.MemberID(fmt.Sprintf("%s%s%d", who, uuid, len(h.ids)))
	h.ids[who] = id
	h.add(trace.Event{Kind: trace.ProcessStarted, Who: who})
	h.add(trace.Event{Kind: trace.JoinSent, Who: who})
	h.add(trace.Event{Kind: trace.MemberIDIssued, Member: id, To: h.state, Until: h.at.Add(45 * time.Second)})
	h.add(trace.Event{Kind: trace.JoinSent, Who: who, Member: id})
	return h.admit(id, "", trace.PendingJoined, "need to re-join with the given member-id: "+string(id))
}

// admit adds a member and begins a rebalance unless one is going on.
func (h *handMade) admit(id wire.MemberID, instance wire.InstanceID, how trace.Reason, reason string) *handMade {
	h.size++
	if instance != "" {
		h.fixed++
	}
	h.add(trace.Event{Kind: trace.MemberAdded, Member: id, Instance: instance, To: h.state, Reason: how})
	if h.size == 1 {
		h.add(trace.Event{Kind: trace.LeaderElected, Member: id, Instance: instance})
	}
	if h.state != wire.PreparingRebalance {
		h.become(wire.PreparingRebalance, trace.Event{Reason: trace.MemberJoined, Member: id, Instance: instance, Text: reason})
	}
	return h
}

// stabilize ends the join phase, and 10 ms later the sync phase.
func (h *handMade) stabilize(leader string) *handMade {
	h.become(wire.CompletingRebalance, trace.Event{Reason: trace.JoinPhaseComplete, Member: h.ids[leader], Protocol: "range"})
	h.after(10 * time.Millisecond)
	h.add(trace.Event{Kind: trace.AssignmentReceived, Member: h.ids[leader], Generation: h.gen, Members: h.size, Static: h.fixed})
	return h.become(wire.Stable, trace.Event{Reason: trace.AssignmentStored, Member: h.ids[leader]})
}

func (h *handMade) assign(who string, partitions ...int32) *handMade {
	return h.add(trace.Event{Kind: trace.PartitionsAssigned, Who: who, Member: h.ids[who], Generation: h.gen, Partitions: ofTopic(partitions)})
}

func (h *handMade) revoke(who string, partitions ...int32) *handMade {
	return h.add(trace.Event{Kind: trace.PartitionsRevoked, Who: who, Member: h.ids[who], Generation: h.gen, Partitions: ofTopic(partitions)})
}

func (h *handMade) remove(who string, reason trace.Reason, text string) *handMade {
	h.size--
	return h.add(trace.Event{Kind: trace.MemberRemoved, Member: h.ids[who], Reason: reason, Text: text, HasText: text != ""})
}

func (h *handMade) expect(that, got string, pass bool) *handMade {
	e := Expectation{That: that, Got: got, Pass: pass, Line: 40 + len(h.expectation), Replications: 1}
	if !pass {
		e.FailedIn, e.Seed = 1, 7
	}
	h.expectation = append(h.expectation, e)
	return h
}

func ofTopic(partitions []int32) []wire.TopicPartition {
	var list []wire.TopicPartition
	for _, p := range partitions {
		list = append(list, wire.TopicPartition{Topic: topic, Partition: p})
	}
	return list
}

// startThree is the first start of three consumers; it ends 3.05 s into the run.
func (h *handMade) startThree() *handMade {
	h.create().join("orders-1").join("orders-2").after(10 * time.Millisecond).join("orders-3")
	h.after(3 * time.Second).stabilize("orders-1").after(30 * time.Millisecond)
	h.assign("orders-1", 0, 1, 2, 3).assign("orders-2", 4, 5, 6, 7).assign("orders-3", 8, 9, 10, 11)
	return h
}

func handMadeRuns() []*handMade {
	return []*handMade{
		quietStart(), stuckClosed(), stuckOpen(), eviction(), staticRestart(), hostileNames(), interrupted(), noGroup(),
		refused(), neverCame(), crashLoop(), storm(), oddities(),
	}
}

func quietStart() *handMade {
	h := begin("quiet-start", "orders", "orders").startThree()
	h.expect("rebalances(orders) == 1", "1", true)
	h.expect("longest(orders, PreparingRebalance) < 5s", "3.01s", true)
	return h.expect("state(orders) == Stable", "Stable", true)
}

// stuckClosed: orders-3 handles one long batch while the group waits for it.
func stuckClosed() *handMade {
	h := begin("stuck-closed", "orders", "orders").startThree()
	h.after(58 * time.Second).add(trace.Event{
		Kind: trace.ProcessingBegan, Who: "orders-3", For: 5*time.Minute + 51*time.Second + 500*time.Millisecond,
	})
	batch := h.at
	h.after(23 * time.Second).join("orders-4")
	h.after(2*time.Second).revoke("orders-1", 0, 1, 2, 3).revoke("orders-2", 4, 5, 6, 7)
	h.after(28 * time.Second).add(trace.Event{
		Kind: trace.Blocked, To: wire.PreparingRebalance, Since: h.at.Add(-30 * time.Second),
		Chain: []trace.Link{{
			Who: "orders-3", Member: h.ids["orders-3"], On: trace.OwesJoin, Because: trace.CauseProcessing,
			Since: batch, Until: batch.Add(5*time.Minute + 51*time.Second + 500*time.Millisecond),
			Timer: trace.TimerPoll, Fires: batch.Add(5 * time.Minute), Parked: 3,
		}},
	})
	h.after(batch.Add(5 * time.Minute).Sub(h.at))
	h.add(trace.Event{Kind: trace.PollTimeout, Who: "orders-3", For: 5 * time.Minute, Since: batch})
	h.add(trace.Event{Kind: trace.LeaveSent, Who: "orders-3", Member: h.ids["orders-3"], Text: metrics.PollTimeoutReason})
	h.after(time.Millisecond).remove("orders-3", trace.Left, metrics.PollTimeoutReason)
	h.stabilize("orders-1").after(5*time.Millisecond).
		assign("orders-1", 0, 1, 2, 3).assign("orders-2", 4, 5, 6, 7).assign("orders-4", 8, 9, 10, 11)
	return h.expect("longest(orders, PreparingRebalance) < 30s", "4m37.001s", false)
}

// stuckOpen: a killed member with a long session holds the group at the end of the run.
func stuckOpen() *handMade {
	h := begin("stuck-open", "orders", "orders").startThree()
	h.end, h.planned = 5*time.Minute, 5*time.Minute
	h.after(time.Minute).add(trace.Event{Kind: trace.FaultBegan, Text: "kill", Who: "orders-2", Until: clock.Never})
	died := h.at
	h.add(trace.Event{Kind: trace.ProcessExited, Who: "orders-2", Reason: trace.Killed})
	h.after(time.Minute).join("orders-4")
	h.after(time.Second).revoke("orders-1", 0, 1, 2, 3).revoke("orders-3", 8, 9, 10, 11)
	h.after(29 * time.Second).add(trace.Event{
		Kind: trace.Blocked, To: wire.PreparingRebalance, Since: h.at.Add(-30 * time.Second),
		Chain: []trace.Link{{
			Who: "orders-2", Member: h.ids["orders-2"], On: trace.OwesJoin, Because: trace.CauseDead,
			Since: died, Until: clock.Never, Timer: trace.TimerSession, Fires: died.Add(10 * time.Minute), Parked: 3,
		}},
	})
	h.expectation = []Expectation{{That: "settled(orders) < 1m", Problem: "orders never settled; its state at the end is PreparingRebalance", Replications: 1, FailedIn: 1, Seed: 7}}
	return h
}

// eviction: a killed member's session expires, a pending id too, and one member does not rejoin.
func eviction() *handMade {
	h := begin("eviction", "orders", "orders").startThree()
	h.after(time.Minute).add(trace.Event{Kind: trace.FaultBegan, Text: "kill", Who: "orders-2", Until: clock.Never})
	h.add(trace.Event{Kind: trace.ProcessExited, Who: "orders-2", Reason: trace.Killed})
	h.add(trace.Event{Kind: trace.MemberIDIssued, Member: "orders-9" + uuid + "9", To: wire.Stable, Until: h.at.Add(45 * time.Second)})
	h.size--
	h.after(43 * time.Second).add(trace.Event{
		Kind: trace.MemberRemoved, Member: h.ids["orders-2"], Reason: trace.SessionExpired, Since: h.at.Add(-45 * time.Second),
	})
	h.become(wire.PreparingRebalance, trace.Event{Reason: trace.SessionExpired, Member: h.ids["orders-2"]})
	h.after(time.Second).revoke("orders-1", 0, 1, 2, 3)
	h.after(time.Second).add(trace.Event{Kind: trace.PendingRemoved, Member: "orders-9" + uuid + "9", Reason: trace.SessionExpired})
	h.after(5*time.Minute).remove("orders-3", trace.NotRejoinedInTime, "")
	h.add(trace.Event{Kind: trace.NotRejoined, List: []wire.MemberID{h.ids["orders-3"]}})
	h.stabilize("orders-1").after(time.Millisecond).assign("orders-1", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	h.warnings = []string{"orders.toml:14:1: Kafka knows linger.ms, but it is not modelled"}
	return h.add(trace.Event{Kind: trace.RunWarning, Text: `event 2 (line 31): nothing to act on, no living member matches "orders-7"`})
}

// staticRestart: static members come back within their session, without and with a rebalance.
func staticRestart() *handMade {
	h := begin("static-restart", "orders", "orders").create()
	for _, who := range []string{"orders-1", "orders-2"} {
		h.ids[who] = wire.MemberID(fmt.Sprintf("%s%s%d", who, uuid, len(h.ids)))
		h.add(trace.Event{Kind: trace.ProcessStarted, Who: who, Instance: wire.InstanceID(who)})
		h.add(trace.Event{Kind: trace.JoinSent, Who: who})
		h.admit(h.ids[who], wire.InstanceID(who), trace.NewStatic, "")
	}
	h.after(3*time.Second).stabilize("orders-1").
		assign("orders-1", 0, 1, 2, 3, 4, 5).assign("orders-2", 6, 7, 8, 9, 10, 11)
	h.after(time.Minute).add(trace.Event{Kind: trace.FaultBegan, Text: "restart", Who: "orders-2"})
	h.add(trace.Event{Kind: trace.ProcessExited, Who: "orders-2", Reason: trace.Stopped})
	h.after(20 * time.Second).replace("orders-2")
	h.add(trace.Event{Kind: trace.StaticNoRebalance, Member: h.ids["orders-2"], Instance: "orders-2"})
	h.after(5*time.Millisecond).assign("orders-2", 6, 7, 8, 9, 10, 11)
	old := wire.MemberID("orders-2" + uuid + "1")
	h.after(time.Second).add(trace.Event{Kind: trace.Fenced, Member: old, Instance: "orders-2", Other: h.ids["orders-2"], Text: "heartbeat"})
	h.add(trace.Event{Kind: trace.Fenced, Member: old, Instance: "orders-2", Other: h.ids["orders-2"]}) // was parked
	h.after(time.Second).replace("orders-1")
	h.become(wire.PreparingRebalance, trace.Event{Reason: trace.StaticReplaced, Member: h.ids["orders-1"], Instance: "orders-1"})
	return h.after(time.Second).stabilize("orders-1")
}

func (h *handMade) replace(who string) *handMade {
	old := h.ids[who]
	h.ids[who] = wire.MemberID(fmt.Sprintf("%s%s%d", who, uuid, len(h.ids)+4))
	h.add(trace.Event{Kind: trace.ProcessStarted, Who: who, Instance: wire.InstanceID(who)})
	h.add(trace.Event{Kind: trace.JoinSent, Who: who})
	h.add(trace.Event{Kind: trace.MemberRemoved, Member: old, Instance: wire.InstanceID(who), Reason: trace.StaticReplaced})
	return h.add(trace.Event{Kind: trace.MemberAdded, Member: h.ids[who], Instance: wire.InstanceID(who), Other: old, To: h.state, Reason: trace.StaticReplaced})
}

// hostileNames: names of any length with anything in them stay in their place.
func hostileNames() *handMade {
	long := "a-very-long-fleet-name-that-somebody-generated-from-a-namespace-a-deployment-and-a-hash"
	h := begin("hostile-names", long, "group \"q\"\n\x1b[2J <b>&amp;</b> \u202eevil\xff (reason: x).").create()
	h.title = "hostile \x1b[31mnames\n\u202e"
	h.join(long + "-1").join(long + "-2").after(3 * time.Second).stabilize(long + "-1")
	h.assign(long+"-1", 0, 1, 2, 3, 4, 5).assign(long+"-2", 6, 7, 8, 9, 10, 11)
	h.after(time.Minute).remove(long+"-2", trace.Left, "bye\nINFO faked line \x1b[0m")
	h.become(wire.PreparingRebalance, trace.Event{Reason: trace.Left, List: []wire.MemberID{h.ids[long+"-2"]}})
	h.after(time.Second).revoke(long+"-1", 0, 1, 2, 3, 4, 5)
	h.after(40 * time.Second).add(trace.Event{
		Kind: trace.Blocked, To: wire.PreparingRebalance, Since: h.at.Add(-41 * time.Second),
		Chain: []trace.Link{{Who: long + "-1", Member: h.ids[long+"-1"], On: trace.OwesJoin, Because: trace.CauseFrozen, Since: h.at, Until: clock.Never}},
	})
	h.warnings = []string{"a warning about \x1b[31m" + long + long}
	return h.expect("rebalances(\""+long+"\") == 1", "2\n\x1b[0m", false)
}

func interrupted() *handMade {
	h := begin("interrupted", "orders", "orders").startThree()
	h.outcome, h.end = Interrupted, 4*time.Minute+123*time.Millisecond+456*time.Microsecond
	return h
}

func noGroup() *handMade {
	return begin("no-group", "orders", "orders").add(trace.Event{Kind: trace.ProcessStarted, Who: "orders-1"})
}

// fail lets a consumer die of an exception.
func (h *handMade) fail(who string, err wire.Err, exception string) *handMade {
	h.add(trace.Event{Kind: trace.ConsumerFailed, Who: who, Err: err, Text: exception})
	return h.add(trace.Event{Kind: trace.ProcessExited, Who: who, Reason: trace.Failed})
}

// refused: a group turns one consumer away, another one over and over, and a third asks for what cannot be.
func refused() *handMade {
	h := begin("refused", "orders", "orders").startThree()
	h.add(trace.Event{Kind: trace.ProcessStarted, Who: "orders-4"})
	h.after(9*time.Millisecond).fail("orders-4", wire.InconsistentGroupProtocol, "InconsistentGroupProtocolException")
	for range 5 {
		h.after(10 * time.Second).add(trace.Event{Kind: trace.ProcessStarted, Who: "orders-5"})
		h.after(12*time.Millisecond).fail("orders-5", wire.GroupMaxSizeReached, "GroupMaxSizeReachedException")
	}
	h.after(time.Second).add(trace.Event{Kind: trace.ProcessStarted, Who: "orders-6"})
	return h.after(50*time.Millisecond).fail("orders-6", wire.UnknownServerError, "InvalidTopicException")
}

// neverCame: no consumer of the group gets in.
func neverCame() *handMade {
	h := begin("never-came", "orders", "orders")
	for _, who := range []string{"orders-1", "orders-2", "orders-3"} {
		h.after(time.Millisecond).add(trace.Event{Kind: trace.ProcessStarted, Who: who})
		h.fail(who, wire.InvalidSessionTimeout, "InvalidSessionTimeoutException")
	}
	return h.add(trace.Event{Kind: trace.ProcessExited, Who: "orders-4", Reason: trace.Failed, Text: "IllegalStateException"})
}

// crashLoop: a process that dies and starts again waits for what is left of itself, three times.
func crashLoop() *handMade {
	h := begin("crash-loop", "orders", "orders").startThree()
	for range 3 {
		old, died := h.ids["orders-3"], h.after(time.Minute).at
		h.add(trace.Event{Kind: trace.FaultBegan, Text: "kill", Who: "orders-3", Until: clock.Never})
		h.add(trace.Event{Kind: trace.ProcessExited, Who: "orders-3", Reason: trace.Killed})
		h.after(10 * time.Second).join("orders-3")
		h.after(30 * time.Second).add(trace.Event{
			Kind: trace.Blocked, To: wire.PreparingRebalance, Since: h.at.Add(-30 * time.Second),
			Chain: []trace.Link{{
				Who: "orders-3", Member: old, On: trace.OwesJoin, Because: trace.CauseDead, Since: died, Until: clock.Never,
				Timer: trace.TimerSession, Fires: died.Add(43 * time.Second), Parked: 3,
			}},
		})
		h.after(3 * time.Second)
		h.size--
		h.add(trace.Event{Kind: trace.MemberRemoved, Member: old, Reason: trace.SessionExpired, Since: h.at.Add(-45 * time.Second)})
		h.stabilize("orders-1")
	}
	return h
}

// storm: a member that comes and goes; most lines of a long list are left out.
func storm() *handMade {
	h := begin("storm", "orders", "orders").startThree()
	for range 10 {
		h.after(10*time.Second).join("orders-4").revoke("orders-1", 0, 1, 2, 3).revoke("orders-2", 4, 5, 6, 7).revoke("orders-3", 8, 9, 10, 11)
		h.after(500*time.Millisecond).stabilize("orders-1").
			assign("orders-1", 0, 1, 2).assign("orders-2", 3, 4, 5).assign("orders-3", 6, 7, 8).assign("orders-4", 9, 10, 11)
		h.ids["orders-5"] = "orders-5" + uuid + "5"
		h.admit(h.ids["orders-5"], "", trace.PendingJoined, "").remove("orders-5", trace.SessionExpired, "")
		h.after(9*time.Second).remove("orders-4", trace.Left, "the consumer is being closed")
		h.add(trace.Event{Kind: trace.ProcessExited, Who: "orders-4", Reason: trace.Stopped})
		h.become(wire.PreparingRebalance, trace.Event{Reason: trace.Left, List: []wire.MemberID{h.ids["orders-4"]}})
		h.revoke("orders-1", 0, 1, 2).revoke("orders-2", 3, 4, 5).revoke("orders-3", 6, 7, 8)
		h.after(300*time.Millisecond).stabilize("orders-1").
			assign("orders-1", 0, 1, 2, 3).assign("orders-2", 4, 5, 6, 7).assign("orders-3", 8, 9, 10, 11)
	}
	return h
}

// oddities: what states and counts of rebalances do not show. Most consumers of a fleet die at once, the leader changes
// with each of many rebalances, and one of the two that are left holds nearly everything.
func oddities() *handMade {
	h := begin("oddities", "orders", "orders").create()
	h.end, h.planned = 20*time.Minute, 20*time.Minute
	for i := range 9 {
		h.join(fmt.Sprintf("orders-%d", i+1))
	}
	h.stabilize("orders-1")
	for i := range 7 {
		h.after(time.Second).add(trace.Event{Kind: trace.ProcessExited, Who: fmt.Sprintf("orders-%d", i+3), Reason: trace.Killed})
	}
	h.add(trace.Event{Kind: trace.MemberIDIssued, Member: "probe" + uuid + "0", To: h.state, Until: h.at.Add(45 * time.Second)})
	h.admit("raw"+uuid+"1", "", trace.NewDynamic, "")
	h.after(40*time.Second).remove("orders-9", trace.SessionExpired, "")
	h.add(trace.Event{Kind: trace.PendingRemoved, Member: "probe" + uuid + "0", Reason: trace.SessionExpired})
	for i := range 5 {
		who := fmt.Sprintf("orders-%d", 1+i%2)
		h.add(trace.Event{Kind: trace.LeaderElected, Member: h.ids[who]}).stabilize(who)
		h.after(time.Second).become(wire.PreparingRebalance, trace.Event{Reason: trace.LeaderRejoined, Member: h.ids[who]})
	}
	h.stabilize("orders-1").assign("orders-1", 0, 1, 2, 3, 4, 5, 6, 7, 8).assign("orders-2", 9)
	return h
}
