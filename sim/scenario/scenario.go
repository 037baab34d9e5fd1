// Package scenario turns a scenario file into a typed, validated, fully resolved Scenario.
//
// Loading is three stages: raw (the tree that mirrors the text), resolve (defaults, units and names;
// afterwards zero means zero) and validate (rules across fields). All mistakes are collected, sorted by
// position and printed compiler-style; a wrong file never half-runs. What a client refuses to start
// with is a mistake; what it takes and is merely unwise is not.
//
// Kafka's settings have Kafka's names, in its units or as durations. Those without effect on a group are
// taken and listed in one warning. Refused as not supported yet: what verbs and expectations
// say they do not do.
//
// A scenario whose [broker] has an offsets-log starts from the records in that file, which LoadWith reads.
//
//	s, warnings, err := scenario.Load("slow-poll.toml", text)
//	if err != nil {
//		return err // slow-poll.toml:11:1: unknown key "session.timout.ms" in [fleet.config]; did you mean ...
//	}
//	fmt.Print(s.TOML()) // with every default filled in
package scenario

import (
	"slices"
	"strconv"
	"time"

	"simulate/sim/consumers"
	"simulate/sim/coordinator"
	"simulate/sim/metrics"
	"simulate/sim/offsetslog"
	"simulate/sim/random"
	"simulate/sim/records"
	"simulate/sim/wire"
)

// Scenario is one run's whole input. After resolving, zero means zero.
type Scenario struct {
	Name         string
	Description  string
	Seed         random.Seed
	Replications int // how many runs it stands for; run r, from 0, has the seed Seed + r
	Duration     time.Duration
	StuckAfter   time.Duration // a group that waits longer is stuck
	Broker       coordinator.Config
	OffsetsLog   string              // the file that Log is from, relative to the scenario's; "" for none
	Log          []offsetslog.Entry  // the records of the offsets topic that the run starts from
	Brokers      int                 // how many there are, default 1
	Append       random.Distribution // time to commit a record, default 1 ms
	Load         random.Distribution // time in which a new coordinator reads its partition, DefaultLoad unless told
	Latency      random.Distribution // one way, default 500 µs
	Cores        int                 // that all brokers and consumers share; 0: they do not. Recordings need it
	Topics       []Topic
	Fleets       []Fleet
	Events       []Event
	Expectations []Expectation
	Sweep        *Sweep // nil: the file says nothing of one
	Tune         *Tune  // the same
}

// Topic is a topic and how many partitions it has at the start.
type Topic struct {
	Name       string
	Partitions int
	Rate       records.Rate // of what arrives in all of them together; zero: nothing
	Backlog    int64        // records that are there at the start
}

// HasRecords reports whether there is ever a record in a topic.
func (s *Scenario) HasRecords() bool {
	return slices.ContainsFunc(s.Topics, func(t Topic) bool { return t.Rate.Records > 0 || t.Backlog > 0 })
}

// Fleet is a number of like consumers, named <fleet>-1, <fleet>-2, ...
type Fleet struct {
	Name   string
	Count  int  // how many are started at the beginning
	Static bool // group.instance.id is the member's name

	// Instance is the group.instance.id of the only member of a fleet that is not Static; recordings need it.
	Instance string

	StartAt    time.Duration // when the first process starts
	StartEvery time.Duration // spacing of the others, and of those that scale adds

	// Plan is what each member is started from.
	Plan consumers.Plan

	Pauses     []Pauses    // that befall each member, kind by kind
	Pod        *Pod        // how Kubernetes runs each member; nil: it does not
	Autoscaler *Autoscaler // nil: nothing changes the number of members by itself

	// MemberIDs pins the member ids that the coordinator hands out, per member, in order.
	MemberIDs map[string][]string
}

// Verb is what an event does.
type Verb string

