package logs

import "bytes"

// Loggers of brokers; to look for them first saves the time to look for any.
var brokerLoggers = [...]string{
	" (org.apache.kafka.coordinator.group.GroupMetadataManager)", " (kafka.coordinator.group.GroupCoordinator)",
	" (kafka.coordinator.group.GroupMetadataManager)",
}

// withoutTail takes off what a layout puts behind a message: a logger such as " (kafka.coordinator.GroupCoordinator)" or
// " | kafka.coordinator.GroupCoordinator (Logging.scala:68)", and everything after it, such as a thread.
func withoutTail(b []byte) []byte {
	for _, logger := range brokerLoggers {
		if bytes.HasSuffix(b, []byte(logger)) {
			return b[:len(b)-len(logger)]
		}
	}
	for end := len(b); ; {
		end = bytes.LastIndexByte(b[:end], '(')
		if end < 0 {
			break
		}
		if end > 0 && b[end-1] == ' ' && isLogger(b[end+1:]) {
			b = b[:end-1]
			break
		}
	}
	if bar := bytes.LastIndex(b, []byte(" | ")); bar >= 0 && isLogger(b[bar+3:]) {
		b = b[:bar]
	}
	return bytes.TrimRight(b, " \t\r\n")
}

// isLogger reports whether text is the name of a class, or of a file, with a line of it perhaps, up to its end or a bracket.
func isLogger(text []byte) bool {
	if bytes.HasPrefix([]byte("org.apache.kafka."), text) || bytes.HasPrefix([]byte("kafka."), text) { // cut
		return len(text) > 0
	}
	dots := 0
	for _, c := range text {
		switch {
		case c == ')':
			return dots > 0
		case c == '.':
			dots++
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '_', c == '$', c == ':':
		default:
			return false
		}
	}
	return dots > 0
}
