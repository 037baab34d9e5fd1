package consumers

import (
	"time"

	"simulate/sim/assignors"
)

// franzGoProfile is franz-go. Sources: kgo's config.go and NewClient of v1.22.3, recordings.
var franzGoProfile = Profile{
	Name:  "franz-go",
	About: "franz-go 1.22: cooperative-sticky, rebalance timeout 60 s, members that nobody has to poll",
	Config: Config{
		SessionTimeout: 45 * time.Second, HeartbeatInterval: 3 * time.Second, RebalanceTimeout: time.Minute,
		RequestTimeout: 10 * time.Second, RetryBackoff: 250 * time.Millisecond, RetryBackoffMax: 5 * time.Second,
		MetadataMaxAge: 5 * time.Minute, AutoCommit: true, AutoCommitInterval: 5 * time.Second,
		AutoOffsetReset: "earliest", Assignors: []string{"cooperative-sticky"}, IdleTimeout: 30 * time.Second, LeaveOnClose: true,
	},
	PollTimeout:  time.Second,
	AnyHeartbeat: true,
	Call:         "PollFetches()",
	Heartbeats:   "heartbeat goroutine",

	start:          startFranz,
	versions:       versions{join: 9, sync: 5, heartbeat: 4, leave: 5, commit: 10, fetch: 10, find: 6, protocol: 3},
	subscriptionOf: franzSubscription,
	planner:        assignors.FindFranz,
	dialTimeout:    10 * time.Second,

	Options: []Option{
		{"session.timeout.ms", "SessionTimeout", "kgo/config.go: defaultCfg"},
		{"heartbeat.interval.ms", "HeartbeatInterval", "kgo/config.go: defaultCfg"},
		{"rebalance.timeout.ms", "RebalanceTimeout", "kgo/config.go: defaultCfg"},
		{"request.timeout.ms", "RequestTimeoutOverhead", "kgo/config.go: defaultCfg"},
		{"retry.backoff.ms", "retry.backoff.ms", "kgo/config.go: defaultCfg, where RetryBackoffFn begins"},
		{"retry.backoff.max.ms", "retry.backoff.max.ms", "kgo/config.go: defaultCfg, where RetryBackoffFn ends"},
		{"metadata.max.age.ms", "MetadataMaxAge", "kgo/config.go: defaultCfg"},
		{"connections.max.idle.ms", "ConnIdleTimeout", "kgo/config.go: defaultCfg"},
		{"enable.auto.commit", "enable.auto.commit", "kgo/config.go: defaultCfg, the opposite of DisableAutoCommit"},
		{"auto.commit.interval.ms", "AutoCommitInterval", "kgo/config.go: defaultCfg"},
		{"auto.offset.reset", "ConsumeResetOffset", "kgo/config.go: defaultCfg, startOffset"},
		{"partition.assignment.strategy", "Balancers", "kgo/config.go: defaultCfg"},
		{"client.rack", "Rack", "kgo/config.go: defaultCfg"},
		{"BlockRebalanceOnPoll", "BlockRebalanceOnPoll", "kgo/config.go: defaultCfg"},
	},
	Modelled: []string{
		"One goroutine joins, syncs and heartbeats; the application's loop has no part in it, and nothing watches how often it polls.",
		"JoinGroup and SyncGroup have a connection of their own, and each request is tried again with a back-off of 250 ms to 5 s.",
		"A cooperative member heartbeats 500 ms after it has joined, and then after each heartbeat.interval.ms.",
		"Heartbeats go on while OnPartitionsRevoked runs; without a callback of the application that commits.",
		"A heartbeat that fails takes everything away (OnPartitionsLost); the member joins again with its old id after a back-off.",
		"No commit is made while a JoinGroup or SyncGroup is outstanding, and no JoinGroup while a commit is.",
		"It joins only when one of its topics exists; the leader rejoins when one of them has more partitions, any member when there is another one.",
		"With BlockRebalanceOnPoll a rebalance waits until the application has handled what it has polled, and the member heartbeats meanwhile.",
		"Its sticky assignors take from those who have most, where all members subscribe alike.",
		"A process that is told to stop while its JoinGroup is outstanding joins and syncs first, then leaves.",
	},
	Remember: []string{
		"Nothing watches the application: one that hangs keeps its partitions, and rebalances go on without it.",
		"It waits 60 s for others in a rebalance, not five minutes, and knows cooperative-sticky alone by default: Java members with range alone never get into one group with it.",
		"No error ends it: a member that is fenced, or whose balancer the group refuses, loses everything and tries to join again for ever, every 5 s.",
	},
	NotModelled: []string{
		"franz-go: its sticky assignors where members subscribe to different topics, or have racks (Java's stand in)",
		"franz-go: a context that ends Close early; regular expressions that are added later; topics that vanish from a pattern",
		"franz-go: bounds in bytes of what it fetches; a PollFetches that waits for records returns after 100 ms at the earliest",
	},
}

// franzSubscription is what a balancer of kgo writes: all name the generation; the sticky ones also what the member
// holds, in their own data too. kgo: simpleMemberMetadata, stickyBalancer.JoinGroupMetadata.
func franzSubscription(p *client, assignor string) (assignors.Subscription, int16) {
	s := assignors.Subscription{Topics: p.subscription.topics, Generation: p.generation, Rack: p.plan.Config.Rack}
	switch assignor {
	case "cooperative-sticky":
		s.Owned, s.UserData = p.assigned, assignors.EncodeStickyUserData(p.assigned, p.generation)
	case "sticky":
		s.UserData = assignors.EncodeStickyUserData(p.assigned, p.generation)
	}
	return s, p.profile.versions.protocol
}
