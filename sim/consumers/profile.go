package consumers

import (
	"slices"
	"time"

	"simulate/sim/assignors"
	"simulate/sim/wire"
)

// Profile is a client library in a version, or a framework on top of one: its defaults, and what it does unlike
// the newest Java consumer.
type Profile struct {
	Name        string // as scenarios write it, "java-2.8"
	About       string // one line
	Config      Config
	PollTimeout time.Duration // the argument of poll()
	PollAgain   time.Duration // Plan.PollAgain

	CloseOptions      bool     // close() can say whether to leave the group (KIP-1092, Kafka 4.1)
	AssignorsTwice    bool     // starts with an assignor that is listed twice, which newer ones refuse (Kafka 3.0)
	OneProtocol       bool     // does not start with cooperative and eager assignors in one list
	AlwaysDynamic     bool     // has no group.instance.id, which only the consumer protocol takes; Kafka: GroupRebalanceConfig
	AnyHeartbeat      bool     // starts although heartbeat.interval.ms is not less than session.timeout.ms
	PollCoversSession bool     // does not start when max.poll.interval.ms is less than session.timeout.ms
	Options           []Option // its settings, in the order of reports; nil: under Kafka's names, as Java has them
	Call              string   // through which records and errors reach the application; "": poll()
	Handler           bool     // it calls a handler of the application, and goes on when that returns
	Heartbeats        string   // what of it sends heartbeats; "": a heartbeat thread
	HandlerSilent     bool     // it sends no heartbeats while the application handles what it got
	CallbackSilent    bool     // it sends no heartbeats while a rebalance callback runs
	Modelled          []string // what it does unlike the Java consumer, a sentence each
	Remember          []string // three surprises that whoever runs it should remember, a sentence each
	NotModelled       []string // what it does besides and no run shows

	start         func(client) Process // the machine
	versions      versions
	constantRetry bool // retry.backoff.ms neither grows nor has a jitter (before KIP-580, Kafka 3.7)
	// subscriptionOf says what JoinGroup carries for an assignor, and in which version; nil: as in Java.
	subscriptionOf      func(p *client, assignor string) (assignors.Subscription, int16)
	reconnectsAtOnce    bool // the reconnect back-off counts only after a connection that could not be set up
	rebalancesInSession bool // rebalance.timeout.ms is session.timeout.ms unless it is set
	forgetsID           bool // ILLEGAL_GENERATION costs the member id too (before KAFKA-13419, Kafka 3.2)
	beatsIfStable       bool // no heartbeats from JoinGroup until SyncGroup is answered (before KAFKA-10122, Kafka 2.7)
	matchesLate         bool // a pattern is matched with what metadata are there, not with new ones (before KAFKA-7126, Kafka 2.0.1)

	dialTimeout time.Duration                           // how long a connection may take to be established; 0: as in Java, growing
	planner     func(string) (assignors.Assignor, bool) // its assignors, by name; nil: Java's
}

// Option is a setting of a library, which scenarios may also write under the library's own name for it.
type Option struct {
	Key    string // Kafka's, "session.timeout.ms"; the library's own where only that has it
	Name   string // the library's own, "Consumer.Group.Session.Timeout"
	Source string // where its default stands: file and symbol of the library, or a recording
}

// versions are those of the requests that a client sends.
type versions struct {
	join, sync, heartbeat, leave, commit, fetch, find int16
	protocol                                          int16 // of the consumer protocol: subscription and assignment
}

var current = versions{join: 9, sync: 5, heartbeat: 4, leave: 5, commit: 9, fetch: 9, find: 6, protocol: assignors.SubscriptionVersion}

// Newest is the profile of a consumer that says nothing else.
const Newest = "java"

