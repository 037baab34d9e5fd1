package consumers

import "time"

// What a Java consumer spends on things that are neither network nor configuration. Measured on live Java
// 4.4 consumers (medians); every constant of its model that is not a Kafka setting stands here. They are
// variables only so that a test can double them all. pollCost and fetchCycle serve clients that poll and fetch alike.
var (
	bootstrapCost   = 6 * time.Millisecond   // first poll() -> first FindCoordinator
	noticeCost      = 1 * time.Millisecond   // heartbeat answer -> the pre-join hook begins
	selectorCost    = 1 * time.Millisecond   // the selector returns that much after the end of its wait
	joinCost        = 5 * time.Millisecond   // pre-join hook done -> JoinGroup leaves
	followerCost    = 5 * time.Millisecond   // JoinGroup answer -> a follower's SyncGroup leaves
	firstLeadCost   = 30 * time.Millisecond  // JoinGroup answer -> the leader's SyncGroup, first time in a process
	leadCost        = 4 * time.Millisecond   // the same, later
	leaderCost      = 3 * time.Millisecond   // the cooperative leader does that much more before it rejoins
	pollCost        = 1 * time.Millisecond   // poll() returns that much after its time-out
	heartbeatTick   = 101 * time.Millisecond // the heartbeat thread's wait of retry.backoff.ms, as scheduled
	fetchCycle      = 502 * time.Millisecond // an empty Fetch: fetch.max.wait.ms and a round trip
	setupTimeout    = 10 * time.Second       // socket.connection.setup.timeout.ms
	setupTimeoutMax = 30 * time.Second       // socket.connection.setup.timeout.max.ms
	joinGrace       = 5 * time.Second        // a JoinGroup, also of kafka-python, may take max.poll.interval.ms and that much more
	closeTimeout    = 30 * time.Second       // close() without argument
)

// coldShare is how many times longer a cold JVM takes for its first JoinGroup than from its id to the next one.
const coldShare = 7
