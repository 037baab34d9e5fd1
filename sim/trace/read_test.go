package trace

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// collector keeps every event, routine ones too.
type collector struct{ events []Event }

func (c *collector) Record(e Event) { c.events = append(c.events, e) }

func numFields(v any) int { return reflect.TypeOf(v).NumField() }

// written returns the events as they come back from a file.
func written(t *testing.T, events []Event) []Event {
	t.Helper()
	var file bytes.Buffer
	w := NewWriter(&file, Header{})
	for _, e := range events {
		w.Record(e)
	}
	var got collector
	if _, err := Read(&file, &got); err != nil {
		t.Fatal(err)
	}
	return got.events
}

// drawEvent draws any event that a run could record, and many that none would.
func drawEvent(t *rapid.T) Event {
	text := func(name string) string { return rapid.StringOfN(rapid.Rune(), 0, 8, -1).Draw(t, name) }
	instant := func(name string) clock.Time {
		return clock.Time(rapid.OneOf(rapid.Just(int64(clock.Never)), rapid.Int64Min(0)).Draw(t, name))
	}
	id := rapid.Custom(func(t *rapid.T) wire.MemberID { return wire.MemberID(rapid.String().Draw(t, "id")) })
	state := rapid.Uint8Max(uint8(wire.NumGroupStates) - 1)
	e := Event{
		At:         clock.Time(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "step")),
		Kind:       Kind(rapid.Uint8Range(1, uint8(numKinds)-1).Draw(t, "kind")),
		Group:      text("group"),
		Member:     id.Draw(t, "member"),
		Other:      id.Draw(t, "other"),
		Instance:   wire.InstanceID(text("instance")),
		Who:        text("who"),
		Generation: wire.Generation(rapid.Int32().Draw(t, "generation")),
		From:       wire.GroupState(state.Draw(t, "from")),
		To:         wire.GroupState(state.Draw(t, "to")),
		Reason:     Reason(rapid.Uint8Max(uint8(numReasons)-1).Draw(t, "reason")),
		Err:        rapid.SampledFrom([]wire.Err{wire.None, wire.UnknownServerError, wire.FencedInstanceID, wire.UnstableOffsetCommit}).Draw(t, "err"),
		Members:    rapid.Int32().Draw(t, "members"),
		Static:     rapid.Int32().Draw(t, "static"),
		Since:      instant("since"),
		Until:      instant("until"),
		For:        time.Duration(rapid.Int64Min(-1e18).Draw(t, "for")),
		Cause:      rapid.Int32().Draw(t, "cause"),
		Text:       text("text"),
		HasText:    rapid.Bool().Draw(t, "has text"),
		Protocol:   text("protocol"),
	}
	for range rapid.IntRange(0, 3).Draw(t, "list") {
		e.List = append(e.List, id.Draw(t, "listed"))
	}
	for range rapid.IntRange(0, 3).Draw(t, "partitions") {
		e.Partitions = append(e.Partitions, wire.TopicPartition{Topic: text("topic"), Partition: rapid.Int32Min(0).Draw(t, "partition")})
	}
	for range rapid.IntRange(0, 3).Draw(t, "offsets") {
		e.Offsets = append(e.Offsets, rapid.Int64().Draw(t, "offset of a partition"))
	}
	for range rapid.IntRange(0, 2).Draw(t, "chain") {
		e.Chain = append(e.Chain, Link{
			Who: text("who"), Member: id.Draw(t, "member"), On: text("on"), Because: text("because"), Timer: text("timer"),
			Since: instant("since"), Until: instant("until"), Fires: instant("fires"), Parked: int(rapid.Int32().Draw(t, "parked")),
		})
	}
	if rapid.Bool().Draw(t, "details") {
		e.Details = &MemberDetails{
			ClientID: text("client id"), ClientHost: text("host"), ProtocolType: text("type"),
			RebalanceTimeoutMs: rapid.Int32().Draw(t, "rebalance timeout"), SessionTimeoutMs: rapid.Int32().Draw(t, "session timeout"),
			Protocols: rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "protocols"),
		}
	}
	e.Operation, e.Broker = text("operation"), rapid.Int32Min(0).Draw(t, "broker")
	if rapid.Bool().Draw(t, "offset") {
		e.Offset = &OffsetDetails{
			Offset: rapid.Int64().Draw(t, "committed"), LeaderEpoch: rapid.Int32().Draw(t, "epoch"), Metadata: text("metadata"),
			CommitTimestampMs: rapid.Int64().Draw(t, "timestamp"), ProducerID: rapid.Int64().Draw(t, "producer"),
			RecordOffset: rapid.Int64().Draw(t, "position"), LastRecordOffset: rapid.Int64().Draw(t, "last position"),
		}
	}
	return e
}

