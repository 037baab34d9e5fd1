package metrics

import (
	"time"

	"simulate/sim/wire"
)

// Type is the type of a metric's value.
type Type uint8

// The types of values.
const (
	CountType        Type = iota // a whole number
	DurationType                 // a time
	ShareType                    // a part of the run, 0 to 1; written as a percentage
	StateType                    // a group state
	NameType                     // a member's name
	PartitionSeconds             // partitions times time; written as a duration
	NumberType                   // a number with decimals: the mean of counts
)

// Subject is what a metric is about.
type Subject uint8

// The subjects.
const (
	OfGroup Subject = iota
	OfMember
)

// Argument is what a metric takes beside its subject.
type Argument uint8

// The kinds of arguments.
const (
	NoArgument      Argument = iota
	StateArgument            // required: a group state
	RebalanceReason          // optional: a reason of trace.RebalanceReasons
	EvictionCause            // optional: session-expired, new-member-expired, not-rejoined, sync-expired
	LeaveCause               // optional: poll-timeout
	KindOfAnomaly            // optional: a name of AnomalyDefinitions
)

// Definition is one metric: what it is called, what it is about and what type it has.
type Definition struct {
	Name     string
	Type     Type
	Subject  Subject
	Argument Argument
	Help     string // its one definition, in one sentence
}

// Query asks for one metric of one subject.
type Query struct {
	Name    string
	Subject string // a group or a member
	Arg     string // "" when there is none
}

// String writes the query as expectations do: "evictions(orders, session-expired)".
func (q Query) String() string {
	if q.Arg != "" {
		return q.Name + "(" + q.Subject + ", " + q.Arg + ")"
	}
	return q.Name + "(" + q.Subject + ")"
}

// Value is the value of a metric. Which field counts depends on its type.
type Value struct {
	Type     Type
	Count    int64
	Duration time.Duration // DurationType and PartitionSeconds
	Share    float64
	Number   float64
	State    wire.GroupState
	Name     string
}

// Definitions lists all metrics, in the order of design.md, section 6.
var Definitions = []Definition{
	{"rebalances", CountType, OfGroup, RebalanceReason, "entries to PreparingRebalance; a join while already there is none"},
	{"joined", CountType, OfGroup, NoArgument, "join phases that ended with at least one member"},
	{"generation", CountType, OfGroup, NoArgument, "the current generation"},
	{"completed", CountType, OfGroup, NoArgument, "entries to Stable with a new generation"},
	{"time_in", DurationType, OfGroup, StateArgument, "total time in a state"},
	{"longest", DurationType, OfGroup, StateArgument, "the longest single stay in a state"},
	{"share", ShareType, OfGroup, StateArgument, "time in a state as a share of the time observed"},
	{"state", StateType, OfGroup, NoArgument, "the state at the end, or at the given instant"},
	{"members", CountType, OfGroup, NoArgument, "the coordinator's members at the end, or at the given instant"},
	{"leader", NameType, OfGroup, NoArgument, "the process that leads at the end, or at the given instant"},
	{"evictions", CountType, OfGroup, EvictionCause, "members that the coordinator removed without a request"},
	{"false_evictions", CountType, OfGroup, NoArgument, "evictions of members whose process was alive: it ran, or was frozen or cut off and would have come back"},
	{"detection", DurationType, OfGroup, NoArgument, "the longest time from the instant at which a member's process ended without leaving, or was frozen or cut off until the end of the run, until the coordinator removed the member or a new process took its place; 0 when none died"},
	{"pending_expired", CountType, OfGroup, NoArgument, "member ids that were handed out and never used in time"},
	{"leaves", CountType, OfGroup, LeaveCause, "members that left by LeaveGroup"},
	{"fenced", CountType, OfGroup, NoArgument, "requests refused with FENCED_INSTANCE_ID"},
	{"joins", CountType, OfMember, NoArgument, "how often a member was added to its group"},
	{"unassigned", PartitionSeconds, OfGroup, NoArgument, "partition x time without a process that holds the partition, from the end of the first join phase on"},
	{"stopped", DurationType, OfGroup, NoArgument, "time in which no running process of the group holds anything, start-up included; frozen, stalled and dead ones, and those inside a callback, do not run"},
	{"settled", DurationType, OfGroup, NoArgument, "time from the last event that acts on the group to Stable for good; pauses and the like never end, and do not count"},
	{"stuck", CountType, OfGroup, NoArgument, "stays in PreparingRebalance or CompletingRebalance longer than stuck-after"},
	{"lag", CountType, OfGroup, NoArgument, "records that have arrived and are not committed, at the end or at the given instant; where nothing is committed they count from where a member began to read"},
	{"max_lag", CountType, OfGroup, NoArgument, "the greatest lag"},
	{"redelivered", CountType, OfGroup, NoArgument, "records that an application got although one of its group had got them before"},
	{"anomalies", CountType, OfGroup, KindOfAnomaly, "periods in which the group did what a healthy one does not do; the kinds of anomalies are in a table of their own"},
}
