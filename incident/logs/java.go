package logs

import (
	"bytes"
	"strings"

	"simulate/sim/wire"
)

// java makes a template of a message of Java's consumer, of which the context stands before it.
func java(kind Kind, text string, reads ...then) template {
	return says(kind, text, append([]then{javaContext}, reads...)...)
}

// javaContext reads who logs it, "[Consumer clientId=c, groupId=g] " since 1.0. Connect's workers say "[Worker clientId=…".
func javaContext(m *message, e *Event) bool {
	at := bytes.LastIndex(m.before, []byte("[Consumer "))
	if worker := bytes.LastIndex(m.before, []byte("[Worker ")); worker > at {
		at, e.Library = worker, Connect
	}
	if at < 0 {
		return true
	}
	context := m.before[at:]
	if instance, ok := cut(context, "instanceId=", ", clientId="); ok {
		e.Instance = m.names.instance(instance)
	}
	if client, ok := cut(context, "clientId=", ", groupId="); ok {
		e.Client = m.names.text(client)
	}
	if group, ok := cut(context, "groupId=", "] "); ok && string(group) != "null" {
		e.Group = m.names.text(group)
	}
	return true
}

// javaJoining are the messages of coming into a group with the classic protocol, 0.9 to 4.x. Before 1.0 the group is in the
// text.
func javaJoining() []template {
	return by(Java,
		java(JoinSent, "(Re-)joining group", joiningGroup),
		java(JoinAnswered, "Successfully joined group with generation ", joinedOrSynced),
		java(Synced, "Successfully synced group in generation ", javaGeneration),
		java(LeaderElected, "Finished assignment for group at generation ", javaGeneration, leaderPlan),
		java(LeaderElected, "Skipped assignment for returning static leader at generation ", javaGeneration),
		java(RejoinRequested, "Request joining group due to: ", restOf, rejoinReason),
		java(RejoinRequested, "Requesting to re-join the group and trigger rebalance since ", restOf),
		java(RejoinRequested, "Need to revoke partitions ", partitionsToRevoke),
		java(JoinFailed, "Join group failed with ", restOf, unlessFenced),
		java(JoinFailed, "JoinGroup failed", javaFailure, unlessFenced),
		java(SyncFailed, "SyncGroup failed", javaFailure, unlessFenced),
		java(JoinFailed, "Rebalance failed.", nextLine, unlessFenced),
		java(PartitionsAssigned, "Adding newly assigned partitions", javaPartitions),
		java(PartitionsAssigned, "Setting newly assigned partitions", javaPartitions),
		java(NoOffset, "Found no committed offset for partition ", javaPartitions),
		java(CoordinatorFound, "Discovered group coordinator ", javaNode),
		java(CoordinatorFound, "Discovered coordinator {any} (id: {any}) for group {group}", javaNode, withoutStop),
	)
}

// joiningGroup reads the group, which Java before 1.0 and the clients for Python write into the message.
func joiningGroup(m *message, e *Event) bool {
	if group := withoutTail(m.after); len(group) > 1 && group[0] == ' ' && e.Client == "" {
		e.Group = m.names.text(group[1:])
		byLogger(m, e)
	}
	return true
}

// joinedOrSynced tells apart what the same words mean: up to 2.5 that the assignment came, later that JoinGroup was answered.
func joinedOrSynced(m *message, e *Event) bool {
	if digits(m.after) > 0 {
		e.Kind = Synced
	}
	return javaGeneration(m, e)
}

// javaGeneration reads "Generation{generationId=42, memberId='m', protocol='range'}", which may be cut, or only a number.
func javaGeneration(m *message, e *Event) bool {
	e.Generation = leading(m.after)
	if id, ok := cut(m.after, "generationId=", ","); ok {
		e.Generation = wholly(id)
	}
	if member, ok := cut(m.after, "memberId='", "'"); ok {
		e.Member = m.names.member(member)
	}
	return true
}

// leaderPlan reads the members from "{m=Assignment(partitions=[a-0]), m2=Assignment(partitions=[])}".
func leaderPlan(m *message, e *Event) bool {
	_, plan, _ := bytes.Cut(m.after, []byte(": {"))
	for {
		id, rest, ok := bytes.Cut(plan, []byte("=Assignment("))
		if !ok {
			break
		}
		e.List = append(e.List, m.names.member(id))
		_, plan, _ = bytes.Cut(rest, []byte("), "))
	}
	if len(e.List) > 0 {
		e.Members = int32(len(e.List))
	}
	return true
}

