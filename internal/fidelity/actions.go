package fidelity

import (
	"cmp"
	"slices"
	"time"

	"simulate/sim/coordinator"
	"simulate/sim/random"
	"simulate/sim/scenario"
)

// actions are the actions that a scenario can repeat. Another one is supported from the moment that it
// stands here.
var actions = map[string]func(*builder, Action) error{
	"start":             (*builder).start,
	"stop":              does(scenario.Stop),
	"kill":              (*builder).kill,
	"pause":             does(scenario.Pause),
	"stall":             between(scenario.Stall),
	"subscribe":         between(scenario.Subscribe),
	"unsubscribe":       between(scenario.Unsubscribe),
	"enforce-rebalance": between(scenario.EnforceRebalance),
	"block-rebalance":   (*builder).blockRebalance,
	"slow-assign":       does(scenario.SlowAssign),
	"slow-revoke":       does(scenario.SlowRevoke),
	"freeze-in-assign":  (*builder).freezeInAssign,
	"thaw":              nothing, // with freeze-in-assign
	"hold-leader-sync":  (*builder).holdLeaderSync,
	"raw-join":          (*builder).rawJoin,
	"drop":              (*builder).drop,
	"reset":             does(scenario.Reset),
	"broker-restart":    (*builder).restartBroker,
	"move-coordinator":  (*builder).moveCoordinator,
	"create-topic":      topic(scenario.CreateTopic),
	"partitions":        topic(scenario.Partitions),
	"delete-topic":      topic(scenario.DeleteTopic),
	"delete-group":      (*builder).deleteGroup,
	"describe-group":    nothing, // which changes nothing
	"note":              nothing,
}

// nothing is done for what needs no event.
func nothing(*builder, Action) error { return nil }

// does repeats an action that takes hold of its process at once.
func does(verb scenario.Verb) func(*builder, Action) error {
	return func(b *builder, a Action) error {
		b.event(a.AtMs, verb, a)
		return nil
	}
}

// between repeats what an application does between two polls: it began when the application came to it, where the
// recording knows.
func between(verb scenario.Verb) func(*builder, Action) error {
	return func(b *builder, a Action) error {
		if a.BeganMs == nil {
			b.event(a.AtMs, verb, a).Topics = b.topics(a.Topics)
			return nil
		}
		e := b.event(*a.BeganMs, verb, a)
		e.AtOnce, e.Topics = true, b.topics(a.Topics)
		return nil
	}
}

// sawMemberID is the note that the proxy saw a MEMBER_ID_REQUIRED and kept it.
const sawMemberID = "saw-MEMBER_ID_REQUIRED"

// surelyJoined is how long after its instant a first JoinGroup is at the broker even where messages are slow.
const surelyJoined = 50 * time.Millisecond

// kill repeats SIGKILL. Where the proxy kept the answer to the first JoinGroup of a process, nothing reaches that any more
// from when it was sent, and it makes no difference that the process dies a moment later.
func (b *builder) kill(a Action) error {
	e := b.event(a.AtMs, scenario.Kill, a)
	if first, ok := b.unanswered(a); ok {
		e.At = max(e.At, first+surelyJoined)
		e := b.event(0, scenario.Drop, a)
		e.At, e.For = first-b.delays.latency/2, random.Constant(2*surelyJoined)
		e.Direction, e.Held = scenario.In, true
	}
	return nil
}

// unanswered returns when the first JoinGroup of the process that a kills was at the broker, if the proxy kept its answer.
func (b *builder) unanswered(a Action) (time.Duration, bool) {
	withheld := false
	for _, other := range slices.Backward(b.given.Actions) {
		switch {
		case other.Who != a.Who || other.AtMs > a.AtMs:
		case other.Do == "note" && other.What == sawMemberID:
			withheld = true
		case other.Do == "start" && other.FirstJoinMs != nil:
			return millis(*other.FirstJoinMs), withheld
		}
	}
	return 0, false
}

