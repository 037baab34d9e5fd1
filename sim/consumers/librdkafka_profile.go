package consumers

import (
	"time"

	"simulate/sim/assignors"
	"simulate/sim/wire"
)

// librdkafkaProfile is confluentinc/librdkafka. Sources of what the machine does: rdkafka_cgrp.c, rdkafka_assignment.c,
// rdkafka_broker.c, rdkafka_metadata.c and rdkafka.c of v2.16.0.
var librdkafkaProfile = Profile{
	Name:              "librdkafka",
	About:             "librdkafka 2.16 and confluent-kafka on it: a main thread, callbacks inside poll(), eager by default",
	Config:            librdkafkaDefaults(),
	PollTimeout:       time.Second,
	OneProtocol:       true,
	AnyHeartbeat:      true,
	PollCoversSession: true,
	Heartbeats:        "main thread",

	start:            startLibrdkafka,
	versions:         versions{join: 5, sync: 3, heartbeat: 3, leave: 1, commit: 9, fetch: 9, find: 2, protocol: 3},
	subscriptionOf:   librdkafkaSubscription,
	planner:          assignors.FindLibrdkafka,
	dialTimeout:      10 * time.Second, // api.version.request.timeout.ms: a connection that says nothing
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
		"An eager member gives up its partitions, and rejoins, only when its application polls: one that is busy holds up the group until max.poll.interval.ms.",
		"Heartbeats stop while JoinGroup or SyncGroup is outstanding; their timer goes on over a rebalance.",
		"Without an answer to its heartbeats for session.timeout.ms it counts itself out, loses its partitions and comes back as a new member.",
		"max.poll.interval.ms is checked twice a second; a rebalance callback runs inside poll() and does not count.",
		"An eager JoinGroup looks the same in every generation: a follower that rejoins in Stable starts no rebalance.",
		"Every member, not the leader alone, rejoins when it sees other partitions of its topics.",
		"JoinGroups are at least 1 s apart, 2 s after a refusal, but for those with a new member id and those after giving up partitions.",
		"A commit that waits for the coordinator holds up the JoinGroup, for at most session.timeout.ms.",
		"A lost connection is opened again at once; without any broker the client tries every 51 ms.",
		"Records come one a poll(), and a commit says all that poll() has returned; an idle topic costs no commits.",
		"cooperative-sticky takes the first partitions from those who hold too much, Kafka's the last.",
	},
	Remember: []string{
		"The rebalance callback runs in poll(): one application that does not poll keeps the whole eager group waiting.",
		"When heartbeats go unanswered for session.timeout.ms the client forgets its member id, though the broker may count it for longer.",
		"The default is eager; cooperative-sticky has to be asked for, and cannot be listed with range or roundrobin.",
	},
	NotModelled: []string{
		"the time that a signal needs to reach an application in Python; statistics; group.protocol=consumer",
		"a connection whose set-up hangs is given up after 10 s, as one that does not answer ApiVersions, not after socket.connection.setup.timeout.ms",
		"what the client fetches ahead, and its bounds in bytes; the application looks for records every 200 ms",
	},
}

func librdkafkaDefaults() Config {
	c := Defaults()
	c.RequestTimeout = time.Minute
	c.ReconnectMax = 10 * time.Second
	c.Assignors = []string{"range", "roundrobin"}
	c.IdleTimeout = 0
	return c
}

// librdkafkaSubscription is what JoinGroup carries: the topics that exist, and of a cooperative member what it holds.
// An eager one looks the same in every generation. librdkafka: rd_kafka_JoinGroupRequest, rd_kafka_consumer_protocol.
func librdkafkaSubscription(p *client, assignor string) (assignors.Subscription, int16) {
	s := assignors.Subscription{Topics: p.existing(), Generation: wire.NoGeneration, Rack: p.plan.Config.Rack}
	if p.cooperative {
		s.Owned, s.Generation = p.assigned, p.generation
		if p.memory.generation != wire.NoGeneration {
			s.UserData = assignors.EncodeStickyUserData(p.memory.given, p.memory.generation)
		}
	}
	return s, p.profile.versions.protocol
}
