package logs

// kafkaGo are the messages of segmentio/kafka-go.
func kafkaGo() []template {
	return by(KafkaGo,
		says(ClientStarted, "entering loop for consumer group, {group}"),
		says(JoinAnswered, "joined group {group} as member {member} in generation {generation}"),
		says(LeaderElected, "selected as leader for group, {group}"),
		says(Synced, "sync group finished for group, {group}"),
		says(PartitionsAssigned, "subscribed to topics and partitions: ", goAssignment),
		says(PartitionsRevoked, "stopped heartbeat for group {group}", saying("the generation is over")),
		says(RejoinRequested, "Partition changes found, rebalancing group: {group}", saying("partition changes found")),
		says(JoinFailed, "Failed to join group {group}: {text}", unlessFenced),
		says(SyncFailed, "Failed to sync group {group}: {text}", unlessFenced),
		says(CoordinatorLost, "Unable to establish connection to consumer group coordinator for group {group}: {text}", named),
		says(LeaveSent, "Leaving group {group}, member {member}"),
	)
}

func goAssignment(m *message, e *Event) bool {
	e.Partitions = structPartitions(e.Partitions, m.after, m.names)
	return true
}
