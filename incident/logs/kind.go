package logs

// Kind says what happened.
type Kind uint8

// What a broker says about a classic group. A comment names the fields beyond the group that are set where the
// version of the broker prints them. A List of one member sets Member, too.
const (
	NoKind             Kind = iota
	Preparing               // entry into PreparingRebalance: Generation (the old one), Reason, Member or List, ClientReason, Text (the raw reason, where it says more)
	Completing              // "Stabilized", entry into CompletingRebalance: Generation, Members
	AssignmentReceived      // the leader's SyncGroup; Stable follows when it is stored: Generation, Members, Static, Other (the leader)
	EmptyGroup              // entry into Empty: Generation
	DeadGroup               // expired, or deleted: Generation
	NobodyRejoined          // the rebalance timeout ended and only silent static members are left
	MemberIDIssued          // the first JoinGroup of a new member; no rebalance yet: Member, State
	MemberAdded             // Member, Instance, State; Reason is NewDynamic, NewStatic or PendingJoined
	StaticReplaced          // Instance, Other (the old id), Member (the new one, where it is printed), State
	StaticNoRebalance       // it did not rebalance; Group is "" and belongs to the line before
	MemberFailed            // the session ran out: Member
	MemberLeft              // LeaveGroup: Member, Instance, ClientReason, Details
	PendingLeft             // an id without a member was given back: Member
	PendingExpired          // an id without a member ran out: Member
	NotRejoined             // removed by the rebalance timeout: List
	NotSynced               // removed because SyncGroup did not come: List
	LeaderReplaced          // the leader did not rejoin in time: Other (the old one), Member (the new one, "" when none)
	Fenced                  // FENCED_INSTANCE_ID: Member, Instance, Other (who has it), Text (the operation)
	EmptyAssignment         // the leader did not list it: Member or List, Generation
	GroupsDeleted           // several at once: Text ("a, b")
	StoreFailed             // an assignment, a group, or a static member's new id: Generation, Member, Other (the old id), Text (the error)
)

// What a broker says about coordinators.
const (
	Elected            Kind = iota + 40 // Partition, Generation (the epoch)
	Resigned                            // likewise
	LoadingPartition                    // likewise
	LoadedPartition                     // likewise, and For
	UnloadingPartition                  // likewise
	UnloadedPartition                   // likewise
	GroupLoaded                         // Generation, Members; State is set where it is printed
	GroupUnloaded                       // Generation
	MemberLoaded                        // one for each member and record that is replayed: Member, Generation, Details
	AppendFailed                        // an append to Partition failed: Text
	BrokerStarting
	BrokerStarted
	BrokerStopping
	BrokerStopped
)

// What a broker says about groups of the newer consumer protocol (KIP-848).
const (
	ConsumerJoined   Kind = iota + 60 // Member, Instance, Text ("consumer" or "classic")
	EpochBumped                       // Generation (the epoch)
	TargetComputed                    // Generation (the epoch), Text (the assignor), For
	MemberReconciled                  // Member, Generation (its epoch), Text ("STABLE", "UNREVOKED_PARTITIONS", "UNRELEASED_PARTITIONS"), Partitions
	ConsumerLeft                      // Member, Instance
	ConsumerFenced                    // Member, Reason (SessionExpired, NotRejoinedInTime or SyncExpired), Text (why)
	Migrated                          // Text: "classic" or "consumer", what the group is now
)

// What a client says. Client, Member, Generation and Instance are set where they are printed. A text that is an error of
// the group protocol has the name that Kafka has for it, "UNKNOWN_MEMBER_ID", in whatever words the client says it.
const (
	CoordinatorFound    Kind = iota + 80 // Broker
	CoordinatorLost                      // Broker, Text (the cause)
	RejoinRequested                      // Text (why); For: how long the client waits first, or how late it polled; Count: what it gives up next, being eager
	JoinSent                             // JoinGroup goes out
	JoinAnswered                         // Generation, Other (the leader), Members
	JoinFailed                           // Text (the error)
	Synced                               // the assignment is there: Generation, Partitions; For: since the join began
	SyncFailed                           // Text (the error)
	PartitionsAssigned                   // Partitions: those that are new; Count
	PartitionsRevoked                    // Partitions, Count, Text (Eager)
	PartitionsLost                       // Partitions, Count
	HeartbeatRebalances                  // a heartbeat was told that the group rebalances: Text (which thread says so)
	HeartbeatEvicted                     // a heartbeat was told that the member is unknown, or its generation is old: Text
	HeartbeatFailed                      // for another reason: Text
	SessionLost                          // the client itself gave up after For without an answer
	PollTimeout                          // max.poll.interval.ms was exceeded: For (by how much), Text (the limit)
	LeaveSent                            // Text (why)
	ClientFenced                         // FENCED_INSTANCE_ID: the client ends
	CommitRefused                        // Text (the error)
	ClientStarted
	ClientStopped    // Text (why)
	LeaderElected    // this member is the leader: Generation, Members
	JoinStateChanged // Text: librdkafka's new join state, or that of the Java client of the consumer protocol, with Generation (its epoch)
	HeartbeatSent    // Generation, Broker
	MetadataUsed     // what a member knows of its topics counts as up to date when it joins: For (how old that is)
	NoOffset         // no offset is committed of a partition that it got: Partitions
	MemberIDChanged  // Member (the new id, "" when there is none any more), Other (the old one)
	GroupObserved    // by a scrape of metrics, or by kafka-consumer-groups: State, Text (of a state that a classic group does not have), Members, Generation
	NumKinds
)