// restOf sets Text to what the message says behind its literal.
func restOf(m *message, e *Event) bool {
	e.Text = m.names.text(bytes.TrimRight(withoutTail(m.after), "."))
	return true
}

// nextLine sets Text to the line that follows: the first of a stack trace.
func nextLine(m *message, e *Event) bool {
	if len(m.more) > 0 {
		e.Text = m.names.text(bytes.TrimSpace(m.more[0]))
	}
	return true
}

// rejoinReason tells a client that follows somebody else's rebalance: since 3.0 it says so with other requests.
func rejoinReason(m *message, e *Event) bool {
	const withID = "need to re-join with the given member-id: "
	switch {
	case strings.HasPrefix("group is already rebalancing", e.Text): // or cut
		e.Kind, e.Text = HeartbeatRebalances, heartbeatThread(m)
	case strings.HasPrefix(e.Text, withID):
		e.Member, e.Text = wire.MemberID(e.Text[len(withID):]), withID[:len(withID)-2]
	}
	return true
}

// heartbeatThread says whether it is the thread for heartbeats that logs; "" when none is named.
func heartbeatThread(m *message) string {
	const name = "kafka-coordinator-heartbeat-thread"
	thread := m.value("thread_name", "thread", "threadName", "process.thread.name")
	switch {
	case bytes.Contains(m.before, []byte(name)), bytes.Contains(m.after, []byte(name)), strings.HasPrefix(thread, name):
		return HeartbeatThread
	case thread != "":
		return "another thread"
	}
	return ""
}

func partitionsToRevoke(m *message, e *Event) bool {
	list, ok := cutEnd(m.after, " and re-join")
	e.Partitions = plainPartitions(e.Partitions, list, m.names)
	e.Text = "need to revoke partitions"
	return ok
}

// javaFailure reads why a request failed: "JoinGroup failed: The group began another rebalance. Need to re-join the group.
// Sent generation was Generation{…}".
func javaFailure(m *message, e *Event) bool {
	_, text, ok := bytes.Cut(withoutTail(m.after), []byte(": "))
	text, sent, _ := bytes.Cut(text, []byte(" Sent generation was "))
	javaGeneration(&message{after: sent, names: m.names}, e)
	text, _, _ = bytes.Cut(text, []byte(" Need to re-join"))
	text, _, _ = bytes.Cut(text, []byte(" Marking coordinator"))
	e.Text = m.names.text(bytes.TrimRight(text, "."))
	if instance, ok := cut(text, "group instance id ", " has been fenced"); ok {
		e.Instance = m.names.instance(bare(instance))
	}
	return ok && !bytes.HasPrefix(text, []byte("group instance id ")) // which is how sarama begins
}

// javaNode reads the coordinator, "host:9092 (id: 2147483646 rack: null)", from what stands on either side of the literal.
func javaNode(m *message, e *Event) bool {
	for _, text := range [][]byte{m.after, m.before} {
		if at := bytes.LastIndex(text, []byte("(id: ")); at >= 0 {
			e.Broker = nodeID(text[at+len("(id: "):])
			return true
		}
		if id, ok := cut(text, "nodeId=", ","); ok { // the consumer protocol prints the answer
			e.Broker = wholly(id)
			return true
		}
	}
	return true
}

// withoutStop takes the end of a sentence off a group's name.
func withoutStop(_ *message, e *Event) bool {
	e.Group = strings.TrimSuffix(e.Group, ".")
	return true
}

// javaPartitions reads " [a-0]", ": a-0, a-1", and before 1.0 " [a-0] for group orders".
func javaPartitions(m *message, e *Event) bool {
	text := bytes.TrimLeft(withoutTail(m.after), ": ")
	if bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("set(")) || bytes.HasPrefix(text, []byte("frozenset(")) {
		return false // from Python
	}
	text, group, ok := bytes.Cut(text, []byte(" for group "))
	if ok {
		e.Group = m.names.text(group)
	}
	e.Partitions = plainPartitions(e.Partitions, text, m.names)
	e.Count = int32(len(e.Partitions))
	return true
}
