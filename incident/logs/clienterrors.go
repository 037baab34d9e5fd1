package logs

import "bytes"

// The errors of the group protocol, as Kafka names them.
const (
	rebalanceInProgress = "REBALANCE_IN_PROGRESS"
	unknownMemberID     = "UNKNOWN_MEMBER_ID"
	illegalGeneration   = "ILLEGAL_GENERATION"
	fencedInstanceID    = "FENCED_INSTANCE_ID"
	fencedMemberEpoch   = "FENCED_MEMBER_EPOCH"
	memberIDRequired    = "MEMBER_ID_REQUIRED"
	notCoordinator      = "NOT_COORDINATOR"
)

// errorPhrases are by what an error is known in the words of every library, without blanks and signs and in small letters. The
// first that fits counts.
var errorPhrases = []struct{ phrase, name string }{
	{"fencedmemberepoch", fencedMemberEpoch},
	{"memberidrequired", memberIDRequired},
	{"avalidmemberid", memberIDRequired},
	{"brokergroupmember", memberIDRequired},
	{"unknownmember", unknownMemberID},
	{"notawareofthismember", unknownMemberID},
	{"memberisnotknown", unknownMemberID},
	{"notpartofanactivegroup", unknownMemberID},
	{"illegalgeneration", illegalGeneration},
	{"generationidisnot", illegalGeneration},
	{"generationisalreadystale", illegalGeneration},
	{"fencedinstanceid", fencedInstanceID},
	{"staticconsumerfenced", fencedInstanceID},
	{"hasbeenfenced", fencedInstanceID},
	{"samegroupinstanceid", fencedInstanceID},
	{"rebalanceinprogress", rebalanceInProgress},
	{"isrebalancing", rebalanceInProgress},
	{"begananotherrebalance", rebalanceInProgress},
	{"rebalanceforthegroupisinprogress", rebalanceInProgress},
	{"undergoingarebalance", rebalanceInProgress},
	{"coordinatorrebalance", rebalanceInProgress},
	{"notcoordinator", notCoordinator},
	{"notthecorrectcoordinator", notCoordinator},
	{"notcoordinatedbythisbroker", notCoordinator},
	{"obsoletecoordinator", notCoordinator},
	{"loadinprogress", "COORDINATOR_LOAD_IN_PROGRESS"},
	{"isloading", "COORDINATOR_LOAD_IN_PROGRESS"},
	{"coordinatornotavailable", "COORDINATOR_NOT_AVAILABLE"},
	{"coordinatorisnotavailable", "COORDINATOR_NOT_AVAILABLE"},
	{"inconsistentgroupprotocol", "INCONSISTENT_GROUP_PROTOCOL"},
	{"protocolsareincompatible", "INCONSISTENT_GROUP_PROTOCOL"},
}

// ProtocolError returns the name that Kafka has for an error; "" when it is none of the group protocol.
func ProtocolError(text string) string {
	var room [256]byte
	letters := room[:0]
	for i := 0; i < len(text) && len(letters) < len(room); i++ {
		switch c := text[i]; {
		case c >= 'A' && c <= 'Z':
			letters = append(letters, c|0x20)
		case c >= 'a' && c <= 'z':
			letters = append(letters, c)
		}
	}
	for _, known := range errorPhrases {
		if bytes.Contains(letters, []byte(known.phrase)) {
			return known.name
		}
	}
	return ""
}

// named puts the name of an error in the place of its words.
func named(_ *message, e *Event) bool {
	if name := ProtocolError(e.Text); name != "" {
		e.Text = name
	}
	return true
}

// heartbeatAnswer says what became of a heartbeat, by the error in Text.
func heartbeatAnswer(m *message, e *Event) bool {
	named(m, e)
	switch e.Text {
	case rebalanceInProgress:
		e.Kind, e.Text = HeartbeatRebalances, ""
	case unknownMemberID, illegalGeneration, fencedMemberEpoch:
		e.Kind = HeartbeatEvicted
	case fencedInstanceID:
		e.Kind = ClientFenced
	default:
		e.Kind = HeartbeatFailed
	}
	return true
}

// unlessFenced names an error, which may be the one that ends the client.
func unlessFenced(m *message, e *Event) bool {
	named(m, e)
	if e.Text == fencedInstanceID {
		e.Kind = ClientFenced
	}
	return true
}

// refusedCommit says that a commit was refused, if for an error of the group protocol.
func refusedCommit(m *message, e *Event) bool {
	named(m, e)
	return ProtocolError(e.Text) != ""
}
