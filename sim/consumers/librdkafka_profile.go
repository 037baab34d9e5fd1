package consumers

import "time"

var librdkafkaProfile = Profile{
	Name:   "librdkafka",
	About:  "librdkafka 2.16, as in confluent-kafka-python, -go, -dotnet and -js: range, roundrobin; the application has to poll to give up partitions",
	Config: librdkafkaDefaults(), PollTimeout: time.Second,
	start:            startLibrdkafka,
	versions:         versions{join: 5, sync: 3, heartbeat: 3, leave: 1, commit: 9, fetch: 9, find: 2, protocol: 3},
	subscriptionOf:   librdkafkaSubscription,
	reconnectsAtOnce: true,
	Options: []Option{
		{"session.timeout.ms", "session.timeout.ms", "src/rdkafka_conf.c, session.timeout.ms"},
		{"heartbeat.interval.ms", "heartbeat.interval.ms", "src/rdkafka_conf.c, heartbeat.interval.ms"},
		{"max.poll.interval.ms", "max.poll.interval.ms", "src/rdkafka_conf.c, max.poll.interval.ms; it is the rebalance timeout too"},
		{"partition.assignment.strategy", "partition.assignment.strategy", "src/rdkafka_conf.c, partition.assignment.strategy"},
		{"enable.auto.commit", "enable.auto.commit", "src/rdkafka_conf.c, enable.auto.commit"},
		{"auto.commit.interval.ms", "auto.commit.interval.ms", "src/rdkafka_conf.c, auto.commit.interval.ms"},
		{"auto.offset.reset", "auto.offset.reset", "src/rdkafka_conf.c, auto.offset.reset"},
		{"request.timeout.ms", "socket.timeout.ms", "src/rdkafka_conf.c, socket.timeout.ms"},
		{"metadata.max.age.ms", "topic.metadata.refresh.interval.ms", "src/rdkafka_conf.c, topic.metadata.refresh.interval.ms"},
		{"reconnect.backoff.ms", "reconnect.backoff.ms", "src/rdkafka_conf.c, reconnect.backoff.ms"},
		{"reconnect.backoff.max.ms", "reconnect.backoff.max.ms", "src/rdkafka_conf.c, reconnect.backoff.max.ms"},
		{"retry.backoff.ms", "retry.backoff.ms", "src/rdkafka_conf.c, retry.backoff.ms"},
		{"retry.backoff.max.ms", "retry.backoff.max.ms", "src/rdkafka_conf.c, retry.backoff.max.ms"},
		{"client.rack", "client.rack", "src/rdkafka_conf.c, client.rack"},
	},
	Modelled: []string{
		"an eager member gives up its partitions, and rejoins, only when its application polls: one that is busy holds up the group until max.poll.interval.ms",
		"heartbeats stop while JoinGroup or SyncGroup is outstanding; their timer goes on over a rebalance",
		"without an answer to its heartbeats for session.timeout.ms it counts itself out, loses its partitions and comes back as a new member",
		"max.poll.interval.ms is checked twice a second; a rebalance callback runs inside poll() and does not count",
		"an eager JoinGroup looks the same in every generation, so that a follower which rejoins in Stable starts no rebalance",
		"every member, not the leader alone, rejoins when it sees other partitions of its topics",
		"JoinGroups are at least a second apart, two after a refusal; not after a new member id and not after giving up partitions",
		"a commit that waits for the coordinator holds up the JoinGroup",
		"a lost connection is opened again at once; without any broker it tries every 51 ms",
	},
	Remember: []string{
		"the rebalance callback runs in poll(): an application that does not poll keeps the whole eager group waiting",
		"when heartbeats go unanswered for session.timeout.ms, the client drops its member id while the broker may still count the old one",
		"range and roundrobin are eager; cooperative-sticky has to be asked for, and cannot be mixed with them",
	},
	NotModelled: []string{
		"librdkafka: OAuth and TLS, statistics, the time that a signal needs to reach an application in Python, " +
			"group.protocol=consumer, connections.max.idle.ms",
	},
}