// profiles are those that are modelled, in the order of reports. Sources: ConsumerConfig and the request
// schemas of each version; StreamsConfig, DistributedConfig; Spring's ContainerProperties.
var profiles = []Profile{
	{
		Name: Newest, About: "Java consumer 4.4", CloseOptions: true, Config: Defaults(), PollTimeout: time.Second,
		start: startJava, versions: current,
		Remember: []string{
			"A rebalance waits for whoever is between two calls of poll(): for a busy member up to max.poll.interval.ms (5 minutes).",
			"A process that is killed keeps its partitions for session.timeout.ms (45 s); one that is closed in order gives them up at once.",
			"Only the leader looks for added partitions, when its metadata are as old as metadata.max.age.ms (5 minutes); nobody reads them before.",
		},
	},
	{
		Name: "java-3.9", About: "Java consumer 3.7 to 3.9: as the newest; close() cannot say whether to leave the group",
		Config: Defaults(), PollTimeout: time.Second,
		start: startJava, versions: current,
		Remember: []string{
			"With its default assignors it is eager: range wins the vote as long as any member prefers it to cooperative-sticky.",
			"close() of a dynamic member always leaves the group, that of a static one never: its partitions wait for it to come back.",
			"A member learns of a rebalance from the answer to its next heartbeat: up to heartbeat.interval.ms (3 s) are part of each.",
		},
	},
	{
		Name:   "java-2.8",
		About:  "Java consumer 2.8: session 10 s, range alone, a constant retry back-off, no generation in its subscription",
		Config: defaults28(), PollTimeout: time.Second, AssignorsTwice: true, constantRetry: true, forgetsID: true,
		start:       startJava,
		versions:    versions{join: 7, sync: 5, heartbeat: 4, leave: 4, commit: 8, fetch: 7, find: 3, protocol: 1},
		NotModelled: []string{"java-2.8 commits before it rejoins synchronously, retrying inside the hook"},
		Remember: []string{
			"Its session is 10 s: a pause that newer consumers survive costs it two rebalances.",
			"ILLEGAL_GENERATION costs its member id too, so it comes back as somebody new (KAFKA-13419).",
			"Its subscription names no generation: a follower that joins again in a stable group gets the same assignment, and no rebalance follows.",
		},
	},
	{
		Name: "java-2.0",
		About: "Java consumer 1.0 to 2.0.0: as 2.8; no heartbeats in a rebalance, joins without asking for an id first, " +
			"and looks for topics that match its pattern only every metadata.max.age.ms",
		Config: defaults28(), PollTimeout: time.Second, AssignorsTwice: true, AlwaysDynamic: true,
		constantRetry: true, forgetsID: true, beatsIfStable: true, matchesLate: true,
		start:       startJava,
		versions:    versions{join: 3, sync: 2, heartbeat: 2, leave: 2, commit: 5, fetch: 4, find: 2},
		NotModelled: []string{"java-2.0 commits before it rejoins synchronously, retrying inside the hook"},
		Remember: []string{
			"It sends no heartbeat while it waits for the leader's assignment: one that takes longer than the session costs everybody's membership.",
			"A JoinGroup whose answer is lost leaves a member behind that nobody is (KIP-394 gave ids first); the group waits for it.",
			"Of many members that subscribe by pattern each finds a new topic on its own, and each starts a rebalance.",
		},
	},
	{
		Name: "spring", CloseOptions: true, About: "Spring Kafka on the newest Java consumer: polls for 5 s, goes on after exceptions that may pass",
		Config: Defaults(), PollTimeout: 5 * time.Second, PollAgain: time.Second,
		start: startJava, versions: current,
		NotModelled: []string{
			"spring: retries of its error handler, which seek and so last within processing; shutdownTimeout",
		},
		Remember: []string{
			"The listener runs in the thread that polls: its time counts against max.poll.interval.ms, and a rebalance waits for it.",
			"It goes on after exceptions that may pass, where a plain consumer's application often ends.",
			"It polls for 5 s: without records a stopped container notices only then.",
		},
	},
	{
		Name: "streams", CloseOptions: true, About: "a thread of Kafka Streams: never leaves its group by itself, polls for 100 ms",
		Config: streamsDefaults(), PollTimeout: 100 * time.Millisecond,
		start: startJava, versions: current,
		NotModelled: []string{
			"streams: its own assignor (cooperative-sticky stands in), standby and warm-up tasks, probing rebalances",
		},
		Remember: []string{
			"It never leaves its group by itself: after a bounce the group waits for the old member until its session ends (45 s).",
			"Each thread is a member: an instance with ten threads joins ten times.",
			"It is cooperative: while the group waits, the other threads go on, and only the partitions of the old member are idle.",
		},
	},
	{
		Name: "connect", CloseOptions: true, About: "a distributed Connect worker: session 10 s, rebalance timeout 60 s",
		Config: connectDefaults(), PollTimeout: time.Second, PollAgain: time.Second, AlwaysDynamic: true,
		start: startJava, versions: current,
		NotModelled: []string{
			"connect: its own protocol (cooperative-sticky stands in for sessioned), scheduled.rebalance.max.delay.ms, " +
				"rebalances because of changed connectors",
		},
		Remember: []string{
			"Its session is 10 s: a worker that pauses longer loses its connectors and tasks.",
			"A rebalance waits 60 s for a worker (rebalance.timeout.ms), not five minutes.",
			"A worker has no static membership: each restart is a leave and a join.",
		},
	},
	librdkafkaProfile,
	franzGoProfile,
	saramaProfile,
	kafkaJSProfile,
	kafkaPythonProfile,
	kafkaGoProfile,
	aiokafkaProfile,
}

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

