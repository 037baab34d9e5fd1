package logs

import (
	"bytes"
	"strings"

	"simulate/sim/wire"
)

// kgoMessage is a message of franz-go, which is a text and keys with values.
type kgoMessage struct {
	text, key string // the key that comes first
	kind      Kind
	reads     []then
}

func kgoMessages() []kgoMessage {
	grouped := func(kind Kind, text string, reads ...then) kgoMessage { return kgoMessage{text, "group", kind, reads} }
	return []kgoMessage{
		grouped(HeartbeatSent, "heartbeating"),
		grouped(ClientStarted, "beginning to manage the group lifecycle"),
		grouped(JoinSent, "joining group"),
		grouped(JoinFailed, "join returned MemberIDRequired, rejoining with response's MemberID", saying(memberIDRequired)),
		grouped(JoinFailed, "join returned UnknownMemberID, rejoining without a member id", saying(unknownMemberID)),
		grouped(JoinFailed, "join group failed", kgoError, unlessFenced),
		grouped(JoinAnswered, "joined, balancing group", kgoLeader),
		grouped(JoinAnswered, "joined as leader but unable to balance group due to KIP-345 limitations", kgoLeader),
		grouped(JoinAnswered, "joined"),
		grouped(Synced, "synced", kgoPartitions("assigned")),
		grouped(SyncFailed, "sync failed with RebalanceInProgress, rejoining", saying(rebalanceInProgress)),
		grouped(SyncFailed, "sync group failed", kgoError, unlessFenced),
		grouped(PartitionsAssigned, "new group session begun", kgoPartitions("added")),
		grouped(PartitionsRevoked, "eager consumer revoking prior assigned partitions", kgoPartitions("revoking"), saying(Eager)),
		grouped(PartitionsRevoked, "cooperative consumer revoking prior assigned partitions because leaving group", kgoPartitions("revoking")),
		grouped(PartitionsRevoked, "calling onRevoke at the end of a session", kgoPartitions("lost")),
		grouped(PartitionsRevoked, "consumer calling onRevoke at the end of a session; consumer did not change any client-side subscription"),
		grouped(PartitionsRevoked, "cooperative consumer calling onRevoke at the end of a session even though no partitions were lost"),
		grouped(HeartbeatFailed, "heartbeat errored", kgoError, kgoHeartbeat),
		grouped(HeartbeatRebalances, "heartbeat saw a change in group status; partitions were added or lost"),
		grouped(PartitionsLost, "group manage loop errored", kgoError, unlessFenced),
		grouped(PartitionsLost, "join and sync loop errored", kgoError, unlessFenced),
		grouped(LeaveSent, "leaving group"),
		grouped(CommitRefused, "offset commit returned a fatal group member error, triggering rejoin", kgoError, refusedCommit),
		grouped(CommitRefused, "in default commit: unable to commit offsets for topic partition", kgoError, refusedCommit),
		{"forced rejoin quitting heartbeat loop", "why", RejoinRequested, []then{kgoWhy}},
	}
}

// franz are the messages of franz-go: with the keys as fields, as kgo.BasicLogger writes them, and as log/slog writes text.
func franz() []template {
	var table []template
	for _, message := range kgoMessages() {
		text := message.text
		if strings.Contains(text, " ") {
			text = "\"" + text + "\""
		}
		table = append(table, message.template(message.text+"; "+message.key), message.template("msg="+text+" "+message.key))
		whole := message.template(message.text)
		whole.whole = true
		table = append(table, whole)
	}
	return by(FranzGo, table...)
}

func (k kgoMessage) template(literal string) template {
	return template{literal: literal, parse: func(m *message, e *Event) bool {
		e.Kind = k.kind
		return k.fill(kgoPairs(m, k.key), e)
	}}
}

// fill reads the keys that many messages have, and then those of its own.
func (k kgoMessage) fill(m *message, e *Event) bool {
	e.Group = m.value("group")
	e.Member = wire.MemberID(m.value("member_id"))
	if instance := m.value("instance_id"); instance != "<nil>" {
		e.Instance = wire.InstanceID(instance)
	}
	e.Generation = wholly([]byte(m.value("generation")))
	for _, read := range k.reads {
		if !read(m, e) {
			return false
		}
	}
	return e.Group != "" || k.key != "group"
}

// kgoKeys are the keys of the messages above. A value ends where the next of them begins.
var kgoKeys = []string{
	"group", "member_id", "instance_id", "generation", "balance_protocol", "leader", "assigned", "added", "lost", "revoking", "stage",
	"err", "why", "consecutive_errors", "backoff", "is848", "topic", "partition", "error",
}

// kgoPairs makes fields of the keys in the text, "group: orders, member_id: m" or "group=orders member_id=m"; the first
// key is the end of the literal.
func kgoPairs(m *message, key string) *message {
	between, separator := ":", ", "
	if bytes.HasPrefix(m.after, []byte("=")) {
		between, separator = "=", " "
	} else if !bytes.HasPrefix(m.after, []byte(between)) {
		return m // they are fields already
	}
	pairs := &message{names: m.names}
	text := withoutTail(m.after)[len(between):]
	for key != "" {
		end, next := len(text), ""
		for _, k := range kgoKeys {
			if at := bytes.Index(text[:end], []byte(separator+k+between)); at >= 0 {
				end, next = at, k
			}
		}
		value := bytes.Trim(text[:end], "\" ")
		pairs.fields = append(pairs.fields, field{key, m.names.text(value)})
		text = text[min(len(text), end+len(separator)+len(next)+len(between)):]
		key = next
	}
	return pairs
}

func kgoError(m *message, e *Event) bool {
	e.Text = m.value("err", "error")
	return named(m, e)
}

func kgoWhy(m *message, e *Event) bool {
	e.Text = m.value("why")
	return e.Text != ""
}

func kgoLeader(_ *message, e *Event) bool {
	e.Other = e.Member
	return true
}

// kgoHeartbeat leaves out what a client that is being closed stops by itself.
func kgoHeartbeat(m *message, e *Event) bool {
	if e.Text == "context canceled" {
		e.Kind, e.Text = NoKind, ""
		return true
	}
	return heartbeatAnswer(m, e)
}

// kgoPartitions reads partitions by topic, "a[0 1], b[2]"; as fields they may be an object.
func kgoPartitions(key string) then {
	return func(m *message, e *Event) bool {
		e.Partitions = goPartitions(e.Partitions, []byte(m.value(key)), m.names)
		e.Partitions = topicFields(e.Partitions, m, key)
		return true
	}
}
