package consumers

import (
	"fmt"
	"slices"
	"strings"

	"simulate/sim/assignors"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

func (s *script) line(kind, text string) {
	fmt.Fprintf(&s.out, "%8v  %-10s  %s\n", s.at, kind, strings.TrimSpace(text))
}

// printWait writes down what the poll thread waits for, once for all waits of the same kind in a row. Where
// only time can end the wait, the line says when.
func (s *script) printWait() {
	w := s.process.PollWait()
	s.onWait(w.Kind)
	if w.Kind == s.waiting || w.Kind == WaitExited {
		return
	}
	s.waiting = w.Kind
	text := waitNames[w.Kind]
	if !w.Kind.readsNetwork() {
		text += fmt.Sprintf(" until %v", w.Until)
	}
	s.line("wait", text)
}

var waitNames = map[WaitKind]string{
	WaitRecords: "records", WaitCoordinator: "coordinator", WaitCommit: "commit", WaitJoinResponse: "join response",
	WaitSyncResponse: "sync response", WaitClose: "close", WaitBackoff: "back-off", WaitBoot: "boot",
	WaitRejoin: "building a request", WaitAssign: "assigning", WaitListener: "listener",
	WaitProcessing: "processing", WaitStall: "stall", WaitSubscription: "a subscription",
}

func connName(c Conn) string {
	return [...]string{NodeConn: "node", CoordinatorConn: "coordinator", JoinConn: "join"}[c]
}

func describeRequest(r wire.Request) string {
	text := r.API.String()
	switch body := r.Body.(type) {
	case *wire.JoinGroupRequest:
		text += " " + who(r.Member, r.Instance)
		for _, p := range body.Protocols {
			text += " " + describeProtocol(p)
		}
	case *wire.SyncGroupRequest:
		text += fmt.Sprintf(" %s gen=%d", who(r.Member, r.Instance), r.Generation)
		for _, a := range body.Assignments {
			given, _, _ := assignors.DecodeAssignment(a.Bytes)
			text += fmt.Sprintf(" %s:%v", a.Member, given)
		}
	case *wire.LeaveGroupRequest:
		text += fmt.Sprintf(" %s", body.Members[0].Member)
	case *wire.OffsetCommitRequest:
		text += fmt.Sprintf(" %s gen=%d", who(r.Member, r.Instance), r.Generation)
		for _, o := range body.Offsets {
			text += " " + o.String()
			if o.Offset > 0 {
				text += fmt.Sprintf(":%d", o.Offset)
			}
		}
	default:
		if r.API == wire.Heartbeat {
			text += fmt.Sprintf(" %s gen=%d", who(r.Member, r.Instance), r.Generation)
		}
	}
	return text
}

// describeProtocol prints an entry of a protocol list: the generation that its subscription names, and the
// user data of the assignor if there are any.
func describeProtocol(p wire.Protocol) string {
	s, _ := assignors.DecodeSubscription(p.Metadata)
	text := fmt.Sprintf("%s:gen=%d", p.Name, s.Generation)
	if !slices.Equal(s.Topics, []string{"t"}) {
		text += fmt.Sprintf(",topics=%v", s.Topics)
	}
	if len(s.Owned) > 0 {
		text += fmt.Sprintf(",owned=%v", s.Owned)
	}
	if len(s.UserData) > 0 {
		text += fmt.Sprintf(",data=%x", s.UserData)
	}
	return text
}

func (s *script) printEvent(e trace.Event) {
	var b strings.Builder
	add := func(format string, values ...any) { fmt.Fprintf(&b, " "+format, values...) }
	switch {
	case e.Kind.Routine() && e.Err == wire.None:
		return // the answer that changes nothing
	case e.Kind == trace.ProcessExited:
		return // the effect says the same
	case e.Kind == trace.MembershipReset:
		add("%s gen=%d -> %s", someone(e.Other), e.Generation, someone(e.Member))
	case e.Kind == trace.JoinSent:
		add("%s gen=%d", someone(e.Member), e.Generation)
	case e.Kind == trace.PartitionsAssigned || e.Kind == trace.PartitionsRevoked || e.Kind == trace.PartitionsLost:
		add("%s gen=%d %v", someone(e.Member), e.Generation, e.Partitions)
	case e.Kind == trace.PositionsSet:
		add("%v at %v", e.Partitions, e.Offsets)
	}
	if e.Members > 0 {
		add("%d records", e.Members)
	}
	if e.For > 0 {
		add("for %v", e.For)
	}
	if e.Since > 0 {
		add("since %v", e.Since)
	}
	if e.Reason != trace.NoReason {
		add("%v", e.Reason)
	}
	if e.Err != wire.None {
		add("%v", e.Err)
	}
	if e.Text != "" {
		add("%q", e.Text)
	}
	s.line("record", e.Kind.String()+b.String())
}

func who(id wire.MemberID, instance wire.InstanceID) string {
	if instance == "" {
		return someone(id)
	}
	return someone(id) + "/" + string(instance)
}

func someone(id wire.MemberID) string {
	if id == "" {
		return "-"
	}
	return string(id)
}
