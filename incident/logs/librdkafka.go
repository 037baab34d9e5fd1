package logs

import (
	"bytes"
	"strconv"
)

// librdkafka are the messages of librdkafka, to 2.16, under any of its wrappers. A wrapper may leave out the facility and the
// client's name; the poll timeout and the lost session are visible without debug=cgrp.
func librdkafka() []template {
	return by(Librdkafka,
		rdkafka(HeartbeatSent, "Heartbeat for group \"{group}\" generation id {generation}", rdkafkaCoordinator),
		rdkafka(JoinStateChanged, "Group \"{group}\" changed join state ", newJoinState),
		rdkafka(JoinSent, "Joining group \"{group}\" with ", memberInQuotes),
		rdkafka(JoinSent, "Group \"{group}\": join with {number} ({number}) subscribed topic(s)"), // 1.5 and older do not say the above
		rdkafka(JoinAnswered, "JoinGroup response: GenerationId {generation}, ", rdkafkaJoined),
		rdkafka(LeaderElected, "I am elected leader for group \"{group}\" with {members} member(s)"),
		rdkafka(Synced, "SyncGroup response: Success ("),
		rdkafka(SyncFailed, "Group \"{group}\": synchronization failed: ", afterColon, beforeRejoin, unlessFenced),
		rdkafka(RejoinRequested, "Group \"{group}\" is rebalancing ", partitionsGiven, afterColon),
		rdkafka(RejoinRequested, "Group \"{group}\" initiating rebalance ", afterColon),
		rdkafka(RejoinRequested, "Group \"{group}\": Rejoining group ", afterColon),
		rdkafka(PartitionsAssigned, "Group \"{group}\": delegating assign of {count} partition(s) to application", delegated),
		rdkafka(PartitionsAssigned, "Group \"{group}\": delegating incremental assign of {count} partition(s) to application", delegated),
		rdkafka(PartitionsRevoked, "Group \"{group}\": delegating revoke of {count} partition(s) to application", delegated),
		rdkafka(PartitionsRevoked, "Group \"{group}\": delegating incremental revoke of {count} partition(s) to application", delegated),
		rdkafka(PartitionsLost, "Group \"{group}\": current assignment of {count} partition(s) lost: {text}"),
		rdkafka(HeartbeatFailed, "Group \"{group}\" heartbeat error response in state ", afterColon, heartbeatAnswer),
		rdkafka(SessionLost, "Consumer group session timed out (in join-state {any}) after {ms} ms without a successful response from "+
			"the group coordinator (broker {broker}, last error was {text})", unlessSuccess),
		rdkafka(PollTimeout, "Application maximum poll interval ({text}ms) exceeded by {ms}ms", inMillis),
		rdkafka(LeaveSent, "Group \"{group}\": leave (in state "),
		rdkafka(MetadataUsed, "metadata for subscription is up to date ({ms}ms old)"),
		rdkafka(MetadataUsed, "metadata for wildcard subscription is up to date ({ms}ms old)"),
		rdkafka(MemberIDChanged, "Group \"{group}\": updating member id ", newMemberID),
		rdkafka(CoordinatorFound, "Group \"{group}\" changing coordinator ", newCoordinator),
		rdkafka(CoordinatorLost, "Group \"{group}\": marking the coordinator ({broker}) dead: {text}", named),
		rdkafka(ClientFenced, "Static consumer fenced by other consumer with same group.instance.id"),
		rdkafka(ClientStopped, "Terminating group \"{group}\" in state "),
	)
}

func rdkafka(kind Kind, text string, reads ...then) template {
	return says(kind, text, append([]then{rdkafkaClient}, reads...)...)
}

// rdkafkaClient reads the name before the thread, in "%7|1610634030.325|HEARTBEAT|rdkafka#consumer-1| [thrd:main]: " or
// "FAC [rdkafka#consumer-1] [thrd:main]: ".
func rdkafkaClient(m *message, e *Event) bool {
	at := bytes.LastIndex(m.before, []byte("#consumer-"))
	if at < 0 {
		return true
	}
	start := bytes.LastIndexAny(m.before[:at], "|[ \"'") + 1
	end := at + len("#consumer-")
	e.Client = m.names.text(m.before[start : end+digits(m.before[end:])])
	return true
}

// rdkafkaCoordinator reads the coordinator from "GroupCoordinator/8: ".
func rdkafkaCoordinator(m *message, e *Event) bool {
	if _, id, ok := bytes.Cut(m.before, []byte("GroupCoordinator/")); ok {
		e.Broker = leading(id)
	}
	return true
}

