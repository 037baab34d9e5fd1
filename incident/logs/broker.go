package logs

import (
	"bytes"

	"simulate/sim/trace"
)

// because says what a message tells by being logged.
func because(r trace.Reason) func(*message, *Event) bool {
	return func(_ *message, e *Event) bool {
		e.Reason = r
		return true
	}
}

// byThread finds a session that ran out by the thread that logs it: before 2.1 nothing else tells a reason.
func byThread(m *message, e *Event) bool {
	const sessions = "executor-Heartbeat"
	if e.Reason != trace.NoReason || e.Text != "" {
		return true
	}
	if bytes.Contains(m.before, []byte(sessions)) || bytes.Contains(m.after, []byte(sessions)) ||
		m.value("thread", "thread_name", "process.thread.name") == sessions {
		e.Reason = trace.SessionExpired
	}
	return true
}

// prefix reads who logs a message; the message comes behind it.
func prefix(text string) template {
	p := compile(text)
	return template{literal: p.literal(), parse: func(m message, e *Event) bool {
		p.match(&m, e)
		return false
	}}
}

// brokerPrefixes stand before the messages of coordinators, for 3.6+ and 0.9 to 3.9.
func brokerPrefixes() []template {
	return by(Broker,
		prefix("[GroupCoordinator id={broker}< topic=__consumer_offsets partition={partition}>"),
		prefix("[GroupCoordinator {broker}]"),
		prefix("[GroupMetadataManager brokerId={broker}]"),
		prefix("[Group Metadata Manager on Broker {broker}]"),
	)
}

// brokerStates are the messages about the states of classic groups, 0.9 to 4.x. A text for several versions has what only some
// of them print in angle brackets.
func brokerStates() []template {
	return by(Broker,
		says(Preparing, "Preparing to rebalance group {group} in state {state} with old generation {generation}< (__consumer_offsets-{partition})>< (reason: {reason}>", printedState, byThread),
		says(Preparing, "Preparing to rebalance group {group} with old generation {generation}< (__consumer_offsets-{partition})>", byThread),
		says(Preparing, "Preparing to restabilize group {group} with old generation {generation}", byThread),
		says(Completing, "Stabilized group {group} generation {generation}< (__consumer_offsets-{partition})>< with {members} members>"),
		says(AssignmentReceived, "Assignment received from leader for group {group} for generation {generation}<. The group has {members} members, {static} of which are static>"),
		says(AssignmentReceived, "Assignment received from leader {other} for group {group} for generation {generation}<. The group has {members} members, {static} of which are static>"),
		says(EmptyGroup, "Group {group} with generation {generation} is now empty< (__consumer_offsets-{partition})>"),
		says(DeadGroup, "Group {group} generation {generation} is dead and removed"),
		says(DeadGroup, "Group {group} transitioned to Dead in generation {generation}"),
		says(NoKind, "Group {group} is dead, skipping rebalance stage"),
		says(NobodyRejoined, "Group {group} could not complete rebalance because no members rejoined"),
	)
}

// brokerMembers are the messages about members of classic groups.
func brokerMembers() []template {
	return by(Broker,
		says(MemberFailed, "Member {member} in group {group} has failed, removing it from the group"),
		says(MemberFailed, "Member {member} in group {group} has failed"),
		says(MemberLeft, "Member {member} in group {group} has left, removing it from the group"),
		says(MemberLeft, "Member[group.instance.id {instance}, member.id {member}] in group {group} has left, removing it from the group"),
		says(MemberLeft, "Member {dump} has left group {group} through explicit `LeaveGroup`< request>"),
		says(MemberLeft, "[Group {group}] Member {member} has left group through explicit `LeaveGroup` request<; client reason: {client reason}>"),
		says(MemberIDIssued, "Dynamic member with unknown member id joins group {group} in {state} state. Created a new member id {member} and request"),
		says(MemberAdded, "Pending dynamic member with id {member} joins group {group} in {state} state. Adding to the group now", because(trace.PendingJoined)),
	)
}

// brokerTables are all messages of brokers, those first that come most.
func brokerTables() [][]template {
	return [][]template{brokerPrefixes(), brokerStates(), brokerMembers()}
}
