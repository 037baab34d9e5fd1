package consumers

import (
	"time"

	"simulate/sim/assignors"
)

// kafkaJSProfile is tulios/kafkajs. Sources of what the machine does: src/consumer, src/cluster, src/retry and src/network
// of v2.2.4.
var kafkaJSProfile = Profile{
	Name:          "kafkajs",
	About:         "kafkajs 2.2.4: eachMessage, one worker",
	Config:        kafkaJSDefaults(),
	PollTimeout:   time.Second,
	AlwaysDynamic: true,
	Call:          "its runner",
	Handler:       true,
	Heartbeats:    "handler, which calls heartbeat(),",
	HandlerSilent: true,

	start:            startKafkaJS,
	versions:         versions{join: 5, sync: 3, heartbeat: 3, leave: 3, commit: 5, fetch: 4, find: 2, protocol: 0},
	planner:          assignors.FindKafkaJS,
	dialTimeout:      time.Second, // network/connection.js connectionTimeout
	reconnectsAtOnce: true,

	Options: []Option{
		{"session.timeout.ms", "sessionTimeout", "src/consumer/index.js"},
		{"heartbeat.interval.ms", "heartbeatInterval", "src/consumer/index.js"},
		{"rebalance.timeout.ms", "rebalanceTimeout", "src/consumer/index.js"},
		{"request.timeout.ms", "requestTimeout", "src/cluster/index.js"},
		{"retry.backoff.ms", "initialRetryTime", "src/retry/defaults.js"},
		{"retry.backoff.max.ms", "maxRetryTime", "src/retry/defaults.js"},
		{"retries", "retries", "src/retry/defaults.js"},
		{"metadata.max.age.ms", "metadataMaxAge", "src/index.js"},
		{"fetch.max.wait.ms", "maxWaitTimeInMs", "src/consumer/index.js"},
		{"enable.auto.commit", "autoCommit", "src/consumer/runner.js"},
		{"max.poll.records", "max.poll.records", "stands for maxBytesPerPartition, 1 MB of records of 1 kB; of one partition"},
		{"auto.offset.reset", "fromBeginning", "src/consumer/index.js, subscribe: latest is false"},
		{"partition.assignment.strategy", "partitionAssigners", "src/consumer/index.js"},
		{"eachBatch", "eachBatch", "src/consumer/runner.js: eachMessage where it is not given"},
		{"handlerHeartbeat", "handlerHeartbeat", "how often the handler calls heartbeat(); 0: never"},
	},
	Modelled: []string{
		"Heartbeats come only after a message, a batch or an empty fetch: a handler that takes longer than the session is evicted.",
		"A rebalance is noticed by a heartbeat; the batches of other partitions are begun, or with eachBatch finished, before it rejoins.",
		"It has no callbacks: it holds what it has until it joins.",
		"A lost connection or an error that may pass costs 300 ms, doubled up to five times until the next rebalance; then it crashes and starts again.",
		"A crash costs the member id, so a ghost stays where the coordinator could not be told.",
		"Every member, not the leader, rejoins because of new partitions, as soon as its metadata are older than metadataMaxAge.",
	},
	Remember: []string{
		"One handler call that takes longer than sessionTimeout is evicted, and gets the same message again: it makes no progress.",
		"An idle consumer sends a heartbeat only every maxWaitTimeInMs, 5 s, whatever heartbeatInterval says.",
		"Five failed retries crash the consumer: it comes back as another member, and the old one blocks rebalances for its session.",
	},
	NotModelled: []string{
		"kafkajs: partitionsConsumedConcurrently, autoCommitInterval and autoCommitThreshold, restartOnFailure; the requests of its " +
			"fetches, of which only the rhythm counts; rejoining because a broker leads other partitions than before",
	},
}

func kafkaJSDefaults() Config {
	return Config{
		SessionTimeout:    30 * time.Second,
		HeartbeatInterval: 3 * time.Second,
		RebalanceTimeout:  time.Minute,
		RequestTimeout:    30 * time.Second,
		RetryBackoff:      300 * time.Millisecond,
		RetryBackoffMax:   30 * time.Second,
		Retries:           5,
		MetadataMaxAge:    5 * time.Minute,
		FetchMaxWait:      5 * time.Second,
		AutoCommit:        true,
		AutoOffsetReset:   "latest",
		MaxPollRecords:    1000,
		Assignors:         []string{"RoundRobinAssigner"},
		LeaveOnClose:      true,
	}
}