const head = `{"schema":"simulate.trace/1","scenario":"s","seed":1,"duration_ms":60000,"kafka":"4"}` + "\n"

func TestReadErrors(t *testing.T) {
	for _, test := range []struct{ file, want string }{
		{"", `trace:1: the file is empty; a trace begins with a line that names its schema, "simulate.trace/1"`},
		{"at 3s the group rebalanced\n", `trace:1: no header; a trace begins with a line that names its schema, "simulate.trace/1"`},
		{`{"at_ms":0,"kind":"polled"}`, `trace:1: no header; a trace begins with a line that names its schema, "simulate.trace/1"`},
		{`{"schema":"simulate.trace/2","shards":3}`, `trace:1: the schema is "simulate.trace/2"; this version reads "simulate.trace/1"`},
		{`{"schema":"simulate.trace/1","sede":3}`, `trace:1: unknown field "sede"`},
		{`{"schema":"simulate.trace/1","seed":-3}`, `trace:1: seed is a JSON number -3; it must be a whole number in the range of uint64`},
		{head + `{"at_ms":61900,"kind":"polled"}` + "\n" + `{"at_ms":61200,"kind":"polled"}`, `trace:3: event at 61.200s follows one at 61.900s; the file is not in time order`},
		{head + `{"at_ms":-1,"kind":"polled"}`, `trace:2: event at -0.001s is before the start of the run`},
		{head + `{"at_ms":"never","kind":"polled"}`, `trace:2: at_ms is never; an event has an instant`},
		{head + `{"at_ms":1e3,"kind":"polled"}`, `trace:2: 1e3 is no instant; write milliseconds such as 61200 or 61200.5, or "never"`},
		{head + `{"at_ms":0.0000001,"kind":"polled"}`, `trace:2: 0.0000001 is no instant; write milliseconds such as 61200 or 61200.5, or "never"`},
		{head + `{"at_ms":9223372036855,"kind":"polled"}`, `trace:2: 9223372036855 is no instant; write milliseconds such as 61200 or 61200.5, or "never"`},
		{head + `{"kind":"polled","for_ms":"never"}`, `trace:2: "never" is no number of milliseconds; write one such as 61200 or 61200.5`},
		{head + `{"at_ms":0}`, `trace:2: the event has no kind; write "kind":"group-became" or another one`},
		{head + `{"kind":"none"}`, `trace:2: unknown kind of event "none"`},
		{head + `{"kind":"group-becomes"}`, `trace:2: unknown kind of event "group-becomes"`},
		{head + `{"kind":7}`, `trace:2: 7 is no name; write a string`},
		{head + `{"kind":"polled","reason":"whim"}`, `trace:2: unknown reason "whim"`},
		{head + `{"kind":"polled","to":"Steady"}`, `trace:2: unknown group state "Steady"`},
		{head + `{"kind":"polled","err":"E_NOENT"}`, `trace:2: unknown Kafka error "E_NOENT"`},
		{head + `{"kind":"assigned","partitions":["orders"]}`, `trace:2: "orders" is no partition; write one such as "orders-0"`},
		{head + `{"kind":"assigned","partitions":["orders-x"]}`, `trace:2: "orders-x" is no partition; write one such as "orders-0"`},
		{head + `{"kind":"assigned","partitions":"orders-0"}`, `trace:2: partitions is a JSON string; it must be an array`},
		{head + `{"kind":"blocked","chain":[{"since":3}]}`, `trace:2: unknown field "since"`},
		{head + `{"kind":"polled","members":"three"}`, `trace:2: members is a JSON string; it must be a whole number in the range of int32`},
		{head + `{"kind":"polled","generation":2147483648}`, `trace:2: generation is a JSON number 2147483648; it must be a whole number in the range of int32`},
		{head + `{"kind":"polled","has_text":1}`, `trace:2: has_text is a JSON number; it must be true or false`},
		{head + `{"kind":"polled","group":1}`, `trace:2: group is a JSON number; it must be a string`},
		{head + `{"kind":"polled","details":1}`, `trace:2: details is a JSON number; it must be an object`},
		{head + `{"kind":"polled","colour":"red"}`, `trace:2: unknown field "colour"`},
		{head + `{"kind":"polled"} {"kind":"polled"}`, `trace:2: more follows the JSON object; a trace has one on each line`},
		{head + `{"kind":"pol`, `trace:2: not JSON: unexpected EOF`},
		{head + `{"kind" "polled"}`, `trace:2: not JSON: invalid character '"' after object key`},
		{head + "null", `trace:2: not a JSON object; a trace has one on each line`},
		{head + "\n" + `{"kind":"polled"}`, `trace:2: not a JSON object; a trace has one on each line`},
		{head + `{"kind":"polled","text":"` + strings.Repeat("x", maxLine), `trace:2: the line is longer than 16 MiB`},
	} {
		_, err := Read(strings.NewReader(test.file), Discard)
		if err == nil || err.Error() != test.want {
			t.Errorf("%.120s\ngot  %v\nwant %s", strings.TrimPrefix(test.file, head), err, test.want)
		}
	}
}

