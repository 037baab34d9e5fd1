// Package assignors decides, as the leader of a group does, who gets which partition: the client-side
// assignors of Apache Kafka as pure functions, and the bytes in which members tell the leader what they
// want and learn what they got.
//
// Modelled: range with its rack-aware variant and roundrobin, equal to the Java assignors of Kafka 4.4.0.
// Not modelled: assignors of users, the validation of theirs, the time an assignment takes. Order: Java
// groups range's topics by the hash of their names; the lists here go by topic and partition.
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
}

// Output is an assignment: what each member gets, in the order of Input.Members.
type Output struct {
	Assigned [][]wire.TopicPartition
}

// Exception names what the Java assignor throws instead of answering; the leader's poll() fails with it.
type Exception string

func (e Exception) Error() string { return "the assignor throws " + string(e) }

// Assignor is one of Kafka's assignors.
type Assignor struct {
	Name        string // in the protocol list of a JoinGroup
	Cooperative bool   // supports incremental rebalancing (KIP-429)
	Assign      func(Input) (Output, error)
}

var known = []Assignor{
	{Name: "range", Assign: assignRange},
	{Name: "roundrobin", Assign: assignRoundRobin},
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
