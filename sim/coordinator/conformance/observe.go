package conformance

import (
	"cmp"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"simulate/sim/coordinator"
	"simulate/sim/wire"
)

// names knows the recorded names of member ids.
type names struct {
	nameOf map[wire.MemberID]string
	idOf   map[string]wire.MemberID
	inText func(string) string // replaces ids by names
}

func newNames() names {
	return names{
		nameOf: map[wire.MemberID]string{}, idOf: map[string]wire.MemberID{},
		inText: func(text string) string { return text },
	}
}

func (n *names) add(name, id string) {
	n.nameOf[wire.MemberID(id)] = name
	n.idOf[name] = wire.MemberID(id)
	var pairs []string
	for _, name := range slices.SortedFunc(maps.Keys(n.idOf), byName) {
		pairs = append(pairs, string(n.idOf[name]), name)
	}
	n.inText = strings.NewReplacer(pairs...).Replace
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
		reply.Partitions = partitions(body.Partitions)
		reply.Error = commitError(reply.Partitions)
	case *wire.OffsetDeleteResponse:
		reply.Partitions = byPartition(partitions(body.Partitions))
	case *wire.OffsetFetchResponse:
		for _, o := range body.Offsets {
			reply.Partitions = append(reply.Partitions, Partition{
				Topic: o.Topic, Partition: o.Partition, Error: o.Err.String(),
				Offset: value(o.Offset), LeaderEpoch: value(o.LeaderEpoch), Metadata: value(o.Metadata),
			})
		}
		reply.Partitions = byPartition(reply.Partitions)
	default:
		reply.Groups = n.groups(r.Body)
	}
	reply.API = apiNames[r.API]
	return reply
}

var apiNames = map[wire.API]string{
	wire.JoinGroup: "join", wire.SyncGroup: "sync", wire.Heartbeat: "heartbeat",
	wire.LeaveGroup: "leave", wire.OffsetCommit: "commit", wire.TxnOffsetCommit: "txn-commit",
	wire.WriteTxnMarkers: "txn-end", wire.OffsetFetch: "fetch", wire.OffsetDelete: "delete-offsets",
	wire.DeleteGroups: "delete-group", wire.DescribeGroups: "describe", wire.ListGroups: "list",
}

func partitions(results []wire.PartitionError) []Partition {
	var list []Partition
	for _, p := range results {
		list = append(list, Partition{Topic: p.Topic, Partition: p.Partition, Error: p.Err.String()})
	}
	return list
}

func byPartition(list []Partition) []Partition {
	slices.SortStableFunc(list, func(a, b Partition) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	return list
}

// groups lists the groups of an administrator's response by name, as recordings do.
func (n names) groups(body any) []ReplyGroup {
	var list []ReplyGroup
	switch body := body.(type) {
	case *wire.DeleteGroupsResponse:
		for _, g := range body.Groups {
			list = append(list, ReplyGroup{Group: g.Group, Error: value(g.Err.String())})
		}
	case *wire.DescribeGroupsResponse:
		for _, g := range body.Groups {
			list = append(list, n.described(g))
		}
	case *wire.ListGroupsResponse:
		for _, g := range body.Groups {
			list = append(list, ReplyGroup{
				Group: g.Group, ProtocolType: value(g.ProtocolType), State: value(g.State.String()), Type: value("classic"),
			})
		}
	}
	slices.SortStableFunc(list, func(a, b ReplyGroup) int { return byName(a.Group, b.Group) })
	return list
}

func (n names) described(g wire.DescribedGroup) ReplyGroup {
	d := ReplyGroup{
		Group: g.Group, Error: value(g.Err.String()), Message: given(g.Message), State: value(g.State.String()),
		ProtocolType: value(g.ProtocolType), Protocol: value(g.Protocol),
	}
	if g.State == wire.NoGroup {
		d.State = value("")
	}
	for _, m := range g.Members {
		d.Members = append(d.Members, ReplyEntry{
			Member: n.name(m.Member), Instance: given(m.Instance), Client: value(m.ClientID), Host: value(m.ClientHost),
			Metadata: value(hex.EncodeToString(m.Metadata)), Assignment: value(hex.EncodeToString(m.Assignment)),
		})
	}
	slices.SortFunc(d.Members, func(a, b ReplyEntry) int { return byName(a.Member, b.Member) })
	return d
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
		if r.Tombstone {
			return Record{Type: "group", Group: r.Group}
		}
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
		if r.Tombstone {
			return Record{Type: "offset", Group: r.Group, Topic: r.Topic, Partition: r.Partition}
		}
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
	if s.SinceUnknown {
		g.Since = nil
	}
	if s.TopicsKnown {
		g.Topics = value(s.Topics)
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
