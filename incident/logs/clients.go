package logs

import (
	"bytes"
	"math"
)

// clientTables are all messages of clients.
func clientTables() [][]template {
	return [][]template{
		javaJoining(), javaLosing(), javaAsync(), connect(), librdkafka(), franz(), sarama(), kafkaJS(), aiokafka(),
		kafkaPython(), rubyKafka(), kafkaGo(), brod(),
	}
}

// then is what else is read once a message is recognized; false: it is another one after all.
type then = func(m *message, e *Event) bool

// saying sets Text to what the message says in other words.
func saying(text string) then {
	return func(_ *message, e *Event) bool {
		e.Text = text
		return true
	}
}

// cut returns what stands in b between left and right.
func cut(b []byte, left, right string) ([]byte, bool) {
	_, b, found := bytes.Cut(b, []byte(left))
	if !found {
		return nil, false
	}
	return cutEnd(b, right)
}

// cutEnd returns what stands in b before right.
func cutEnd(b []byte, right string) ([]byte, bool) {
	before, _, found := bytes.Cut(b, []byte(right))
	return before, found
}

// wholly returns the number that all of b is, Unknown when it is none.
func wholly(b []byte) int32 {
	if n, ok := number(b); ok {
		return n
	}
	return Unknown
}

// leading returns the number at the beginning of b, Unknown when there is none.
func leading(b []byte) int32 {
	if _, n, ok := leadingNumber(b); ok {
		return n
	}
	return Unknown
}

// nodeID returns the id of a broker from the id of the connection to it as a coordinator: Java counts these down from the
// largest number, and 4.x writes a plus before the id itself.
func nodeID(b []byte) int32 {
	n := leading(bytes.TrimPrefix(b, []byte("+")))
	if n > math.MaxInt32/2 {
		return math.MaxInt32 - n
	}
	return n
}

// loggerHas reports whether the envelope names a logger, or a file, with this in its name.
func (m *message) loggerHas(name string) bool {
	logger := m.value("logger", "logger_name", "loggerName", "log.logger", "name")
	return bytes.Contains(m.before, []byte(name)) || bytes.Contains([]byte(logger), []byte(name)) || bytes.Contains(m.after, []byte(name))
}
