package conformance

import (
	"encoding/hex"
	"slices"
	"strings"

	"simulate/sim/coordinator"
	"simulate/sim/wire"
)

// names knows the recorded names of member ids.
type names struct {
	nameOf map[wire.MemberID]string
	idOf   map[string]wire.MemberID
}

func (n names) add(name, id string) {
	n.nameOf[wire.MemberID(id)] = name
	n.idOf[name] = wire.MemberID(id)
}

func (n names) name(id wire.MemberID) string {
	if name, ok := n.nameOf[id]; ok {
		return name
	}
	return string(id)
}

func (n names) id(name string) wire.MemberID {
	if id, ok := n.idOf[name]; ok {
		return id
	}
	return wire.MemberID(name)
}

func (n names) list(ids []wire.MemberID) []string {
	var list []string
	for _, id := range ids {
		list = append(list, n.name(id))
	}
	return list
}

// given returns nothing for the empty string, which stands for null on our wire.
func given[S ~string](s S) *string {
	if s == "" {
		return nil
	}
	text := string(s)
	return &text
}

func value[T any](v T) *T { return &v }

func (n names) reply(at int64, r wire.Response) Reply {
	reply := Reply{At: at, Req: int(r.Ticket), Error: r.Err.String()}
	switch body := r.Body.(type) {
	case *wire.JoinGroupResponse:
		n.joinReply(&reply, r, body)
	case *wire.SyncGroupResponse:
		reply.ProtocolType, reply.Protocol = given(body.ProtocolType), given(body.Protocol)
		reply.Assignment = value(hex.EncodeToString(body.Assignment))
	case *wire.LeaveGroupResponse:
		for _, m := range body.Members {
			reply.Members = append(reply.Members, ReplyEntry{
				Member: n.name(m.Member), Instance: given(m.Instance), Error: value(m.Err.String()),
			})
		}
	case *wire.OffsetCommitResponse:
		for _, p := range body.Partitions {
			reply.Partitions = append(reply.Partitions, Partition{p.Topic, p.Partition, p.Err.String()})
		}
		reply.Error = commitError(reply.Partitions)
	}
	reply.API = apiNames[r.API]
	return reply
}

var apiNames = map[wire.API]string{
	wire.JoinGroup: "join", wire.SyncGroup: "sync", wire.Heartbeat: "heartbeat",
	wire.LeaveGroup: "leave", wire.OffsetCommit: "commit",
}

func (n names) joinReply(reply *Reply, r wire.Response, body *wire.JoinGroupResponse) {
	reply.Member = value(n.name(r.Member))
	reply.Generation = value(int32(r.Generation))
	reply.ProtocolType = given(body.ProtocolType)
	if !body.NullProtocol {
		reply.Protocol = &body.Protocol
	}
	reply.Leader = value(n.name(body.Leader))
	reply.SkipAssignment = &body.SkipAssignment
	for _, m := range body.Members {
		reply.Members = append(reply.Members, ReplyEntry{
			Member: n.name(m.Member), Instance: given(m.Instance), Metadata: value(hex.EncodeToString(m.Metadata)),
		})
	}
	slices.SortFunc(reply.Members, func(a, b ReplyEntry) int { return byName(a.Member, b.Member) })
}

// commitError joins the different errors of the partitions, as recordings do.
func commitError(partitions []Partition) string {
	var errors []string
	for _, p := range partitions {
		errors = append(errors, p.Error)
	}
	slices.Sort(errors)
	return strings.Join(slices.Compact(errors), "+")
}

func (n names) record(r coordinator.Record) Record {
	switch r := r.(type) {
	case coordinator.GroupMetadataRecord:
		v := &RecordValue{
			Version: 3, ProtocolType: r.ProtocolType, Generation: int32(r.Generation),
			Protocol: given(r.Protocol), Leader: given(n.name(r.Leader)), StateTimestamp: r.StateTimestampMs,
		}
		for _, m := range r.Members {
			v.Members = append(v.Members, RecordMember{
				Member: n.name(m.Member), Instance: given(m.Instance), Client: m.ClientID, Host: m.ClientHost,
				RebalanceTimeout: m.RebalanceTimeoutMs, SessionTimeout: m.SessionTimeoutMs,
				Subscription: hex.EncodeToString(m.Subscription), Assignment: hex.EncodeToString(m.Assignment),
			})
		}
		slices.SortFunc(v.Members, func(a, b RecordMember) int { return byName(a.Member, b.Member) })
		return Record{Type: "group", Group: r.Group, Value: v}
	case *coordinator.OffsetCommitRecord:
		version := 4
		if r.ExpireTimestampMs != -1 {
			version = 1
		}
		return Record{Type: "offset", Group: r.Group, Topic: r.Topic, Partition: r.Partition, Value: &RecordValue{
			Version: version, Offset: r.Offset, LeaderEpoch: r.LeaderEpoch, Metadata: r.Metadata,
			CommitTimestamp: r.CommitTimestampMs, ExpireTimestamp: r.ExpireTimestampMs,
		}}
	}
	panic("conformance: unknown record")
}

func (n names) state(group string, s coordinator.Snapshot) GroupState {
	g := GroupState{
		Group: group, State: value(s.State.String()), Prev: s.Prev.String(), Since: value(s.Since.Millis()),
		Generation: int32(s.Generation), ProtocolType: given(s.ProtocolType), Protocol: given(s.Protocol),
		Leader:      given(n.name(s.Leader)),
		PendingJoin: sorted(n.list(s.PendingJoin)), PendingSync: sorted(n.list(s.PendingSync)),
		NewMemberAdded: s.NewMemberAdded,
	}
	for _, m := range s.Members {
		g.Members = append(g.Members, n.member(m))
		g.Order = append(g.Order, n.name(m.Member))
	}
	slices.SortFunc(g.Members, func(a, b MemberState) int { return byName(a.Member, b.Member) })
	if slices.IsSortedFunc(g.Order, byName) {
		g.Order = nil
	}
	return g
}

func (n names) member(m coordinator.MemberSnapshot) MemberState {
	state := MemberState{
		Member: n.name(m.Member), Instance: given(m.Instance),
		Session: int32(m.SessionTimeout.Milliseconds()), Rebalance: int32(m.RebalanceTimeout.Milliseconds()),
		Assignment:   hex.EncodeToString(m.Assignment),
		AwaitingJoin: m.AwaitingJoin, AwaitingSync: m.AwaitingSync, New: m.New,
	}
	for _, p := range m.Protocols {
		state.Protocols = append(state.Protocols, p.Name)
	}
	return state
}
