package consumers

import "time"

// What franz-go spends and waits for that no setting of a scenario says. The costs are medians of the recordings of
// franz-go 1.22.3: of 73 heartbeats and 84 SyncGroups after them.
const (
	franzJoinCost = 400 * time.Microsecond // the session ended -> JoinGroup
	franzSyncCost = 500 * time.Microsecond // JoinGroup answered -> SyncGroup, also of a leader

	// franzFastCheck is when a cooperative member heartbeats for the first time in a session: others rejoin at once
	// when they have given something up, and it finds that out early. kgo: groupConsumer.heartbeat.
	franzFastCheck = 500 * time.Millisecond
	// franzMinAge is how old the metadata are at least when they are refreshed again, unless something asks for them
	// at once. kgo: MetadataMinAge.
	franzMinAge = 5 * time.Second
	// franzPollCycle is how long a PollFetches at least takes that waits for records. A real one returns with the
	// first record; a run saves the events.
	franzPollCycle = 100 * time.Millisecond

	franzRetries   = 20               // of a request. kgo: RequestRetries
	franzRetryTime = 30 * time.Second // of requests that have nothing to do with the session. kgo: RetryTimeout
)
