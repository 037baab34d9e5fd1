package consumers

import (
	"time"

	"simulate/sim/assignors"
)

// aiokafkaProfile is aiokafka 0.14.0. Its defaults and request versions were recorded; what it does in a fault was
// only read in its source.
var aiokafkaProfile = Profile{
	Name:          "aiokafka",
	About:         "aiokafka 0.14.0: everything on one asyncio loop; unverified, no fault was recorded with it",
	Config:        aiokafkaDefaults(),
	PollTimeout:   time.Second,
	AnyHeartbeat:  true,
	Call:          "getmany()",
	Heartbeats:    "heartbeat task",
	HandlerSilent: true,

	start:               startAiokafka,
	versions:            versions{join: 5, sync: 3, heartbeat: 1, leave: 1, commit: 3, fetch: 3, find: 1},
	subscriptionOf:      pythonSubscription,
	planner:             assignors.FindAiokafka,
	dialTimeout:         40 * time.Second,
	constantRetry:       true,
	reconnectsAtOnce:    true,
	rebalancesInSession: true,

	Options: []Option{
		{"session.timeout.ms", "session_timeout_ms", aioConsumer},
		{"heartbeat.interval.ms", "heartbeat_interval_ms", aioConsumer},
		{"max.poll.interval.ms", "max_poll_interval_ms", aioConsumer},
		{"rebalance.timeout.ms", "rebalance_timeout_ms", aioConsumer + "; unset it is session_timeout_ms"},
		{"request.timeout.ms", "request_timeout_ms", aioConsumer},
		{"retry.backoff.ms", "retry_backoff_ms", aioConsumer},
		{"metadata.max.age.ms", "metadata_max_age_ms", aioConsumer},
		{"enable.auto.commit", "enable_auto_commit", aioConsumer},
		{"auto.commit.interval.ms", "auto_commit_interval_ms", aioConsumer},
		{"auto.offset.reset", "auto_offset_reset", aioConsumer},
		{"max.poll.records", "max_poll_records", aioConsumer + "; unset it is no bound"},
		{"partition.assignment.strategy", "partition_assignment_strategy", aioConsumer},
		{"connections.max.idle.ms", "connections_max_idle_ms", aioConsumer},
	},
	Modelled: []string{
		"`processing` and `per-record` are CPU-bound handlers: they block the event loop, and with it heartbeats and rebalances.",
		"A `stall` awaits something else than the consumer: heartbeats and rebalances go on without the application.",
		"Who does not fetch for max.poll.interval.ms leaves the group, and rejoins only when the application fetches again.",
		"The rebalance timeout is the session timeout unless it is set: members have 10 s to rejoin.",
		"A rebalance begins at the heartbeat's answer, with the commit and the listener; heartbeats go on until JoinGroup.",
		"A lost assignment is revoked, too: there is no onPartitionsLost.",
		"The commit before a rejoin, and the last one, are repeated until they succeed or fail for good.",
		"JoinGroup is waited for no longer than request.timeout.ms.",
		"stop() waits for a join that is under way; enforceRebalance() does not exist and does nothing.",
	},
	Remember: []string{
		"A handler that computes for longer than session.timeout.ms (10 s) costs the membership: its heartbeats run on the same loop.",
		"A member that was idle for max.poll.interval.ms is out of the group until it fetches again.",
		"The rebalance timeout is as short as the session: whoever is busy for 10 s when a rebalance begins is dismissed.",
	},
	NotModelled: []string{
		"handlers that await while they process; take a stall for them",
		"a request_timeout_ms other than 40 s does not count for setting a connection up",
		"rebalance listeners that block the loop; here they await",
		"stop() without a coordinator repeats its last commit for ever; here it does not try",
	},
}

const aioConsumer = "aiokafka/consumer/consumer.py AIOKafkaConsumer.__init__"

func aiokafkaDefaults() Config {
	c := Defaults()
	c.SessionTimeout = 10 * time.Second
	c.RebalanceTimeout = 0
	c.RequestTimeout = 40 * time.Second
	c.ReconnectBackoff, c.ReconnectMax = 0, 0
	c.MaxPollRecords = 0
	c.Assignors = []string{"roundrobin"}
	return c
}
