package incident

import (
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// State is the state of a group as far as a log can know it.
type State uint8

// The states. Those after Unknown and Elsewhere are Kafka's.
const (
	Unknown             State = iota // nothing was logged that says it
	Elsewhere                        // no broker that logged is its coordinator: unloaded, moved, or the broker is down
	Empty                            // of the classic protocol, as the next ones
	PreparingRebalance               // from "Preparing to rebalance" on
	CompletingRebalance              // from "Stabilized" on
	Stable                           // from "Assignment received" on; the coordinator stores it first, which no broker logs
	Dead
	Reconciling // of the consumer protocol: an epoch that not every member has reached
	NumStates
)

var states = [NumStates]string{
	"unknown", "elsewhere", "Empty", "PreparingRebalance", "CompletingRebalance", "Stable", "Dead", "reconciling",
}

// String returns Kafka's name of the state, or a word in lower case for one that Kafka does not have.
func (s State) String() string { return states[s] }

// Span is a stay in a state.
type Span struct {
	State        State
	Since, Until logs.Instant
	Generation   int32 // that the group has meanwhile; logs.Unknown
	Open         bool  // it lasted when the log ended
	Cut          bool  // it began before the log did
}

// Group is the history of one group, and what it comes to.
type Group struct {
	Name     string
	Consumer bool    // of the consumer protocol (KIP-848)
	Brokers  []int32 // that logged as its coordinator, in the order of appearance

	From, To   logs.Instant // of the first and the last record about it
	Spans      []Span
	TimeIn     [NumStates]time.Duration
	Longest    [NumStates]time.Duration
	State      State // at the end
	Generation int32 // at the end
	Members    int   // at the end; logs.Unknown

	Rebalances []Rebalance // the last MaxKept of them; Count is of all
	Count      int
	ByReason   map[trace.Reason]int
	Joined     int   // join phases that ended with members
	Completed  int   // assignments that were received
	Unseen     []Gap // generations that passed without a line
	Evictions  []Eviction
	Leaves     []Leave
	Fleet      []Member // who was in it, in the order of appearance

	Stuck     []Stuck
	Anomalies []Anomaly
	Causes    []Cause  // likely causes, the likeliest first
	Missing   []string // what would have to be logged to be sure
}

// Rebalance is the time from an entry to PreparingRebalance to Stable, Empty, Dead, or the next entry.
type Rebalance struct {
	At, Prepared, Until logs.Instant // Prepared: the end of the join phase; logs.NoTime where it is not logged
	Open                bool
	Ended               metrics.Ending
	Reason              trace.Reason
	Member              wire.MemberID
	Leavers             []wire.MemberID
	ClientReason        string
	From                State // what it interrupted; Unknown
	Old, Generation     int32
	Members             int // of the new generation; logs.Unknown
	Lines               []logs.Place
}

// Gap is a number of rebalances that nobody logged, which the generations tell.
type Gap struct {
	Since, Until logs.Instant
	Rebalances   int
}

// Eviction is a member that was removed without a request.
type Eviction struct {
	At     logs.Instant
	Member wire.MemberID
	Cause  trace.Reason // SessionExpired, NewMemberExpired, NotRejoinedInTime or SyncExpired
	Line   logs.Place
}

// Leave is a member that left by LeaveGroup.
type Leave struct {
	At           logs.Instant
	Member       wire.MemberID
	ClientReason string
	PollTimeout  bool // because its max.poll.interval.ms ran out
	Line         logs.Place
}

// Stuck is a stay in PreparingRebalance or CompletingRebalance that was too long.
type Stuck struct {
	Span
	Missing []wire.MemberID // who was removed at its end, or is known not to have answered
	Lines   []logs.Place
}

// Anomaly is something that a healthy group does not do.
type Anomaly struct {
	Kind         metrics.AnomalyKind
	Since, Until logs.Instant
	Count        int
	Member       wire.MemberID
	Lines        []logs.Place
}

// Cause is something that explains rebalances.
type Cause struct {
	Kind       CauseKind
	Rebalances int           // that it explains
	Member     wire.MemberID // whom it is about, "" for the group
	Text       string        // in a sentence, with the numbers that say so
	Lines      []logs.Place
}

// Member is one member id, or one client where no id is printed, in the time in which it was in the group.
type Member struct {
	ID       wire.MemberID
	Instance wire.InstanceID
	Client   string
	Library  logs.Library
	Joined   logs.Instant // NoTime: before the log began
	Left     logs.Instant // NoTime: it stayed
	Evicted  bool
	Details  *logs.MemberDetails // nil when nobody dumped it
}

// Move is a change of the coordinator of an offsets partition, as far as brokers logged it.
type Move struct {
	At        logs.Instant
	Broker    int32
	Partition int32
	Kind      logs.Kind
	Line      logs.Place
}

// Analysis is everything that some logs say.
type Analysis struct {
	From, To logs.Instant // of the first and the last record that says anything; NoTime when nothing has a stamp
	Groups   []Group      // sorted by name
	Moves    []Move
	Warnings []string // what the reader should know of the input: skewed clocks, zones, duplicates, cut lines
}