// FindProfile returns the profile of that name; "" is the newest Java consumer.
func FindProfile(name string) (Profile, bool) {
	if name == "" {
		name = Newest
	}
	i := slices.IndexFunc(profiles, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, false
	}
	return profiles[i], true
}

// OnJava reports whether the client is the Java consumer, or a framework on top of it.
func (p *Profile) OnJava() bool { return p.Options == nil }

// Keys of the settings that bound how long a group waits for a member.
const (
	maxPollInterval  = "max.poll.interval.ms"
	rebalanceTimeout = "rebalance.timeout.ms"
)

// Has reports whether the client has a setting of that key.
func (p *Profile) Has(key string) bool {
	if p.OnJava() {
		return key != rebalanceTimeout
	}
	return slices.ContainsFunc(p.Options, func(o Option) bool { return o.Key == key })
}

// RebalanceTimeoutKey returns the key of the setting that bounds how long a group waits for the client's members.
func (p *Profile) RebalanceTimeoutKey() string {
	if p.Has(rebalanceTimeout) {
		return rebalanceTimeout
	}
	return maxPollInterval
}

// OwnName returns the library's own name of the setting of a key; the key itself where that is the name.
func (p *Profile) OwnName(key string) string {
	for _, o := range p.Options {
		if o.Key == key {
			return o.Name
		}
	}
	return key
}

// Assignor returns the client's assignor of that name.
func (p *Profile) Assignor(name string) (assignors.Assignor, bool) {
	if p.planner != nil {
		return p.planner(name)
	}
	return assignors.Find(name)
}

// Assignors returns the names of all assignors that the client has.
func (p *Profile) Assignors() []string {
	return slices.DeleteFunc(assignors.Names(), func(name string) bool {
		_, has := p.Assignor(name)
		return !has
	})
}

// Profiles returns all profiles that are modelled.
func Profiles() []Profile { return slices.Clone(profiles) }

// RequestVersion is a request with the version in which a client sends it.
type RequestVersion struct {
	API     wire.API
	Version int16
}

// Requests returns in which versions the client sends what it sends to coordinators, and the version of its
// subscription in JoinGroup.
func (p *Profile) Requests() (requests []RequestVersion, subscription int16) {
	v := &p.versions
	return []RequestVersion{
		{wire.FindCoordinator, v.find}, {wire.JoinGroup, v.join}, {wire.SyncGroup, v.sync}, {wire.Heartbeat, v.heartbeat},
		{wire.LeaveGroup, v.leave}, {wire.OffsetCommit, v.commit}, {wire.OffsetFetch, v.fetch},
	}, v.protocol
}