// holdLeaderSync keeps the SyncGroup of a leader. The proxy was told so before that process was started.
func (b *builder) holdLeaderSync(a Action) error {
	at := a.AtMs
	if i := slices.IndexFunc(b.given.Actions, func(s Action) bool { return s.Do == "start" && s.Who == a.Who }); i >= 0 {
		if first := b.given.Actions[i].FirstJoinMs; first != nil {
			at = max(at, *first)
		}
	}
	b.event(at, scenario.HoldLeaderSync, a)
	return nil
}

// blockRebalance repeats an application that keeps a rebalance from going on: with kafkajs a busy event loop, in which the
// whole process stands still; with franz-go and BlockRebalanceOnPoll a stall before AllowRebalance.
func (b *builder) blockRebalance(a Action) error {
	switch client := b.given.Members[a.Who].Client; client {
	case "kafkajs":
		b.event(a.AtMs, scenario.Pause, a)
	case "franz-go":
		b.event(a.AtMs, scenario.Stall, a)
	default:
		return unsupported("block-rebalance of %s", client)
	}
	return nil
}

// topic repeats what an administrator did to a topic, at the instant at which it was done.
func topic(verb scenario.Verb) func(*builder, Action) error {
	return func(b *builder, a Action) error {
		b.scenario.Events = append(b.scenario.Events, scenario.Event{
			At: millis(cmp.Or(a.DoneMs, a.AtMs)), Do: verb, Topic: b.topics([]string{a.Topic})[0], Count: a.Count,
		})
		return nil
	}
}

// freezeInAssign freezes a process until it was woken.
func (b *builder) freezeInAssign(a Action) error {
	woken := millis(b.given.DurationMs)
	for _, other := range b.given.Actions {
		if other.Do == "thaw" && other.Who == a.Who && other.AtMs >= a.AtMs {
			woken = min(woken, millis(other.AtMs))
		}
	}
	b.event(a.AtMs, scenario.FreezeInAssign, a).Back = woken
	return nil
}

// joinModes are the modes of hand-written JoinGroups that a scenario can repeat.
var joinModes = map[string]scenario.JoinMode{
	"vanish_after_id": scenario.VanishAfterID, "send_and_vanish": scenario.SendAndVanish, "hold_after_join": scenario.HoldAfterJoin,
}

func (b *builder) rawJoin(a Action) error {
	mode, ok := joinModes[a.Mode]
	if !ok {
		return unsupported("a raw-join of mode %s", a.Mode)
	}
	b.scenario.Events = append(b.scenario.Events, scenario.Event{
		At: millis(a.AtMs), Do: scenario.RawJoin, Group: ObservedGroup, Version: int16(a.Version), Mode: mode,
		Hold: random.Constant(millis(a.HoldMs)), MemberIDs: b.memberIDs(a.Who),
	})
	return nil
}

func (b *builder) deleteGroup(a Action) error {
	b.scenario.Events = append(b.scenario.Events, scenario.Event{At: millis(a.AtMs), Do: scenario.DeleteGroup, Group: ObservedGroup})
	return nil
}

// drop cuts a client off, or all of them from one broker.
func (b *builder) drop(a Action) error {
	e := b.event(a.AtMs, scenario.Drop, a)
	e.Direction, e.Held = scenario.Both, a.How == "held"
	if a.Broker != 0 {
		e.Broker = b.broker(a.Broker)
	}
	if a.Who == "*" {
		e.Who = []scenario.Selector{{Kind: scenario.ByGlob, Name: "*"}}
	}
	return nil
}

// event appends what a does to its process, and returns it to be completed.
func (b *builder) event(atMs float64, verb scenario.Verb, a Action) *scenario.Event {
	b.scenario.Events = append(b.scenario.Events, scenario.Event{
		At:  millis(atMs),
		Do:  verb,
		Who: []scenario.Selector{{Kind: scenario.ByMember, Name: process(a.Who)}},
		For: random.Constant(millis(a.ForMs)),
	})
	return &b.scenario.Events[len(b.scenario.Events)-1]
}

