package logs

import (
	"bytes"
	"strings"
)

// kafkaPython are the messages of kafka-python, 1.4 to 3.0. aiokafka began as a copy of it, and both as one of Java's consumer
// before 1.0: what they have in common with that stands there.
func kafkaPython() []template {
	return by(KafkaPython,
		python(Synced, "Successfully joined group {group} with generation {generation}"),
		python(JoinAnswered, "Successfully joined group ", pythonGeneration),
		python(Synced, "Received SyncGroup response: SyncGroupResponse(", noError),
		python(SyncFailed, "SyncGroup for group {group} failed due to {text}", pythonError, unlessFenced),
		python(JoinFailed, "Received member id {member} for group {group}; will retry join-group", saying(memberIDRequired)),
		python(LeaderElected, "Elected group leader -- performing partition assignments", pythonAssignor),
		python(PartitionsAssigned, "Setting newly assigned partitions", pythonList),
		python(PartitionsAssigned, "Cooperative rebalance complete for group {group}: ", pythonDifference),
		python(PartitionsRevoked, "Revoking previously assigned partitions", pythonList),
		python(PartitionsLost, "Group {group} lost membership; forcibly revoking ", pythonList),
		python(RejoinRequested, "Triggering follow-up rebalance for group {group} to complete {text}"),
		python(HeartbeatSent, "Sending heartbeat for group ", pythonGeneration),
		python(HeartbeatRebalances, "Group {group} is rebalancing; rejoining"),
		python(HeartbeatRebalances, "Heartbeat failed for group {group} because it is rebalancing"),
		python(HeartbeatFailed, "Heartbeat failed for group {group}: {text}", pythonError, pythonHeartbeat),
		python(HeartbeatEvicted, "local member_id was not recognized", saying(unknownMemberID)),
		python(SessionLost, "Heartbeat session expired", notAsCause),
		python(PollTimeout, "Heartbeat poll expired, leaving group"),
		python(CoordinatorFound, "Discovered coordinator {text} for group {group}", pythonNode),
		python(CoordinatorLost, "Marking the coordinator dead (node {text}", pythonDead),
		python(LeaveSent, "Leaving consumer group ", pythonLeave),
		python(CommitRefused, "OffsetCommit for group {group} failed: {text}", refusedCommit),
	)
}

// aiokafka are the messages that only aiokafka has.
func aiokafka() []template {
	return by(Aiokafka,
		python(JoinAnswered, "Joined group '{group}' (generation {generation}) with member_id {member}"),
		python(Synced, "Successfully synced group {group} with generation {generation}", noGeneration),
		python(CommitRefused, "OffsetCommit failed for group {group} due to group error ({text}), will rejoin", refusedCommit),
		python(SessionLost, "Heartbeat session expired - marking coordinator dead"),
		python(HeartbeatEvicted, "Heartbeat failed: local member_id was not recognized; resetting", saying(unknownMemberID)),
	)
}

func python(kind Kind, text string, reads ...then) template {
	return says(kind, text, append([]then{byLogger}, reads...)...)
}

// byLogger tells by its logger which client wrote a message that several have.
func byLogger(m *message, e *Event) bool {
	switch {
	case m.loggerHas("aiokafka"):
		e.Library = Aiokafka
	case m.loggerHas("org.apache.kafka"), m.loggerHas("o.a.k"):
		e.Library = Java
	case m.loggerHas("kafka.coordinator"), m.loggerHas("kafka.consumer"), m.loggerHas("kafka.cluster"):
		e.Library = KafkaPython
	}
	return true
}

// pythonGeneration reads "<Generation 4 (member_id: m, protocol: range)>", since 2.1.
func pythonGeneration(m *message, e *Event) bool {
	_, generation, ok := bytes.Cut(m.after, []byte("<Generation "))
	e.Generation = leading(generation)
	if group, ok := cutEnd(m.after, " <Generation "); ok {
		e.Group = m.names.text(group)
	}
	if member, ok := cut(generation, "(member_id: ", ", protocol: "); ok {
		e.Member = m.names.member(member)
	}
	return ok
}

// pythonAssignor reads " using range".
func pythonAssignor(m *message, e *Event) bool {
	if _, assignor, ok := bytes.Cut(withoutTail(m.after), []byte(" using ")); ok { // or it is cut
		e.Text = m.names.text(assignor)
	}
	return true
}

// noGeneration says that a member has synced without one, after it was evicted.
func noGeneration(_ *message, e *Event) bool {
	if e.Generation < 0 {
		e.Text = "generation -1"
	}
	return true
}

func noError(m *message, _ *Event) bool { return bytes.Contains(m.after, []byte("error_code=0,")) }

// pythonError leaves out what the client does about an error.
func pythonError(m *message, e *Event) bool {
	e.Text, _, _ = strings.Cut(e.Text, ";")
	e.Text = strings.TrimRight(e.Text, ". ")
	return named(m, e)
}

func pythonHeartbeat(m *message, e *Event) bool {
	if strings.HasPrefix(e.Text, "coordinator (node ") {
		e.Text = notCoordinator
	}
	return heartbeatAnswer(m, e)
}

// notAsCause leaves out the message about the coordinator that this was the cause of.
func notAsCause(m *message, _ *Event) bool {
	return !bytes.Contains(m.before, []byte("Marking the coordinator"))
}

// pythonList reads " {TopicPartition(topic='a', partition=0)} for group orders", " set() for group orders".
func pythonList(m *message, e *Event) bool {
	if _, group, ok := bytes.Cut(withoutTail(m.after), []byte(" for group ")); ok {
		e.Group = m.names.text(group)
	}
	e.Partitions = pythonPartitions(e.Partitions, m.after, m.names)
	e.Count = int32(len(e.Partitions))
	return true
}

// pythonDifference reads "owned={…}, assigned={…}, revoked={…}, added={…}". What was revoked is told when nothing is new.
func pythonDifference(m *message, e *Event) bool {
	revoked, added, ok := bytes.Cut(m.after, []byte(", added="))
	e.Partitions = pythonPartitions(e.Partitions, added, m.names)
	_, revoked, _ = bytes.Cut(revoked, []byte(", revoked="))
	if revoked := pythonPartitions(nil, revoked, m.names); len(e.Partitions) == 0 && len(revoked) > 0 {
		e.Kind, e.Partitions = PartitionsRevoked, revoked
	}
	return ok
}

// pythonNode reads "0" or "coordinator-1".
func pythonNode(_ *message, e *Event) bool {
	e.Broker, e.Text = wholly([]byte(strings.TrimPrefix(e.Text, "coordinator-"))), ""
	return e.Broker >= 0
}

// pythonDead reads "0) for group orders: Heartbeat session expired." aiokafka has no cause, and "(node 0)for group".
func pythonDead(m *message, e *Event) bool {
	node, text, ok := strings.Cut(e.Text, ")")
	e.Broker = wholly([]byte(strings.TrimPrefix(node, "coordinator-")))
	_, text, found := strings.Cut(text, "for group ")
	e.Group, e.Text, _ = strings.Cut(strings.TrimRight(text, "."), ": ")
	return ok && found && named(m, e)
}

// pythonLeave reads "orders (member m)." or, before 2.1, "(orders)."
func pythonLeave(m *message, e *Event) bool {
	text := bytes.TrimRight(withoutTail(m.after), ".")
	group, member, ok := bytes.Cut(text, []byte(" (member "))
	if ok {
		e.Member = m.names.member(bytes.TrimSuffix(member, []byte(")")))
	} else {
		group = bytes.Trim(group, "()")
	}
	e.Group = m.names.text(group)
	return true
}
