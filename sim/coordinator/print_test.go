package coordinator

import (
	"fmt"
	"strings"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

func instant(t clock.Time) string { return fmt.Sprintf("%8v", t) }

func (s *script) line(kind, text string) {
	fmt.Fprintf(&s.out, "%s  %-8s  %s\n", instant(s.at), kind, strings.TrimSpace(text))
}

func (s *script) printEvent(e trace.Event) {
	switch e.Kind {
	case trace.GroupCreated:
		s.line("group", fmt.Sprintf("created in %v  %s", e.To, e.Text))
	case trace.GroupBecame:
		s.line("group", fmt.Sprintf("%v -> %v  gen=%d  (%s)", e.From, e.To, e.Generation, strings.TrimSpace(because(e))))
	case trace.MemberAdded:
		s.line("member", fmt.Sprintf("+%s  %s", who(e.Member, e.Instance), because(trace.Event{Reason: e.Reason, Other: e.Other})))
	case trace.MemberRemoved:
		s.line("member", fmt.Sprintf("-%s  %s", who(e.Member, e.Instance), because(trace.Event{Reason: e.Reason, Text: e.Text})))
	case trace.LeaderElected:
		s.line("leader", fmt.Sprintf("%s -> %s", someone(e.Other), someone(e.Member)))
	case trace.LeaderReplaced, trace.NobodyRejoined:
		s.line("event", fmt.Sprintf("%v %s instead of %s", e.Kind, someone(e.Member), who(e.Other, e.Instance)))
	case trace.AssignmentReceived:
		s.line("event", fmt.Sprintf("%v gen=%d from %s, members=%d static=%d", e.Kind, e.Generation, e.Member, e.Members, e.Static))
	case trace.SyncTimerUnexpected:
		s.line("event", fmt.Sprintf("%v of gen=%d, now gen=%d in %v", e.Kind, e.Generation, e.Members, e.To))
	case trace.AppendRefused:
		s.line("event", fmt.Sprintf("%v %v records=%d", e.Kind, e.Err, e.Members))
	case trace.GroupLoaded, trace.GroupsDeleted, trace.OffsetsExpired, trace.TopicDeleted:
		s.line("event", fmt.Sprintf("%v %s n=%d", e.Kind, because(e), e.Members))
	case trace.RunWarning:
		s.line("internal", e.Text)
	default:
		s.line("event", fmt.Sprintf("%v %s", e.Kind, because(e)))
	}
}

// because prints what an event says besides states and generation.
func because(e trace.Event) string {
	var b strings.Builder
	add := func(format string, value any) { fmt.Fprintf(&b, format+" ", value) }
	if e.Reason != trace.NoReason {
		add("%v", e.Reason)
	}
	if e.Member != "" {
		add("%s", who(e.Member, e.Instance))
	}
	if e.Other != "" {
		add("other=%s", e.Other)
	}
	if len(e.List) > 0 {
		add("list=%v", e.List)
	}
	if e.Protocol != "" {
		add("protocol=%s", e.Protocol)
	}
	if e.Err != wire.None {
		add("%v", e.Err)
	}
	if e.Text != "" {
		add("%q", e.Text)
	}
	return strings.TrimSuffix(b.String(), " ")
}

func who(id wire.MemberID, instance wire.InstanceID) string {
	if instance == "" {
		return string(id)
	}
	return string(id) + "/" + string(instance)
}

func someone(id wire.MemberID) string {
	if id == "" {
		return "nobody"
	}
	return string(id)
}

func leavers(body *wire.LeaveGroupRequest) string {
	var names []string
	for _, m := range body.Members {
		names = append(names, who(m.Member, m.Instance))
	}
	return strings.Join(names, ",")
}

func apiName(a wire.API) string {
	switch a {
	case wire.JoinGroup:
		return "join"
	case wire.SyncGroup:
		return "sync"
	case wire.LeaveGroup:
		return "leave"
	case wire.OffsetCommit:
		return "commit"
	case wire.TxnOffsetCommit:
		return "txn-commit"
	case wire.WriteTxnMarkers:
		return "txn-end"
	case wire.OffsetFetch:
		return "fetch"
	case wire.OffsetDelete:
		return "delete-offset"
	case wire.DeleteGroups:
		return "delete-group"
	case wire.DescribeGroups:
		return "describe"
	case wire.ListGroups:
		return "list"
	default:
		return strings.ToLower(a.String())
	}
}

func timerName(k TimerKey) string {
	switch k.Kind {
	case SessionTimer:
		return "session/" + string(k.Member)
	case WriteTimer:
		return fmt.Sprintf("write/%d", k.Event)
	default:
		return k.Kind.String()
	}
}

func describe(r wire.Response) string {
	text := r.Err.String()
	switch body := r.Body.(type) {
	case *wire.JoinGroupResponse:
		if r.Member != "" {
			text += " id=" + string(r.Member)
		}
		if r.Generation >= 0 {
			text += fmt.Sprintf(" gen=%d leader=%s protocol=%s", r.Generation, body.Leader, body.Protocol)
		}
		if len(body.Members) > 0 {
			text += " members=" + joined(body.Members)
		}
		if body.SkipAssignment {
			text += " skip-assignment"
		}
	case *wire.SyncGroupResponse:
		text += fmt.Sprintf(" %q", body.Assignment)
	case *wire.LeaveGroupResponse:
		for _, m := range body.Members {
			text += fmt.Sprintf(" %s=%v", who(m.Member, m.Instance), m.Err)
		}
	case *wire.OffsetCommitResponse:
		for _, p := range body.Partitions {
			text += fmt.Sprintf(" %v=%v", p.TopicPartition, p.Err)
		}
	default:
		text += describeStorage(body)
	}
	return text
}

func joined(members []wire.JoinedMember) string {
	var names []string
	for _, m := range members {
		names = append(names, string(m.Member))
	}
	return strings.Join(names, ",")
}

func describeRecord(r Record) string {
	switch r := r.(type) {
	case GroupMetadataRecord:
		if r.Tombstone {
			return fmt.Sprintf("group %s tombstone", r.Group)
		}
		text := fmt.Sprintf("group gen=%d leader=%s members=%d", r.Generation, someone(r.Leader), len(r.Members))
		for _, m := range r.Members {
			text += fmt.Sprintf(" %s:%q", m.Member, m.Assignment)
		}
		return text
	case TransactionMarker:
		return fmt.Sprintf("marker producer=%d commit=%v", r.ProducerID, r.Commit)
	case *OffsetCommitRecord:
		if r.Tombstone {
			return fmt.Sprintf("offset %v tombstone", r.TopicPartition)
		}
		return fmt.Sprintf("offset %v=%d", r.TopicPartition, r.Offset)
	}
	return "?"
}

func (s *script) printWaiting() {
	w, ok := s.shard.Waiting("g")
	if !ok {
		s.line("waiting", "no group")
		return
	}
	s.line("waiting", fmt.Sprintf("%v since %v, until %v; parked=%d appending=%v", w.State, w.Since, w.Deadline, w.Parked, w.Appending))
	for _, o := range w.Owes {
		text := fmt.Sprintf("%v from %s, session until %v", o.API, who(o.Member, o.Instance), o.Session)
		if o.Pending {
			text += ", pending"
		}
		if o.Leader {
			text += ", leader"
		}
		s.line("owes", text)
	}
}