// A chain of a thousand members, or the assignment of ten thousand partitions, is one line.
func TestReadLongLines(t *testing.T) {
	long := Event{Kind: PartitionsAssigned, Partitions: make([]wire.TopicPartition, 100_000)}
	got := written(t, []Event{long})
	if len(got) != 1 || len(got[0].Partitions) != len(long.Partitions) {
		t.Errorf("%d events were read", len(got))
	}
}

func TestReadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	if err := os.WriteFile(path, []byte(head+"{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, err = Read(file, Discard)
	want := &ReadError{File: path, Line: 2, Problem: `the event has no kind; write "kind":"group-became" or another one`}
	var got *ReadError
	if !errors.As(err, &got) || *got != *want {
		t.Errorf("got %v, want %v", err, want)
	}
}

func TestReadPassesErrorsOfTheReaderOn(t *testing.T) {
	broken := errors.New("disk on fire")
	_, err := Read(io.MultiReader(strings.NewReader(head), iotest.ErrReader(broken)), Discard)
	if err != broken {
		t.Errorf("got %v, want %v", err, broken)
	}
}

func TestEventsBeforeTheMistakeReachTheSink(t *testing.T) {
	var got Memory
	_, err := Read(strings.NewReader(head+`{"at_ms":5,"kind":"run-ended"}`+"\n{}"), &got)
	want := []Event{{At: ms(5), Kind: RunEnded}}
	if diff := cmp.Diff(want, got.Events); diff != "" || err == nil {
		t.Errorf("error %v, events (-want +got):\n%s", err, diff)
	}
}

// FuzzRead: a reader never panics, and what it accepts it reads again from what a Writer makes of it.
func FuzzRead(f *testing.F) {
	f.Add([]byte(head + everythingJSON))
	f.Add([]byte(head + `{"at_ms":-0,"kind":"polled"}` + "\r\n" + `{"kind":"polled","AT_ms":0.000001}`))
	f.Add([]byte(head + `{"kind":"blocked","chain":[{"until_ms":"never"}],"details":{}}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		var first collector
		h, err := Read(bytes.NewReader(file), &first)
		if err != nil {
			return
		}
		var again bytes.Buffer
		w := NewWriter(&again, h)
		for _, e := range first.events {
			w.Record(e)
		}
		var second collector
		if _, err := Read(&again, &second); err != nil {
			t.Fatal(err)
		}
		a, b := NewDigest(), NewDigest()
		for i, e := range first.events {
			a.Record(e)
			b.Record(second.events[i])
		}
		if a.Sum() != b.Sum() {
			t.Fatalf("read %+v, then %+v", first.events, second.events)
		}
	})
}