// newJoinState reads "wait-join -> wait-sync (state up)".
func newJoinState(m *message, e *Event) bool {
	_, state, ok := bytes.Cut(m.after, []byte(" -> "))
	state, _, _ = bytes.Cut(state, []byte(" ("))
	e.Text = m.names.text(state)
	return ok
}

func memberInQuotes(m *message, e *Event) bool {
	if member, ok := cut(m.after, "member id \"", "\""); ok {
		e.Member = m.names.member(member)
	}
	return true
}

// rdkafkaJoined reads "Protocol range, LeaderId m (me), my MemberId m, member metadata count 3: (no error)"; up to 1.5
// "…, 3 members in group: …". Generation -1 is an error, and none of a group.
func rdkafkaJoined(m *message, e *Event) bool {
	if member, ok := cut(m.after, "my MemberId ", ","); ok {
		e.Member = m.names.member(member)
	}
	if e.Generation < 0 {
		_, why, _ := bytes.Cut(m.after, []byte("my MemberId "))
		_, why, _ = bytes.Cut(why, []byte(": "))
		e.Kind, e.Text = JoinFailed, m.names.text(withoutTail(why))
		return unlessFenced(m, e)
	}
	leader, _ := cut(m.after, "LeaderId ", ", my MemberId")
	for _, me := range []string{" (me)", " [me]"} {
		leader = bytes.TrimSuffix(leader, []byte(me))
	}
	e.Other = m.names.member(leader)
	if e.Other != e.Member { // only the leader is told of the members
		return true
	}
	if count, ok := cut(m.after, "member metadata count ", ":"); ok {
		e.Members = wholly(count)
	} else if before, ok := cutEnd(m.after, " members in group"); ok {
		e.Members = wholly(before[bytes.LastIndexByte(before, ' ')+1:])
	}
	return true
}

// afterColon sets Text to what stands behind the next colon.
func afterColon(m *message, e *Event) bool {
	_, why, ok := bytes.Cut(m.after, []byte(": "))
	e.Text = m.names.text(withoutTail(why))
	return ok
}

// partitionsGiven reads how many partitions an eager client has, and gives up next: "(EAGER) in state up (join-state steady)
// with 3 assigned partition(s): …". A cooperative one keeps most of them.
func partitionsGiven(m *message, e *Event) bool {
	if bytes.HasPrefix(m.after, []byte("(EAGER) ")) {
		_, held, _ := bytes.Cut(m.after, []byte(" with "))
		e.Count = leading(held)
	}
	return true
}

func beforeRejoin(m *message, e *Event) bool {
	why, _ := cutEnd([]byte(e.Text), ": rejoining")
	e.Text = m.names.text(why)
	return true
}

// delegated reads what made the application be called, behind the name of a queue.
func delegated(m *message, e *Event) bool {
	_, why, _ := bytes.Cut(m.after, []byte(" on queue "))
	_, why, _ = bytes.Cut(why, []byte(": "))
	e.Text = m.names.text(withoutTail(why))
	return true
}

func unlessSuccess(m *message, e *Event) bool {
	if e.Text == "Success" {
		e.Text = ""
	}
	return named(m, e)
}

func inMillis(_ *message, e *Event) bool {
	_, err := strconv.Atoi(e.Text)
	e.Text += " ms"
	return err == nil
}

// newMemberID reads "\"m\" -> \"\"". Older and newer versions write "(not-set)" where there is none.
func newMemberID(m *message, e *Event) bool {
	former, id, ok := bytes.Cut(m.after, []byte(" -> "))
	e.Other, e.Member = m.names.member(quoted(former)), m.names.member(quoted(id))
	if e.Other == e.Member {
		e.Kind = NoKind
	}
	return ok
}

// quoted returns what stands in quotes at the beginning of text.
func quoted(text []byte) []byte {
	id, _ := cut(text, "\"", "\"")
	if string(id) == "(not-set)" {
		return nil
	}
	return id
}

// newCoordinator reads "3 -> 2". That there is none any more is told by another message with its cause.
func newCoordinator(m *message, e *Event) bool {
	_, id, ok := bytes.Cut(m.after, []byte(" -> "))
	if e.Broker = leading(id); e.Broker < 0 {
		e.Kind = NoKind
	}
	return ok
}
