package conformance

import (
	"bytes"
	"regexp"
	"strings"
)

// This file has everything in a recording that is not compared, with the reason. What is not here and
// differs fails.

// Unsupported says why a trace is not replayed, and "" when it is: groups of the consumer protocol
// (KIP-848) are not modelled.
func (t *Trace) Unsupported() string {
	for _, line := range t.lines {
		if bytes.Contains(line, []byte(`"op":"consumer-`)) {
			return "has groups of the consumer protocol (KIP-848)"
		}
	}
	return ""
}

// hidden reports whether the firing of a timer is not compared, only what comes of it. A recording also
// shows the write time-outs of events that nobody waits for, and says of none whose it is.
func hidden(timer string) bool { return timer == writeTimeout }

// onWire leaves out of a reply how the handler failed: a client sees the error alone.
func onWire(r Reply) Reply {
	r.Exception = nil
	return r
}

var (
	requestDump = regexp.MustCompile(`(?s)^(Operation \S+ with ).*( hit an unexpected exception: )`)
	topicIDs    = regexp.MustCompile(`(DeletedTopic\[id=|state for topics \[)[\w-]*`)
)

// bare leaves out of a log line the dump of a request, which has fields that are not modelled, and the ids
// of deleted topics, which the recorder made up.
//
// Two more differences are the recorder's: what it marks stale belongs to a shard that was unloaded
// before (segments), and what we hand to the log as one batch for each event is one batch there, so that a
// refused one is logged once, with all its records (brokerLog.note).
func bare(line string) string {
	switch {
	case strings.HasPrefix(line, "Operation "):
		return requestDump.ReplaceAllString(line, "$1…$2")
	case strings.HasPrefix(line, "Generated "):
		return topicIDs.ReplaceAllString(line, "$1")
	}
	return line
}
