package logs

import "bytes"

// sarama are the messages of sarama and of sarama-cluster, which hardly ever name a generation or a member.
func sarama() []template {
	return by(Sarama,
		says(CoordinatorFound, "client/coordinator coordinator for {group} is #{broker} (", consumerGroup),
		says(CoordinatorLost, "client/coordinator coordinator for {group} is not available", consumerGroup, saying("COORDINATOR_NOT_AVAILABLE")),
		says(ClientFenced, "JoinGroup failed: group instance id {instance} has been fenced"),
		says(ClientFenced, "SyncGroup failed: group instance id {instance} has been fenced"),
		says(PartitionsRevoked, "consumergroup/session/{text} released", sessionEnd),
		says(PartitionsLost, "consumergroup/{group}: lost ownership of ", lostOwnership),
		says(PartitionsAssigned, " added subscription to ", claimed),
		says(PartitionsRevoked, " closed dead subscription to ", claimed),
		says(RejoinRequested, "cluster/consumer {member} rebalance"),
		says(JoinFailed, "rebalance error: {text}", unlessFenced),
		says(HeartbeatFailed, "kafka server: {text}", saramaError),
	)
}

// consumerGroup takes off what 1.20 to 1.40 put before a group.
func consumerGroup(m *message, e *Event) bool {
	for _, word := range []string{"consumergroup ", "consumergoup "} {
		if group, ok := bytes.CutPrefix([]byte(e.Group), []byte(word)); ok {
			e.Group = m.names.text(group)
		}
	}
	return true
}

// sessionEnd reads "member/generation".
func sessionEnd(m *message, e *Event) bool {
	slash := bytes.LastIndexByte([]byte(e.Text), '/')
	if slash < 0 {
		return false
	}
	e.Member, e.Generation = m.names.member([]byte(e.Text[:slash])), wholly([]byte(e.Text[slash+1:]))
	e.Text = ""
	return true
}

// lostOwnership reads "map[a:[0 1]] due to …".
func lostOwnership(m *message, e *Event) bool {
	_, list, _ := bytes.Cut(withoutTail(m.after), []byte(" of "))
	list, why, ok := bytes.Cut(list, []byte(" due to "))
	e.Partitions = goPartitions(e.Partitions, list, m.names)
	e.Text = m.names.text(why)
	return ok
}

// claimed reads "topic/0" behind "consumer/broker/1": the partition begins, or ends, to be fetched.
func claimed(m *message, e *Event) bool {
	claim := withoutTail(m.after)
	slash := bytes.LastIndexByte(claim, '/')
	if slash <= 0 || wholly(claim[slash+1:]) < 0 {
		return false
	}
	e.Partitions = addPartition(e.Partitions, claim[:slash], claim[slash+1:], m.names)
	return bytes.Contains(m.before, []byte("consumer/broker/"))
}

// saramaError takes an error of the server for the answer to a heartbeat, if it is one of the group protocol: it is
// the application that logs it, when the session ends.
func saramaError(m *message, e *Event) bool {
	return ProtocolError(e.Text) != "" && heartbeatAnswer(m, e)
}
