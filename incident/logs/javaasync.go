package logs

import "bytes"

// javaAsync are the messages of Java's consumer with the consumer protocol, 3.7 to 4.x.
func javaAsync() []template {
	return by(Java,
		java(JoinStateChanged, "Member {member} with epoch {generation} transitioned from {any} to {text}", memberState),
		java(JoinStateChanged, "Reconciling assignment with local epoch ", saying("RECONCILING"), newAssignment),
		java(HeartbeatFailed, "HeartbeatRequest failed ", epochRefused),
		java(RejoinRequested, "Time between subsequent calls to poll() was longer than the configured max.poll.interval.ms, exceeded "+
			"approximately by {ms} ms. Member {member} will rejoin the group now", saying("max.poll.interval.ms was exceeded")),
	)
}

// memberState tells when a member leaves. "<no ID>" has none yet.
func memberState(_ *message, e *Event) bool {
	for len(e.Text) > 0 && e.Text[len(e.Text)-1] == '.' {
		e.Text = e.Text[:len(e.Text)-1]
	}
	if e.Member == "<no ID>" {
		e.Member = ""
	}
	if e.Text == "LEAVING" {
		e.Kind, e.Text = LeaveSent, ""
	}
	return true
}

// newAssignment reads the line "Assigned partitions: [a-0]" from those that follow.
func newAssignment(m *message, e *Event) bool {
	for _, line := range m.more {
		if list, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("Assigned partitions:")); ok {
			e.Partitions = plainPartitions(e.Partitions, list, m.names)
		}
	}
	return true
}

// epochRefused reads "for member m because epoch 8 is fenced. in 0ms: …" and "because member m is unknown. in 0ms: …".
func epochRefused(m *message, e *Event) bool {
	if member, ok := cut(m.after, "member ", " "); ok {
		e.Member = m.names.member(member)
	}
	why, _, _ := bytes.Cut(withoutTail(m.after), []byte(". in "))
	_, why, ok := bytes.Cut(why, []byte("because "))
	switch {
	case bytes.HasSuffix(why, []byte(" is fenced")):
		e.Kind, e.Text = HeartbeatEvicted, fencedMemberEpoch
		if epoch, ok := cut(why, "epoch ", " "); ok {
			e.Generation = wholly(epoch)
		}
	case bytes.HasSuffix(why, []byte(" is unknown")):
		e.Kind, e.Text = HeartbeatEvicted, unknownMemberID
	default:
		e.Text = m.names.text(why)
		heartbeatAnswer(m, e)
	}
	return ok
}
