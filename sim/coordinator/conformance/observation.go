package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"simulate/sim/wire"
)

// The types here are what a recording says about the coordinator, and what we say about our shard in
// the same form. Member ids are names such as M1, byte strings are hexadecimal, lists of members are
// sorted by name.

// Reply is a response. Absent fields are nil.
type Reply struct {
	At             int64        `json:"t"`
	Req            int          `json:"reply"`
	API            string       `json:"api"`
	Error          string       `json:"error"`
	Member         *string      `json:"memberId"`
	Generation     *int32       `json:"generation"`
	ProtocolType   *string      `json:"protocolType"`
	Protocol       *string      `json:"protocol"`
	Leader         *string      `json:"leader"`
	SkipAssignment *bool        `json:"skipAssignment"`
	Members        []ReplyEntry `json:"members"`
	Assignment     *string      `json:"assignment"`
	Partitions     []Partition  `json:"partitions"`
	Groups         []ReplyGroup `json:"groups"`
	Exception      *string      `json:"exception"` // how the handler failed; it is not on the wire
}

// ReplyGroup is a group in the response to a DeleteGroups, DescribeGroups or ListGroups.
type ReplyGroup struct {
	Group        string       `json:"group"`
	Error        *string      `json:"error"`
	Message      *string      `json:"message"`
	State        *string      `json:"state"`
	ProtocolType *string      `json:"protocolType"`
	Protocol     *string      `json:"protocol"`
	Type         *string      `json:"type"`
	Members      []ReplyEntry `json:"members"`
}

// ReplyEntry is a member in the response to a JoinGroup, LeaveGroup or DescribeGroups.
type ReplyEntry struct {
	Member     string  `json:"memberId"`
	Instance   *string `json:"instanceId"`
	Client     *string `json:"clientId"`
	Host       *string `json:"clientHost"`
	Metadata   *string `json:"metadata"`
	Assignment *string `json:"assignment"`
	Error      *string `json:"error"`
}

// Partition is the result for one partition of a request about offsets.
type Partition struct {
	Topic       string  `json:"topic"`
	Partition   int32   `json:"partition"`
	Offset      *int64  `json:"offset"`
	LeaderEpoch *int32  `json:"leaderEpoch"`
	Metadata    *string `json:"metadata"`
	Error       string  `json:"error"`
}

// Line is a line of the broker's log.
type Line struct{ Level, Text string }

// Record is a record of the log.
type Record struct {
	Type      string       `json:"type"`
	Group     string       `json:"group"`
	Topic     string       `json:"topic"`
	Partition int32        `json:"partition"`
	Value     *RecordValue `json:"value"`
}

// RecordValue is the value of either type of record.
type RecordValue struct {
	Version         int            `json:"version"`
	ProtocolType    string         `json:"protocolType"`
	Generation      int32          `json:"generation"`
	Protocol        *string        `json:"protocol"`
	Leader          *string        `json:"leader"`
	StateTimestamp  int64          `json:"currentStateTimestamp"`
	Members         []RecordMember `json:"members"`
	Offset          int64          `json:"offset"`
	LeaderEpoch     int32          `json:"leaderEpoch"`
	Metadata        string         `json:"metadata"`
	CommitTimestamp int64          `json:"commitTimestamp"`
	ExpireTimestamp int64          `json:"expireTimestamp"`
}

// RecordMember is a member in a group's record.
type RecordMember struct {
	Member           string  `json:"memberId"`
	Instance         *string `json:"instanceId"`
	Client           string  `json:"clientId"`
	Host             string  `json:"clientHost"`
	RebalanceTimeout int32   `json:"rebalanceTimeout"`
	SessionTimeout   int32   `json:"sessionTimeout"`
	Subscription     string  `json:"subscription"`
	Assignment       string  `json:"assignment"`
}

// GroupState is the memory of a group; without State the group is gone.
type GroupState struct {
	Group          string        `json:"group"`
	State          *string       `json:"state"`
	Prev           string        `json:"prev"`
	Since          *int64        `json:"since"`
	Generation     int32         `json:"generation"`
	ProtocolType   *string       `json:"protocolType"`
	Protocol       *string       `json:"protocol"`
	Leader         *string       `json:"leader"`
	Members        []MemberState `json:"members"`
	Order          []string      `json:"order"`
	PendingJoin    []string      `json:"pendingJoin"`
	PendingSync    []string      `json:"pendingSync"`
	NewMemberAdded bool          `json:"newMemberAdded"`
	Topics         *[]string     `json:"topics"` // nil when nobody knows them
}

// MemberState is the memory of a member.
type MemberState struct {
	Member       string   `json:"id"`
	Instance     *string  `json:"instanceId"`
	Session      int32    `json:"session"`
	Rebalance    int32    `json:"rebalance"`
	Protocols    []string `json:"protocols"`
	Assignment   string   `json:"assignment"`
	AwaitingJoin bool     `json:"awaitingJoin"`
	AwaitingSync bool     `json:"awaitingSync"`
	New          bool     `json:"new"`
}

// Timer is an armed timer.
type Timer struct {
	Name     string
	Deadline int64
}

// Timers lists the armed timers by deadline and then by the order in which they were armed.
type Timers []Timer

const (
	retentionTimer = "expire-offsets"
	writeTimeout   = "write-timeout"
)

// UnmarshalJSON keeps the order of the recorded object.
func (ts *Timers) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return err
	}
	*ts = Timers{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		t := Timer{Name: name.(string)}
		if err := d.Decode(&t.Deadline); err != nil {
			return err
		}
		*ts = append(*ts, t)
	}
	return nil
}

// Topics lists the partitions of a request in their order.
type Topics []wire.TopicPartition

// UnmarshalJSON keeps the order of the recorded object.
func (ts *Topics) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		topic, err := d.Token()
		if err != nil {
			return err
		}
		var partitions []int32
		if err := d.Decode(&partitions); err != nil {
			return err
		}
		for _, p := range partitions {
			*ts = append(*ts, wire.TopicPartition{Topic: topic.(string), Partition: p})
		}
	}
	return nil
}

// byName orders names as recordings do: M2 before M10, everything else as text.
func byName(a, b string) int {
	na, errA := strconv.Atoi(strings.TrimPrefix(a, "M"))
	nb, errB := strconv.Atoi(strings.TrimPrefix(b, "M"))
	if errA == nil && errB == nil && na != nb {
		return cmp.Compare(na, nb)
	}
	return strings.Compare(a, b)
}

func sorted(names []string) []string {
	names = slices.Clone(names)
	slices.SortFunc(names, byName)
	return names
}
