package conformance

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
)

// Trace is one recorded run of the coordinator. Its lines are decoded when they are replayed, because
// most recordings have requests that we know nothing of.
type Trace struct {
	Family  string          `json:"family"`
	Title   string          `json:"title"`
	Configs json.RawMessage `json:"configs"`
	lines   [][]byte
}

// Op is one input of a recording and everything that it made the coordinator do.
type Op struct {
	At     int64             `json:"t"`
	Op     string            `json:"op"`
	Before []Output          `json:"before"` // what happened before the input was handled
	Out    []Output          `json:"out"`
	State  []GroupState      `json:"state"`
	Timers *Timers           `json:"timers"`
	IDs    map[string]string `json:"ids"` // real member ids that appear for the first time

	Req                int               `json:"req"`
	Version            int16             `json:"v"`
	Group              string            `json:"group"`
	Member             string            `json:"memberId"`
	Instance           string            `json:"instanceId"`
	Client             string            `json:"clientId"`
	SessionTimeoutMs   int32             `json:"sessionTimeoutMs"`
	RebalanceTimeoutMs int32             `json:"rebalanceTimeoutMs"`
	ProtocolType       string            `json:"protocolType"`
	Protocols          []Protocol        `json:"protocols"`
	Protocol           string            `json:"protocol"`
	Reason             string            `json:"reason"`
	Generation         int32             `json:"generation"`
	Assignments        map[string]string `json:"assignments"` // hexadecimal
	Members            []Leaver          `json:"members"`
	RetentionTimeMs    *int64            `json:"retentionTimeMs"`
	Offsets            []Offset          `json:"offsets"`
	ProducerID         int64             `json:"producerId"`
	ProducerEpoch      int16             `json:"producerEpoch"`
	Result             string            `json:"result"` // COMMIT or ABORT
	RequireStable      bool              `json:"requireStable"`
	Topics             *Topics           `json:"topics"`
	Groups             []string          `json:"groups"`
	States             []string          `json:"states"`
	Types              []string          `json:"types"`
	Delete             []string          `json:"delete"` // topics that are deleted
	Epoch              *int32            `json:"epoch"`
	Hold               bool              `json:"hold"`
	Configs            json.RawMessage   `json:"configs"`
	Error              string            `json:"error"`
	Hit                bool              `json:"hit"` // there was something to refuse
}

// Protocol is an entry of a JoinGroup's list; Metadata is hexadecimal.
type Protocol struct {
	Name     string `json:"name"`
	Metadata string `json:"metadata"`
}

// Leaver is an entry of a LeaveGroup.
type Leaver struct {
	Member   string  `json:"memberId"`
	Instance string  `json:"instanceId"`
	Reason   *string `json:"reason"`
}

// Offset is an entry of an OffsetCommit.
type Offset struct {
	Topic       string `json:"topic"`
	Partition   int32  `json:"partition"`
	Offset      int64  `json:"offset"`
	LeaderEpoch *int32 `json:"leaderEpoch"`
	Metadata    string `json:"metadata"`
}

// Output is one line of what the coordinator did: a reply, records, a timer that fired, a log line, or
// the states and timers after a timer fired.
type Output struct {
	At      int64
	Reply   *Reply
	Records []Record
	Log     *Line
	Timer   string
	Stale   bool
	State   []GroupState
	Timers  *Timers
}

// UnmarshalJSON tells the kinds of lines apart, which share no fields but the instant.
func (o *Output) UnmarshalJSON(data []byte) error {
	var head struct {
		At      int64           `json:"t"`
		Reply   *int            `json:"reply"`
		Records json.RawMessage `json:"records"`
		Log     *string         `json:"log"`
		Level   string          `json:"level"`
		Timer   string          `json:"timer"`
		Stale   bool            `json:"stale"`
		State   []GroupState    `json:"state"`
		Timers  *Timers         `json:"timers"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	*o = Output{At: head.At, Timer: head.Timer, Stale: head.Stale, State: head.State, Timers: head.Timers}
	if head.Log != nil {
		o.Log = &Line{Level: head.Level, Text: bare(*head.Log)}
		if head.Level == "" {
			o.Log.Level = "INFO"
		}
	}
	if head.Reply != nil {
		return strict(data, &o.Reply)
	}
	if head.Records != nil {
		return strict(head.Records, &o.Records)
	}
	return nil
}

// strict refuses fields that we would otherwise not compare.
func strict(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// Read reads the traces of a recording: JSON Lines, compressed or not.
func Read(r io.Reader) ([]*Trace, error) {
	in := bufio.NewReaderSize(r, 1<<20)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = bufio.NewReaderSize(unzipped, 1<<20)
	}
	var traces []*Trace
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		switch {
		case bytes.HasPrefix(line, []byte(`{"trace":`)):
			t := &Trace{}
			if err := json.Unmarshal(line, t); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			traces = append(traces, t)
		case len(bytes.TrimSpace(line)) == 0:
		case len(traces) == 0:
			return nil, fmt.Errorf("line %d: no header before it", n)
		default:
			t := traces[len(traces)-1]
			t.lines = append(t.lines, line)
		}
		if err == io.EOF {
			return traces, nil
		}
	}
}