// The verbs that are supported.
const (
	Pause           Verb = "pause"
	Stall           Verb = "stall"
	Kill            Verb = "kill"
	Stop            Verb = "stop"
	Start           Verb = "start"
	Restart         Verb = "restart"
	RollingRestart  Verb = "rolling-restart"
	Rollout         Verb = "rollout"
	Scale           Verb = "scale"
	CrashLoop       Verb = "crash-loop"
	Drop            Verb = "drop"
	Reset           Verb = "reset"
	Delay           Verb = "delay"
	AbandonMemberID Verb = "abandon-member-id"
	SlowAssign      Verb = "slow-assign"
	ThrowInCallback Verb = "throw-in-callback"
	SlowRevoke      Verb = "slow-revoke"
	FreezeInAssign  Verb = "freeze-in-assign"
	HoldLeaderSync  Verb = "hold-leader-sync"
	RawJoin         Verb = "raw-join"
	Configure       Verb = "configure"

	Subscribe        Verb = "subscribe"
	Unsubscribe      Verb = "unsubscribe"
	EnforceRebalance Verb = "enforce-rebalance"

	Commit          Verb = "commit"
	BrokerRestart   Verb = "broker-restart"
	MoveCoordinator Verb = "move-coordinator"
	SlowAppend      Verb = "slow-append"
	FailAppend      Verb = "fail-append"
	DeleteGroup     Verb = "delete-group"
	DeleteOffsets   Verb = "delete-offsets"
	RemoveMembers   Verb = "remove-members"

	Partitions  Verb = "partitions"
	CreateTopic Verb = "create-topic"
	DeleteTopic Verb = "delete-topic"
)

// Direction says which way of a link a fault acts on.
type Direction string

// The directions, seen from the client.
const (
	Both Direction = "both"
	Out  Direction = "out" // client to broker
	In   Direction = "in"  // broker to client
)

// JoinMode is what the client of a raw-join does.
type JoinMode string

// The modes. A client without a member id sends a second JoinGroup when the first one only got it an id.
const (
	VanishAfterID JoinMode = "vanish-after-id" // vanishes once it has sent the first JoinGroup
	SendAndVanish JoinMode = "send-and-vanish" // vanishes once it has sent the one that makes it a member
	HoldAfterJoin JoinMode = "hold-after-join" // waits for the answer to that, and then does nothing for a while
)

// Event is something that is done at an instant. Which fields count depends on Do.
type Event struct {
	At  time.Duration
	Do  Verb
	Who []Selector

	For       random.Distribution    // pause, stall, drop, delay, slow-assign, slow-revoke, freeze-in-assign, hold-leader-sync
	Down      random.Distribution    // restart, rolling-restart, crash-loop: from process exit to next start
	Gap       time.Duration          // rolling-restart: from that start to the next stop
	Batch     int                    // rolling-restart: how many at once, at least 1
	Close     consumers.CloseOptions // stop, restart, rolling-restart
	Graceful  bool                   // restart, rolling-restart: close() or kill
	To        int                    // scale
	Up        random.Distribution    // crash-loop: from start to kill
	Until     time.Duration          // crash-loop, repetition: the last instant; 0 means the end of the run
	Direction Direction              // drop, delay
	Held      bool                   // drop: bytes are kept and delivered at the heal
	AtOnce    bool                   // stall, subscribe, ...: begins at At even inside poll(); recordings know the instant
	Add       random.Distribution    // delay: added one way

	Kind           RolloutKind   // rollout
	MaxSurge       Portion       // rollout of a deployment: how many pods more there may be
	MaxUnavailable Portion       // the same: how many pods less may be ready
	MinReady       time.Duration // rollout: from ready to available

	Version   int16               // raw-join: of its JoinGroup, which else is that of the first fleet in Group
	Mode      JoinMode            // raw-join
	Hold      random.Distribution // raw-join: how long HoldAfterJoin lasts
	MemberIDs []string            // raw-join: pins the ids that it is handed; recordings know them

	Group   string   // delete-group, delete-offsets, remove-members, commit from outside, raw-join, hold-leader-sync
	Topics  []string // delete-offsets, commit from outside: all of their partitions; subscribe
	Pattern string   // subscribe
	Topic   string   // partitions, create-topic, delete-topic
	Count   int      // partitions, create-topic: how many partitions there are then

	Broker        int32               // broker-restart, drop: its number; 0 when CoordinatorOf names it, or for all
	CoordinatorOf string              // broker-restart, drop: the group whose coordinator it is at that instant
	Back          time.Duration       // broker-restart, freeze-in-assign: when it is over, if not 0; recordings know the instant
	Closes        time.Duration       // broker-restart: when its port closes, if not 0; recordings know the instant
	Loads         []time.Duration     // broker-restart: when it begins to load what it led, the last time to stay; recordings know the instants
	Append        random.Distribution // slow-append
	Error         wire.Err            // fail-append

	// Repetition: the event happens Times times (0: without limit), spaced by Every (nil: once).
	Every *random.Distribution
	Times int

	// Plan, when set, is what start and the restarts come back with, and what configure leaves for the next start.
	Plan *consumers.Plan
	// Instance, when set, is the group.instance.id that start comes back with.
	Instance *string

	Line int // where it stands in the file, 0 when there is none
}

