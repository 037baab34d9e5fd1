package logs

import (
	"strings"

	"simulate/sim/trace"
)

// brokerConsumers are the messages about groups of the consumer protocol (KIP-848), 3.6+.
func brokerConsumers() []template {
	return by(Broker,
		says(ConsumerJoined, "[GroupId {group}] Member {member} joins the consumer group using the {text} protocol"),
		says(ConsumerJoined, "[GroupId {group}] Static member {member} with instance id {instance} joins the consumer group using the {text} protocol"),
		says(ConsumerJoined, "[GroupId {group}] Static member with instance id {instance} re-joins the consumer group using the {text} protocol. Created a new member {member} to replace the existing member {other}"),
		says(ConsumerJoined, "[GroupId {group}] Member {member} joins the consumer group", text("consumer")), // 3.6
		says(MemberIDIssued, "[GroupId {group}] Dynamic member with unknown member id joins the consumer group. Created a new member id {member} and request"),

		says(EpochBumped, "[GroupId {group}] Bumped group epoch to {generation}"),
		says(TargetComputed, "[GroupId {group}] Computed a new target assignment for epoch {generation}< with '{text}' assignor>< in {ms}ms>"),
		says(MemberReconciled, "[GroupId {group}] Member {member} new assignment state: epoch={generation}, previousEpoch={number}, state={text}, assignedPartitions={partitions}"),
		says(MemberReconciled, "[GroupId {group}] Member {member} transitioned from {any} to CurrentAssignment(memberEpoch={generation}, previousMemberEpoch={number}, targetMemberEpoch={number}, state={text}, assignedPartitions={any}", upper), // 3.6, 3.7

		says(ConsumerLeft, "[GroupId {group}] Member {member} left the consumer group"),
		says(ConsumerLeft, "[GroupId {group}] Static Member {member} with instance id {instance} temporarily left the consumer group", text("temporarily")),
		says(ConsumerLeft, "[GroupId {group}] Static Member {member} with instance id {instance} left the consumer group"),
		says(ConsumerFenced, "[GroupId {group}] Member {member} fenced from the group because {text}", fencedBecause),
		says(Fenced, "[GroupId {group}] Static member {member} with instance id {instance} is fenced by existing member {other}"),
		says(Fenced, "[GroupId {group}] Static member {member} with instance id {instance} cannot join the group because the instance id is is owned by member {other}"),
		says(Fenced, "[GroupId {group}] Static member {member} with instance id {instance} cannot join the group because the instance id is owned by member {other}"), // late 4.x

		says(Migrated, "[GroupId {group}] Converted the empty classic group to a consumer group", text("consumer")),
	)
}

// text says what a message does not spell out.
func text(s string) func(*message, *Event) bool {
	return func(_ *message, e *Event) bool {
		e.Text = s
		return true
	}
}

// upper spells a member's state as later versions do.
func upper(_ *message, e *Event) bool {
	e.Text = strings.ToUpper(e.Text)
	return true
}

// fencedBecause reads why a member was fenced.
func fencedBecause(_ *message, e *Event) bool {
	switch {
	case strings.Contains(e.Text, "session expired"):
		e.Reason = trace.SessionExpired
	case strings.Contains(e.Text, "failed to sync"):
		e.Reason = trace.SyncExpired
	default: // failed to transition from an epoch, to revoke partitions, or to join
		e.Reason = trace.NotRejoinedInTime
	}
	return true
}
