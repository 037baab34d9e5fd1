package logs

import (
	"time"

	"simulate/sim/wire"
)

// kafkaJS are the messages of kafkajs. What belongs to them are the fields of a record in JSON.
func kafkaJS() []template {
	return by(KafkaJS,
		js(Synced, "Consumer has joined the group", jsJoined),
		js(HeartbeatRebalances, "The group is rebalancing, re-joining"),
		js(HeartbeatEvicted, "The coordinator is not aware of this member, re-joining the group", saying(unknownMemberID)),
		js(JoinSent, "Request JoinGroup(key: 11"),
		js(JoinFailed, "Response JoinGroup(key: 11", jsAnswer, unlessFenced),
		js(SyncFailed, "Response SyncGroup(key: 14", jsAnswer, unlessFenced),
		js(HeartbeatFailed, "Response Heartbeat(key: 12", jsAnswer, jsHeartbeat),
		js(LeaveSent, "Request LeaveGroup(key: 13"),
		js(LeaderElected, "[ConsumerGroup] Chosen as group leader"),
		js(PartitionsAssigned, "[ConsumerGroup] Received assignment", jsAssignment),
		js(ClientStarted, "[Consumer] Starting"),
		js(ClientStopped, "[Consumer] Stopped"),
		js(ClientStopped, "Crash: KafkaJS{text}", jsCrash),
		js(RejoinRequested, "Restarting the consumer in {ms}ms", saying("restart")),
	)
}

func js(kind Kind, text string, reads ...then) template {
	return says(kind, text, append([]then{jsFields}, reads...)...)
}

func jsFields(m *message, e *Event) bool {
	e.Group = m.value("groupId")
	e.Member = wire.MemberID(m.value("memberId"))
	e.Client = m.value("clientId")
	e.Generation = wholly([]byte(m.value("generationId")))
	return true
}

// jsJoined reads what a member was assigned. The record is of the end of joining, which took the duration.
func jsJoined(m *message, e *Event) bool {
	e.Other = wire.MemberID(m.value("leaderId"))
	e.For = time.Duration(max(0, wholly([]byte(m.value("duration"))))) * time.Millisecond
	return jsAssignment(m, e)
}

func jsAssignment(m *message, e *Event) bool {
	e.Partitions = topicFields(e.Partitions, m, "memberAssignment")
	return true
}

// jsAnswer reads an answer with an error. Others say less than what is logged next.
func jsAnswer(m *message, e *Event) bool {
	e.Text = m.value("error")
	if e.Text == "" {
		e.Kind = NoKind
		return true
	}
	return named(m, e)
}

// jsHeartbeat leaves to the messages about the group what these say, too.
func jsHeartbeat(_ *message, e *Event) bool {
	if e.Text == rebalanceInProgress || e.Text == unknownMemberID {
		e.Kind = NoKind
	}
	return true
}

func jsCrash(_ *message, e *Event) bool {
	e.Text = "KafkaJS" + e.Text
	return true
}