// SelectorKind says how a selector finds its consumers.
type SelectorKind uint8

// The ways to name consumers.
const (
	ByMember SelectorKind = iota // Name is a member
	ByFleet                      // Name is a fleet: all of its members
	ByGlob                       // Name is a pattern over member names
	ByLeader                     // leader(Name): the group's leader
	ByAny                        // any(Name): one living member of a fleet or group, drawn each time
)

// Selector names consumers; it is resolved at the instant of the event.
type Selector struct {
	Kind SelectorKind
	Name string
}

// Expectation is one [[expect]]: a comparison that must hold, in every replication or over all of them.
type Expectation struct {
	That  string // as written, but for spaces
	Query metrics.Query
	Over  Aggregation // of the values that the metric has in the replications
	Op    Op
	Value metrics.Value

	// At, when set, looks at the state after all events with instant <= At. From and To, when set, bound
	// a half-open window. Without any, the whole run counts.
	At       *time.Duration
	From, To *time.Duration

	Snapshot bool // Value is one that was measured, and may be written anew: see WithSnapshots

	Line int
}

// Period returns the part of a run of that length that the expectation is about.
func (e *Expectation) Period(duration time.Duration) (from, to time.Duration) {
	to = duration
	switch {
	case e.At != nil:
		to = *e.At
	case e.To != nil:
		to = *e.To
	}
	if e.From != nil {
		from = *e.From
	}
	return from, to
}

// Op is a comparison.
type Op string

// The comparisons.
const (
	Less           Op = "<"
	LessOrEqual    Op = "<="
	Equal          Op = "=="
	NotEqual       Op = "!="
	GreaterOrEqual Op = ">="
	Greater        Op = ">"
)

// MovesCoordinators reports whether a group can get another coordinator in the course of the run.
func (s *Scenario) MovesCoordinators() bool {
	return slices.ContainsFunc(s.Events, func(e Event) bool { return e.Do == BrokerRestart || e.Do == MoveCoordinator })
}

// MetricsOptions tells a metrics.Fold what the trace of the scenario does not say. What fleets subscribe to counts,
// whatever their members subscribe to later.
func (s *Scenario) MetricsOptions() metrics.Options {
	o := metrics.Options{Duration: s.Duration, StuckAfter: s.StuckAfter, Topics: map[string]int{}}
	for _, t := range s.Topics {
		o.Topics[t.Name] = t.Partitions
		o.AddLoad(t.Name, metrics.Load{Rate: t.Rate, Backlog: t.Backlog})
	}
	for _, f := range s.Fleets {
		o.Fleets = append(o.Fleets, metrics.Fleet{Name: f.Name, Group: f.Plan.Group, Topics: s.subscribed(&f.Plan)})
	}
	return o
}

// Members returns the names of the members that a fleet starts with, in number order.
func (f *Fleet) Members() []string {
	names := make([]string, f.Count)
	for i := range names {
		names[i] = f.Member(i + 1)
	}
	return names
}

// Member returns the name of member number n, counted from 1.
func (f *Fleet) Member(n int) string { return f.Name + "-" + strconv.Itoa(n) }
