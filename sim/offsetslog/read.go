package offsetslog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"simulate/sim/coordinator"
)

// Problem is a mistake in a file.
type Problem struct {
	Line int // counted from 1
	Text string
}

// mostProblems bounds how many mistakes of a file are looked for.
const mostProblems = 100

// Read returns the entries of a file, in its order, for an offsets topic with that many partitions. Like Kafka's
// coordinator it leaves out records that belong to newer kinds of groups. When there are problems, the
// entries mean nothing.
func Read(text []byte, partitions int) ([]Entry, []Problem) {
	r := reader{partitions: partitions, next: make(map[int32]int64)}
	for i, text := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		r.line = i + 1
		if i == 0 {
			r.header(text)
		} else {
			r.entry(text)
		}
		if i == 0 && len(r.problems) > 0 || len(r.problems) >= mostProblems {
			break
		}
	}
	return r.entries, r.problems
}

// reader is a file that is being read.
type reader struct {
	partitions int
	line       int
	next       map[int32]int64 // the lowest offset that the next record of a partition can have; for look-up only
	entries    []Entry
	problems   []Problem
}

func (r *reader) wrong(format string, args ...any) {
	r.problems = append(r.problems, Problem{r.line, fmt.Sprintf(format, args...)})
}

func (r *reader) header(text []byte) {
	var h header
	switch err := strictly(text, &h); {
	case len(text) == 0:
		r.wrong("the file is empty; an offsets log begins with a line that names its schema, %q", Schema)
	case err == nil && h.Schema != Schema, err != nil && !strings.Contains(string(text), Schema):
		r.wrong("no offsets log: the first line does not name the schema %q", Schema)
	case err != nil:
		r.wrong("%v", err)
	case h.Partitions != r.partitions:
		r.wrong("offsets_partitions is %d; offsets.topic.num.partitions of the scenario is %d", h.Partitions, r.partitions)
	}
}

func (r *reader) entry(text []byte) {
	var l line
	if err := strictly(text, &l); err != nil {
		r.wrong("%v", err)
		return
	}
	var value []byte
	switch err := json.Unmarshal(l.Value, &value); {
	case l.Key == nil:
		r.wrong("the line has no key")
		return
	case l.Value == nil:
		r.wrong("the line has no value; that of a tombstone is null")
		return
	case err != nil:
		r.wrong("value is no base64")
		return
	}
	record, err := coordinator.Decode(l.Key, value)
	if errors.Is(err, coordinator.ErrOtherRecord) {
		return
	}
	if err == nil {
		err = check(record)
	}
	if err != nil {
		r.wrong("%s", strings.TrimPrefix(err.Error(), "coordinator: "))
		return
	}
	r.add(Entry{l.Partition, l.Offset, l.TimestampMs, record})
}

// add takes a record that is in its place.
func (r *reader) add(e Entry) {
	group := GroupOf(e.Record)
	home := coordinator.PartitionOf(group, r.partitions)
	switch {
	case e.Partition != home:
		r.wrong("partition is %d; group %q belongs to %d", e.Partition, group, home)
	case e.Offset < r.next[e.Partition]:
		r.wrong("offset is %d; the next one of partition %d is %d or more", e.Offset, e.Partition, r.next[e.Partition])
	default:
		r.next[e.Partition] = e.Offset + 1
		r.entries = append(r.entries, e)
	}
}

// strictly reads one JSON object without unknown keys.
func strictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		var other *json.UnmarshalTypeError
		switch {
		case !errors.As(err, &other):
			return fmt.Errorf("no line of an offsets log: %s", strings.TrimPrefix(err.Error(), "json: "))
		case other.Field == "":
			return fmt.Errorf("no line of an offsets log: %s where an object belongs", other.Value)
		}
		return fmt.Errorf("%s cannot be %s", other.Field, other.Value)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("no line of an offsets log: there is more than one object")
	}
	return nil
}
