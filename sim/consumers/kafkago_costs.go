package consumers

import "time"

// What kafka-go spends and waits for that no setting of a scenario says. The costs are medians of the recordings of
// kafka-go v0.4.51.
const (
	goFollowerCost = 500 * time.Microsecond  // JoinGroup answer -> a follower's SyncGroup
	goLeadCost     = 1500 * time.Microsecond // the same of the leader, with its Metadata request
	goFetchCost    = 10 * time.Millisecond   // a generation begins -> its first Fetches, behind lookups of leaders and offsets
	goCatchUp      = 10 * time.Millisecond   // the process runs again -> its fetchers have read what came meanwhile

	goQueueCapacity = 100                    // messages that fetchers put aside. reader.go: ReaderConfig.QueueCapacity
	goCommitTries   = 3                      // reader.go: defaultCommitRetries
	goCommitBackoff = 100 * time.Millisecond // times the square of the failed tries. reader.go: commitOffsetsWithRetry
	goRoundTrip     = time.Second            // what a Fetch leaves of MaxWait for its way. time.go: defaultRTT

	goLump = 100 * time.Millisecond // messages that are handled within that share a commit, for simplicity
)
