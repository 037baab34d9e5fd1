package consumers

import "simulate/sim/clock"

// Wait is what a thread is blocked on: the one thing that must happen before it goes on.
type Wait struct {
	Kind  WaitKind
	Since clock.Time
	Until clock.Time // when it goes on at the latest; clock.Never when only an answer can end it
}

// WaitKind names what a thread is blocked on.
type WaitKind uint8

// The waits of the poll thread; those up to WaitClose are inside poll() or close(), where the network is read.
const (
	WaitRecords      WaitKind = iota // poll(): nothing to do but to wait for records
	WaitCoordinator                  // poll(): looks for, or connects to, the coordinator
	WaitCommit                       // poll(): the commit before a rejoin
	WaitJoinResponse                 // poll(): JoinGroup is sent
	WaitSyncResponse                 // poll(): SyncGroup is sent
	WaitClose                        // close(): a commit, a leave or what else is outstanding
	WaitBackoff                      // poll(): sleeps before it tries again
	WaitBoot                         // the process starts
	WaitRejoin                       // poll(): builds a request
	WaitAssign                       // poll(): the leader computes the assignment, holding the lock
	WaitListener                     // a rebalance callback runs
	WaitProcessing                   // between two polls
	WaitStall                        // between two polls: told not to poll
	WaitSubscription                 // between two polls: subscribed to nothing
	WaitExited                       // the process is gone
)

// readsNetwork reports whether a thread in this wait sits in the network client's selector.
func (k WaitKind) readsNetwork() bool { return k <= WaitClose }

// insidePoll reports whether the application is inside poll() or close().
func (k WaitKind) insidePoll() bool { return k <= WaitBackoff || k == WaitRejoin || k == WaitAssign }

// returnsRecords reports whether poll() returns from this wait when records have arrived: a member may consume what it
// holds while others rejoin.
func (k WaitKind) returnsRecords() bool {
	return k == WaitRecords || k == WaitJoinResponse || k == WaitSyncResponse
}

// holdsLock reports whether a thread in this wait holds the coordinator lock, so that the heartbeat
// thread cannot run. Kafka: AbstractCoordinator is the monitor of both threads.
func (k WaitKind) holdsLock() bool { return k == WaitBackoff || k == WaitRejoin || k == WaitAssign }
