package consumers

import (
	"time"

	"simulate/sim/assignors"
)

// kafkaGoProfile is segmentio/kafka-go. Sources of what the machine does: consumergroup.go, reader.go, conn.go and time.go
// of v0.4.51.
var kafkaGoProfile = Profile{
	Name:          "kafka-go",
	About:         "segmentio kafka-go v0.4.51: a Reader with a GroupID",
	Config:        kafkaGoDefaults(),
	PollTimeout:   time.Second,
	AlwaysDynamic: true,
	AnyHeartbeat:  true,
	Call:          "ReadMessage()",
	Heartbeats:    "heartbeat goroutine",

	start:       startKafkaGo,
	versions:    versions{join: 2, sync: 0, heartbeat: 0, leave: 0, commit: 2, fetch: 1, find: 0, protocol: 1},
	planner:     assignors.FindKafkaGo,
	dialTimeout: 10 * time.Second, // dialer.go DefaultDialer

	Options: []Option{
		{"session.timeout.ms", "SessionTimeout", "consumergroup.go defaultSessionTimeout"},
		{"heartbeat.interval.ms", "HeartbeatInterval", "consumergroup.go defaultHeartbeatInterval"},
		{"rebalance.timeout.ms", "RebalanceTimeout", "consumergroup.go defaultRebalanceTimeout"},
		{"request.timeout.ms", "Timeout", "consumergroup.go defaultTimeout; ConsumerGroupConfig only"},
		{"fetch.max.wait.ms", "MaxWait", "reader.go ReaderConfig.MaxWait"},
		{"partition.assignment.strategy", "GroupBalancers", "consumergroup.go ConsumerGroupConfig.Validate"},
		{"JoinGroupBackoff", "JoinGroupBackoff", "consumergroup.go defaultJoinGroupBackoff"},
		{"WatchPartitionChanges", "WatchPartitionChanges", "reader.go ReaderConfig.WatchPartitionChanges"},
		{"PartitionWatchInterval", "PartitionWatchInterval", "consumergroup.go defaultPartitionWatchTime"},
		{"auto.offset.reset", "StartOffset", "consumergroup.go ConsumerGroupConfig.Validate"},
		{"CommitInterval", "CommitInterval", "reader.go ReaderConfig.CommitInterval"},
	},
	Modelled: []string{
		"It joins without being given a member id first, so an answer to JoinGroup that is lost leaves a ghost.",
		"Each generation begins with a lookup of the coordinator and a new connection to it.",
		"Any error of a heartbeat ends the generation, which waits for the Fetches in flight, up to 9 s with the default MaxWait.",
		"An error while it looks up, joins or syncs costs the member id and 5 s; only a rebalance in progress does not.",
		"Heartbeats go on however long the application takes; a rebalance does not wait for it.",
		"Every member, not the leader, looks for new partitions, and only with WatchPartitionChanges.",
	},
	Remember: []string{
		"A broken connection during a rebalance leaves a ghost: the group waits for its session, 30 s, while the process " +
			"joins again as somebody else, 5 s later.",
		"MaxWait delays every rebalance: with the default of 10 s a generation on a quiet topic ends up to 9 s after the heartbeat.",
		"What the application does never holds a rebalance up: messages it has got may be handled after their partitions have moved.",
	},
	NotModelled: []string{
		"kafka-go: the connections and requests of its fetchers, of which only the rhythm counts; the Metadata request of " +
			"the leader and of the partition watcher; a commit for each message where several are handled within 100 ms; commits " +
			"of messages whose generation has ended; topics that do not exist",
	},
}

func kafkaGoDefaults() Config {
	return Config{
		SessionTimeout:         30 * time.Second,
		HeartbeatInterval:      3 * time.Second,
		RebalanceTimeout:       30 * time.Second,
		RequestTimeout:         5 * time.Second,
		AutoCommit:             true,
		AutoOffsetReset:        "earliest",
		Assignors:              []string{"range", "roundrobin"},
		FetchMaxWait:           10 * time.Second,
		JoinGroupBackoff:       5 * time.Second,
		PartitionWatchInterval: 5 * time.Second,
		LeaveOnClose:           true,
	}
}
