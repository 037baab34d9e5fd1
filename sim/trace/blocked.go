package trace

import "simulate/sim/wire"

// What a link in a chain of waiting owes to the group.
const (
	OwesJoin        = "JoinGroup"
	OwesSync        = "SyncGroup"
	OwesAppend      = "append"      // the coordinator itself: the assignment is not stored yet
	OwesCoordinator = "coordinator" // the cluster: nobody coordinates the group
)

// What the owing process does instead. The poll thread acts on a rebalance only inside poll().
const (
	CauseProcessing   = "processing"    // handles one batch between two polls, Since .. Until
	CauseStalled      = "stalled"       // the application does not poll, Since .. Until
	CauseListener     = "listener"      // is inside a rebalance callback, Since .. Until
	CauseAssigning    = "assigning"     // the leader computes the assignment, Since .. Until
	CauseFrozen       = "frozen"        // the whole process is paused, Since .. Until
	CauseDead         = "dead"          // the process ended at Since; its session still runs
	CauseDeadParked   = "dead-parked"   // the same, of a leader that ended while its JoinGroup was parked, which counts
	CauseStaticGhost  = "static-ghost"  // the same, of a static member, which does not leave when it is closed
	CausePendingID    = "pending-id"    // was handed a member id at Since and has not joined with it
	CauseForgotten    = "forgotten"     // its process goes on without this id: nobody answers for it, and its session runs
	CauseUnreachable  = "unreachable"   // its link is cut, Since .. Until
	CauseUnaware      = "unaware"       // is alive and learns of the rebalance at its next heartbeat
	CauseUnsubscribed = "unsubscribed"  // a static member that has unsubscribed since Since
	CauseConnecting   = "connecting"    // looks for its coordinator
	CauseQueued       = "queued"        // its request waits behind a parked one on the same connection
	CauseCommitting   = "committing"    // tries to commit since Since, which comes before its JoinGroup
	CauseRejoining    = "rejoining"     // its request is on its way
	CauseDelay        = "initial-delay" // nobody: group.initial.rebalance.delay.ms collects members
	CauseAppend       = "append"        // nobody: the log is slow
	CauseLoading      = "loading"       // the new coordinator reads its log, Since .. Until
	CauseDeadBroker   = "dead-broker"   // the coordinator went at Since, and no other broker has begun to load
)

// The timer that ends the wait at the latest.
const (
	TimerSession   = "session.timeout.ms"
	TimerPoll      = "max.poll.interval.ms"
	TimerRebalance = "rebalance timeout" // the longest in the group: max.poll.interval.ms, or rebalance.timeout.ms of clients that have it
	TimerDelay     = "group.initial.rebalance.delay.ms"
	TimerNone      = ""
)

// IsDead reports whether a cause is that the owing process has ended.
func IsDead(because string) bool {
	return because == CauseDead || because == CauseDeadParked || because == CauseStaticGhost
}

// Waits reports whether a change of a group's state leads into a stay that is stuck when it is long: in
// PreparingRebalance, in CompletingRebalance, or with members and without a coordinator.
func Waits(e Event) bool {
	switch e.To {
	case wire.PreparingRebalance, wire.CompletingRebalance:
		return true
	case wire.Dead:
		return e.Reason == Unloaded && e.From != wire.Empty
	}
	return false
}
