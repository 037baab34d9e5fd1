package offsetslog

import (
	"encoding/json"
	"io"

	"simulate/sim/coordinator"
)

// Writer writes a file: the header, then one line an entry, each in one Write. Files want a bufio.Writer
// between.
type Writer struct {
	lines *json.Encoder
	err   error
}

// header and line are the lines of a file.
type header struct {
	Schema     string `json:"schema"`
	Scenario   string `json:"scenario"`
	Partitions int    `json:"offsets_partitions"`
}

type line struct {
	Partition   int32           `json:"partition"`
	Offset      int64           `json:"offset"`
	TimestampMs int64           `json:"timestamp_ms"`
	Key         []byte          `json:"key"`
	Value       json.RawMessage `json:"value"` // tells a missing value from null
	Decoded     any             `json:"decoded"`
}

// NewWriter returns a Writer to out that has written the header h.
func NewWriter(out io.Writer, h Header) *Writer {
	w := &Writer{lines: json.NewEncoder(out)}
	w.lines.SetEscapeHTML(false)
	w.err = w.lines.Encode(header{Schema, h.Scenario, h.Partitions})
	return w
}

// Write encodes e and writes it. After a failed write it does nothing.
func (w *Writer) Write(e Entry) {
	if w.err != nil {
		return
	}
	key, value := coordinator.Encode(e.Record)
	w.err = w.lines.Encode(line{e.Partition, e.Offset, e.TimestampMs, key, base64(value), decoded(e.Record)})
}

// base64 is the JSON of the bytes of a value, null for a tombstone.
func base64(value []byte) json.RawMessage {
	text, _ := json.Marshal(value) // bytes always have a JSON
	return text
}
