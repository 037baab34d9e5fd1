package logs

import (
	"bytes"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// brokerTables are the messages of brokers, 0.9 to 4.x. A text for several versions has what only some of them print in angle
// brackets. The comments name what a version changed.
func brokerTables() [][]template {
	return [][]template{brokerPrefixes(), brokerStates(), brokerMembers(), brokerJoins(), brokerMoves(), brokerConsumers(), brokerAsides(), redpanda()}
}

var coordinatorPrefix = template{literal: "[GroupCoordinator ", prefix: true, library: Broker, parse: coordinator}

// brokerPrefixes stand before the messages of coordinators.
func brokerPrefixes() []template {
	return by(Broker,
		coordinatorPrefix,
		prefix("[GroupMetadataManager brokerId={broker}]"),
		prefix("[Group Metadata Manager on Broker {broker}]"), // 0.9 to 0.11
	)
}

// coordinator reads "3]" of brokers to 3.9, and "id=3 topic=__consumer_offsets partition=12]" or "id=3]" of newer ones. It
// does so for most lines, and is therefore no pattern.
func coordinator(m *message, e *Event) bool {
	rest := bytes.TrimPrefix(m.after, []byte("id="))
	n := digits(rest)
	if id, ok := number(rest[:n]); ok {
		e.Broker = id
	}
	if rest, found := bytes.CutPrefix(rest[n:], []byte(" topic=__consumer_offsets partition=")); found {
		if partition, ok := number(rest[:digits(rest)]); ok {
			e.Partition = partition
		}
	}
	return false
}

// prefix reads who logs a message; the message comes behind it.
func prefix(text string) template {
	p := compile(text)
	return template{literal: p.literal(), prefix: true, parse: func(m *message, e *Event) bool {
		p.match(m, e)
		return false
	}}
}

// because says what a message tells by being logged.
func because(r trace.Reason) func(*message, *Event) bool {
	return func(_ *message, e *Event) bool {
		e.Reason = r
		return true
	}
}

// brokerStates are the messages about the states of classic groups.
func brokerStates() []template {
	return by(Broker,
		says(Preparing, "Preparing to rebalance group {group} in state {state} with old generation {generation}< (__consumer_offsets-{partition})>< (reason: {reason}>", stateBefore, byThread), // 2.1+
		says(Preparing, "Preparing to rebalance group {group} with old generation {generation}< (__consumer_offsets-{partition})>", byThread),                                                   // 0.11
		says(Preparing, "Preparing to restabilize group {group} with old generation {generation}", byThread),                                                                                    // 0.9
		says(Completing, "Stabilized group {group} generation {generation}< (__consumer_offsets-{partition})>< with {members} members>"),                                                        // members: 2.8+
		says(AssignmentReceived, "Assignment received from leader for group {group} for generation {generation}<. The group has {members} members, {static} of which are static>"),
		says(AssignmentReceived, "Assignment received from leader {other} for group {group} for generation {generation}<. The group has {members} members, {static} of which are static>"), // 3.0+
		says(EmptyGroup, "Group {group} with generation {generation} is now empty< (__consumer_offsets-{partition})>"),                                                                     // 0.10.1+
		says(DeadGroup, "Group {group} generation {generation} is dead and removed"),                                                                                                       // 0.9
		says(DeadGroup, "Group {group} transitioned to Dead in generation {generation}"),                                                                                                   // 0.10.1+
		says(NoKind, "Group {group} is dead, skipping rebalance stage"),
		says(NobodyRejoined, "Group {group} could not complete rebalance because no members rejoined"),
		says(StoreFailed, "Appending metadata message for group {group} generation {generation} failed due to {text}, returning UNKNOWN error"),
		says(StoreFailed, "Failed to write empty metadata for group {group}: {text}"),
		says(StoreFailed, "Failed to persist metadata for group {group} static member {member} with group instance id {instance} due to {text}. Reverting to old member id {other}"),
	)
}

// stateBefore leaves out the state that Apache Kafka prints: it is the one that was entered. Forks print the one that was left.
func stateBefore(_ *message, e *Event) bool {
	if e.State == wire.PreparingRebalance {
		e.State = wire.NoGroup
	}
	return true
}

// byThread finds a session that ran out by the thread that logs it: before 2.1 nothing else tells a reason. Some layouts cut
// the thread from the left.
func byThread(m *message, e *Event) bool {
	const sessions = "utor-Heartbeat"
	if e.Reason != trace.NoReason || e.Text != "" {
		return true
	}
	if bytes.Contains(m.before, []byte(sessions)) || bytes.Contains(m.after, []byte(sessions)) ||
		m.value("thread", "thread_name", "threadName", "process.thread.name") == "exec"+sessions {
		e.Reason = trace.SessionExpired
	}
	return true
}
