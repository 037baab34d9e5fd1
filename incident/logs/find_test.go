package logs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
)

// TestBrokerMessages runs the transcripts in testdata/broker: what the lines that follow say, each by itself.
func TestBrokerMessages(t *testing.T) {
	f := newFinder(newNames())
	datadriven.Walk(t, "testdata/broker", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out strings.Builder
			for line := range strings.Lines(d.Input) {
				var e Event
				at, ok := f.find(&record{text: []byte(strings.TrimSuffix(line, "\n"))}, &e)
				out.WriteString(found(at, ok, &e) + "\n")
			}
			return out.String()
		})
	})
}

// found prints what a search found.
func found(at int, ok bool, e *Event) string {
	switch {
	case ok:
		return e.Kind.String() + fieldsOf(e)
	case at >= 0:
		return "not understood"
	}
	return "nothing"
}

// fieldsOf prints the fields that a message sets, but the library.
func fieldsOf(e *Event) string {
	var b strings.Builder
	text := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, " %s=%q", key, value)
		}
	}
	number := func(key string, n int32) {
		if n != Unknown {
			fmt.Fprintf(&b, " %s=%d", key, n)
		}
	}
	number("broker", e.Broker)
	number("partition", e.Partition)
	text("client", e.Client)
	text("group", e.Group)
	text("member", string(e.Member))
	text("other", string(e.Other))
	text("instance", string(e.Instance))
	if len(e.List) > 0 {
		fmt.Fprintf(&b, " list=%q", e.List)
	}
	if len(e.Partitions) == 0 {
		number("count", e.Count)
	}
	if e.Quiet > 0 {
		number("quiet", e.Quiet)
	}
	number("generation", e.Generation)
	number("members", e.Members)
	number("static", e.Static)
	if e.State != 0 {
		fmt.Fprintf(&b, " state=%v", e.State)
	}
	if e.Reason != 0 {
		fmt.Fprintf(&b, " reason=%v", e.Reason)
	}
	text("client-reason", e.ClientReason)
	text("text", e.Text)
	if e.For != 0 {
		fmt.Fprintf(&b, " for=%v", e.For)
	}
	if d := e.Details; d != nil {
		fmt.Fprintf(&b, " details=%q,%q,%v,%v,%v", d.ClientID, d.ClientHost, d.SessionTimeout, d.RebalanceTimeout, d.Protocols)
	}
	if len(e.Partitions) > 0 {
		fmt.Fprintf(&b, " partitions=%q", e.Partitions)
	}
	return b.String()
}

func TestMembers(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"[]", nil},
		{"Set()", nil},
		{"Set(a-1, b (2))", []string{"a-1", "b (2)"}},
		{"HashSet(a, b, c, d, e)", []string{"a", "b", "c", "d", "e"}},
		{"[a, b].", []string{"a", "b"}},
		{"a, b", []string{"a", "b"}},
	} {
		var got []string
		for _, id := range members(nil, []byte(test.text), newNames()) {
			got = append(got, string(id))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.text, diff)
		}
	}
}

// A line that is made to be slow is given up, at the same place each time.
func TestHostileLines(t *testing.T) {
	f := newFinder(newNames())
	for _, test := range []struct{ part, want string }{
		{" has failed", "nothing"},
		{"Member ", "nothing"},
		{"[GroupCoordinator ", "not understood"},
		{"[GroupCoordinator 3]: Preparing to rebalance group a", "not understood"},
		{"Preparing to rebalance group a in state b", "nothing"},
		{"Stabilized group a generation ", "nothing"},
		{"Member MemberMetadata(memberId= through explicit `LeaveGroup`", "nothing"},
		{"  ", "nothing"},
	} {
		var e Event
		at, ok := f.find(&record{text: []byte(strings.Repeat(test.part, 1<<18/len(test.part)))}, &e)
		if got := found(at, ok, &e); got != test.want {
			t.Errorf("%q over and over is %s, want %s", test.part, got, test.want)
		}
	}
	late := strings.Repeat(" has failed", maxLiterals) + " Stabilized group a generation 1"
	var e Event
	if _, ok := f.find(&record{text: []byte(late)}, &e); ok {
		t.Error("a message behind too many literals is still looked for")
	}
	if _, ok := f.find(&record{text: []byte(late[len(" has failed"):])}, &e); !ok || e.Generation != 1 {
		t.Error("a message behind many literals is not found")
	}
}

// TestUsual reads the messages of testdata/broker where a coordinator's message begins, alone and behind headings, one after the
// other as well as each by a finder that has read nothing before: what was read before must not matter.
func TestUsual(t *testing.T) {
	f := newFinder(newNames())
	headings := []string{
		"", "[GroupCoordinator id=1 topic=__consumer_offsets partition=4] ", "[GroupCoordinator 2]: ",
		"[GroupCoordinator id=1 topic=__consumer_offsets partition=5] ",
	}
	n := 0
	read := func(f *finder, heading, message string) string {
		var e Event
		at, ok := f.find(&record{text: []byte("INFO " + heading + message), start: len("INFO ")}, &e)
		return found(at, ok, &e)
	}
	datadriven.Walk(t, "testdata/broker", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			for line := range strings.Lines(d.Input) {
				heading := headings[n%len(headings)]
				n++
				for _, message := range messagesIn(strings.TrimSuffix(line, "\n")) {
					for range 2 {
						if got, want := read(f, heading, message), read(newFinder(newNames()), heading, message); got != want {
							t.Errorf("%s%s\nread as  %s\ninstead of %s", heading, message, got, want)
						}
					}
				}
			}
			return d.Expected
		})
	})
}

// messagesIn returns what of a line of a transcript may be the message: all of it, and what is behind its level and its heading.
func messagesIn(line string) []string {
	list := []string{line}
	for _, before := range []string{"INFO ", "] ", "]: "} {
		if _, message, ok := strings.Cut(line, before); ok {
			list = append(list, message)
		}
	}
	return list
}
