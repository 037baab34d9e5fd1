// Package assignors decides, as the leader of a group does, who gets which partition: the client-side
// assignors of Apache Kafka as pure functions, and the bytes in which members tell the leader what they
// want and learn what they got.
//
// Modelled: range with its rack-aware variant, roundrobin, sticky and cooperative-sticky, equal to the Java
// assignors of Kafka 4.4.0, their mistakes included: a sticky assignor may throw, or give a partition
// twice, when claims and metadata contradict each other. Not modelled: assignors of users, the validation
// of theirs, the time that an assignment takes. Other client libraries have some of their own under these names
// (FindFranz and the like).
//
// Order: what Kafka leaves to the hash maps of Java is decided by the hashes of the real member ids, as it
// is there (Input.Ascending for the order of ids instead). The lists of range go by topic and partition.
//
//	a, _ := assignors.Find("range")
//	given, err := a.Assign(assignors.Input{
//		Topics:  map[string]assignors.Topic{"orders": {Partitions: 12}},
//		Members: members,
//	})
package assignors

import "simulate/sim/wire"

// Topic is what the leader's metadata says of a topic.
type Topic struct {
	Partitions int
	Racks      [][]string // the racks of each partition's replicas, "" for a broker without; nil when no broker has one
}

// Subscription is what a member tells the leader through its JoinGroup.
// Kafka: ConsumerPartitionAssignor.Subscription.
type Subscription struct {
	Topics     []string
	UserData   []byte // the assignor's own; nil is null
	Owned      []wire.TopicPartition
	Generation wire.Generation // in which it owned them; wire.NoGeneration when unknown
	Rack       string          // client.rack; "" is null
}

// Member is a member of the group as the leader sees it.
type Member struct {
	ID       wire.MemberID
	Instance wire.InstanceID
	Subscription
}

// Input is everything that an assignment depends on. Assignors do not change it.
type Input struct {
	Topics  map[string]Topic // those that the leader has metadata of
	Members []Member         // in the order of the JoinGroup response

	// The sticky assignors alone look at these.

	MaxGeneration wire.Generation // Output.MaxGeneration of the leader's call before; wire.NoGeneration in its first
	Ascending     bool            // walk members by id, not in the hash order of their ids as Java does
}

// Output is an assignment: lists of what each member gets, in the order of Input.Members.
type Output struct {
	Assigned [][]wire.TopicPartition

	// Withheld is what a member will get in the next rebalance, once its owner has revoked it;
	// cooperative-sticky only.
	Withheld [][]wire.TopicPartition

	// MaxGeneration is the highest generation that a sticky assignor has seen in its life.
	MaxGeneration wire.Generation
}

// Exception names what the Java assignor throws instead of answering; the leader's poll() fails with it.
type Exception string

func (e Exception) Error() string { return "the assignor throws " + string(e) }

// Assignor is one of Kafka's assignors, or of another library.
type Assignor struct {
	Name        string // in the protocol list of a JoinGroup
	Cooperative bool   // supports incremental rebalancing (KIP-429)
	Assign      func(Input) (Output, error)
}

var known = []Assignor{
	{Name: "range", Assign: assignRange},
	{Name: "roundrobin", Assign: assignRoundRobin},
	{Name: "sticky", Assign: assignSticky},
	{Name: cooperativeSticky, Cooperative: true, Assign: assignCooperativeSticky},
}

// Find returns the assignor of that name.
func Find(name string) (Assignor, bool) {
	for _, a := range known {
		if a.Name == name {
			return a, true
		}
	}
	return Assignor{}, false
}

// Names returns what the assignors of all clients are called: Kafka's, then those that another library alone has.
func Names() []string {
	var names []string
	for _, a := range known {
		names = append(names, a.Name)
	}
	return append(names, kafkaJSAssignor)
}

// cooperativeSticky is the one assignor of Kafka that supports incremental rebalancing.
const cooperativeSticky = "cooperative-sticky"

// Cooperative reports whether a consumer with this partition.assignment.strategy rebalances
// incrementally. It does so only if all of its assignors can; otherwise, whichever of them the group
// votes for, it is eager: it gives everything up before it rejoins.
// Kafka: the constructor of ConsumerCoordinator (KIP-429).
func Cooperative(names []string) bool {
	for _, name := range names {
		if name != cooperativeSticky {
			return false
		}
	}
	return len(names) > 0
}
