package logs

import (
	"bytes"
	"strings"
	"time"

	"simulate/sim/wire"
)

// fieldKind is a field of an event that a pattern reads.
type fieldKind uint8

const (
	noField    fieldKind = iota
	anyField             // that nobody asks for
	groupField           // Group
	memberField
	otherField
	instanceField
	listField
	stateField
	textField
	reasonField       // Reason and what belongs to it
	clientReasonField // ClientReason
	dumpField         // Member, Instance and Details
	newLeaderField    // likewise, but for Instance
	clientIDField     // of Details, as the next ones
	clientHostField
	protocolsField
	partitionsField
	numbers // those after it are made of digits
	anyNumber
	generationField
	membersField
	staticField
	countField
	partitionField
	brokerField
	millisField // For
	sessionField
	rebalanceField
)

var fieldNames = map[string]fieldKind{
	"any": anyField, "group": groupField, "member": memberField, "other": otherField, "instance": instanceField, "list": listField,
	"state": stateField, "text": textField, "reason": reasonField, "client reason": clientReasonField, "dump": dumpField,
	"new leader": newLeaderField, "client id": clientIDField, "client host": clientHostField, "protocols": protocolsField,
	"partitions": partitionsField,
	"number":     anyNumber, "generation": generationField, "members": membersField, "static": staticField, "count": countField,
	"partition": partitionField, "broker": brokerField, "ms": millisField,
	"session": sessionField, "rebalance": rebalanceField,
}

func fieldNamed(name string) fieldKind {
	kind, ok := fieldNames[name]
	if !ok {
		panic("logs: no field " + name)
	}
	return kind
}

// set fills in a field; false: such a value it never has.
func set(e *Event, kind fieldKind, value []byte, m *message) bool {
	if kind > numbers {
		return setNumber(e, kind, value)
	}
	switch kind {
	case groupField:
		e.Group = m.names.text(bytes.TrimLeft(value, " "))
		return e.Group != ""
	case memberField:
		e.Member = m.names.member(value)
	case otherField:
		e.Other = m.names.member(value)
	case instanceField:
		e.Instance = m.names.instance(bare(value))
	case listField:
		e.List = members(e.List[:0], value, m.names)
	case stateField:
		e.State = groupState(value)
	case textField:
		e.Text = m.names.text(value)
	case reasonField:
		readReason(e, value, m)
	case clientReasonField:
		e.ClientReason = clientReason(value, m.names)
	case dumpField:
		readDump(e, value, m)
	case newLeaderField:
		old := e.Instance
		readDump(e, value, m)
		e.Instance = old
	case partitionsField:
		e.Partitions = partitions(e.Partitions[:0], value, m.names)
	default:
		setDetail(e, kind, value, m)
	}
	return true
}

func setNumber(e *Event, kind fieldKind, value []byte) bool {
	n, ok := number(value)
	if !ok {
		return false
	}
	switch kind {
	case generationField:
		e.Generation = n
	case membersField:
		e.Members = n
	case staticField:
		e.Static = n
	case countField:
		e.Count = n
	case partitionField:
		e.Partition = n
	case brokerField:
		e.Broker = n
	case millisField:
		e.For = time.Duration(n) * time.Millisecond
	case sessionField:
		details(e).SessionTimeout = time.Duration(n) * time.Millisecond
	case rebalanceField:
		details(e).RebalanceTimeout = time.Duration(n) * time.Millisecond
	}
	return true
}

// number reads a number that a field can hold. What is below Unknown, as the epochs of consumers that leave are, tells no
// more than Unknown.
func number(b []byte) (int32, bool) {
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 10 {
		return 0, false
	}
	n := int64(0)
	for _, c := range b {
		n = 10*n + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return int32(max(n, Unknown)), n == int64(int32(n))
}

// bare takes off what Scala and Java put around an id that may be missing.
func bare(id []byte) []byte {
	switch string(id) {
	case "None", "null", "Optional.empty", "":
		return nil
	}
	for _, some := range []string{"Some(", "Optional["} {
		if bytes.HasPrefix(id, []byte(some)) && len(id) > len(some) {
			return id[len(some) : len(id)-1]
		}
	}
	return id
}

// groupState reads a state; 0.9 to 1.0 call CompletingRebalance AwaitingSync.
func groupState(name []byte) wire.GroupState {
	switch string(name) {
	case "Empty":
		return wire.Empty
	case "PreparingRebalance":
		return wire.PreparingRebalance
	case "CompletingRebalance", "AwaitingSync":
		return wire.CompletingRebalance
	case "Stable":
		return wire.Stable
	case "Dead":
		return wire.Dead
	}
	return wire.NoGroup
}

// members reads a list of ids, as Scala or Java print it.
func members(list []wire.MemberID, text []byte, n *names) []wire.MemberID {
	for rest := inside(text); len(rest) > 0; {
		var id []byte
		id, rest, _ = bytes.Cut(rest, []byte(", "))
		if array := bytes.Index(id, []byte("=[B@")); array >= 0 { // a map of Java
			id = id[:array]
		}
		list = append(list, n.member(id))
	}
	return list
}

// unstopped takes off full stops and blanks at the end.
func unstopped(b []byte) []byte {
	for len(b) > 0 && (b[len(b)-1] == '.' || b[len(b)-1] == ' ') {
		b = b[:len(b)-1]
	}
	return b
}

// inside takes off what stands around a list.
func inside(text []byte) []byte {
	text = unstopped(text)
	for _, head := range []string{"HashSet(", "Set(", "List(", "ListBuffer(", "ArrayBuffer(", "Vector(", "[", "(", "{"} {
		if bytes.HasPrefix(text, []byte(head)) {
			text = text[len(head):]
			if n := len(text); n > 0 && strings.IndexByte(")]}", text[n-1]) >= 0 {
				text = text[:n-1]
			}
			break
		}
	}
	return text
}

// partitions reads a list such as "[a-0, a-1] and more"; of one that is cut the last partition is left out.
func partitions(list []string, text []byte, n *names) []string {
	end := bytes.IndexByte(text, ']')
	if end < 0 {
		end = max(bytes.LastIndexByte(text, ','), 0)
	}
	for rest := bytes.TrimPrefix(text[:end], []byte("[")); len(rest) > 0; {
		var partition []byte
		partition, rest, _ = bytes.Cut(rest, []byte(", "))
		list = append(list, n.text(partition))
	}
	return list
}

// clientReason leaves out what the coordinator says when the client gave none.
func clientReason(reason []byte, n *names) string {
	if string(reason) == "not provided" {
		return ""
	}
	return n.text(reason)
}
