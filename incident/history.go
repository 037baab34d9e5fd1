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
	"Unknown", "Elsewhere", "Empty", "PreparingRebalance", "CompletingRebalance", "Stable", "Dead", "Reconciling",
}

// String returns the state's name in JSON; Kafka's are spelled as Kafka spells them.
func (s State) String() string { return states[s] }

// Span is a stay in a state.
type Span struct {
	State        State
	Since, Until logs.Instant
	Generation   int32 // that the group has meanwhile, the epoch of the consumer protocol; logs.Unknown
	Open         bool  // it lasted when the log ended
	Cut          bool  // it began before the log did
	Lost         bool  // when it ended was not logged: at Until, or a while before
}

// For returns how long it took, up to the end of the log.
func (s *Span) For() time.Duration { return s.Until.Sub(s.Since) }

// Group is the history of one group, and what it comes to. Of each list the last Options.MaxKept are kept; the numbers
// are of all.
type Group struct {
	Name       string
	Consumer   bool    // of the consumer protocol (KIP-848)
	ClientView bool    // no broker logged about it: it is what its clients logged, merged by generation
	Brokers    []int32 // that logged as its coordinator, in the order of appearance
	Partition  int32   // of the offsets topic; logs.Unknown

	From, To   logs.Instant // of the first and the last record about it; NoTime when none has a stamp
	Records    int
	Spans      []Span
	SpanCount  int
	TimeIn     [NumStates]time.Duration
	Longest    [NumStates]time.Duration
	First      int32         // its generation when the log began: so many rebalances were before it; logs.Unknown
	Period     time.Duration // the mean time from one rebalance to the next in this log; 0: it has no two
	Replayed   *Replayed     // nil: no member was dumped
	State      State         // at the end
	Generation int32         // at the end
	Members    int           // at the end; logs.Unknown, as brokers print it from 2.8 on
	Known      int           // members at the end by their ids, of whom it is known that they joined and not that they left

	Rebalances  []Rebalance
	Count       int // entries to PreparingRebalance that were logged
	ByReason    map[trace.Reason]int
	Joined      int   // join phases that ended with members
	Completed   int   // assignments that were received, whether or not they were stored
	Unseen      []Gap // generations that passed without a line
	UnseenCount int   // of rebalances, in all gaps
	Epochs      []Epoch
	EpochCount  int

	Evictions      []Eviction
	Evicted        map[trace.Reason]int
	Leaves         []Leave
	LeaveCount     int
	PendingExpired int      // ids that were handed out and not used in time: they were no members
	Fleet          []Member // who was in it, in the order of appearance; the first MaxKept
	FleetCount     int
	Clients        []Client // who logged as a client of it, sorted by name; the first MaxKept

	Stuck        []Stuck
	StuckCount   int // of those that are longer than Options.StuckAfter
	Anomalies    []Anomaly
	AnomalyCount [metrics.ViciousCircle + 1]int // by AnomalyKind
	Causes       []Cause                        // likely causes, the likeliest first
	Missing      []string                       // what would have to be logged to be sure
	Samples      *Samples                       // what was seen of it at moments; nil when it was not sampled
}

// Share returns which part of the time between the first and the last record the group was in a state.
func (g *Group) Share(s State) float64 {
	var all time.Duration
	for _, d := range g.TimeIn {
		all += d
	}
	if all == 0 {
		return 0
	}
	return float64(g.TimeIn[s]) / float64(all)
}

// Rebalance is the time from an entry to PreparingRebalance to Stable, Empty, Dead, or the next entry.
type Rebalance struct {
	At       logs.Instant // of the first record about it
	Prepared logs.Instant // the end of the join phase; logs.NoTime where it is not logged
	Assigned logs.Instant // when the leader's assignment came; logs.NoTime where it did not, or that is not logged
	Until    logs.Instant // the last record of the group while it is open
	Headless bool         // its begin was not logged, so that Count does not have it; At is that of its end of the join phase, or later
	Lost     bool         // its end was not logged, but that it ended: at Until, or a while before
	Ended    metrics.Ending

	Reason         trace.Reason
	Member         wire.MemberID
	Leavers        []wire.MemberID
	ClientReason   string
	From           State // what it interrupted; Unknown
	Old            int32 // logs.Unknown
	Generation     int32 // logs.Unknown when it is not logged
	Members        int   // of the new generation; logs.Unknown
	Leader         wire.MemberID
	Evicted        int   // members that were removed in it, or whose removal began it
	Rare           *Rare // nil: nothing of it is logged
	NobodyRejoined bool  // its rebalance timeout ended and only silent static members were left
	Broker         int32
	Lines          []logs.Place // of its begin, of the end of the join phase, and of its end, as far as they were logged
}

