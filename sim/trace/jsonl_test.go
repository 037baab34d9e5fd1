package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

func ms(n float64) clock.Time { return clock.Time(n * 1e6) }

// everything is an event with no zero field.
var everything = Event{
	At: ms(61200.5), Kind: Blocked, Group: "orders", Member: "orders-3-a", Other: "orders-3-b",
	Instance: "orders-3", Who: "orders-3", Generation: 7, From: wire.Stable, To: wire.PreparingRebalance,
	Reason: LeaderRejoined, Err: wire.RebalanceInProgress, Members: 12, Static: 3, Since: ms(0.001),
	Until: clock.Never, For: 1500 * time.Microsecond, Cause: 2, Text: "say \"hi\"\n\\ \x01 é \u2028 \xff.",
	HasText: true, Protocol: "range", List: []wire.MemberID{"a", "b"},
	Partitions: []wire.TopicPartition{{Topic: "orders", Partition: 10}, {Topic: "a-b", Partition: 0}},
	Offsets:    []int64{12, -1},
	Chain: []Link{
		{Who: "orders-3", Member: "m", On: "JoinGroup", Because: "processing", Since: 1, Until: clock.Never, Timer: "max.poll.interval.ms", Fires: ms(2), Parked: 11},
		{On: "SyncGroup"},
	},
	Details:   &MemberDetails{ClientID: "c", ClientHost: "/127.0.0.1", RebalanceTimeoutMs: 300000, SessionTimeoutMs: 45000, ProtocolType: "consumer", Protocols: []string{"range", "sticky"}},
	Broker:    3,
	Operation: "commit-offset",
	Offset:    &OffsetDetails{Offset: 42, LeaderEpoch: -1, Metadata: "m", CommitTimestampMs: 61200, ProducerID: 7, RecordOffset: 3, LastRecordOffset: 5},
}

const everythingJSON = `{"at_ms":61200.5,"kind":"blocked","group":"orders","member":"orders-3-a","other":"orders-3-b",` +
	`"instance":"orders-3","who":"orders-3","generation":7,"from":"Stable","to":"PreparingRebalance",` +
	`"reason":"leader-rejoined","err":"REBALANCE_IN_PROGRESS","members":12,"static":3,"since_ms":0.001,` +
	`"until_ms":"never","for_ms":1.5,"cause":2,"text":"say \"hi\"\n\\ \u0001 é ` + "\u2028 \ufffd" + `.",` +
	`"has_text":true,"protocol":"range","list":["a","b"],"partitions":["orders-10","a-b-0"],"offsets":[12,-1],` +
	`"chain":[{"who":"orders-3","member":"m","on":"JoinGroup","because":"processing","since_ms":0.000001,"until_ms":"never",` +
	`"timer":"max.poll.interval.ms","fires_ms":2,"parked":11},{"who":"","on":"SyncGroup","because":""}],` +
	`"details":{"client_id":"c","client_host":"/127.0.0.1","rebalance_timeout_ms":300000,"session_timeout_ms":45000,` +
	`"protocol_type":"consumer","protocols":["range","sticky"]},"broker":3,"operation":"commit-offset",` +
	`"offset":{"offset":42,"leader_epoch":-1,"metadata":"m","commit_timestamp_ms":61200,"producer_id":7,"record_offset":3,"last_record_offset":5}}`

func TestAppendJSON(t *testing.T) {
	for _, test := range []struct {
		name string
		e    Event
		want string
	}{
		{"every field", everything, everythingJSON},
		{"zero fields are left out", Event{Kind: Polled, Who: "c-1"}, `{"at_ms":0,"kind":"polled","who":"c-1"}`},
		{"no protocol at all", Event{Kind: LeaderReplaced, Details: &MemberDetails{}}, `{"at_ms":0,"kind":"leader-replaced","details":{"client_id":"","client_host":"","rebalance_timeout_ms":0,"session_timeout_ms":0,"protocol_type":"","protocols":[]}}`},
		{"a negative duration", Event{Kind: StallBegan, For: -time.Microsecond}, `{"at_ms":0,"kind":"stall-began","for_ms":-0.001}`},
		{"an instant near never", Event{At: clock.Never - 1, Kind: RunEnded}, `{"at_ms":9223372036854.775806,"kind":"run-ended"}`},
	} {
		if got := string(AppendJSON(nil, test.e)); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestEveryFieldIsWritten fails when Event gets a field that the encoder or the reader forgets.
func TestEveryFieldIsWritten(t *testing.T) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(AppendJSON(nil, everything), &keys); err != nil {
		t.Fatal(err)
	}
	if got, want := len(keys), numFields(Event{}); got != want {
		t.Errorf("%d keys are written; Event has %d fields", got, want)
	}
	want := everything
	want.Text = strings.ToValidUTF8(want.Text, "\ufffd")
	if diff := cmp.Diff([]Event{want}, written(t, []Event{everything})); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestAppendJSONAllocatesNothing(t *testing.T) {
	b := AppendJSON(nil, everything)
	if n := testing.AllocsPerRun(100, func() { b = AppendJSON(b[:0], everything) }); n != 0 {
		t.Errorf("%v allocations an event; want none once the buffer is long enough", n)
	}
}

// Whatever bytes a client put into its texts, a line is JSON, UTF-8 and one line.
func TestLinesAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hostile := string(rapid.SliceOf(rapid.Byte()).Draw(t, "text"))
		e := everything
		e.Text, e.Group, e.Member = hostile, hostile, wire.MemberID(hostile)
		e.Partitions = []wire.TopicPartition{{Topic: hostile, Partition: 3}}
		line := AppendJSON(nil, e)
		if !json.Valid(line) || !utf8.Valid(line) || bytes.ContainsAny(line, "\n\r") {
			t.Fatalf("%q is not one line of JSON", line)
		}
	})
}

