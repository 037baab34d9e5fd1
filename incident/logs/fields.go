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
		n, ok := number(value)
		setNumber(e, kind, n)
		return ok
	}
	switch kind {
	case groupField:
		e.Group = m.names.groupOf(bytes.TrimLeft(value, " "))
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

func setNumber(e *Event, kind fieldKind, n int32) {
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
}

// number reads a number that a field can hold.
func number(b []byte) (int32, bool) {
	n, value, ok := leadingNumber(b)
	return value, ok && n == len(b)
}

// leadingNumber reads the number at the beginning of b, which has n bytes; ok: a field can hold it. What is below Unknown, as
// the epochs of consumers that leave are, tells no more than Unknown.
func leadingNumber(b []byte) (n int, value int32, ok bool) {
	const longest = 10
	negative := len(b) > 1 && b[0] == '-' && b[1]-'0' < 10
	if negative {
		n = 1
	}
	begin, sum := n, int64(0)
	for ; n < len(b) && b[n]-'0' < 10; n++ {
		if n-begin < longest {
			sum = 10*sum + int64(b[n]-'0')
		}
	}
	digits := n - begin
	if negative {
		sum = -sum
	}
	return n, int32(max(sum, Unknown)), digits > 0 && digits <= longest && sum == int64(int32(sum))
}

// shortDigits is how many digits a number has at most that shortNumber reads.
const shortDigits = 9

// shortNumber reads the digits at the beginning of b, of which there are n; the value is that of no more than shortDigits.
func shortNumber(b []byte) (n int, value int32) {
	for n < len(b) && n <= shortDigits && b[n]-'0' < 10 {
		value = 10*value + int32(b[n]-'0')
		n++
	}
	return n, value
}

// digits returns the length of the number at the beginning of b.
func digits(b []byte) int {
	n, _, _ := leadingNumber(b)
	return n
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
		id, rest, _ = between.cut(rest)
		id, _, _ = array.cut(id)
		list = append(list, n.member(id))
	}
	return list
}

var (
	between = newFixed([]byte(", "))
	array   = newFixed([]byte("=[B@")) // in a map of Java
)

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
	if len(text) == 0 || text[0] >= 'a' && text[0] <= 'z' { // an id
		return text
	}
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
