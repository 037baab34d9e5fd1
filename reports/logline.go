package reports

import (
	"fmt"
	"strings"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// LogLine is one line of a broker's log, bare of its time and prefix.
type LogLine struct {
	Level  string // INFO, WARN or ERROR
	Text   string
	Logger string // the Java class
}

// The Java classes that log for the coordinator.
const (
	managerLogger = "org.apache.kafka.coordinator.group.GroupMetadataManager"
	offsetLogger  = "org.apache.kafka.coordinator.group.OffsetMetadataManager"
	groupLogger   = "org.apache.kafka.coordinator.group.classic.ClassicGroup"
)

func info(format string, args ...any) []LogLine { return logged("INFO", managerLogger, format, args) }
func warn(format string, args ...any) []LogLine { return logged("WARN", managerLogger, format, args) }
func fail(format string, args ...any) []LogLine { return logged("ERROR", managerLogger, format, args) }

// ofGroup is a line of the class ClassicGroup.
func ofGroup(format string, args ...any) []LogLine { return logged("INFO", groupLogger, format, args) }

func logged(level, logger, format string, args []any) []LogLine {
	return []LogLine{{level, fmt.Sprintf(format, args...), logger}}
}

// LogLines returns what a Kafka 4 broker logs for an event; nothing for events of which it logs nothing,
// or only at DEBUG.
//
// The texts are those of Apache Kafka 4.4.0, its slips included (a missing blank, two full stops). Kafka:
// GroupMetadataManager, ClassicGroup.
func LogLines(e trace.Event) []LogLine {
	switch e.Kind {
	case trace.GroupCreated:
		if e.Text == wire.OffsetCommit.String() {
			return logged("INFO",
				offsetLogger, "[GroupId %s] Creating a simple consumer group via manual offset commit.", []any{e.Group})
		}
	case trace.GroupBecame, trace.GhostPrepared:
		return becameLine(e)
	case trace.MemberAdded:
		return addedLine(e)
	case trace.MemberRemoved:
		return removedLine(e)
	case trace.MemberIDIssued:
		return info("Dynamic member with unknown member id joins group %s in %v state. Created a new member id %s and requesting the member to rejoin with this id.",
			e.Group, e.To, e.Member)
	case trace.PendingRemoved:
		return pendingLine(e)
	case trace.LeaderReplaced:
		return ofGroup("%s. Member %s was elected as the new leader.", leaderGone(e), memberDump(e))
	case trace.NobodyRejoined:
		return append(
			ofGroup("%s and the group couldn't proceed to the next generation because no member joined.", leaderGone(e)),
			fail("Group %s could not complete rebalance because no members rejoined.", e.Group)...)
	case trace.NotRejoined:
		return info("Group %s removed dynamic members who haven't joined: [%s]", e.Group, ids(e.List))
	case trace.AssignmentReceived:
		return info("Assignment received from leader %s for group %s for generation %d. The group has %d members, %d of which are static.",
			e.Member, e.Group, e.Generation, e.Members, e.Static)
	case trace.AssignmentMissing:
		return warn("Setting empty assignments for members {%s} of %s for generation %d.",
			emptyAssignments(e.List), e.Group, e.Generation)
	case trace.AssignmentEmpty:
		return warn("Sending empty assignment to member %s of %s for generation %d with no errors",
			e.Member, e.Group, e.Generation)
	case trace.StaticNoRebalance:
		return info("Static member which joins during Stable stage and doesn't affect the selected protocol will not trigger a rebalance.")
	case trace.Fenced:
		if e.Text == "" {
			return nil
		}
		return ofGroup("Request memberId=%s for static member with groupInstanceId=%s is fenced by existing memberId=%s during operation %s",
			e.Member, e.Instance, e.Other, e.Text)
	case trace.SyncTimerUnexpected:
		return syncTimerLine(e)
	}
	return storageLines(e)
}

func becameLine(e trace.Event) []LogLine {
	switch e.To {
	case wire.PreparingRebalance:
		return info("Preparing to rebalance group %s in state %v with old generation %d (reason: %s).",
			e.Group, e.To, e.Generation, logReason(e))
	case wire.CompletingRebalance:
		return info("Stabilized group %s generation %d with %d members.", e.Group, e.Generation, e.Members)
	case wire.Empty:
		return info("Group %s with generation %d is now empty.", e.Group, e.Generation)
	}
	return nil
}

// logReason is what Kafka calls the reason of a rebalance. It hangs on the state that was left, too.
func logReason(e trace.Event) string {
	switch e.Reason {
	case trace.MemberJoined:
		return fmt.Sprintf("Adding new member %s with group instance id %s; %s",
			e.Member, orNull(e.Instance), clientReason(e))
	case trace.MemberRejoined:
		return fmt.Sprintf("Updating metadata for member %s during %v; %s", e.Member, e.From, clientReason(e))
	case trace.LeaderRejoined:
		return fmt.Sprintf("Leader %s re-joining group during %v; %s", e.Member, e.From, clientReason(e))
	case trace.Left, trace.PendingLeft:
		return fmt.Sprintf("explicit `LeaveGroup` request for (%s) members.", ids(e.List))
	case trace.SessionExpired:
		return fmt.Sprintf("removing member %s on heartbeat expiration.", e.Member)
	case trace.SyncExpired:
		return fmt.Sprintf("Removing [%s] on pending sync request expiration", ids(e.List))
	case trace.StaticReplaced:
		if e.From == wire.Stable {
			return fmt.Sprintf("Group's selectedProtocol will change because static member %s with instance id %s joined with change of protocol; %s",
				e.Member, e.Instance, clientReason(e))
		}
		return fmt.Sprintf("Updating metadata for static member %s with instance id %s; %s",
			e.Member, e.Instance, clientReason(e))
	case trace.AppendFailed:
		return fmt.Sprintf("Error %v when storing group assignmentduring SyncGroup (member: %s).", e.Err, e.Member)
	case trace.OverCapacity: // Text is the capacity
		return fmt.Sprintf("Freshly-loaded group %s (size %d) is over capacity %s. Rebalancing in order to give a chance for consumers to commit offsets",
			e.Group, e.Members, e.Text)
	}
	return e.Text
}

// clientReason is the reason in a JoinGroup; Kafka does not tell an empty one from none there.
func clientReason(e trace.Event) string {
	if e.Text == "" {
		return "client reason: not provided"
	}
	return "client reason: " + e.Text
}

// leaveReason is the reason in a LeaveGroup, where an empty one prints as it is.
func leaveReason(e trace.Event) string {
	if !e.HasText && e.Text == "" {
		return "client reason: not provided"
	}
	return "client reason: " + e.Text
}

func addedLine(e trace.Event) []LogLine {
	switch e.Reason {
	case trace.NewDynamic:
		return info("Dynamic member with unknown member id joins group %s in state %v. Created a new member id %s and added the member to the group.",
			e.Group, e.To, e.Member)
	case trace.NewStatic:
		return info("Static member with groupInstanceId=%s and unknown member id joins group %s in %v state. Created a new member id %s for this member and added to the group.",
			e.Instance, e.Group, e.To, e.Member)
	case trace.PendingJoined:
		return info("Pending dynamic member with id %s joins group %s in %v state. Adding to the group now.",
			e.Member, e.Group, e.To)
	case trace.StaticReplaced:
		return info("Static member with groupInstanceId=%s and unknown member id joins group %s in %v state. Replacing previously mapped member %s with this groupInstanceId.",
			e.Instance, e.Group, e.To, e.Other)
	}
	return nil
}

// removedLine leaves out members that did not rejoin or sync: NotRejoined lists those, and Kafka logs
// the others at DEBUG.
func removedLine(e trace.Event) []LogLine {
	switch e.Reason {
	case trace.SessionExpired, trace.NewMemberExpired:
		return info("Member %s in group %s has failed, removing it from the group.", e.Member, e.Group)
	case trace.Left:
		return info("[Group %s] Member %s has left group through explicit `LeaveGroup` request; %s",
			e.Group, e.Member, leaveReason(e))
	}
	return nil
}

func pendingLine(e trace.Event) []LogLine {
	switch e.Reason {
	case trace.SessionExpired:
		return info("Pending member %s in group %s has been removed after session timeout expiration.", e.Member, e.Group)
	case trace.OverCapacity: // the client is told, the log is not
		return nil
	}
	return info("[Group %s] Pending member %s has left group through explicit `LeaveGroup` request; %s",
		e.Group, e.Member, leaveReason(e))
}

func leaderGone(e trace.Event) string {
	instance := string(e.Instance)
	if instance == "" {
		instance = "None"
	}
	return fmt.Sprintf("Group leader [memberId: %s, groupInstanceId: %s] failed to join before the rebalance timeout",
		e.Other, instance)
}

// syncTimerLine looks at the generation first, as Kafka does.
func syncTimerLine(e trace.Event) []LogLine {
	if e.Generation == wire.Generation(e.Members) {
		return fail("Received unexpected notification of sync expiration after group %s already transitioned to %v state.",
			e.Group, e.To)
	}
	return fail("Received unexpected notification of sync expiration for %s with an old generation %d while the group has %d.",
		e.Group, e.Generation, e.Members)
}

// memberDump prints a member as ClassicGroupMember.toString does.
func memberDump(e trace.Event) string {
	d := e.Details
	if d == nil {
		d = &trace.MemberDetails{}
	}
	return fmt.Sprintf("ClassicGroupMember(memberId='%s', groupInstanceId='%s', clientId='%s', clientHost='%s', rebalanceTimeoutMs=%d, sessionTimeoutMs=%d, protocolType='%s', supportedProtocols=[%s])",
		e.Member, d.InstanceID, d.ClientID, d.ClientHost, d.RebalanceTimeoutMs, d.SessionTimeoutMs, d.ProtocolType, strings.Join(d.Protocols, ", "))
}

// emptyAssignments prints Java's map of arrays. Kafka prints the arrays' addresses; nobody knows them.
func emptyAssignments(list []wire.MemberID) string {
	var b strings.Builder
	for i, id := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(id) + "=[B@?")
	}
	return b.String()
}

func ids(list []wire.MemberID) string {
	texts := make([]string, len(list))
	for i, id := range list {
		texts[i] = string(id)
	}
	return strings.Join(texts, ", ")
}

func orNull(i wire.InstanceID) string {
	if i == "" {
		return "null"
	}
	return string(i)
}