// For returns how long it took, up to the last record of the group.
func (r *Rebalance) For() time.Duration { return r.Until.Sub(r.At) }

// Join returns how long the join phase took, false when that is not logged.
func (r *Rebalance) Join() (time.Duration, bool) {
	if r.Ended == metrics.Emptied && !r.Headless && !r.Lost && r.Prepared == logs.NoTime { // it is all of it
		return r.For(), true
	}
	if r.Headless || r.Prepared == logs.NoTime {
		return 0, false
	}
	return r.Prepared.Sub(r.At), true
}

// Sync returns how long the group waited for the leader's assignment, false when that is not logged.
func (r *Rebalance) Sync() (time.Duration, bool) {
	if r.Prepared == logs.NoTime || r.Assigned == logs.NoTime {
		return 0, false
	}
	return r.Assigned.Sub(r.Prepared), true
}

// Gap is a number of rebalances that nobody logged, which the generations tell.
type Gap struct {
	Since, Until logs.Instant
	Rebalances   int
}

// Period returns the mean time from one rebalance to the next, from the last that was logged before them to the first after.
func (g *Gap) Period() time.Duration { return g.Until.Sub(g.Since) / time.Duration(g.Rebalances+1) }

// Epoch is what the consumer protocol has for a rebalance: from its first record to the last member that reached it, or to
// the next epoch.
type Epoch struct {
	Epoch      int32
	At, Until  logs.Instant
	Computed   logs.Instant  // when its target assignment was there; logs.NoTime
	Members    int           // that reached it
	Reached    []Reached     // by whom and when, at most MaxReached
	Assignor   string        // that computed it; ""
	ComputedIn time.Duration // 0: it does not say
	Superseded bool          // another epoch came before all had reached it
	Open       bool
	Lines      []logs.Place
}

// MaxReached is how many members of an epoch are kept.
const MaxReached = 100

// Reached is when a member was at an epoch and stable.
type Reached struct {
	Member wire.MemberID
	At     logs.Instant
}

// Eviction is a member that was removed without a request.
type Eviction struct {
	At     logs.Instant
	Member wire.MemberID // "" where the version of the broker does not print it
	Cause  trace.Reason  // SessionExpired, NewMemberExpired, NotRejoinedInTime or SyncExpired

	// Silent is how long nobody had heard of it, counted from what is known last that starts its session anew, which is After:
	// GroupLoaded, Completing, MemberAdded, AssignmentReceived. It bounds the session from above. 0: nothing is known.
	Silent time.Duration
	After  logs.Kind

	Session time.Duration // its session.timeout.ms, where a broker has dumped the member; 0: unknown

	Seen bool // by a client alone: it was told that nobody knows it
	Line logs.Place
}

// Leave is a member that left by LeaveGroup.
type Leave struct {
	At           logs.Instant
	Member       wire.MemberID
	ClientReason string
	Stayed       time.Duration // since it had joined, or had its last assignment; 0: that is not logged
	PollTimeout  bool          // because its max.poll.interval.ms ran out
	Line         logs.Place
}

// Stuck is a stay in PreparingRebalance or CompletingRebalance that was too long.
type Stuck struct {
	Span
	Evident bool            // not longer than Options.StuckAfter, but the records say that somebody was waited for in vain
	Missing []wire.MemberID // who was removed at its end, or is known not to have answered
	Lines   []logs.Place
}

// Anomaly is something that a healthy group does not do, as metrics.AnomalyDefinitions has it.
type Anomaly struct {
	Kind         metrics.AnomalyKind
	Since, Until logs.Instant
	Count        int
	Who          string // the client id or instance id that it is about, "" for the group
	Lines        []logs.Place
}

// Cause is something that explains rebalances.
type Cause struct {
	Kind       CauseKind
	Rebalances int           // that it explains
	Member     wire.MemberID // whom it is about: a member, or the client id of several; "" for the group
	Text       string        // in a sentence, with the numbers that say so
	Lines      []logs.Place
}

// Member is one member id in the time in which it was in the group.
type Member struct {
	ID       wire.MemberID
	Instance wire.InstanceID
	Joined   logs.Instant // NoTime: before the log began, or nobody logged it
	Left     logs.Instant // NoTime: it stayed
	Evicted  bool
	Details  *logs.MemberDetails // nil when nobody dumped it
}

