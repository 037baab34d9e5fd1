package consumers

import (
	"time"

	"simulate/sim/assignors"
)

// javaProfiles are the Java consumer in its versions, and frameworks on top of it. Sources: ConsumerConfig and the request
// schemas of each version; StreamsConfig, DistributedConfig; Spring's ContainerProperties.
var javaProfiles = []Profile{
	{
		Name:         Newest,
		About:        "Java consumer 4.4",
		Config:       Defaults(),
		PollTimeout:  time.Second,
		CloseOptions: true,

		start:    startJava,
		versions: current,
		Remember: []string{
			"A rebalance waits for whoever is between two calls of poll(): for a busy member up to max.poll.interval.ms (5 minutes).",
			"A process that is killed keeps its partitions for session.timeout.ms (45 s); one that is closed in order gives them up at once.",
			"Only the leader looks for added partitions, when its metadata are as old as metadata.max.age.ms (5 minutes); nobody reads them before.",
		},
	},
	{
		Name:        "java-3.9",
		About:       "Java consumer 3.7 to 3.9: as the newest; close() cannot say whether to leave the group",
		Config:      Defaults(),
		PollTimeout: time.Second,

		start:    startJava,
		versions: current,
		Remember: []string{
			"With its default assignors it is eager: range wins the vote as long as any member prefers it to cooperative-sticky.",
			"close() of a dynamic member always leaves the group, that of a static one never: its partitions wait for it to come back.",
			"A member learns of a rebalance from the answer to its next heartbeat: up to heartbeat.interval.ms (3 s) are part of each.",
		},
	},
	{
		Name:           "java-2.8",
		About:          "Java consumer 2.8: session 10 s, range alone, a constant retry back-off, no generation in its subscription",
		Config:         defaults28(),
		PollTimeout:    time.Second,
		AssignorsTwice: true,

		start:         startJava,
		versions:      versions{join: 7, sync: 5, heartbeat: 4, leave: 4, commit: 8, fetch: 7, find: 3, protocol: 1},
		constantRetry: true,
		forgetsID:     true,
		Remember: []string{
			"Its session is 10 s: a pause that newer consumers survive costs it two rebalances.",
			"ILLEGAL_GENERATION costs its member id too, so it comes back as somebody new (KAFKA-13419).",
			"Its subscription names no generation: a follower that joins again in a stable group gets the same assignment, and no rebalance follows.",
		},
		NotModelled: []string{"java-2.8 commits before it rejoins synchronously, retrying inside the hook"},
	},
	{
		Name: "java-2.0",
		About: "Java consumer 1.0 to 2.0.0: as 2.8; no heartbeats in a rebalance, joins without asking for an id first, " +
			"and looks for topics that match its pattern only every metadata.max.age.ms",
		Config:         defaults28(),
		PollTimeout:    time.Second,
		AssignorsTwice: true,
		AlwaysDynamic:  true,

		start:         startJava,
		versions:      versions{join: 3, sync: 2, heartbeat: 2, leave: 2, commit: 5, fetch: 4, find: 2},
		constantRetry: true,
		forgetsID:     true,
		beatsIfStable: true,
		matchesLate:   true,
		Remember: []string{
			"It sends no heartbeat while it waits for the leader's assignment: one that takes longer than the session costs everybody's membership.",
			"A JoinGroup whose answer is lost leaves a member behind that nobody is (KIP-394 gave ids first); the group waits for it.",
			"Of many members that subscribe by pattern each finds a new topic on its own, and each starts a rebalance.",
		},
		NotModelled: []string{"java-2.0 commits before it rejoins synchronously, retrying inside the hook"},
	},
	{
		Name:         "spring",
		About:        "Spring Kafka on the newest Java consumer: polls for 5 s, goes on after exceptions that may pass",
		Config:       Defaults(),
		PollTimeout:  5 * time.Second,
		PollAgain:    time.Second,
		CloseOptions: true,

		start:    startJava,
		versions: current,
		Remember: []string{
			"The listener runs in the thread that polls: its time counts against max.poll.interval.ms, and a rebalance waits for it.",
			"It goes on after exceptions that may pass, where a plain consumer's application often ends.",
			"It polls for 5 s: without records a stopped container notices only then.",
		},
		NotModelled: []string{
			"spring: retries of its error handler, which seek and so last within processing; shutdownTimeout",
		},
	},
	{
		Name:         "streams",
		About:        "a thread of Kafka Streams: never leaves its group by itself, polls for 100 ms",
		Config:       streamsDefaults(),
		PollTimeout:  100 * time.Millisecond,
		CloseOptions: true,

		start:    startJava,
		versions: current,
		Remember: []string{
			"It never leaves its group by itself: after a bounce the group waits for the old member until its session ends (45 s).",
			"Each thread is a member: an instance with ten threads joins ten times.",
			"It is cooperative: while the group waits, the other threads go on, and only the partitions of the old member are idle.",
		},
		NotModelled: []string{
			"streams: its own assignor (cooperative-sticky stands in), standby and warm-up tasks, probing rebalances",
		},
	},
	{
		Name:          "connect",
		About:         "a distributed Connect worker: session 10 s, rebalance timeout 60 s",
		Config:        connectDefaults(),
		PollTimeout:   time.Second,
		PollAgain:     time.Second,
		CloseOptions:  true,
		AlwaysDynamic: true,

		start:    startJava,
		versions: current,
		Remember: []string{
			"Its session is 10 s: a worker that pauses longer loses its connectors and tasks.",
			"A rebalance waits 60 s for a worker (rebalance.timeout.ms), not five minutes.",
			"A worker has no static membership: each restart is a leave and a join.",
		},
		NotModelled: []string{
			"connect: its own protocol (cooperative-sticky stands in for sessioned), scheduled.rebalance.max.delay.ms, " +
				"rebalances because of changed connectors",
		},
	},
}

var current = versions{join: 9, sync: 5, heartbeat: 4, leave: 5, commit: 9, fetch: 9, find: 6, protocol: assignors.SubscriptionVersion}

func defaults28() Config {
	c := Defaults()
	c.SessionTimeout = 10 * time.Second
	c.Assignors = []string{"range"}
	return c
}

func streamsDefaults() Config {
	c := Defaults()
	c.Assignors = []string{"cooperative-sticky"}
	c.AutoCommitInterval = 30 * time.Second // commit.interval.ms
	c.LeaveOnClose = false
	return c
}

func connectDefaults() Config {
	c := Defaults()
	c.SessionTimeout = 10 * time.Second
	c.MaxPollInterval = time.Minute // rebalance.timeout.ms
	c.RequestTimeout = 40 * time.Second
	c.Assignors = []string{"cooperative-sticky"}
	c.AutoCommit = false
	return c
}
