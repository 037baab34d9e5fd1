package conformance

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"simulate/sim/coordinator"
	"simulate/sim/wire"
)

// settings are those of a recording's header that the classic coordinator reads.
type settings struct {
	InitialRebalanceDelay int64 `json:"group.initial.rebalance.delay.ms"`
	MinSessionTimeout     int64 `json:"group.min.session.timeout.ms"`
	MaxSessionTimeout     int64 `json:"group.max.session.timeout.ms"`
	MaxSize               int   `json:"group.max.size"`
	MaxOffsetMetadata     int   `json:"offset.metadata.max.bytes"`
	CommitTimeout         int64 `json:"offsets.commit.timeout.ms"`
	Retention             int64 `json:"offsets.retention.minutes"`
	RetentionCheck        int64 `json:"offsets.retention.check.interval.ms"`
	MaxMessage            int   `json:"max.message.bytes"`
}

// config reads the settings of a header, or of a restart. One that is not listed has its default.
func config(configs json.RawMessage) (coordinator.Config, error) {
	c := coordinator.Defaults()
	s := settings{
		InitialRebalanceDelay: c.InitialRebalanceDelay.Milliseconds(),
		MinSessionTimeout:     c.MinSessionTimeout.Milliseconds(),
		MaxSessionTimeout:     c.MaxSessionTimeout.Milliseconds(),
		MaxSize:               c.MaxSize,
		MaxOffsetMetadata:     c.MaxOffsetMetadata,
		CommitTimeout:         c.CommitTimeout.Milliseconds(),
		Retention:             int64(c.OffsetsRetention.Minutes()),
		RetentionCheck:        c.RetentionCheckInterval.Milliseconds(),
		MaxMessage:            c.MaxMessageBytes,
	}
	if err := json.Unmarshal(configs, &s); err != nil {
		return c, fmt.Errorf("settings: %w", err)
	}
	c.InitialRebalanceDelay = ms(s.InitialRebalanceDelay)
	c.MinSessionTimeout = ms(s.MinSessionTimeout)
	c.MaxSessionTimeout = ms(s.MaxSessionTimeout)
	c.MaxSize = s.MaxSize
	c.MaxOffsetMetadata = s.MaxOffsetMetadata
	c.CommitTimeout = ms(s.CommitTimeout)
	c.OffsetsRetention = time.Duration(s.Retention) * time.Minute
	c.RetentionCheckInterval = ms(s.RetentionCheck)
	c.MaxMessageBytes = s.MaxMessage
	return c, nil
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// request builds the request of an op. It reports false for an op that is none.
func (n names) request(op *Op) (wire.Request, bool) {
	r := wire.Request{
		Ticket: wire.Ticket(op.Req), Version: op.Version, ClientID: op.Client, Group: op.Group,
		Member: n.id(op.Member), Instance: wire.InstanceID(op.Instance), Generation: wire.Generation(op.Generation),
	}
	switch op.Op {
	case "join":
		r.API, r.Body = wire.JoinGroup, joinBody(op)
	case "sync":
		r.API, r.Body = wire.SyncGroup, n.syncBody(op)
	case "heartbeat":
		r.API = wire.Heartbeat
	case "leave":
		r.API, r.Body = wire.LeaveGroup, n.leaveBody(op)
	case "commit":
		r.API, r.Body = wire.OffsetCommit, commitBody(op)
	case "txn-commit":
		r.API, r.Body = wire.TxnOffsetCommit, &wire.TxnOffsetCommitRequest{
			OffsetCommitRequest: *commitBody(op), ProducerID: op.ProducerID, ProducerEpoch: op.ProducerEpoch,
		}
	case "txn-end":
		r.API, r.Body = wire.WriteTxnMarkers, &wire.WriteTxnMarkersRequest{
			ProducerID: op.ProducerID, ProducerEpoch: op.ProducerEpoch, Commit: op.Result == "COMMIT",
		}
	case "fetch":
		r.API, r.Body = wire.OffsetFetch, &wire.OffsetFetchRequest{
			RequireStable: op.RequireStable, All: op.Topics == nil, Partitions: op.partitions(),
		}
	case "delete-offsets":
		r.API, r.Body = wire.OffsetDelete, &wire.OffsetDeleteRequest{Partitions: op.partitions()}
	case "delete-group":
		r.API, r.Body = wire.DeleteGroups, &wire.DeleteGroupsRequest{Groups: op.Groups}
	case "describe":
		r.API, r.Body = wire.DescribeGroups, &wire.DescribeGroupsRequest{Groups: op.Groups}
	case "list":
		r.API, r.Body = wire.ListGroups, &wire.ListGroupsRequest{States: op.States, Types: op.Types}
	default:
		return r, false
	}
	return r, true
}

func (op *Op) partitions() []wire.TopicPartition {
	if op.Topics == nil {
		return nil
	}
	return *op.Topics
}

func joinBody(op *Op) *wire.JoinGroupRequest {
	body := &wire.JoinGroupRequest{
		SessionTimeoutMs: op.SessionTimeoutMs, RebalanceTimeoutMs: op.RebalanceTimeoutMs,
		ProtocolType: op.ProtocolType, Reason: op.Reason,
	}
	for _, p := range op.Protocols {
		body.Protocols = append(body.Protocols, wire.Protocol{Name: p.Name, Metadata: bytesOf(p.Metadata)})
	}
	return body
}

func (n names) syncBody(op *Op) *wire.SyncGroupRequest {
	body := &wire.SyncGroupRequest{ProtocolType: op.ProtocolType, Protocol: op.Protocol}
	for _, member := range slices.Sorted(maps.Keys(op.Assignments)) {
		body.Assignments = append(body.Assignments, wire.Assignment{Member: n.id(member), Bytes: bytesOf(op.Assignments[member])})
	}
	return body
}

func (n names) leaveBody(op *Op) *wire.LeaveGroupRequest {
	body := &wire.LeaveGroupRequest{}
	for _, m := range op.Members {
		l := wire.LeavingMember{Member: n.id(m.Member), Instance: wire.InstanceID(m.Instance), HasReason: m.Reason != nil}
		if m.Reason != nil {
			l.Reason = *m.Reason
		}
		body.Members = append(body.Members, l)
	}
	return body
}

// commitBody groups the offsets by topic, as the wire does: topics in the order in which they first
// appear, and inside a topic the partitions in the order of the request.
func commitBody(op *Op) *wire.OffsetCommitRequest {
	var topics []string
	for _, o := range op.Offsets {
		if !slices.Contains(topics, o.Topic) {
			topics = append(topics, o.Topic)
		}
	}
	body := &wire.OffsetCommitRequest{RetentionTimeMs: -1}
	if op.RetentionTimeMs != nil {
		body.RetentionTimeMs = *op.RetentionTimeMs
	}
	for _, topic := range topics {
		for _, o := range op.Offsets {
			if o.Topic == topic {
				body.Offsets = append(body.Offsets, o.toCommit())
			}
		}
	}
	return body
}

func (o Offset) toCommit() wire.OffsetToCommit {
	commit := wire.OffsetToCommit{
		TopicPartition: wire.TopicPartition{Topic: o.Topic, Partition: o.Partition},
		Offset:         o.Offset, LeaderEpoch: -1, Metadata: o.Metadata,
	}
	if o.LeaderEpoch != nil {
		commit.LeaderEpoch = *o.LeaderEpoch
	}
	return commit
}

func bytesOf(text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		panic("conformance: recording has " + text + " for bytes")
	}
	return b
}
