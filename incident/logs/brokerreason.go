package logs

import "simulate/sim/trace"

// why is a text that a broker gives as the reason of a rebalance.
type why struct {
	text   *pattern
	reason trace.Reason
	all    bool // the fields of the event have all that it says
}

// whys are the reasons, first those that come most. Of two that begin alike the longer one is first.
var whys = []why{
	{compile("removing member {member} on heartbeat expiration"), trace.SessionExpired, true},
	{compile("explicit `LeaveGroup` request for ({list}) members"), trace.Left, true},
	{compile("Adding new member {member} with group instance id {instance}"), trace.MemberJoined, true},
	{compile("Adding new member {member} with group instanceid {instance}"), trace.MemberJoined, true},
	{compile("Adding new member {member}"), trace.MemberJoined, true},
	{compile("Updating metadata for static member {member} with instance id {instance}"), trace.StaticReplaced, false},
	{compile("Updating metadata for member {member} during {state}"), trace.MemberRejoined, false},
	{compile("Updating metadata for member {member}"), trace.MemberRejoined, false},
	{compile("Member {member} joining group during {state}"), trace.MemberRejoined, false},
	{compile("Leader {member} re-joining group during {state}"), trace.LeaderRejoined, false},
	{compile("leader {member} re-joining group during {state}"), trace.LeaderRejoined, false},
	{compile("removing member {member} on LeaveGroup"), trace.Left, true},
	{compile("Removing member {member} on LeaveGroup"), trace.Left, true},
	{compile("Removing {list} on pending sync request expiration"), trace.SyncExpired, true},
	{compile("Error when storing group assignment during SyncGroup (member: {member})"), trace.AppendFailed, false},
	{compile("error when storing group assignment during SyncGroup (member: {member})"), trace.AppendFailed, false},
	{compile("Error {any} when storing group assignmentduring SyncGroup (member: {member})"), trace.AppendFailed, false},
	{compile("Error {any} when storing group assignment during SyncGroup (member: {member})"), trace.AppendFailed, false},
	{compile("Group's selectedProtocol will change because static member {member} with instance id {instance} joined with change of protocol"), trace.StaticReplaced, false},
	{compile("Freshly-loaded group is over capacity"), trace.OverCapacity, false},
	{compile("Freshly-loaded group {any} is over capacity"), trace.OverCapacity, false},
}

func init() { // not with the table: what reads a reason may read another one in it
	for i := range whys {
		whys[i].text.unrolled = unrolled[whys[i].text.text]
	}
}

// beforeClient stands before what a client gave as its reason.
var beforeClient = newFixed([]byte("; client reason: "))

// readReason reads the reason of a rebalance, with the bracket at its end.
func readReason(e *Event, text []byte, m *message) {
	text = unstopped(text)
	complete := len(text) > 0 && text[len(text)-1] == ')'
	if complete {
		text = text[:len(text)-1]
	}
	text, client, more := beforeClient.cut(text)
	end := cutText
	if complete || more {
		end = bareText
	}
	e.ClientReason = clientReason(client, m.names)
	w := reasonOf(e, text, end, m)
	e.Reason = w.reason
	if e.Reason == trace.NoReason && complete {
		e.Reason = trace.OtherReason
	}
	if !w.all || end == cutText {
		e.Text = m.names.text(text)
	}
	if len(e.List) == 1 {
		e.Member = e.List[0]
	}
}

// reasonOf finds the reason that a text is; NoReason when nobody knows it.
func reasonOf(e *Event, text []byte, end ending, m *message) why {
	for i := range whys {
		if w := &whys[i]; w.text.readPart(text, end, m, e) {
			return *w
		}
	}
	return why{}
}
