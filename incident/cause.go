package incident

// CauseKind is what may be behind rebalances.
type CauseKind uint8

// The kinds of causes.
const (
	SessionTimeouts   CauseKind = iota // members were not heard for session.timeout.ms
	PollTimeouts                       // the application polled too late
	Restarts                           // members close and come back: a deployment, a crash loop
	Departures                         // members leave and do not come back: scaling in
	NewMembers                         // members join with ids that nobody had: scaling, or clients that lose theirs
	LeaderLoop                         // one member rejoins at a steady period
	MetadataChanges                    // topics, partitions or a subscription changed
	CoordinatorMoved                   // another broker became the coordinator, or it restarted
	StoreErrors                        // the offsets topic took no records
	DuplicateInstance                  // two processes have one group.instance.id
	SlowRejoin                         // a member rejoins late, and the others wait
	NoCommonAssignor                   // clients that the group refuses: they support no assignor that all others do
	NeverSynced                        // a member, or the leader, joined and never sent SyncGroup
	BrokerPause                        // several members or groups failed at once
	Enforced                           // an application, or Kafka Streams, asked for it
	OverCapacity                       // the group has more members than group.max.size
	Admin                              // an administrator removed members, or deleted the group
	Migration                          // between the protocols
	Startup                            // a normal first join
	Shutdown                           // everybody left
	NumCauseKinds
)

var causeKinds = [NumCauseKinds]string{
	"session-timeouts", "poll-timeouts", "restarts", "departures", "new-members", "leader-loop", "metadata-changes", "coordinator-moved", "store-errors",
	"duplicate-instance", "slow-rejoin", "no-common-assignor", "never-synced", "broker-pause", "enforced", "over-capacity", "admin", "migration", "startup", "shutdown",
}

// String returns the kind's name in JSON.
func (k CauseKind) String() string { return causeKinds[k] }
