package logs

import (
	"bytes"

	"simulate/sim/trace"
)

// why is a text that a broker gives as the reason of a rebalance.
type why struct {
	text   *pattern
	reason trace.Reason
}

// whys are the reasons, first those that come most. Of two that begin alike the longer one is first.
var whys = []why{
	{compile("removing member {member} on heartbeat expiration"), trace.SessionExpired},
	{compile("explicit `LeaveGroup` request for ({list}) members"), trace.Left},
	{compile("Adding new member {member} with group instance id {instance}"), trace.MemberJoined},
	{compile("Adding new member {member} with group instanceid {instance}"), trace.MemberJoined},
	{compile("Adding new member {member}"), trace.MemberJoined},
	{compile("Updating metadata for static member {member} with instance id {instance}"), trace.StaticReplaced},
	{compile("Updating metadata for member {member} during {state}"), trace.MemberRejoined},
	{compile("Updating metadata for member {member}"), trace.MemberRejoined},
	{compile("Member {member} joining group during {state}"), trace.MemberRejoined},
	{compile("Leader {member} re-joining group during {state}"), trace.LeaderRejoined},
	{compile("leader {member} re-joining group during {state}"), trace.LeaderRejoined},
	{compile("removing member {member} on LeaveGroup"), trace.Left},
	{compile("Removing member {member} on LeaveGroup"), trace.Left},
	{compile("Removing {list} on pending sync request expiration"), trace.SyncExpired},
	{compile("Error when storing group assignment during SyncGroup (member: {member})"), trace.AppendFailed},
	{compile("error when storing group assignment during SyncGroup (member: {member})"), trace.AppendFailed},
	{compile("Error {any} when storing group assignmentduring SyncGroup (member: {member})"), trace.AppendFailed},
	{compile("Error {any} when storing group assignment during SyncGroup (member: {member})"), trace.AppendFailed},
	{compile("Group's selectedProtocol will change because static member {member} with instance id {instance} joined with change of protocol"), trace.StaticReplaced},
	{compile("Freshly-loaded group is over capacity"), trace.OverCapacity},
	{compile("Freshly-loaded group {any} is over capacity"), trace.OverCapacity},
}

// readReason reads the reason of a rebalance, with the bracket at its end.
func readReason(e *Event, text []byte, m *message) {
	text = unstopped(text)
	text, complete := bytes.CutSuffix(text, []byte(")"))
	text, client, more := bytes.Cut(text, []byte("; client reason: "))
	end := cutText
	if complete || more {
		end = bareText
	}
	e.ClientReason = clientReason(client, m.names)
	e.Text = m.names.text(text)
	if e.Reason = reasonOf(e, text, end, m); e.Reason == trace.NoReason && complete {
		e.Reason = trace.OtherReason
	}
	if len(e.List) == 1 {
		e.Member = e.List[0]
	}
}

func reasonOf(e *Event, text []byte, end ending, m *message) trace.Reason {
	for i := range whys {
		w := &whys[i]
		if len(text) > 0 && text[0] == w.text.parts[0].text[0] && w.text.read(text, end, m, e) {
			return w.reason
		}
	}
	return trace.NoReason
}
