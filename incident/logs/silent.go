package logs

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// silentLoggers are beginnings of the names of Kafka's classes that never log anything about groups, and much else.
var silentLoggers = []string{
	"kafka.log.", "kafka.cluster.", "kafka.network.", "kafka.raft.", "kafka.zk.", "kafka.zookeeper.", "kafka.controller.",
	"kafka.coordinator.transaction.", "kafka.utils.", "kafka.security.", "kafka.authorizer.", "kafka.server.metadata.",
	"kafka.server.ReplicaFetcher", "kafka.server.ReplicaAlter", "kafka.server.FetchSession", "kafka.server.ClientQuota",
	"kafka.request.logger", "state.change.logger", "org.apache.zookeeper.", "org.eclipse.jetty.",
	"org.apache.kafka.storage.", "org.apache.kafka.raft.", "org.apache.kafka.controller.", "org.apache.kafka.metadata.",
	"org.apache.kafka.image.", "org.apache.kafka.server.log.", "org.apache.kafka.coordinator.transaction.",
	"org.apache.kafka.common.network.", "org.apache.kafka.common.security.",
}

// loggers remembers which endings of lines, such as " (kafka.log.LocalLog)", are those of silent classes. Few classes write
// most of a log, so a small table will do.
type loggers [64]struct {
	ending []byte
	silent bool
}

// silent reports whether a line ends with the name of a class that never logs anything about groups.
func (l *loggers) silent(line []byte) bool {
	const golden = 0x9E3779B97F4A7C15
	if len(line) < 12 || line[len(line)-1] != ')' {
		return false
	}
	known := &l[binary.LittleEndian.Uint64(line[len(line)-9:])*golden>>58]
	if known.ending == nil || !bytes.HasSuffix(line, known.ending) {
		ending := loggerAtEnd(line)
		if ending == nil {
			return false
		}
		known.ending = append(known.ending[:0], ending...)
		known.silent = isSilent(string(ending[2:]))
	}
	return known.silent
}

// loggerAtEnd returns the name of a class at the end of a line, with the blank and the brackets around it.
func loggerAtEnd(line []byte) []byte {
	const longest = 120
	end := line[max(0, len(line)-longest):]
	i := bytes.LastIndexByte(end, '(')
	if i < 1 || end[i-1] != ' ' || !isLogger(end[i+1:]) {
		return nil
	}
	return end[i-1:]
}

func isSilent(logger string) bool {
	for _, beginning := range silentLoggers {
		if strings.HasPrefix(logger, beginning) {
			return true
		}
	}
	return false
}
