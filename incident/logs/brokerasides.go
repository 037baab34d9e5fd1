package logs

// brokerAsides are messages of coordinators that say nothing about the state of a group or its members.
func brokerAsides() []template {
	return by(Broker,
		says(NoKind, "Removed {number} expired offsets in"),
		says(NoKind, "Removed {number} offsets associated with deleted partitions"),
		says(NoKind, "Generated {number} tombstone records "),
		says(NoKind, "Generated {number} records in {ms} milliseconds while cleaning share group state"),
		says(NoKind, "Skipped the materialization of transactional offset commit "),
		says(NoKind, "Failed to parse Consumer Protocol "),
		says(NoKind, "Error deleting share group "),
		says(NoKind, "The write event {any} for the timer {any} failed due to "),
		says(NoKind, "Operation {any} with {any} hit an unexpected exception: "),
		says(NoKind, "Shutting down event processor.", ofCoordinator),
		says(NoKind, "Event processor closed.", ofCoordinator),
		says(NoKind, "Received unexpected notification of sync expiration "),
		says(NoKind, "Failed to invoke join callback for "),
		says(NoKind, "Attempt to add rejoining member "),
		says(NoKind, "Scheduling unloading of metadata for __consumer_offsets-"), // of one that was never loaded, perhaps
		says(NoKind, "Ignored unloading metadata for __consumer_offsets-"),
		says(NoKind, "[GroupId {group}] Member {member} updated its subscribed topics to"),
		says(NoKind, "[GroupId {group}] Creating a simple consumer group via manual offset commit"),
		says(NoKind, "Cannot downgrade consumer group "),
		says(NoKind, "Cannot upgrade classic group "),
	)
}
