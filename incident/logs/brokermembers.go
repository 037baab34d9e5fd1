package logs

import "simulate/sim/trace"

// brokerMembers are the messages about members of classic groups that go.
func brokerMembers() []template {
	return by(Broker,
		says(MemberFailed, "Member {member} in group {group} has failed<, removing it from the group>"), // at TRACE before 0.11

		says(MemberLeft, "Member {member} in group {group} has left, removing it from the group"),                                                  // 0.11 to 2.3
		says(MemberLeft, "Member[group.instance.id {instance}, member.id {member}] in group {group} has left, removing it from the group"),         // 2.4 to 2.8
		says(MemberLeft, "Member {dump} has left group {group} through explicit `LeaveGroup`< request><; client reason: {client reason}>"),         // 3.0 to 3.9
		says(MemberLeft, "[Group {group}] Member {member} has left group through explicit `LeaveGroup` request<; client reason: {client reason}>"), // 4.x, as the next ones
		says(PendingLeft, "[Group {group}] Pending member {member} has left group through explicit `LeaveGroup` request<; client reason: {client reason}>"),
		says(MemberLeft, "[Group {group}] Dynamic Member {member} has left group through explicit `LeaveGroup` request<; client reason: {client reason}>"),
		says(MemberLeft, "[Group {group}] Static Member {member} with instance id {instance} has left group through explicit `LeaveGroup` request<; client reason: {client reason}>"),

		says(PendingExpired, "Pending member {member} in group {group} has been removed after session timeout expiration"),
		says(PendingLeft, "Pending member {member} is leaving group {group}"),                                                                                       // to 2.8
		says(PendingLeft, "Pending member with memberId={member} has left group {group} through explicit `LeaveGroup`< request><; client reason: {client reason}>"), // 3.0 to 3.9

		says(NotRejoined, "Group {group} remove dynamic members who haven't joined: {list}", oneMember), // 2.7
		says(NotRejoined, "Group {group} removed dynamic members who haven't joined: {list}", oneMember),
		says(NotSynced, "Group {group} removed members who haven't sent their sync request: {list}", oneMember),

		says(LeaderReplaced, "Group leader [member.id: {other}, group.instance.id: {instance}] failed to join before rebalance timeout, while new leader {new leader} was elected"), // to 3.9
		says(LeaderReplaced, "Group leader [member.id: {other}, group.instance.id: {instance}] failed to join before rebalance timeout, and the group couldn't proceed"),
		says(LeaderReplaced, "Group leader [memberId: {other}, groupInstanceId: {instance}] failed to join before the rebalance timeout. Member {new leader} was elected as the new leader"),
		says(LeaderReplaced, "Group leader [memberId: {other}, groupInstanceId: {instance}] failed to join before the rebalance timeout and the group couldn't proceed"),

		says(EmptyAssignment, "Setting empty assignments for members {list} of {group} for generation {generation}", oneMember),
		says(EmptyAssignment, "Sending empty assignment to member {member} of {group} for generation {generation} with"),
	)
}

// oneMember names the member when a list has only one.
func oneMember(_ *message, e *Event) bool {
	if len(e.List) == 1 {
		e.Member = e.List[0]
	}
	return true
}

// brokerJoins are the messages about members of classic groups that come.
func brokerJoins() []template {
	return by(Broker,
		says(MemberIDIssued, "Dynamic member with unknown member id joins group {group} in {state} state. Created a new member id {member} and request"),                       // at DEBUG to 2.8
		says(MemberIDIssued, "Dynamic member with unknown member id rejoins group {group} in {state} state. Created a new member id {member} and request"),                     // 2.4
		says(MemberAdded, "Dynamic member with unknown member id joins group {group} in state {state}. Created a new member id {member} and added", because(trace.NewDynamic)), // 4.x
		says(MemberAdded, "Dynamic Member with unknown member id joins group {group} in {state} state. Created a new member id {member} for this member and add", because(trace.NewDynamic)),
		says(MemberAdded, "Static Member with unknown member id joins group {group} in {state} state. Created a new member id {member} for this member and add", because(trace.NewStatic)),

		says(MemberAdded, "Pending dynamic member with id {member} joins group {group} in {state} state. Adding to the group now", because(trace.PendingJoined)),         // at DEBUG to 3.9
		says(MemberAdded, "Dynamic Member with specific member id {member} joins group {group} in {state} state. Adding to the group now", because(trace.PendingJoined)), // at DEBUG, 2.5 to 2.8
		says(MemberAdded, "Static Member with specific member id {member} joins group {group} in {state} state. Adding to the group now", because(trace.PendingJoined)),

		says(MemberAdded, "Static member with groupInstanceId={instance} and unknown member id joins group {group} in {state} state. Created a new member id {member} for this member and add", because(trace.NewStatic)), // 3.0+
		says(StaticReplaced, "Static member with groupInstanceId={instance} and unknown member id joins group {group} in {state} state. Replacing previously mapped member {other} with this groupInstanceId"),
		says(MemberAdded, "Adding new static member {instance} to group {group} with member id {member}", because(trace.NewStatic)), // 2.5 to 2.8
		says(StaticReplaced, "Static member {instance} of group {group} with unknown member id rejoins, assigning new member id {member}, while old member id {other} will be removed"),
		says(StaticReplaced, "Static member {instance} with unknown member id rejoins, assigning new member id {member}, while old member {other} will be removed"), // 2.3, 2.4
		says(StaticNoRebalance, "Static member which joins during Stable stage and doesn't affect "),                                                                // 2.5+
		says(StaticNoRebalance, "Static member joins during Stable stage will not trigger rebalance"),

		says(Fenced, "Request memberId={member} for static member with groupInstanceId={instance} is fenced by current memberId={other} during operation {text}"), // 3.0 to 3.9
		says(Fenced, "Request memberId={member} for static member with groupInstanceId={instance} is fenced by existing memberId={other} during operation {text}"),
		says(Fenced, "given member.id {member} is identified as a known static member {instance}, but not matching the expected member.id {other} during {text}, will respond"), // 2.4 to 2.8
		says(Fenced, "given member.id {member} is identified as a known static member {instance},but not matching the expected member.id {other}"),                              // 2.3
	)
}
