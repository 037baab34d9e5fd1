package consumers

import "time"

// What kafkajs spends and waits for that no setting of a scenario says. The costs are medians of the recordings of
// kafkajs 2.2.4.
const (
	jsFollowerCost = 3 * time.Millisecond  // JoinGroup answer -> a follower's SyncGroup
	jsLeadCost     = 5 * time.Millisecond  // the same of the leader, with its Metadata request
	jsRejoinCost   = 4 * time.Millisecond  // the last answer to a heartbeat -> FindCoordinator
	jsCloseCost    = 40 * time.Millisecond // LeaveGroup answer -> exit

	jsJoinGrace = 5 * time.Second // JoinGroup: rebalanceTimeout and that. src/protocol/requests/joinGroup: NETWORK_DELAY
)