// Law: what was written is what is read.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := Header{
			Scenario: rapid.String().Draw(t, "scenario"),
			Seed:     rapid.Uint64().Draw(t, "seed"),
			Duration: time.Duration(rapid.Int64Min(0).Draw(t, "duration")),
			Kafka:    rapid.SampledFrom([]string{"3", "4"}).Draw(t, "kafka"),

			ShuffleTies: rapid.Uint64Range(0, 3).Draw(t, "ties"),
		}
		want := rapid.SliceOf(rapid.Custom(drawEvent)).Draw(t, "events")
		at := clock.Time(0)
		for i := range want { // in time order
			at = at.Add(want[i].At.SinceStart())
			want[i].At = at
		}
		var file bytes.Buffer
		w := NewWriter(&file, h)
		for _, e := range want {
			w.Record(e)
		}
		var got collector
		read, err := Read(&file, &got)
		if err != nil || w.Err() != nil {
			t.Fatal(err, w.Err())
		}
		if diff := cmp.Diff(h, read); diff != "" {
			t.Fatalf("header (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want, got.events, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("events (-want +got):\n%s", diff)
		}
	})
}

func TestWriterLeavesOutRoutine(t *testing.T) {
	var file strings.Builder
	w := NewWriter(&file, Header{Scenario: "s", Seed: 7, Duration: time.Minute, Kafka: "4"})
	w.Record(Event{Kind: Polled})
	w.OmitRoutine = true
	w.Record(Event{Kind: Polled})
	w.Record(Event{Kind: RunEnded})
	want := `{"schema":"simulate.trace/1","scenario":"s","seed":7,"duration_ms":60000,"kafka":"4"}
{"at_ms":0,"kind":"polled"}
{"at_ms":0,"kind":"run-ended"}
`
	if got := file.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestHeader: what a header says of topics and fleets comes back.
func TestHeader(t *testing.T) {
	want := Header{
		Scenario: "s", Seed: 7, Duration: time.Minute, Kafka: "4", StuckAfter: 30 * time.Second,
		Topics: []Topic{{"orders", 12, 200, time.Second, 5}, {"a \"b\"", 1, 0, 0, 0}}, Fleets: []Fleet{{"orders", "billing", []string{"orders", "x"}}, {"idle", "idle", []string{}}},
	}
	var file strings.Builder
	NewWriter(&file, want)
	const line = `{"schema":"simulate.trace/1","scenario":"s","seed":7,"duration_ms":60000,"kafka":"4","stuck_after_ms":30000,` +
		`"topics":[{"name":"orders","partitions":12,"records":200,"per_ms":1000,"backlog":5},{"name":"a \"b\"","partitions":1}],` +
		`"fleets":[{"name":"orders","group":"billing","topics":["orders","x"]},{"name":"idle","group":"idle","topics":[]}]}` + "\n"
	if file.String() != line {
		t.Errorf("got\n%s\nwant\n%s", file.String(), line)
	}
	got, err := Read(strings.NewReader(file.String()), Discard)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, header (-want +got):\n%s", err, diff)
	}
}

// full is a disk with room for some lines.
type full struct{ lines int }

var errFull = errors.New("no space left on device")

func (f *full) Write(b []byte) (int, error) {
	f.lines--
	if f.lines < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestWriterKeepsTheFirstError(t *testing.T) {
	disk := &full{lines: 2}
	w := NewWriter(disk, Header{})
	w.Record(Event{Kind: RunWarning})
	if w.Err() != nil {
		t.Fatalf("Err is %v before the disk is full", w.Err())
	}
	w.Record(Event{Kind: RunWarning})
	w.Record(Event{Kind: RunWarning})
	if w.Err() != errFull || disk.lines != -1 {
		t.Errorf("Err is %v after %d failed writes; want %v after one", w.Err(), -disk.lines, errFull)
	}
}

func TestDigest(t *testing.T) {
	d := NewDigest()
	if got, want := d.Sum(), "cbf29ce484222325"; got != want {
		t.Errorf("of no event: %s, want %s (FNV's offset basis)", got, want)
	}
	d.Record(Event{Kind: GroupCreated, Group: "orders", To: wire.Empty})
	created := d.Sum()
	// Computed outside of Go: FNV-1a over {"at_ms":0,"kind":"group-created","group":"orders","to":"Empty"}.
	if want := "3a80195b1e61528b"; created != want {
		t.Errorf("of one event: %s, want %s", created, want)
	}
	d.Record(Event{Kind: HeartbeatAnswered, Who: "orders-1"})
	if d.Sum() != created {
		t.Error("a routine event changed the digest")
	}
	d.Record(Event{Kind: RunEnded})
	if d.Sum() == created {
		t.Error("an event left the digest as it was")
	}
	e := everything
	if n := testing.AllocsPerRun(100, func() { d.Record(e) }); n != 0 {
		t.Errorf("%v allocations an event, want none", n)
	}
}
