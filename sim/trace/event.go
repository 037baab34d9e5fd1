// Package trace holds the vocabulary of what happens in a run, and records and reads it.
//
// Every observation is one flat Event that is passed by value to a Sink; metrics, digests, files and
// reports are all folds over these events, live or read back. Events carry ids, numbers and what a
// client said; sentences and log lines are built by renderers only.
//
// Modelled: what the coordinator decides, what consumers do and are told, and what was done to them.
// Not modelled: requests one by one. Heartbeats, polls and commits that change nothing are Routine: a
// trace file has them on demand, the digest never.
//
//	events := &trace.Memory{}
//	sink := trace.Tee{events, trace.NewDigest()}
package trace

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Event is one thing that happened. Which fields count depends on Kind; the others are zero.
type Event struct {
	At   clock.Time
	Kind Kind

	Group      string
	Member     wire.MemberID   // whom it is about
	Other      wire.MemberID   // the second member: the one replaced, the current owner, the old leader
	Instance   wire.InstanceID // of Member, or of Other where that is the subject
	Who        string          // consumer: the process's name, such as "orders-3"
	Generation wire.Generation
	From, To   wire.GroupState // state changes; To alone: the state in which it happened
	Reason     Reason
	Err        wire.Err
	Members    int32         // size of the group
	Static     int32         // how many of them are static
	Since      clock.Time    // when that began whose end or check this is
	Until      clock.Time    // when it will end; clock.Never when nothing will end it
	For        time.Duration // how long it takes or took
	Cause      int32         // 1-based number of the scenario's event behind it; below 0 the number of its source; 0 when none
	Text       string        // what a client or Kafka said: a reason, an operation, a verb
	HasText    bool          // tells an empty Text from none, where that matters
	Protocol   string        // the assignor that was voted for
	List       []wire.MemberID
	Partitions []wire.TopicPartition
	Offsets    []int64 // one for each of Partitions, where the kind has them
	Chain      []Link
	Details    *MemberDetails
	Broker     int32  // of the coordinator, where there are several; else 0
	Operation  string // Kafka's name of what the coordinator was doing, such as "classic-group-join"; of a fault the source, such as "pauses g1-young"
	Offset     *OffsetDetails
}

// Passes reports whether a fault of a source is over before anybody can notice it. The pauses of a garbage collector
// come all the time, and nearly all of them are behind nothing.
func (e Event) Passes() bool {
	return e.Kind == FaultBegan && e.Cause < 0 && e.Until > e.At && e.Until.Sub(e.At) < time.Second
}

// Freezes reports whether it is about a fault that freezes a process. One that is to freeze it in an assignment tells so
// when it is asked for, without any duration, and again when it happens.
func (e Event) Freezes() bool {
	return e.Text == "pause" || e.Text == "freeze-in-assign" && (e.Kind == FaultEnded || e.Until > e.At)
}

// Link is one link in a chain of waiting: somebody owes something to the one before.
type Link struct {
	Who     string        `json:"who"`              // the process, "" when the member has none (any more)
	Client  string        `json:"client,omitempty"` // its library, "" for what is built on the Java consumer
	Member  wire.MemberID `json:"member,omitempty"` // the member, or the pending id
	On      string        `json:"on"`               // what is owed: "JoinGroup", "SyncGroup", ...
	Because string        `json:"because"`          // what the process does instead: a Cause... constant
	Since   clock.Time    `json:"-"`
	Until   clock.Time    `json:"-"`                // clock.Never when nothing on this side will end it
	Timer   string        `json:"timer,omitempty"`  // the timer that ends the wait at the latest: a Timer... constant
	Fires   clock.Time    `json:"-"`                // when that timer fires
	Parked  int           `json:"parked,omitempty"` // how many other members are parked meanwhile
	Silent  bool          `json:"silent,omitempty"` // what the application does keeps a library from its heartbeats
}

// MemberDetails is what Kafka prints of a member (ClassicGroupMember.toString).
type MemberDetails struct {
	InstanceID         string   `json:"instance_id"` // "" for a dynamic member
	ClientID           string   `json:"client_id"`
	ClientHost         string   `json:"client_host"`
	RebalanceTimeoutMs int32    `json:"rebalance_timeout_ms"`
	SessionTimeoutMs   int32    `json:"session_timeout_ms"`
	ProtocolType       string   `json:"protocol_type"`
	Protocols          []string `json:"protocols"`
}