// Client is who logged as a client of a group.
type Client struct {
	Name       string
	Library    logs.Library
	Member     wire.MemberID // its last member id; ""
	Instance   wire.InstanceID
	Generation int32   // that it was told last; logs.Unknown, also after it left
	Offset     *Offset // of its clock, nil when nothing tells it

	Joins       []ClientJoin // the last MaxKept
	JoinCount   int
	Asked       int            // times that it was told of a rebalance, or wanted one, since it last sent JoinGroup
	AskedAt     []logs.Instant // of these the first maxLines
	AskedBy     string         // the thread that was told so the last time, where one is named; ""
	MetadataAge time.Duration  // how old what it knew of its topics was when it last joined; below 0: it does not say

	PollTimeouts   int
	Exceeded       time.Duration // the longest time by which max.poll.interval.ms was exceeded, as it says; 0
	PollInterval   string        // max.poll.interval.ms, as it prints it then; ""
	SinceHeartbeat time.Duration // at the last poll timeout, since its last heartbeat; below 0: unknown

	SessionsLost  int           // that it gave up itself, without an answer
	SessionLostAt logs.Instant  // the last time; NoTime
	Silent        time.Duration // the longest that its log was silent before it gave its session up; 0: unknown

	Evicted               int // times that it was told that nobody knows it
	ToldEvicted           int // records of that: several may tell of one eviction
	Fenced                int
	CommitsRefused        int // for its membership
	HeartbeatsFailed      int // for another reason than the group or its membership, or for none that the log says
	HeartbeatsUnexplained int // of these the ones of which the log says no reason

	GaveUp    int // times that it gave up partitions; what it gave up within a moment is one
	Moves     []PartitionMove
	NoOffsets int // partitions that it got of which no offset is committed

	Coordinators      []int32       // the brokers that it found, one after the other, as far as it logs their ids; the last maxLines
	CoordinatorFound  int           // times that it was told who is its coordinator
	CoordinatorLost   int           // times that it lost it
	CoordinatorLostAt logs.Instant  // the last time; NoTime: it did not
	CoordinatorHeld   time.Duration // then, since it had found it; below 0: unknown
	CoordinatorAway   time.Duration // from then until it found one again; below 0: it did not
}

// ClientJoin is one JoinGroup of a client. An instant is NoTime when it is not logged.
type ClientJoin struct {
	Sent, Answered, Synced logs.Instant
	Told                   logs.Instant  // when it was told before, for the first time, that the group rebalances
	FailedAt               logs.Instant  // when it was refused
	Generation             int32         // of one that failed: what it had until then; logs.Unknown
	Failed                 string        // the error
	Leads                  bool          // it was made the leader
	Leader                 wire.MemberID // who was; "" when that is not logged
	Line                   logs.Place
}

// PartitionMove is what a client says that it got or gave up at once.
type PartitionMove struct {
	At    logs.Instant
	Kind  logs.Kind // Synced and PartitionsAssigned, or PartitionsRevoked, PartitionsLost and JoinStateChanged
	Count int       // of partitions; logs.Unknown
	All   bool      // it says that it gives up all that it has, as eager assignors want it
	New   []string  // of an assignment that is not its first, what it did not have before, as far as named; at most maxLines
}

// Offset is how far a client's clock is ahead of the broker's: at least Low, at most High. Nothing was shifted by it.
type Offset struct {
	Low, High time.Duration
	Zone      time.Duration // the whole quarter of an hour between them, when there is one and it is not 0
	Rounds    int           // generations and leaves that say so
	Broken    bool          // no single offset fits all of them; Low and High are of those until then
}

// Move is a change of the coordinator of an offsets partition, as far as brokers logged it.
type Move struct {
	At        logs.Instant
	Broker    int32
	Partition int32
	Kind      logs.Kind
	For       time.Duration // of loading
	Line      logs.Place
}

// Analysis is everything that some logs say.
type Analysis struct {
	From, To  logs.Instant // of the first and the last record that says anything; NoTime when nothing has a stamp
	Groups    []Group      // sorted by name
	LeftOut   int          // groups beyond Options.MaxGroups: their records were counted and not followed
	Records   int
	Moves     []Move // the last MaxKept
	MoveCount int
	Warnings  []string // what the reader should know of the input: skewed clocks, zones, zombies, what was left out
}
