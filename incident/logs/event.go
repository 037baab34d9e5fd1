package logs

import (
	"math"
	"time"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Instant is what a stamp says: nanoseconds since 1970-01-01 00:00. Where the stamp names no zone, that is on the clock of
// whoever wrote it, unless Options give a zone.
type Instant int64

// NoTime is the instant of a record without a stamp.
const NoTime Instant = math.MinInt64

// Sub returns the time from an earlier instant to t. Both have a stamp.
func (t Instant) Sub(earlier Instant) time.Duration { return time.Duration(t - earlier) }

// Add returns the instant a while later.
func (t Instant) Add(d time.Duration) Instant { return t + Instant(d) }

// Unknown is a number that a record does not have: a generation, a count of members, a broker, a partition.
const Unknown = -1

// Place is where a record begins.
type Place struct {
	Source int32 // index in Reader.Sources
	Line   int64 // from 1; of a source that is read backwards, too
}

// Event is what one record says about a group, a member, or a coordinator. Numbers that the record does not have are
// Unknown, texts "". Many are held at once: small fields stand where they fill a gap.
type Event struct {
	Kind      Kind
	Quiet     int32         // of SessionLost: for how many milliseconds its log was silent before; 0: unknown
	At        Instant       // NoTime when the record has no stamp
	Precision time.Duration // of the stamp: 1 ms of a broker's, 1 s where nothing finer is printed
	Zoned     bool          // the stamp names a zone, so that At is UTC
	Count     int32         // of partitions: that are assigned, revoked or lost, or are to be; some clients print their number alone
	Place     Place

	Library   Library // who wrote it
	Broker    int32   // the broker's node id
	Partition int32   // of the offsets topic
	Client    string  // the client id of a client, or what else tells apart who wrote: a pod, a container, a thread

	Group      string
	Member     wire.MemberID   // whom it is about
	Other      wire.MemberID   // the member that replaces it, or that it replaces; the leader of an assignment
	Instance   wire.InstanceID // group.instance.id
	List       []wire.MemberID // where it is about several
	Generation int32           // of Preparing: the old one. Of the consumer protocol: the epoch
	Members    int32           // how many the group has
	Static     int32           // how many of these are static

	State        wire.GroupState // that the message says the group was in; NoGroup when it says none
	Reason       trace.Reason    // of a rebalance, or of a removal; NoReason when the record does not say
	ClientReason string          // what the client gave as its reason, without "client reason: "; "" also for "not provided"
	Text         string          // what else it says: the error, the operation, the assignor, a member's state, the raw reason
	For          time.Duration   // a time that it says: of loading, of a session, by which a limit was exceeded; 0: none
	Details      *MemberDetails  // of a dumped member; nil when none was
	Partitions   []string        // assigned or revoked, as "topic-0"; of the record's member
}

// clear forgets what a record said, but keeps the place and the room for lists.
func (e *Event) clear() {
	place, list, partitions := e.Place, e.List[:0], e.Partitions[:0]
	*e = Event{}
	e.Place, e.List, e.Partitions = place, list, partitions
	e.At, e.Count, e.Broker, e.Partition, e.Generation, e.Members, e.Static = NoTime, Unknown, Unknown, Unknown, Unknown, Unknown, Unknown
}

// again forgets what a message said, but not who says it.
func (e *Event) again() {
	library, broker, partition := e.Library, e.Broker, e.Partition
	e.clear()
	e.Library, e.Broker, e.Partition = library, broker, partition
}

// MemberDetails is a member as a broker dumps it.
type MemberDetails struct {
	ClientID, ClientHost             string
	SessionTimeout, RebalanceTimeout time.Duration
	Protocols                        []string // assignors, in the order of preference
}

// Library is who wrote a record.
type Library uint8

// The writers.
const (
	NoLibrary Library = iota // unknown
	Broker
	Java
	Connect
	Librdkafka
	FranzGo
	Sarama
	KafkaJS
	KafkaPython
	Aiokafka
	RubyKafka
	KafkaGo
	Brod
	NumLibraries
)

var libraries = [NumLibraries]string{
	"unknown", "broker", "java", "connect", "librdkafka", "franz-go", "sarama", "kafkajs", "kafka-python", "aiokafka", "ruby-kafka",
	"kafka-go", "brod",
}

// String returns the name that a scenario's key "client" has where it can have one.
func (l Library) String() string { return libraries[l] }
