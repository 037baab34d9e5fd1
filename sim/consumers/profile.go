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

// Newest is the profile of a consumer that says nothing else.
const Newest = "java"

// profiles are those that are modelled, in the order of reports.
var profiles = slices.Concat(javaProfiles, []Profile{
	librdkafkaProfile,
	franzGoProfile,
	saramaProfile,
	kafkaJSProfile,
	kafkaPythonProfile,
	kafkaGoProfile,
	aiokafkaProfile,
})

// FindProfile returns the profile of that name; "" is the newest Java consumer.
func FindProfile(name string) (Profile, bool) {
	p := profileOf(name)
	return *p, p != &noProfile
}

// profileOf is FindProfile for those who change nothing of it; it is noProfile when there is none of that name.
func profileOf(name string) *Profile {
	if name == "" {
		name = Newest
	}
	i := slices.IndexFunc(profiles, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return &noProfile
	}
	return &profiles[i]
}

var noProfile Profile

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
