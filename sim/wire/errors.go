package wire

import (
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
)

// Err is a Kafka error code; the zero Err is NONE.
type Err int16

// The error codes that the coordinator and the clients tell apart.
const (
	UnknownServerError        Err = -1
	None                      Err = 0
	UnknownTopicOrPartition   Err = 3
	InvalidFetchSize          Err = 4
	NotLeaderOrFollower       Err = 6
	RequestTimedOut           Err = 7
	MessageTooLarge           Err = 10
	OffsetMetadataTooLarge    Err = 12
	NetworkException          Err = 13
	CoordinatorLoadInProgress Err = 14
	CoordinatorNotAvailable   Err = 15
	NotCoordinator            Err = 16
	RecordListTooLarge        Err = 18
	NotEnoughReplicas         Err = 19
	NotEnoughReplicasAfter    Err = 20 // NOT_ENOUGH_REPLICAS_AFTER_APPEND
	IllegalGeneration         Err = 22
	InconsistentGroupProtocol Err = 23
	InvalidGroupID            Err = 24
	UnknownMemberID           Err = 25
	InvalidSessionTimeout     Err = 26
	RebalanceInProgress       Err = 27
	InvalidCommitOffsetSize   Err = 28
	UnsupportedVersion        Err = 35
	TopicAlreadyExists        Err = 36
	InvalidPartitions         Err = 37
	KafkaStorageError         Err = 56
	NonEmptyGroup             Err = 68
	GroupIDNotFound           Err = 69
	MemberIDRequired          Err = 79
	GroupMaxSizeReached       Err = 81
	FencedInstanceID          Err = 82
	GroupSubscribedToTopic    Err = 86
	UnstableOffsetCommit      Err = 88
)

// String returns Kafka's name of the error, such as "REBALANCE_IN_PROGRESS".
func (e Err) String() string {
	switch e {
	case None:
		return "NONE"
	case NotLeaderOrFollower:
		return "NOT_LEADER_OR_FOLLOWER" // kerr still has the name from before Kafka 2.6
	}
	if err := kerr.TypedErrorForCode(int16(e)); err != nil {
		return err.Message
	}
	return "UNKNOWN_SERVER_ERROR"
}

// Message returns the English text that Kafka sends or logs with the error.
func (e Err) Message() string {
	switch e { // where kerr has another text than Kafka 4
	case NotLeaderOrFollower:
		return "For requests intended only for the leader, this error indicates that the broker is not the current leader. For requests intended for any replica, this error indicates that the broker is not a replica of the topic partition."
	case MessageTooLarge:
		return "The request included a message larger than the max message size the server will accept."
	}
	if err := kerr.TypedErrorForCode(int16(e)); err != nil {
		return err.Description
	}
	return ""
}

// ParseErr finds the error of that name, as String prints it.
func ParseErr(name string) (Err, bool) {
	name = strings.ToUpper(name)
	for code := Err(-1); code < 200; code++ {
		if code.String() == name && (code == UnknownServerError || name != "UNKNOWN_SERVER_ERROR") {
			return code, true
		}
	}
	return None, false
}