// OffsetDetails is an offset of a transaction that came too late.
type OffsetDetails struct {
	Offset            int64  `json:"offset"`
	LeaderEpoch       int32  `json:"leader_epoch"` // -1: none
	Metadata          string `json:"metadata"`
	CommitTimestampMs int64  `json:"commit_timestamp_ms"`
	ProducerID        int64  `json:"producer_id"`
	RecordOffset      int64  `json:"record_offset"`      // where its record is in the log
	LastRecordOffset  int64  `json:"last_record_offset"` // and that of the offset which stays
}

// Kind says what happened.
type Kind uint8

// The kinds of events. Where Kafka 4.x logs a line for it, the rule of the specification is named (LG-n).
const (
	NoKind Kind = iota

	// The coordinator. These four carry the whole state of a group: metrics need no others.

	GroupCreated  // Group exists from now on, in state To; Text = "OffsetCommit" when a commit created it. LG-29
	GroupBecame   // From, To, Generation, Reason; Member is the member behind it, Text its reason, List the leavers; Members and Protocol when the join phase is over. LG-1, LG-2, LG-3
	MemberAdded   // Member, Instance, To = state, Reason = NewDynamic, NewStatic, PendingJoined, or StaticReplaced with Other = the id it replaces. LG-22, LG-23, LG-25, LG-24
	MemberRemoved // Member, Instance, Reason; Text and HasText of a leaver; Since = last time its session was armed. LG-8, LG-27

	MemberIDIssued        // Member is pending; To = state; Until = its deadline. LG-21
	PendingRemoved        // Member was only pending; Reason, Text. LG-9, LG-28
	LeaderElected         // Member leads from now on ("" for nobody), Other led before
	LeaderReplaced        // Other (Instance) did not rejoin, Member was elected; Details of Member. LG-11
	NobodyRejoined        // Other (Instance) led, no member joined; the join timer starts again. LG-12, LG-4
	NotRejoined           // List of the members dropped when the join phase ended. LG-10
	SyncTimedOut          // List of the members dropped because they never synced
	AssignmentReceived    // Member leads Generation; Members, Static. LG-5
	AssignmentMissing     // List of the members that the leader gave nothing. LG-13
	AssignmentEmpty       // Member gets an empty assignment in Generation. LG-14
	StaticNoRebalance     // Member (Instance) came back in Stable without a rebalance. LG-26
	Fenced                // Member (Instance) is refused, Other holds the instance; Text = operation. LG-20, none ("") for what was parked
	SyncTimerUnexpected   // the sync timer of Generation fired in another one (Members) or in state To. LG-15, LG-16
	GroupLoaded           // Group was read from the log: To, Generation, Members. LG-30
	GroupUnloaded         // the coordinator gives Group up in Generation. LG-34
	GroupsDeleted         // an administrator deleted the groups of Text, "a, b", with so many offsets (Members). LG-17
	DeletionRefused       // the coordinator could not look whether Group may be deleted: Err
	OffsetsExpired        // a retention run wrote so many tombstones (Members). LG-18
	TopicDeleted          // the offsets of a topic (Partitions[0], its id is Text) go: so many tombstones (Members). LG-19
	OffsetSuperseded      // the transactional Offset of Partitions[0] lost against one that is later in the log
	SubscriptionMalformed // what a member of Group said for Protocol cannot be read; Text = protocol type. LG-36
	AppendRefused         // the log refused a batch of so many records (Members) for the partition Partitions[0]: Err; Text = max.message.bytes. The first of several events
	GroupRecordRefused    // the record of an empty Group is not in the log: Err; after a time-out For and Operation. LG-31, LG-32
	GhostPrepared         // like GroupBecame, of a group that vanished before: an event that failed still prepares its rebalance. LG-1
	ReplacementRefused    // Member took over from Other (Instance) and the log does not know: Err; after a time-out For and Operation. LG-33
	OperationFailed       // Operation ended with an error that nobody expects: Err, or the internal error Text
	TimerFailed           // the event of a timer failed: Group, Member; Reason = what the timer is for; Err, For after a time-out, or the internal error Text. LG-35
	OffsetsCommitted      // the offsets of Partitions are Offsets from now on, where they were others before; -1: there is none. Only where topics hold records
	Blocked               // a stay in To since Since is stuck: Chain says why

	// Consumers.

	ProcessStarted      // Who began; Instance when static; where it is not built on the Java consumer, Text = its library and For = how long a group waits for it
	ProcessExited       // Who is gone; Reason = Stopped, Killed or Failed; Text
	PartitionsAssigned  // Who, Member, Generation, Partitions: the callback ran
	PartitionsRevoked   // the same
	PartitionsLost      // the same
	RejoinRequested     // Who will rejoin; Text = why
	JoinSent            // Who sent a JoinGroup; Text = reason
	LeaveSent           // Who sent a LeaveGroup; Text = reason
	PollTimeout         // Who exceeded max.poll.interval.ms (For); Since = last poll
	CoordinatorLost     // Who considers its coordinator unknown; Text = why
	CoordinatorFound    // Who knows it again
	MembershipReset     // Who forgot its generation, and its member id unless Member is set; Err, Text = where
	SubscriptionChanged // Who subscribes to the topics of Text, "a,b", from now on; "" for none
	ConsumerFailed      // poll() threw: Err, Text
	ProcessingBegan     // Who handles a batch, For long; recorded only when it is longer than heartbeat.interval.ms: then it learns of a rebalance late
	CallbackBegan       // Who is inside a rebalance callback about Partitions, For long; Text = Kafka's name of it
	CallbackEnded       // Since
	PollThrew           // poll() threw and Who polls again after For: Err, Text
	StallBegan          // Who does not poll, For long
	StallEnded          //
	PositionsSet        // Who reads Partitions from Offsets on: behind what is committed, or where auto.offset.reset says
	RecordsRedelivered  // the application of Who gets so many records (Members) that one of its group had got before

	// What was done to them.

	FaultBegan   // Text = verb, Who; Until = end; Cause; Operation = what does it in place of an event, or in the course of it
	FaultEnded   // Text = verb, Who; Since = begin; Cause
	TopicChanged // the topic of Partitions[0] has so many partitions (Members) from now on; none when it was deleted
	RunWarning   // Text
	RunEnded     // the last event of a run; Text = "interrupted" or "event limit" if it ended early

	// Routine.

	HeartbeatAnswered // Who, Member, Err
	CommitAnswered    // Who, Member, Err
	Polled            // Who
	RoutineCounted    // at the end, Group: Offsets = heartbeats, commits and polls of its processes in the whole run

	numKinds
)