// Eager is the Text of PartitionsRevoked when a client says that it gives up all that it has before it joins, as eager
// assignors want it.
const Eager = "eager"

// HeartbeatThread is the Text of HeartbeatRebalances when the thread says so that sends the heartbeats: the one that polls may
// be busy.
const HeartbeatThread = "heartbeat thread"

var kinds = [NumKinds]string{
	NoKind:              "",
	Preparing:           "preparing",
	Completing:          "completing",
	AssignmentReceived:  "assignment-received",
	EmptyGroup:          "empty-group",
	DeadGroup:           "dead-group",
	NobodyRejoined:      "nobody-rejoined",
	MemberIDIssued:      "member-id-issued",
	MemberAdded:         "member-added",
	StaticReplaced:      "static-replaced",
	StaticNoRebalance:   "static-no-rebalance",
	MemberFailed:        "member-failed",
	MemberLeft:          "member-left",
	PendingLeft:         "pending-left",
	PendingExpired:      "pending-expired",
	NotRejoined:         "not-rejoined",
	NotSynced:           "not-synced",
	LeaderReplaced:      "leader-replaced",
	Fenced:              "fenced",
	EmptyAssignment:     "empty-assignment",
	GroupsDeleted:       "groups-deleted",
	StoreFailed:         "store-failed",
	Elected:             "elected",
	Resigned:            "resigned",
	LoadingPartition:    "loading-partition",
	LoadedPartition:     "loaded-partition",
	UnloadingPartition:  "unloading-partition",
	UnloadedPartition:   "unloaded-partition",
	GroupLoaded:         "group-loaded",
	GroupUnloaded:       "group-unloaded",
	MemberLoaded:        "member-loaded",
	AppendFailed:        "append-failed",
	BrokerStarting:      "broker-starting",
	BrokerStarted:       "broker-started",
	BrokerStopping:      "broker-stopping",
	BrokerStopped:       "broker-stopped",
	ConsumerJoined:      "consumer-joined",
	EpochBumped:         "epoch-bumped",
	TargetComputed:      "target-computed",
	MemberReconciled:    "member-reconciled",
	ConsumerLeft:        "consumer-left",
	ConsumerFenced:      "consumer-fenced",
	Migrated:            "migrated",
	CoordinatorFound:    "coordinator-found",
	CoordinatorLost:     "coordinator-lost",
	RejoinRequested:     "rejoin-requested",
	JoinSent:            "join-sent",
	JoinAnswered:        "join-answered",
	JoinFailed:          "join-failed",
	Synced:              "synced",
	SyncFailed:          "sync-failed",
	PartitionsAssigned:  "partitions-assigned",
	PartitionsRevoked:   "partitions-revoked",
	PartitionsLost:      "partitions-lost",
	HeartbeatRebalances: "heartbeat-rebalances",
	HeartbeatEvicted:    "heartbeat-evicted",
	HeartbeatFailed:     "heartbeat-failed",
	SessionLost:         "session-lost",
	PollTimeout:         "poll-timeout",
	LeaveSent:           "leave-sent",
	ClientFenced:        "client-fenced",
	CommitRefused:       "commit-refused",
	ClientStarted:       "client-started",
	ClientStopped:       "client-stopped",
	LeaderElected:       "leader-elected",
	JoinStateChanged:    "join-state-changed",
	HeartbeatSent:       "heartbeat-sent",
	MetadataUsed:        "metadata-used",
	NoOffset:            "no-offset",
	MemberIDChanged:     "member-id-changed",
	GroupObserved:       "group-observed",
}

// String returns the kind's name in JSON and transcripts, "" for none.
func (k Kind) String() string { return kinds[k] }
