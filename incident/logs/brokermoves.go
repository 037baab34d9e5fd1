package logs

import (
	"bytes"
	"strings"
)

// brokerMoves are the messages about coordinators that come and go, and about what they cannot store.
func brokerMoves() []template {
	return by(Broker,
		says(Elected, "Elected as the group coordinator for partition {partition}< in epoch {generation}>"), // 2.5 to 3.9
		says(Resigned, "Resigned as the group coordinator for partition {partition}< in epoch OptionalInt[{generation}]>< in epoch Some({generation})>"),

		says(LoadingPartition, "Scheduling loading of offsets and group metadata from __consumer_offsets-{partition}< for epoch {generation}>"), // 0.11 to 3.9
		says(LoadedPartition, "Finished loading offsets and group metadata from __consumer_offsets-{partition} in {ms} milliseconds< for epoch {generation}>"),
		says(UnloadingPartition, "Scheduling unloading of offsets and group metadata from __consumer_offsets-{partition}"),
		says(UnloadedPartition, "Finished unloading __consumer_offsets-{partition}< for coordinator epoch OptionalInt[{generation}]>"),
		says(LoadingPartition, "Scheduling loading of metadata from __consumer_offsets-{partition}< with epoch {generation}>"), // 4.x, as the next ones
		says(LoadedPartition, "Finished loading of metadata from __consumer_offsets-{partition} with epoch {generation} in {ms}ms"),
		says(UnloadingPartition, "Started unloading metadata for __consumer_offsets-{partition}< with epoch OptionalInt[{generation}]>"),
		says(UnloadedPartition, "Finished unloading metadata for __consumer_offsets-{partition}< with epoch OptionalInt[{generation}]>"),

		says(GroupLoaded, "Loading group metadata for {group} with generation {generation}"), // to 3.9
		says(GroupUnloaded, "Unloading group metadata for {group} with generation {generation}"),
		says(MemberLoaded, "Loaded member {dump} in group {group} with generation {generation}"),                                              // 2.8 to 3.9
		says(MemberLoaded, "Static member {dump}.groupInstanceId of group {group} loaded with member id {member} at generation {generation}"), // 2.3 to 2.7
		says(GroupLoaded, "Loaded classic group {group} with {members} members"),                                                              // 4.x, as the next ones
		says(GroupLoaded, "Loaded consumer group {group} with {members} members"),
		says(GroupUnloaded, "[GroupId={group}] Unloading group metadata for generation {generation}"),
		says(GroupUnloaded, "[GroupId={group}] Unloaded group metadata for group epoch {generation}"),
		says(GroupsDeleted, "The following groups were deleted: {text}. A total of", oneGroup),

		says(AppendFailed, "Error processing append operation on partition __consumer_offsets-{partition}", replicaManager),
		says(AppendFailed, "Failed to write records to __consumer_offsets-{partition} due to an unexpected error: {text}"), // 4.x
		says(AppendFailed, "Failed to write a batch of {number} record(s) to __consumer_offsets-{partition} because {text}"),

		says(StoreFailed, "The write event {any} for the timer join-{group} failed due to {text}. Ignoring it"),
		says(StoreFailed, "The write event {any} for the timer sync-{group} failed due to {text}. Ignoring it"),

		says(BrokerStarting, "Starting up.", ofCoordinator),
		says(BrokerStarted, "Startup complete.", ofCoordinator),
		says(BrokerStopping, "Shutting down.", ofCoordinator),
		says(BrokerStopped, "Shutdown complete.", ofCoordinator),
	)
}

// oneGroup tells the deletion of one group from that of several, and from that of none, which is logged, too.
func oneGroup(_ *message, e *Event) bool {
	if e.Text == "" {
		e.Kind = NoKind
	} else if !strings.Contains(e.Text, ", ") {
		e.Kind, e.Group, e.Text = DeadGroup, e.Text, ""
	}
	return true
}

// ofCoordinator tells the coordinator of groups from what else starts and stops in a broker.
func ofCoordinator(m *message, _ *Event) bool {
	head := bytes.TrimRight(m.before, ": ")
	begin := bytes.LastIndexByte(head, '[')
	return bytes.HasSuffix(head, []byte("]")) && bytes.HasPrefix(head[max(begin, 0):], []byte("[GroupCoordinator "))
}

// replicaManager reads the broker's id before the message, and the error in the line after it.
func replicaManager(m *message, e *Event) bool {
	const head = "[ReplicaManager broker="
	if i := bytes.LastIndex(m.before, []byte(head)); i >= 0 {
		id := m.before[i+len(head):]
		e.Broker, _ = number(id[:digits(id)])
	}
	if len(m.more) > 0 {
		e.Text = m.names.text(bytes.TrimSpace(m.more[0]))
	}
	return true
}
