package consumers

import (
	"time"

	"simulate/sim/assignors"
)

// kafkaPythonProfile is kafka-python 3.0.12. Its numbers stand in the library and were seen on the wire.
var kafkaPythonProfile = Profile{
	Name:           "kafka-python",
	About:          "kafka-python 3.0.12: an event loop on a thread of its own, eager by default",
	Config:         kafkaPythonDefaults(),
	PollTimeout:    100 * time.Millisecond,
	OneProtocol:    true,
	Heartbeats:     "event loop",
	CallbackSilent: true,

	start:            startKafkaPython,
	versions:         versions{join: 7, sync: 5, heartbeat: 4, leave: 5, commit: 8, fetch: 8, find: 6},
	subscriptionOf:   pythonSubscription,
	planner:          assignors.FindKafkaPython,
	constantRetry:    true,
	reconnectsAtOnce: true,

	Options: []Option{
		{"session.timeout.ms", "session_timeout_ms", pythonConsumer},
		{"heartbeat.interval.ms", "heartbeat_interval_ms", pythonConsumer},
		{"max.poll.interval.ms", "max_poll_interval_ms", pythonConsumer},
		{"request.timeout.ms", "request_timeout_ms", pythonConsumer},
		{"retry.backoff.ms", "retry_backoff_ms", pythonConsumer},
		{"reconnect.backoff.ms", "reconnect_backoff_ms", pythonConsumer},
		{"reconnect.backoff.max.ms", "reconnect_backoff_max_ms", pythonConsumer},
		{"metadata.max.age.ms", "metadata_max_age_ms", pythonConsumer},
		{"enable.auto.commit", "enable_auto_commit", pythonConsumer},
		{"auto.commit.interval.ms", "auto_commit_interval_ms", pythonConsumer},
		{"partition.assignment.strategy", "partition_assignment_strategy", pythonConsumer},
		{"auto.offset.reset", "auto_offset_reset", pythonConsumer},
		{"max.poll.records", "max_poll_records", pythonConsumer},
		{"connections.max.idle.ms", "connections_max_idle_ms", pythonConsumer},
	},
	Modelled: []string{
		"max.poll.interval.ms is looked at only when a heartbeat is due, so that the member leaves up to one interval later.",
		"A join goes on while the application is outside poll(), but its result counts only if poll() waits for it: " +
			"otherwise the next poll() throws it away and sends JoinGroup again, with which a leader begins another rebalance.",
		"The subscription does not change from generation to generation, so that a follower that rejoins a stable group " +
			"gets the current generation at once.",
		"A rebalance is noticed when poll() has waited out its time or got records, not at the heartbeat's answer.",
		"Rebalance listeners and the leader's assignor run on the event loop: while they do, no heartbeat is sent.",
		"After the assignment is lost, cooperative-sticky still names the old partitions as owned.",
		"A member that cooperatively revoked partitions rejoins at its next poll().",
		"unsubscribe() calls no listener; enforceRebalance() does not exist and does nothing.",
	},
	Remember: []string{
		"Whoever handles records for longer than max.poll.interval.ms leaves up to one heartbeat interval after that.",
		"Between two calls of poll() a finished join is lost: short polls with work between them rejoin again and again.",
		"A rebalance listener blocks the heartbeats: one that takes longer than session.timeout.ms costs the membership.",
	},
	NotModelled: []string{
		"poll() raises KafkaConnectionError while no broker answers; the application is taken to poll again at once",
		"the constructor raises when no broker answers within bootstrap_timeout_ms",
		"a pattern matches the beginning of a name; here it matches whole names, as in Java",
		"a leader that does not subscribe to a member's topic first assigns without it, and rejoins when it knows the topic",
	},
}

const pythonConsumer = "kafka/consumer/group.py KafkaConsumer.DEFAULT_CONFIG"

func kafkaPythonDefaults() Config {
	c := Defaults()
	c.ReconnectMax = 30 * time.Second
	c.Assignors = []string{"range", "roundrobin"}
	return c
}