// Routine reports whether events of this kind are left out of the digest: they happen all the time
// and, by themselves, change nothing.
func (k Kind) Routine() bool { return k >= HeartbeatAnswered }

var kindNames = [numKinds]string{
	NoKind:                "none",
	GroupCreated:          "group-created",
	GroupBecame:           "group-became",
	MemberAdded:           "member-added",
	MemberRemoved:         "member-removed",
	MemberIDIssued:        "member-id-issued",
	PendingRemoved:        "pending-removed",
	LeaderElected:         "leader-elected",
	LeaderReplaced:        "leader-replaced",
	NobodyRejoined:        "nobody-rejoined",
	NotRejoined:           "not-rejoined",
	SyncTimedOut:          "sync-timed-out",
	AssignmentReceived:    "assignment-received",
	AssignmentMissing:     "assignment-missing",
	AssignmentEmpty:       "assignment-empty",
	StaticNoRebalance:     "static-no-rebalance",
	Fenced:                "fenced",
	SyncTimerUnexpected:   "sync-timer-unexpected",
	GroupLoaded:           "group-loaded",
	GroupUnloaded:         "group-unloaded",
	GroupsDeleted:         "groups-deleted",
	DeletionRefused:       "deletion-refused",
	OffsetsExpired:        "offsets-expired",
	TopicDeleted:          "topic-deleted",
	OffsetSuperseded:      "offset-superseded",
	SubscriptionMalformed: "subscription-malformed",
	AppendRefused:         "append-refused",
	GroupRecordRefused:    "group-record-refused",
	GhostPrepared:         "ghost-prepared",
	ReplacementRefused:    "replacement-refused",
	OperationFailed:       "operation-failed",
	TimerFailed:           "timer-failed",
	OffsetsCommitted:      "offsets-committed",
	Blocked:               "blocked",
	ProcessStarted:        "process-started",
	ProcessExited:         "process-exited",
	PartitionsAssigned:    "assigned",
	PartitionsRevoked:     "revoked",
	PartitionsLost:        "lost",
	RejoinRequested:       "rejoin-requested",
	JoinSent:              "join-sent",
	LeaveSent:             "leave-sent",
	PollTimeout:           "poll-timeout",
	CoordinatorLost:       "coordinator-lost",
	CoordinatorFound:      "coordinator-found",
	MembershipReset:       "membership-reset",
	SubscriptionChanged:   "subscription-changed",
	ConsumerFailed:        "consumer-failed",
	ProcessingBegan:       "processing-began",
	CallbackBegan:         "callback-began",
	CallbackEnded:         "callback-ended",
	PollThrew:             "poll-threw",
	StallBegan:            "stall-began",
	StallEnded:            "stall-ended",
	PositionsSet:          "positions-set",
	RecordsRedelivered:    "records-redelivered",
	FaultBegan:            "fault-began",
	FaultEnded:            "fault-ended",
	TopicChanged:          "topic-changed",
	RunWarning:            "warning",
	RunEnded:              "run-ended",
	HeartbeatAnswered:     "heartbeat",
	CommitAnswered:        "commit",
	Polled:                "polled",
	RoutineCounted:        "routine",
}

