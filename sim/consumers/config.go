package consumers

import (
	"cmp"
	"time"

	"simulate/sim/random"
)

// Config holds the settings of a consumer, under Kafka's names.
type Config struct {
	SessionTimeout     time.Duration // session.timeout.ms, default 45 s
	HeartbeatInterval  time.Duration // heartbeat.interval.ms, default 3 s; less than SessionTimeout
	MaxPollInterval    time.Duration // max.poll.interval.ms, default 5 min; 0: the client does not watch it
	RebalanceTimeout   time.Duration // rebalance.timeout.ms, which JoinGroup carries; 0: MaxPollInterval
	JoinRetryBackoff   time.Duration // sarama's Consumer.Group.Rebalance.Retry.Backoff, its default 2 s
	RequestTimeout     time.Duration // request.timeout.ms, default 30 s
	RetryBackoff       time.Duration // retry.backoff.ms, default 100 ms
	RetryBackoffMax    time.Duration // retry.backoff.max.ms, default 1 s
	ReconnectBackoff   time.Duration // reconnect.backoff.ms, default 50 ms
	ReconnectMax       time.Duration // reconnect.backoff.max.ms, default 1 s
	MetadataMaxAge     time.Duration // metadata.max.age.ms, default 5 min
	DefaultAPITimeout  time.Duration // default.api.timeout.ms, default 60 s
	AutoCommit         bool          // enable.auto.commit, default true
	AutoCommitInterval time.Duration // auto.commit.interval.ms, default 5 s
	AutoOffsetReset    string        // auto.offset.reset: "latest" (the default), "earliest" or "none"
	MaxPollRecords     int           // max.poll.records, default 500; positive
	Assignors          []string      // partition.assignment.strategy, by name; default range, cooperative-sticky
	Rack               string        // client.rack, default ""
	IdleTimeout        time.Duration // connections.max.idle.ms, default 9 min; 0: for ever
	LeaveOnClose       bool          // internal.leave.group.on.close, default true
	FetchMaxWait       time.Duration // fetch.max.wait.ms of libraries whose rhythm depends on it; Java: always 500 ms
	BlockRebalance     bool          // BlockRebalanceOnPoll of franz-go: none while what was polled is handled; default false

	// Of kafkajs.

	Retries          int           // of one retrier, then it crashes; default 5
	EachBatch        bool          // the handler takes all messages of a partition at once; default false
	HandlerHeartbeat time.Duration // how often the handler calls heartbeat(); 0: never

	// Of kafka-go.

	JoinGroupBackoff       time.Duration // between two attempts to join, default 5 s
	WatchPartitionChanges  bool          // every member looks for new partitions, default false
	PartitionWatchInterval time.Duration // how often, default 5 s
	CommitInterval         time.Duration // between two commits; default 0: each message is committed
}

// Defaults returns the defaults of the newest Java consumer.
// Kafka: ConsumerConfig, CommonClientConfigs.
func Defaults() Config {
	return Config{
		SessionTimeout:     45 * time.Second,
		HeartbeatInterval:  3 * time.Second,
		MaxPollInterval:    5 * time.Minute,
		RequestTimeout:     30 * time.Second,
		RetryBackoff:       100 * time.Millisecond,
		RetryBackoffMax:    time.Second,
		ReconnectBackoff:   50 * time.Millisecond,
		ReconnectMax:       time.Second,
		MetadataMaxAge:     5 * time.Minute,
		DefaultAPITimeout:  time.Minute,
		AutoCommit:         true,
		AutoCommitInterval: 5 * time.Second,
		AutoOffsetReset:    "latest",
		MaxPollRecords:     500,
		Assignors:          []string{"range", "cooperative-sticky"},
		IdleTimeout:        9 * time.Minute,
		LeaveOnClose:       true,
	}
}

// rebalanceTimeout is what JoinGroup carries, but for a client that takes the session when nothing is set.
func (c *Config) rebalanceTimeout() time.Duration {
	return cmp.Or(c.RebalanceTimeout, c.MaxPollInterval)
}

// Identity is who a process is among those that are started from the same plan.
type Identity struct {
	Name     string // the member's name, "orders-3"; also its client.id
	Instance string // group.instance.id, "" for a dynamic member
}

// Plan is everything else that a consumer process is started from: its settings and what its application does.
type Plan struct {
	Client      string // the profile, "" for the newest Java consumer
	Group       string
	Topics      []string // subscription by name
	Pattern     string   // or by pattern: the topics whose whole names match
	Config      Config
	PollTimeout time.Duration       // the argument of poll()
	Processing  random.Distribution // between two polls, also after an empty one
	PerRecord   random.Distribution // besides, for each record that a poll returned
	OnRevoke    random.Distribution // how long the listener's callbacks take
	OnAssign    random.Distribution
	OnLost      random.Distribution
	Boot        random.Distribution // process start -> first poll()

	// PollAgain is how long the application waits before it polls again after an exception that may pass; 0: it
	// ends, as after one that does not.
	PollAgain time.Duration

	// JoinNotBefore delays the first JoinGroup of the process until that long after its start. It stands
	// for what a cold JVM does between finding the coordinator and joining; live recordings need it.
	JoinNotBefore time.Duration
}

// RebalanceTimeout returns how long a group waits for the process: what its JoinGroup carries.
func (p *Plan) RebalanceTimeout() time.Duration {
	c := &p.Config
	if profile, _ := FindProfile(p.Client); c.RebalanceTimeout == 0 && profile.rebalancesInSession {
		return c.SessionTimeout
	}
	return c.rebalanceTimeout()
}

// ticking returns the plan with back-offs and intervals that take time: clients spin where these are 0; in a run no time
// would pass.
func (p *Plan) ticking() *Plan {
	c := &p.Config
	if min(c.RetryBackoff, c.RetryBackoffMax, c.MetadataMaxAge, c.AutoCommitInterval) >= time.Millisecond {
		return p
	}
	ticking := *p
	c = &ticking.Config
	c.RetryBackoff = max(c.RetryBackoff, time.Millisecond)
	c.RetryBackoffMax = max(c.RetryBackoffMax, time.Millisecond)
	c.MetadataMaxAge = max(c.MetadataMaxAge, time.Millisecond)
	c.AutoCommitInterval = max(c.AutoCommitInterval, time.Millisecond)
	return &ticking
}
