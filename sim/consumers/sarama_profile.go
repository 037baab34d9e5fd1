package consumers

import "time"

// saramaProfile is IBM/sarama. Sources of what the machine does: consumer_group.go, consumer_group_session.go,
// consumer_group_cooperative.go, offset_manager.go, consumer.go, client.go and broker.go of v1.61.1.
var saramaProfile = Profile{
	Name:       "sarama",
	About:      "IBM/sarama v1.61 (Go): eager range, session 10 s, rebalance timeout 60 s, heartbeats from a goroutine of the session",
	Config:     saramaDefaults(),
	PollAgain:  100 * time.Millisecond,
	Call:       "Consume()",
	Handler:    true,
	Heartbeats: "heartbeat goroutine",

	start:       startSarama,
	versions:    versions{join: 7, sync: 5, heartbeat: 4, leave: 4, commit: 8, fetch: 7, find: 3, protocol: 1},
	dialTimeout: 30 * time.Second, // config.go: Net.DialTimeout

	Options: []Option{
		{"session.timeout.ms", "Consumer.Group.Session.Timeout", "config.go: NewConfig"},
		{"heartbeat.interval.ms", "Consumer.Group.Heartbeat.Interval", "config.go: NewConfig"},
		{"rebalance.timeout.ms", "Consumer.Group.Rebalance.Timeout", "config.go: NewConfig"},
		{"Consumer.Group.Rebalance.Retry.Backoff", "Consumer.Group.Rebalance.Retry.Backoff", "config.go: NewConfig"},
		{"request.timeout.ms", "Net.ReadTimeout", "config.go: NewConfig"},
		{"retry.backoff.ms", "Metadata.Retry.Backoff", "config.go: NewConfig"},
		{"metadata.max.age.ms", "Metadata.RefreshFrequency", "config.go: defaultMetadataRefreshFrequency"},
		{"enable.auto.commit", "Consumer.Offsets.AutoCommit.Enable", "config.go: NewConfig"},
		{"auto.commit.interval.ms", "Consumer.Offsets.AutoCommit.Interval", "config.go: NewConfig"},
		{"auto.offset.reset", "Consumer.Offsets.Initial", "config.go: NewConfig"},
		{"partition.assignment.strategy", "Consumer.Group.Rebalance.GroupStrategies", "config.go: NewConfig"},
	},
	Modelled: []string{
		"no limit on processing: a handler that does not return keeps the member in its group, which waits for it in a rebalance",
		"one request at a time on the connection to a broker: heartbeats and commits wait for the Fetch in flight, up to 500 ms",
		"heartbeats only within a session, the first at once; they go on while handlers finish",
		"JoinGroup is read for Net.ReadTimeout (30 s): a longer join phase ends Consume() with an error, and the next one joins again with the same id",
		"an error of the coordinator in JoinGroup or SyncGroup is tried again after 2 s, four times; a lost connection ends Consume() at once",
		"a rebalance begins when the Fetch in flight has returned and all handlers have; Consume() then runs anew",
		"the leader looks for new partitions when its session begins and every Metadata.RefreshFrequency (10 min)",
		"a subscription to nothing, or a cancelled Consume(), leaves nobody a word: the member stays until its session expires",
	},
	Remember: []string{
		"A join phase longer than Net.ReadTimeout (30 s) ends Consume() with an i/o timeout: call it again in a loop, the member keeps its place.",
		"Processing has no limit: one handler that does not return stops its whole group in a rebalance, for Rebalance.Timeout (60 s).",
		"Heartbeats share a connection with Fetch and stop between two sessions; with a session of 10 s little must go wrong.",
	},
	NotModelled: []string{
		"sarama: its sticky strategies hand out new partitions in an order that changes from run to run (Go's maps)",
		"sarama: Metadata.Retry.Max, Consumer.Group.Rebalance.Retry.Max and Consumer.Offsets.Retry.Max are 3, 4 and 3",
		"sarama: with several brokers, the coordinator counts as a leader of what a member consumes, so that its Fetch delays heartbeats",
	},
}

func saramaDefaults() Config {
	c := Defaults()
	c.SessionTimeout = 10 * time.Second
	c.MaxPollInterval = 0
	c.RebalanceTimeout = time.Minute
	c.RetryBackoff, c.RetryBackoffMax = 250*time.Millisecond, 250*time.Millisecond
	c.ReconnectBackoff, c.ReconnectMax = 0, 0
	c.MetadataMaxAge = 10 * time.Minute
	c.AutoCommitInterval = time.Second
	c.Assignors = []string{"range"}
	c.JoinRetryBackoff = 2 * time.Second
	return c
}
