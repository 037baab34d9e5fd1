package logs

import (
	"bytes"
	"time"
)

// connect are the messages of Connect's workers beyond those that they share with Java's consumer.
func connect() []template {
	return by(Connect,
		java(RejoinRequested, "Rebalance started", byWorker, saying("rebalance started")),
		java(PartitionsAssigned, "Joined group at generation ", javaGeneration, workerAssignment),
		java(PartitionsAssigned, "Joined group and got assignment: ", workerAssignment),
		java(RejoinRequested, "urrent config state offset {any} does not match group assignment ", saying("config state does not match the assignment")),
		java(PartitionsLost, "Broker coordinator was unreachable for {ms}ms. Revoking previous assignment ", workTaken),
	)
}

// byWorker takes a phrase only from workers: others may use it, too.
func byWorker(m *message, e *Event) bool {
	return e.Library == Connect || m.loggerHas("WorkerCoordinator")
}

// workerAssignment reads "Assignment{error=0, leader='m', …, connectorIds=[c], taskIds=[c-0], …, delay=0} with rebalance delay:
// 0".
func workerAssignment(m *message, e *Event) bool {
	workTaken(m, e)
	if leader, ok := cut(m.after, "leader='", "'"); ok {
		e.Other = m.names.member(leader)
	}
	if code, ok := cut(m.after, "Assignment{error=", ","); ok && string(code) != "0" {
		e.Text = m.names.text(append([]byte("error "), code...))
	}
	if _, delay, ok := bytes.Cut(m.after, []byte(", delay=")); ok {
		e.For = time.Duration(max(leading(delay), 0)) * time.Millisecond
	}
	return true
}

// workTaken lists connectors and tasks in the place of partitions.
func workTaken(m *message, e *Event) bool {
	for _, key := range []string{", connectorIds=[", ", taskIds=["} {
		list, ok := cut(m.after, key, "]")
		for ok && len(list) > 0 {
			var one []byte
			one, list, _ = bytes.Cut(list, []byte(", "))
			e.Partitions = append(e.Partitions, m.names.text(one))
		}
	}
	return true
}
