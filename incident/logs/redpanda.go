package logs

import (
	"bytes"

	"simulate/sim/wire"
)

// redpanda are the messages of Redpanda's group.cc, at TRACE. They say of which group they are in brackets before them.
func redpanda() []template {
	return by(Broker,
		says(NoKind, "group state transition {any} -> {state}", redpandaGroup, entered),
		says(Completing, "advanced to group generation {generation} protocol {any} state {state}", redpandaGroup, completing),
		says(MemberFailed, "expired member heartbeat. removing member {member}", redpandaGroup),
		says(NotRejoined, "removing unjoined member {list}", redpandaGroup, oneMember),
		says(NobodyRejoined, "could not complete rebalance because no members rejoined", redpandaGroup),
	)
}

var redpandaContext = compile("[N:{group} S:{any} G:{generation}] ")

// redpandaGroup reads the group and, where the message has none itself, the generation.
func redpandaGroup(m *message, e *Event) bool {
	begin := bytes.LastIndex(m.before, []byte("[N:"))
	if begin < 0 {
		return false
	}
	generation := e.Generation
	if !redpandaContext.readPart(m.before[begin:], bareText, m, e) {
		return false
	}
	if generation != Unknown {
		e.Generation = generation
	}
	return true
}

// entered is the kind of the message that Kafka has for the entry into a state.
func entered(_ *message, e *Event) bool {
	e.Kind = map[wire.GroupState]Kind{
		wire.PreparingRebalance: Preparing, wire.CompletingRebalance: NoKind, wire.Stable: AssignmentReceived,
		wire.Empty: EmptyGroup, wire.Dead: DeadGroup,
	}[e.State]
	e.State = wire.NoGroup
	return true
}

// completing leaves out the generation of a group that became Empty: its transition says so.
func completing(_ *message, e *Event) bool {
	if e.State != wire.CompletingRebalance {
		e.Kind = NoKind
	}
	e.State = wire.NoGroup
	return true
}
