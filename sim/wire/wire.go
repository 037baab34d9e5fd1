// Package wire holds what consumers and the group coordinator say to each other: identifiers, requests,
// responses, group states and error codes.
//
// Modelled: the fields of the classic group protocol that change anybody's behaviour, with the request
// version. Not modelled: the bytes of requests and responses, throttling, authorization. Kafka's nullable
// strings are plain strings here and "" is null, except where a doc comment says otherwise.
package wire

import "fmt"

// MemberID is the id that the coordinator hands out, "<client.id or instance id>-<uuid>".
// "" is Kafka's UNKNOWN_MEMBER_ID constant: a consumer that has none yet.
type MemberID string

// InstanceID is group.instance.id; "" for a dynamic member.
type InstanceID string

// Generation counts the completed join phases of a group; NoGeneration when unknown.
type Generation int32

// NoGeneration is Kafka's UNKNOWN_GENERATION_ID.
const NoGeneration Generation = -1

// TopicPartition names one partition.
type TopicPartition struct {
	Topic     string
	Partition int32
}

func (tp TopicPartition) String() string { return fmt.Sprintf("%s-%d", tp.Topic, tp.Partition) }

// GroupState is the state of a classic group, spelled as Kafka spells it.
type GroupState uint8

// The states of a classic group (Kafka: ClassicGroupState). NoGroup is the absence of one.
const (
	NoGroup GroupState = iota
	Empty
	PreparingRebalance
	CompletingRebalance
	Stable
	Dead
	NumGroupStates
)

var groupStates = [...]string{"None", "Empty", "PreparingRebalance", "CompletingRebalance", "Stable", "Dead"}

func (s GroupState) String() string { return groupStates[s] }

// ParseGroupState finds the state of that name.
func ParseGroupState(name string) (GroupState, bool) {
	for i, n := range groupStates {
		if n == name {
			return GroupState(i), true
		}
	}
	return NoGroup, false
}

// API is a request type.
type API uint8

// The requests that are modelled.
const (
	JoinGroup API = iota
	SyncGroup
	Heartbeat
	LeaveGroup
	OffsetCommit
	OffsetFetch
	FindCoordinator
	Metadata
	Fetch
	TxnOffsetCommit
	WriteTxnMarkers
	OffsetDelete
	DeleteGroups
	DescribeGroups
	ListGroups
	NumAPIs
)

var apis = [...]string{"JoinGroup", "SyncGroup", "Heartbeat", "LeaveGroup", "OffsetCommit", "OffsetFetch", "FindCoordinator", "Metadata", "Fetch",
	"TxnOffsetCommit", "WriteTxnMarkers", "OffsetDelete", "DeleteGroups", "DescribeGroups", "ListGroups"}

func (a API) String() string { return apis[a] }

// Ticket names one request until it is answered. 0 names none.
type Ticket uint64

// Request is what arrives at a broker. The fields that most requests carry are here, so that a heartbeat
// needs no body.
type Request struct {
	Ticket     Ticket
	API        API
	Version    int16
	ClientID   string // of the request header
	Group      string
	Member     MemberID
	Instance   InstanceID
	Generation Generation
	Body       any // the body of API, such as *JoinGroupRequest; nil where there is none
}

// JoinGroupRequest is the body of a JoinGroup.
type JoinGroupRequest struct {
	SessionTimeoutMs   int32
	RebalanceTimeoutMs int32 // version 0 carries none: the session timeout counts
	ProtocolType       string
	Protocols          []Protocol
	Reason             string // KIP-800
}

// Protocol is one entry of a member's protocol list: an assignor's name and its subscription bytes.
// The bytes are never changed after they were sent.
type Protocol struct {
	Name     string
	Metadata []byte
}

// SyncGroupRequest is the body of a SyncGroup. ProtocolType and Protocol are "" when not given.
type SyncGroupRequest struct {
	ProtocolType string
	Protocol     string
	Assignments  []Assignment
}

// Assignment is what one member gets, as the leader wrote it.
type Assignment struct {
	Member MemberID
	Bytes  []byte
}

// LeaveGroupRequest is the body of a LeaveGroup; versions up to 2 have exactly one entry.
type LeaveGroupRequest struct {
	Members []LeavingMember
}

// LeavingMember is one entry of a LeaveGroup. HasReason tells a null reason from an empty one.
type LeavingMember struct {
	Member    MemberID
	Instance  InstanceID
	Reason    string
	HasReason bool
}

// OffsetCommitRequest is the body of an OffsetCommit.
type OffsetCommitRequest struct {
	RetentionTimeMs int64 // -1: none (versions 2 to 4 carry it)
	Offsets         []OffsetToCommit
}

// OffsetToCommit is one partition of an OffsetCommit.
type OffsetToCommit struct {
	TopicPartition
	Offset      int64
	LeaderEpoch int32 // -1: none
	Metadata    string
}

// Response answers a Request.
type Response struct {
	Ticket     Ticket
	API        API
	Err        Err
	Member     MemberID   // JoinGroup
	Generation Generation // JoinGroup
	Body       any        // the body of API, such as *JoinGroupResponse; nil where there is none
}

// JoinGroupResponse is the body of a JoinGroup response. It is present on every one.
type JoinGroupResponse struct {
	ProtocolType   string // "" is null
	Protocol       string
	NullProtocol   bool // a null protocol name, which version 7 and later tell from ""
	Leader         MemberID
	SkipAssignment bool
	Members        []JoinedMember // for the leader
}

// JoinedMember is one entry of the list that the leader gets.
type JoinedMember struct {
	Member   MemberID
	Instance InstanceID
	Metadata []byte
}

// SyncGroupResponse is the body of a SyncGroup response. It is present on every one.
type SyncGroupResponse struct {
	ProtocolType string // "" is null
	Protocol     string // "" is null
	Assignment   []byte
}

// LeaveGroupResponse is the body of a LeaveGroup response from version 3 on.
type LeaveGroupResponse struct {
	Members []LeftMember
}

// LeftMember is the result of one entry of a LeaveGroup.
type LeftMember struct {
	Member   MemberID
	Instance InstanceID
	Err      Err
}

// OffsetCommitResponse is the body of an OffsetCommit response, one error a requested partition.
type OffsetCommitResponse struct {
	Partitions []PartitionError
}

// PartitionError is the result for one partition.
type PartitionError struct {
	TopicPartition
	Err Err
}

// FindCoordinatorResponse is the body of a FindCoordinator response.
type FindCoordinatorResponse struct {
	Broker int32
}

// MetadataResponse is the body of a Metadata response: of the cluster only which brokers are registered.
type MetadataResponse struct {
	Brokers []int32
}
