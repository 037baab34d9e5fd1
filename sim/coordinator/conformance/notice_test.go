package conformance

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestReplayNotices falsifies one thing in a recording that we agree with. Each must be noticed.
func TestReplayNotices(t *testing.T) {
	tests := []struct{ title, from, to, notice string }{
		{"TC-1 KIP-394 dance", `"error":"MEMBER_ID_REQUIRED"`, `"error":"NONE"`, "replies[0].Error"},
		{"TC-1 KIP-394 dance", `"reply":2`, `"reply":1`, "replies[0].Req"},
		{"TC-1 KIP-394 dance", `"skipAssignment":false`, `"skipAssignment":true`, "replies[0].SkipAssignment"},
		{"TC-1 KIP-394 dance", `"currentStateTimestamp":3100`, `"currentStateTimestamp":3200`, "records[0].Value.StateTimestamp"},
		{"TC-1 KIP-394 dance", `"assignment":"aa"}]}}`, `"assignment":"ab"}]}}`, "records[0].Value.Members[0].Assignment"},
		{"TC-1 KIP-394 dance", `"join/g":3100`, `"join/g":3101`, "timers[0].Deadline"},
		{"TC-1 KIP-394 dance", `"timer":"join/g"`, `"timer":"sync/g"`, "timer: got join/g"},
		{"TC-1 KIP-394 dance", `{"t":3100,"timer":"join/g"},`, ``, "which Kafka does not have"},
		{"TC-1 KIP-394 dance", `"before":[`, `"before":[{"t":2000,"timer":"sync/g"},`, "timer"},
		{"TC-1 KIP-394 dance", `"prev":"Empty"`, `"prev":"Dead"`, "state of g.Prev"},
		{"TC-1 KIP-394 dance", `"pendingSync":["M1"]`, `"pendingSync":[]`, "state of g.PendingSync"},
		{"TC-1 KIP-394 dance", `"awaitingJoin":true,`, ``, "state of g.Members[0].AwaitingJoin"},
		{"TC-2 extension formula", `"order":["M1","M3","M2"]`, `"order":["M3","M1","M2"]`, "state of g.Order[0]"},
		{"TC-2 extension formula", `"newMemberAdded":true`, `"newMemberAdded":false`, "state of g.NewMemberAdded"},
		{"TC-2 extension formula", `"heartbeat/g/M1":300000,"heartbeat/g/M2":301000`, `"heartbeat/g/M2":301000,"heartbeat/g/M1":300000`, "timers[1].Name"},
		{"TC-1 KIP-394 dance", `"log":"Stabilized group g generation 1`, `"log":"Stabilized group g generation 2`, "log[0].Text"},
		{"TC-1 KIP-394 dance", `"pendingSync":["M1"],"topics":["t1"]`, `"pendingSync":["M1"],"topics":["t2"]`, "state of g.Topics[0]"},
		{"TC-1 KIP-394 dance", `"expire-offsets":600000`, `"expire-offsets":600001`, "timers[0].Deadline"},
		{"O-61 pending transactional offset does not expire", `"offset":5,"leaderEpoch":-1,"metadata":"m","error"`, `"offset":6,"leaderEpoch":-1,"metadata":"m","error"`, "replies[0].Partitions[0].Offset"},
		{"D-2 describe of a missing group", `"message":"Group`, `"message":"The group`, "replies[0].Groups[0].Message"},
		{"O-50 append failure of the retention run", `Rescheduling it`, `Ignoring it`, "log["},
		{"O-50 append failure of the retention run", `"value":null`, `"value":{"version":4}`, "records[0].Value"},
	}
	traces := readFile(t, "testdata/directed.jsonl.gz")
	for _, test := range tests {
		i := slices.IndexFunc(traces, func(trace *Trace) bool { return trace.Title == test.title })
		if i < 0 {
			t.Fatalf("no recording %s", test.title)
		}
		result, err := Replay(falsified(t, traces[i], test.from, test.to), brokerLines)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(result.Differences, "\n"); !strings.Contains(got, test.notice) {
			t.Errorf("%s with %s for %s: got %q, want a difference about %s", test.title, test.to, test.from, got, test.notice)
		}
	}
}

// falsified replaces the first occurrence of a text in the trace.
func falsified(t *testing.T, trace *Trace, from, to string) *Trace {
	lines := slices.Clone(trace.lines)
	for i, line := range lines {
		if bytes.Contains(line, []byte(from)) {
			lines[i] = bytes.Replace(line, []byte(from), []byte(to), 1)
			return &Trace{Title: trace.Title, Configs: trace.Configs, lines: lines}
		}
	}
	t.Fatalf("%s has no %s", trace.Title, from)
	return nil
}
