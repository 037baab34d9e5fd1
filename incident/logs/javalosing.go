package logs

import "bytes"

// javaLosing are the messages of a Java consumer that loses partitions, its membership or its coordinator.
func javaLosing() []template {
	return by(Java,
		java(PartitionsRevoked, "Revoke previously assigned partitions", javaPartitions),
		java(PartitionsRevoked, "Revoking previously assigned partitions", javaPartitions),
		java(PartitionsLost, "Lost previously assigned partitions", javaPartitions),
		java(CoordinatorLost, " is unavailable or in", lostCoordinator),
		java(CoordinatorLost, "Marking the coordinator {any} (id: {any}) dead for group {group}", javaNode),
		java(HeartbeatFailed, "Attempt to heartbeat failed", failedAttempt, heartbeatAnswer),
		java(HeartbeatFailed, "Attempt to heartbeat with ", javaGeneration, refusedAttempt),
		java(ClientFenced, "Received fatal exception: group.instance.id gets fenced"),
		java(ClientFenced, "Caught fenced group.instance.id {instance} error in heartbeat thread"),
		java(JoinFailed, "Attempt to join group ", failedJoin),
		java(PollTimeout, "onsumer poll timeout has expired", pollTimeout),
		java(LeaveSent, "ending LeaveGroup request", leaveRequest),
		java(ClientStopped, "App info kafka.consumer for {text} unregistered", clientInText),
		java(CommitRefused, "Commit cannot be completed since the group has already rebalanced", saying(unknownMemberID)),
		java(CommitRefused, "Offset commit cannot be completed since the consumer ", restOf, refusedCommit),
		java(CommitRefused, "Failing OffsetCommit request since the consumer is not part of an active group", saying(unknownMemberID)),
		java(CommitRefused, "OffsetCommit failed with ", javaCommit),
		java(CommitRefused, "Offset commit failed on partition ", javaCommit),
	)
}

// lostCoordinator reads "… due to cause: coordinator unavailable. isDisconnected: false. Rediscovery will be attempted."
func lostCoordinator(m *message, e *Event) bool {
	cause, _ := cut(m.after, "due to cause: ", "isDisconnected")
	e.Text = m.names.text(bytes.TrimRight(cause, ". "))
	javaNode(&message{after: m.before}, e)
	return named(m, e) && bytes.Contains(m.before, []byte("oup coordinator "))
}

// failedAttempt reads why a heartbeat failed, as 0.10 to 2.6 say it; the text is cut at what all of them have.
func failedAttempt(m *message, e *Event) bool {
	group, why, ok := bytes.Cut(withoutTail(m.after), []byte(" since "))
	if name, ok := bytes.CutPrefix(group, []byte(" for group ")); ok {
		e.Group = m.names.text(name)
	}
	if member, ok := cut(why, "member id ", " is not valid"); ok {
		e.Member, e.Text = m.names.member(member), unknownMemberID
		return true
	}
	switch {
	case bytes.HasSuffix(bytes.TrimRight(why, "."), []byte("not current")):
		at := bytes.IndexAny(why, "0123456789")
		if at >= 0 {
			e.Generation = leading(why[at:])
		}
		e.Text = illegalGeneration
	case bytes.Contains(why, []byte("rebalancing")):
		e.Text = rebalanceInProgress
	case bytes.Contains(why, []byte("coordinator ")):
		e.Text = notCoordinator
	default:
		e.Text = m.names.text(why)
	}
	return ok
}

// refusedAttempt reads "Generation{…} and group instance id Optional.empty failed due to UNKNOWN_MEMBER_ID, resetting
// generation", since 2.7. An answer to a heartbeat of an older generation evicts nobody.
func refusedAttempt(m *message, e *Event) bool {
	why, ok := cut(m.after, " failed due to ", ",")
	e.Text = m.names.text(why)
	if instance, ok := cut(m.after, "group instance id ", " failed"); ok {
		e.Instance = m.names.instance(bare(instance))
	}
	if !bytes.HasPrefix(m.after, []byte("stale ")) {
		heartbeatAnswer(m, e)
	}
	return ok
}

// failedJoin reads "orders failed due to …", of Java before 2.6 and of the clients for Python.
func failedJoin(m *message, e *Event) bool {
	text := withoutTail(m.after)
	for _, middle := range []string{" failed due to ", " failed: ", " rejected since "} {
		group, why, ok := bytes.Cut(text, []byte(middle))
		if !ok {
			continue
		}
		if e.Group == "" {
			e.Group = m.names.text(group)
			byLogger(m, e)
		}
		e.Text = m.names.text(bytes.TrimRight(why, "."))
		return unlessFenced(m, e)
	}
	return false
}

// pollTimeout reads it where it stands for itself, and not as the reason of a leave.
func pollTimeout(m *message, e *Event) bool {
	if bytes.Contains(m.after, []byte("max_poll_interval_ms")) {
		e.Library = KafkaPython
	}
	return !bytes.Contains(m.before, []byte("LeaveGroup"))
}

// leaveRequest reads "Member m sending LeaveGroup request to coordinator … due to the consumer is being closed"; before 2.2 it
// begins with "Sending" and has no member.
func leaveRequest(m *message, e *Event) bool {
	if at := bytes.LastIndex(m.before, []byte("Member ")); at >= 0 {
		e.Member = m.names.member(bytes.TrimSuffix(m.before[at+len("Member "):], []byte(" s")))
	}
	javaNode(&message{after: m.after}, e)
	if _, why, ok := bytes.Cut(withoutTail(m.after), []byte(" due to ")); ok {
		why, _, _ = bytes.Cut(why, []byte(". This means "))
		e.Text = m.names.text(bytes.TrimRight(why, "."))
	}
	return len(m.before) > 0 && bytes.ContainsAny(m.before[len(m.before)-1:], "sS")
}

func clientInText(_ *message, e *Event) bool {
	e.Client, e.Text = e.Text, ""
	return true
}

// javaCommit reads "Generation{…}: The coordinator is not aware of this member." and "a-0 at offset 5: …".
func javaCommit(m *message, e *Event) bool {
	if bytes.HasPrefix(m.after, []byte("Generation{")) {
		javaGeneration(m, e)
	}
	_, why, ok := bytes.Cut(withoutTail(m.after), []byte(": "))
	if !ok {
		why = withoutTail(m.after)
	}
	e.Text = m.names.text(why)
	return refusedCommit(m, e)
}
