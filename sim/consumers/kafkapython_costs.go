package consumers

import "time"

// What a consumer of kafka-python 3.0.12 spends on things that are neither network nor configuration: medians over the
// recorded runs. aiokafka, of which there are none, takes the same.
const (
	pythonBootstrapCost = 30 * time.Millisecond // KafkaConsumer() -> FindCoordinator: bootstrap on a connection of its own
	pythonJoinCost      = 3 * time.Millisecond  // MEMBER_ID_REQUIRED -> JoinGroup with the id
	pythonFollowerCost  = 3 * time.Millisecond  // JoinGroup answer -> a follower's SyncGroup
	pythonLeadCost      = 4 * time.Millisecond  // JoinGroup answer -> the leader's SyncGroup
	pythonWakeCost      = 1 * time.Millisecond  // the heartbeat's sleep lasts that much longer than asked for
)