func (k Kind) String() string { return kindNames[k] }

// Reason says why a group or a member changed. Those of a rebalance are the reasons that metrics count
// by; together with the state it left they determine the text that Kafka logs.
type Reason uint8

// The reasons.
const (
	NoReason Reason = iota

	// Why a rebalance began.

	MemberJoined   // a new member was added
	MemberRejoined // a member joined again with another protocol list or subscription
	LeaderRejoined // the leader joined again in Stable
	Left           // a member left; also why a member was removed
	SessionExpired // a member's session ran out; also why it was removed
	SyncExpired    // members never synced; also why they were removed
	PendingLeft    // only pending ids left
	StaticReplaced // a static member came back; also why its old id was removed
	AppendFailed   // the assignment could not be stored
	OverCapacity   // group.max.size; also why a member was removed
	OtherReason    //

	// Why a group changed otherwise.

	JoinPhaseComplete
	NoMembersLeft
	AssignmentStored
	Deleted  // by an administrator
	Retired  // by a retention run: it was Empty and had no offsets left
	Unloaded // the coordinator resigned

	// Why a member was added or removed.

	NewDynamic
	NewStatic
	PendingJoined
	NewMemberExpired // its first join phase did not end in time
	NotRejoinedInTime
	Loaded // with the group, from the log

	// How a process ended.

	Stopped
	Killed
	Failed

	numReasons
)

const lastRebalance = OtherReason

var reasonNames = [numReasons]string{
	NoReason:          "",
	MemberJoined:      "member-joined",
	MemberRejoined:    "member-rejoined",
	LeaderRejoined:    "leader-rejoined",
	Left:              "left",
	SessionExpired:    "session-expired",
	SyncExpired:       "sync-expired",
	PendingLeft:       "pending-left",
	StaticReplaced:    "static-replaced",
	AppendFailed:      "append-failed",
	OverCapacity:      "over-capacity",
	OtherReason:       "other",
	JoinPhaseComplete: "join-phase-complete",
	NoMembersLeft:     "no-members",
	AssignmentStored:  "assignment-stored",
	Deleted:           "deleted",
	Retired:           "retired",
	Unloaded:          "unloaded",
	Loaded:            "loaded",
	NewDynamic:        "new-dynamic",
	NewStatic:         "new-static",
	PendingJoined:     "pending-joined",
	NewMemberExpired:  "new-member-expired",
	NotRejoinedInTime: "not-rejoined",
	Stopped:           "stopped",
	Killed:            "killed",
	Failed:            "failed",
}

func (r Reason) String() string { return reasonNames[r] }

// RebalanceReasons lists the reasons for which a rebalance can begin, in the order of reports.
func RebalanceReasons() []Reason {
	var all []Reason
	for r := MemberJoined; r <= lastRebalance; r++ {
		all = append(all, r)
	}
	return all
}