// startToReady is how long a broker takes from its start until it is back, where only the start is known.
const startToReady = 3 * time.Second

// restartBroker stops or kills a broker, which is back when it was.
func (b *builder) restartBroker(a Action) error {
	back := millis(a.StartMs) + startToReady
	if a.ReadyMs != nil {
		back = millis(*a.ReadyMs)
	}
	b.scenario.Events = append(b.scenario.Events, scenario.Event{
		At: millis(a.AtMs), Do: scenario.BrokerRestart, Broker: b.broker(a.Broker), Graceful: a.Graceful, Back: back,
		Closes: millis(a.ClosedMs), Loads: b.loads(),
	})
	return nil
}

// loading is how long a coordinator reads its partition, in the median.
const loading = 10 * time.Millisecond

// loads returns when the only broker of a cluster, back again, began to load; none where others took over.
func (b *builder) loads() []time.Duration {
	if b.given.Brokers.Count > 1 {
		return nil
	}
	var all []time.Duration
	for _, f := range b.given.Failovers {
		if f.LoadFinishedMs != nil {
			all = append(all, millis(*f.LoadFinishedMs)-loading)
		}
	}
	return all
}

// broker returns the number that a recorded broker has in the scenario. There the first leader of a partition
// follows from its number; in a recording it is the one that the cluster chose.
func (b *builder) broker(recorded int) int32 {
	n := b.scenario.Brokers
	partition := int(coordinator.PartitionOf(ObservedGroup, b.scenario.Broker.OffsetsPartitions))
	return int32((partition+max(recorded, 1)-b.given.Brokers.Coordinator+n)%n) + 1
}

func (b *builder) moveCoordinator(a Action) error {
	b.scenario.Events = append(b.scenario.Events, scenario.Event{
		At: millis(a.AtMs), Do: scenario.MoveCoordinator, Group: ObservedGroup,
	})
	return nil
}

// start starts a process such that its first poll and its first JoinGroup come when they came. A process
// whose JoinGroup never reached the broker (its configuration was refused) is left out.
func (b *builder) start(a Action) error {
	if a.FirstJoinMs == nil {
		return nil
	}
	plan, err := b.behaviour(a)
	if err != nil {
		return err
	}
	at, firstPoll := startOf(a, plan.Client)
	plan.Boot = random.Constant(firstPoll - at)
	plan.JoinNotBefore = millis(*a.FirstJoinMs) - b.delays.latency - at

	if !b.started[a.Who] {
		b.started[a.Who] = true
		b.scenario.Fleets = append(b.scenario.Fleets, scenario.Fleet{
			Name:      a.Who,
			Count:     1,
			StartAt:   at,
			Plan:      plan,
			Instance:  b.instance(a),
			MemberIDs: map[string][]string{process(a.Who): b.memberIDs(a.Who)},
		})
		return nil
	}
	e := b.event(0, scenario.Start, a)
	e.At = at
	instance := b.instance(a)
	e.Plan, e.Instance = &plan, &instance
	return nil
}

// startOf returns when the process begins and when it first polls. A recorded start can lie a few
// milliseconds after the first poll, for it was noted when the command had returned.
func startOf(a Action, client string) (at, firstPoll time.Duration) {
	switch {
	case !isJava(client):
		firstPoll = millis(*a.FirstJoinMs) - beginsBeforeJoin
	case a.FirstFindCoordinatorMs != nil:
		firstPoll = millis(*a.FirstFindCoordinatorMs) - pollBeforeFind
	default:
		firstPoll = millis(*a.FirstJoinMs) - pollBeforeJoin
	}
	firstPoll = max(firstPoll, 0)
	return min(millis(a.AtMs), firstPoll), firstPoll
}
