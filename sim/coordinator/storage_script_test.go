package coordinator

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// runStorage runs the commands about offsets, administration and the life of the shard.
func (s *script) runStorage(t *testing.T, d *datadriven.TestData) {
	switch d.Cmd {
	case "unload":
		s.unload()
	case "begin-load":
		s.shard.BeginLoad(s.at, s.log)
	case "end-load":
		s.printed = 0
		s.finish(s.shard.EndLoad(s.at))
	case "load":
		s.printed = 0
		s.finish(s.shard.Load(s.at, s.log))
	case "restart":
		s.cfg = settings(t, d, s.cfg)
		s.forgetTimers()
		s.hold, s.held = false, nil
		s.start()
		s.shard.Unload(s.at)
	case "delete-topic":
		s.printed = 0
		s.finish(s.shard.DeleteTopics(s.at, []Topic{{Name: subject(d)[0], ID: "id"}}))
	default:
		s.request(s.storageRequest(t, d))
	}
}

func (s *script) unload() {
	s.printed = 0
	s.printEffects(s.shard.Unload(s.at))
	s.forgetTimers()
	s.hold, s.held = false, nil
}

func (s *script) forgetTimers() {
	s.timers = map[TimerKey]clock.Handle{}
	s.queue = clock.Queue[TimerKey]{}
	s.queue.Next(s.at)
}

func (s *script) storageRequest(t *testing.T, d *datadriven.TestData) wire.Request {
	r := wire.Request{Group: "g"}
	producer := int64(7)
	d.MaybeScanArgs(t, "producer", &producer)
	switch d.Cmd {
	case "txn-commit":
		r = s.commit(t, d)
		r.API, r.Body = wire.TxnOffsetCommit, &wire.TxnOffsetCommitRequest{
			OffsetCommitRequest: *r.Body.(*wire.OffsetCommitRequest), ProducerID: producer,
		}
	case "txn-end":
		r.API, r.Body = wire.WriteTxnMarkers, &wire.WriteTxnMarkersRequest{ProducerID: producer, Commit: d.HasArg("commit")}
	case "fetch":
		r.API, r.Body = wire.OffsetFetch, &wire.OffsetFetchRequest{
			RequireStable: d.HasArg("stable"), All: d.HasArg("all"), Partitions: []wire.TopicPartition{partition(t, d)},
		}
	case "delete-offset":
		r.API, r.Body = wire.OffsetDelete, &wire.OffsetDeleteRequest{Partitions: []wire.TopicPartition{partition(t, d)}}
	case "delete-group":
		groups := subject(d)
		if len(groups) == 0 {
			groups = []string{"g"}
		}
		r.API, r.Body = wire.DeleteGroups, &wire.DeleteGroupsRequest{Groups: groups}
	case "describe":
		r = s.identified(t, d, wire.DescribeGroups, 6)
		r.Body = &wire.DescribeGroupsRequest{Groups: []string{"g"}}
	case "list":
		r.API, r.Body = wire.ListGroups, &wire.ListGroupsRequest{States: list(d, "states", ""), Types: list(d, "types", "")}
	default:
		d.Fatalf(t, "unknown command %s", d.Cmd)
	}
	return r
}

func partition(t *testing.T, d *datadriven.TestData) wire.TopicPartition {
	tp := wire.TopicPartition{Topic: text(t, d, "topic", "t")}
	d.MaybeScanArgs(t, "partition", &tp.Partition)
	return tp
}

// subscriptionTo is what a consumer of these topics says, in version 0.
func subscriptionTo(topics []string, userData string) []byte {
	b := binary.BigEndian.AppendUint16(nil, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(len(topics)))
	for _, topic := range topics {
		b = append(binary.BigEndian.AppendUint16(b, uint16(len(topic))), topic...)
	}
	return append(binary.BigEndian.AppendUint32(b, uint32(len(userData))), userData...)
}

func describeStorage(body any) string {
	text := ""
	switch body := body.(type) {
	case *wire.OffsetFetchResponse:
		for _, o := range body.Offsets {
			text += fmt.Sprintf(" %v=%d", o.TopicPartition, o.Offset)
			if o.Err != wire.None {
				text += " " + o.Err.String()
			}
		}
	case *wire.OffsetDeleteResponse:
		for _, p := range body.Partitions {
			text += fmt.Sprintf(" %v=%v", p.TopicPartition, p.Err)
		}
	case *wire.DeleteGroupsResponse:
		for _, g := range body.Groups {
			text += fmt.Sprintf(" %s=%v", g.Group, g.Err)
		}
	case *wire.ListGroupsResponse:
		for _, g := range body.Groups {
			text += fmt.Sprintf(" %s:%v:%s", g.Group, g.State, g.ProtocolType)
		}
	case *wire.DescribeGroupsResponse:
		for _, g := range body.Groups {
			text += fmt.Sprintf(" %v %v type=%s protocol=%s", g.Err, g.State, g.ProtocolType, g.Protocol)
			for _, m := range g.Members {
				text += fmt.Sprintf(" %s:%q", who(m.Member, m.Instance), m.Assignment)
			}
		}
	}
	return text
}
