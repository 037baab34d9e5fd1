package sim

import (
	"fmt"
	"slices"
	"strings"

	"simulate/sim/clock"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Versions of the requests that the Admin client of Java 4.4 sends, as far as they matter.
const (
	adminLeaveVersion    = 5
	adminCommitVersion   = 9
	adminDescribeVersion = 6
	adminDeleteVersion   = 2
)

// adminCall is what an administrator does to a group because an event says so: one request, and one more
// before it where the members have to be looked up.
type adminCall struct {
	event  *scenario.Event
	number int // of the event
	began  clock.Time
}

// administers reports whether an event is what an administrator does to a group.
func administers(e *scenario.Event) bool {
	switch e.Do {
	case scenario.DeleteGroup, scenario.DeleteOffsets, scenario.RemoveMembers:
		return true
	case scenario.Commit:
		return e.Group != ""
	}
	return false
}

// administer lets an administrator act on a group. The Admin client knows the coordinator and is connected
// to it. It does not try again what a coordinator that is down, moves or loads did not do.
func (w *world) administer(f *fault) {
	w.Record(trace.Event{At: w.now(), Kind: trace.FaultBegan, Group: f.event.Group, Text: string(f.event.Do), Until: clock.Never})
	call := &adminCall{event: f.event, number: f.number, began: w.now()}
	if b := w.leaderOf(f.event.Group); !b.listening {
		w.warn("%s of %s was not possible: its coordinator, broker %d, is down", f.event.Do, f.event.Group, b.id)
		w.callEnded(call, wire.CoordinatorNotAvailable)
		return
	}
	c := &connection{
		serial: wire.Ticket(len(w.conns)), actor: w.admin, broker: w.leaderOf(f.event.Group), up: true,
		call: call,
	}
	w.conns = append(w.conns, c)
	switch e := f.event; e.Do {
	case scenario.DeleteGroup:
		w.request(c, wire.DeleteGroups, adminDeleteVersion, &wire.DeleteGroupsRequest{Groups: []string{e.Group}})
	case scenario.DeleteOffsets:
		w.request(c, wire.OffsetDelete, 0, &wire.OffsetDeleteRequest{Partitions: w.partitionsOf(e.Topics)})
	case scenario.Commit:
		w.request(c, wire.OffsetCommit, adminCommitVersion, w.commitOf(e.Topics))
	case scenario.RemoveMembers:
		if len(e.Who) == 0 {
			w.request(c, wire.DescribeGroups, adminDescribeVersion, &wire.DescribeGroupsRequest{Groups: []string{e.Group}})
			return
		}
		w.removeMembers(c, w.instances(f))
	}
}

func (w *world) request(c *connection, api wire.API, version int16, body any) {
	w.sendRequest(c, &wire.Request{
		API: api, Version: version, ClientID: w.admin.name, Group: c.call.event.Group, Generation: wire.NoGeneration, Body: body,
	})
}

// partitionsOf lists all partitions of topics, as far as they exist.
func (w *world) partitionsOf(topics []string) []wire.TopicPartition {
	var all []wire.TopicPartition
	for _, name := range topics {
		for n := range w.topics[name].Partitions {
			all = append(all, wire.TopicPartition{Topic: name, Partition: int32(n)})
		}
	}
	return all
}

// commitOf sets the offsets of whole topics to the beginning, which is also their end: there are no records.
func (w *world) commitOf(topics []string) *wire.OffsetCommitRequest {
	body := &wire.OffsetCommitRequest{RetentionTimeMs: -1}
	for _, tp := range w.partitionsOf(topics) {
		body.Offsets = append(body.Offsets, wire.OffsetToCommit{TopicPartition: tp, LeaderEpoch: -1})
	}
	return body
}

// instances names the members of who by their group.instance.id, the only name by which Kafka's tools remove
// single members. Dynamic members have none.
func (w *world) instances(f *fault) []wire.LeavingMember {
	var leaving []wire.LeavingMember
	for _, a := range w.resolve(f) {
		if a.instance == "" {
			w.warn("%s: %s has no group.instance.id; only all members together can be removed then", f.event.Do, a.name)
			continue
		}
		leaving = append(leaving, wire.LeavingMember{Instance: wire.InstanceID(a.instance)})
	}
	return leaving
}

// membersOf names all members that a DescribeGroups shows. Kafka: KafkaAdminClient.getMembersFromGroup.
func membersOf(d wire.DescribedGroup) []wire.LeavingMember {
	var leaving []wire.LeavingMember
	for _, m := range d.Members {
		if m.Instance != "" {
			m.Member = ""
		}
		leaving = append(leaving, wire.LeavingMember{Member: m.Member, Instance: m.Instance})
	}
	return leaving
}

// removeMembers sends one LeaveGroup for all of them. Kafka: RemoveMembersFromConsumerGroupHandler.
func (w *world) removeMembers(c *connection, leaving []wire.LeavingMember) {
	if len(leaving) == 0 {
		w.warn("%s found nobody to act on", c.call.event.Do)
		w.callEnded(c.call, wire.None)
		return
	}
	for i := range leaving {
		leaving[i].Reason, leaving[i].HasReason = "member was removed by an admin", true
	}
	w.request(c, wire.LeaveGroup, adminLeaveVersion, &wire.LeaveGroupRequest{Members: leaving})
}

// callAnswered goes on when an administrator's request was answered.
func (w *world) callAnswered(c *connection, r wire.Response) {
	call := c.call
	w.cause = int32(call.number)
	if body, ok := r.Body.(*wire.DescribeGroupsResponse); ok && r.Err == wire.None && len(body.Groups) > 0 && body.Groups[0].Err == wire.None {
		w.removeMembers(c, membersOf(body.Groups[0]))
		return
	}
	errs := errorsIn(r)
	first := wire.None
	if len(errs) > 0 {
		first = errs[0].Err
		w.warn("%s of %s was refused: %s", call.event.Do, call.event.Group, describeErrors(errs))
	}
	w.callEnded(call, first)
}

func (w *world) callEnded(call *adminCall, err wire.Err) {
	w.Record(trace.Event{
		At: w.now(), Kind: trace.FaultEnded, Group: call.event.Group, Text: string(call.event.Do), Err: err, Since: call.began,
	})
}

// itemError is the error of one item of a request; Item is "" when it is that of the whole.
type itemError struct {
	Item string
	Err  wire.Err
}

// errorsIn lists the errors of a response, each once for the first item that has it.
func errorsIn(r wire.Response) []itemError {
	all := []itemError{{"", r.Err}}
	add := func(item string, err wire.Err) { all = append(all, itemError{item, err}) }
	switch body := r.Body.(type) {
	case *wire.DeleteGroupsResponse:
		for _, g := range body.Groups {
			add("", g.Err)
		}
	case *wire.DescribeGroupsResponse:
		for _, g := range body.Groups {
			add("", g.Err)
		}
	case *wire.OffsetDeleteResponse:
		for _, p := range body.Partitions {
			add(p.String(), p.Err)
		}
	case *wire.OffsetCommitResponse:
		for _, p := range body.Partitions {
			add(p.String(), p.Err)
		}
	case *wire.LeaveGroupResponse:
		for _, m := range body.Members {
			add(string(m.Instance)+string(m.Member), m.Err)
		}
	}
	var errs []itemError
	for _, e := range all {
		if e.Err != wire.None && !slices.ContainsFunc(errs, func(o itemError) bool { return o.Err == e.Err }) {
			errs = append(errs, e)
		}
	}
	return errs
}

func describeErrors(errs []itemError) string {
	var texts []string
	for _, e := range errs {
		text := e.Err.String()
		if e.Item != "" {
			text += fmt.Sprintf(" (%s)", e.Item)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}
