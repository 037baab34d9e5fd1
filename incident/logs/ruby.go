package logs

import "bytes"

// rubyKafka are the messages of ruby-kafka.
func rubyKafka() []template {
	return by(RubyKafka,
		ruby(JoinSent, "Joining group `{group}`"),
		ruby(JoinAnswered, "Joined group `{group}` with member id `{member}`"),
		ruby(LeaderElected, "Chosen as leader of group `{group}`"),
		ruby(JoinFailed, "Failed to join group; resetting member id and retrying in {number}s", saying(unknownMemberID)),
		ruby(JoinFailed, "Connection error while trying to join group `{group}`", saying("connection error")),
		ruby(CoordinatorLost, "Failed to find coordinator for group `{group}`", saying(notCoordinator)),
		ruby(PartitionsAssigned, "Partitions assigned for `{text}`: ", rubyPartitions),
		ruby(HeartbeatFailed, "Error sending heartbeat: {text}", heartbeatAnswer),
		ruby(LeaveSent, "Leaving group `{group}`"),
		ruby(CommitRefused, "Error committing offsets: {text}", refusedCommit),
	)
}

func ruby(kind Kind, text string, reads ...then) template {
	return says(kind, text, append([]then{rubyTag}, reads...)...)
}

// rubyTag reads the group before a message that does not name it: "[[orders] {topic: 0, 1}:] ".
func rubyTag(m *message, e *Event) bool {
	if e.Group != "" {
		return true
	}
	if at := bytes.LastIndex(m.before, []byte("[[")); at >= 0 {
		if group, ok := cutEnd(m.before[at+2:], "] {"); ok {
			e.Group = m.names.text(group)
		}
	}
	return true
}

// rubyPartitions reads "0, 5, 4" behind the topic.
func rubyPartitions(m *message, e *Event) bool {
	list, topic := withoutTail(m.after), []byte(e.Text)
	_, list, _ = bytes.Cut(list, []byte("`: "))
	for len(list) > 0 {
		var one []byte
		one, list, _ = bytes.Cut(list, []byte(", "))
		if wholly(one) >= 0 {
			e.Partitions = addPartition(e.Partitions, topic, one, m.names)
		}
	}
	e.Text = ""
	return true
}
