package coordinator

// Switch is one way in which the coordinator of Kafka 3 (GroupCoordinator.scala) behaves differently from
// that of Kafka 4. All of them come from the written specification; none is recorded.
type Switch uint8

// The switches, with their rules in the specification.
const (
	EvictionEndsJoinPhase   Switch = iota // VD-1: an eviction by group.max.size may end the join phase
	InitialDelayUncut                     // VD-2: no expiry cuts the initial rebalance delay short
	InitialDelayFirstLife                 // VD-3: members extend the initial delay only in generation 0
	PendingLeavesQuietly                  // VD-4: a pending id that leaves causes no rebalance
	LeaveOneByOne                         // VD-5: each entry of a LeaveGroup acts on its own
	SyncIsHeartbeat                       // VD-6: a SyncGroup in Stable re-arms the session
	SyncToldToRejoin                      // VD-7: a SyncGroup is told REBALANCE_IN_PROGRESS during a load
	JoinKeepsID                           // VD-8: a JoinGroup that comes to the wrong place keeps its member id
	LateAssignmentRejoin                  // VD-9: an assignment that times out lets everybody rejoin
	CommitTooLarge                        // VD-10: a commit too large for a batch is told so
	CommitNoGroup                         // VD-11: a commit of version 9 to a missing group is ILLEGAL_GENERATION
	NewGroupUnwritten                     // VD-12: a JoinGroup creates a group in memory only
	DeletedGroupDies                      // VD-13: a deleted group becomes Dead, at once
	DescribeOnlyStable                    // VD-14: assignments are shown only in Stable
	ListWhileLoading                      // VD-15: a shard lists what it has loaded so far; blanks in filters count
	PlainCommitUnstable                   // VD-16: require-stable refuses what any commit may change, and never waits
	RetentionFromStart                    // VD-20: retention runs count from the start of the broker
	AnswersNeverWait                      // VD-21: an answer waits for no write but its own commit
	ReplacedStaysNew                      // VD-22: a static member replaced while it is new is still new
	SyncNamesMustExist                    // VD-24: a protocol named by a SyncGroup must be one the group has
	OverCapacityBeforeTimer               // VD-25: a group too large is rebalanced before its sessions are armed
	TxnCommitCreates                      // VD-26: a transaction's commit creates a missing group, whatever its generation
	RefusedStaticKeepsList                // VD-29: a static replacement that is refused leaves its protocol list behind
	numSwitches
)

var switchNames = [numSwitches]struct{ rule, name string }{
	EvictionEndsJoinPhase:   {"VD-1", "eviction-ends-join-phase"},
	InitialDelayUncut:       {"VD-2", "initial-delay-uncut"},
	InitialDelayFirstLife:   {"VD-3", "initial-delay-first-life"},
	PendingLeavesQuietly:    {"VD-4", "pending-leaves-quietly"},
	LeaveOneByOne:           {"VD-5", "leave-one-by-one"},
	SyncIsHeartbeat:         {"VD-6", "sync-is-heartbeat"},
	SyncToldToRejoin:        {"VD-7", "sync-told-to-rejoin"},
	JoinKeepsID:             {"VD-8", "join-keeps-id"},
	LateAssignmentRejoin:    {"VD-9", "late-assignment-rejoin"},
	CommitTooLarge:          {"VD-10", "commit-too-large"},
	CommitNoGroup:           {"VD-11", "commit-no-group"},
	NewGroupUnwritten:       {"VD-12", "new-group-unwritten"},
	DeletedGroupDies:        {"VD-13", "deleted-group-dies"},
	DescribeOnlyStable:      {"VD-14", "describe-only-stable"},
	ListWhileLoading:        {"VD-15", "list-while-loading"},
	PlainCommitUnstable:     {"VD-16", "plain-commit-unstable"},
	RetentionFromStart:      {"VD-20", "retention-from-start"},
	AnswersNeverWait:        {"VD-21", "answers-never-wait"},
	ReplacedStaysNew:        {"VD-22", "replaced-stays-new"},
	SyncNamesMustExist:      {"VD-24", "sync-names-must-exist"},
	OverCapacityBeforeTimer: {"VD-25", "over-capacity-before-timers"},
	TxnCommitCreates:        {"VD-26", "txn-commit-creates"},
	RefusedStaticKeepsList:  {"VD-29", "refused-static-keeps-list"},
}

// String returns the name of the switch, such as "leave-one-by-one".
func (w Switch) String() string { return switchNames[w].name }

// Rule returns the rule of the specification, such as "VD-5".
func (w Switch) Rule() string { return switchNames[w].rule }

// Switches lists what is switched on for a behaviour: nothing for "4", everything for "3".
func Switches(kafka string) []Switch {
	if kafka != "3" {
		return nil
	}
	list := make([]Switch, numSwitches)
	for i := range list {
		list[i] = Switch(i)
	}
	return list
}

// switches says which are on.
type switches [numSwitches]bool

func switchesOf(kafka string) switches {
	var on switches
	for _, w := range Switches(kafka) {
		on[w] = true
	}
	return on
}
