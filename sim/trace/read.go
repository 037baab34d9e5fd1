package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"simulate/sim/clock"
)

// maxLine bounds a line of a trace file, in bytes. The longest honest event lists some ten thousand
// partitions.
const maxLine = 16 << 20

// ReadError is a mistake in a trace file, with its place.
type ReadError struct {
	File    string // as the reader names itself (os.File does), otherwise "trace"
	Line    int    // 1-based
	Problem string
}

func (e *ReadError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// Read reads what a Writer wrote, passes every event to sink in order and returns the header. It is
// strict: an unknown key, kind or name, an event before the one above it and anything but one JSON
// object a line are a *ReadError. Events before the mistake have reached the sink by then. Errors of r
// come back as they are.
func Read(r io.Reader, sink Sink) (Header, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	f := reader{file: nameOf(r), lines: lines}
	h, err := f.header()
	if err != nil {
		return Header{}, err
	}
	return h, f.events(sink)
}

func nameOf(r io.Reader) string {
	if f, ok := r.(interface{ Name() string }); ok {
		return f.Name()
	}
	return "trace"
}

type reader struct {
	file  string
	lines *bufio.Scanner
	line  int
}

// next moves to the next line; at the end of the file it returns io.EOF.
func (f *reader) next() error {
	f.line++
	switch {
	case f.lines.Scan():
		return nil
	case errors.Is(f.lines.Err(), bufio.ErrTooLong):
		return f.problem("the line is longer than %d MiB", maxLine>>20)
	case f.lines.Err() != nil:
		return f.lines.Err()
	}
	return io.EOF
}

func (f *reader) problem(format string, args ...any) error {
	return &ReadError{File: f.file, Line: f.line, Problem: fmt.Sprintf(format, args...)}
}

func (f *reader) header() (Header, error) {
	err := f.next()
	if err == io.EOF {
		return Header{}, f.problem("the file is empty; a trace begins with a line that names its schema, %q", Schema)
	}
	if err != nil {
		return Header{}, err
	}
	// Another schema has other keys, so it is looked at before they are.
	var schema struct{ Schema string }
	if json.Unmarshal(f.lines.Bytes(), &schema) != nil || schema.Schema == "" {
		return Header{}, f.problem("no header; a trace begins with a line that names its schema, %q", Schema)
	}
	if schema.Schema != Schema {
		return Header{}, f.problem("the schema is %q; this version reads %q", schema.Schema, Schema)
	}
	var raw rawHeader
	if err := decode(f.lines.Bytes(), &raw); err != nil {
		return Header{}, f.problem("%v", err)
	}
	return raw.header(), nil
}

func (f *reader) events(sink Sink) error {
	last := clock.Time(0)
	for {
		err := f.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var raw rawEvent
		if err := decode(f.lines.Bytes(), &raw); err != nil {
			return f.problem("%v", err)
		}
		e := raw.event()
		switch {
		case e.Kind == NoKind:
			return f.problem(`the event has no kind; write "kind":"group-became" or another one`)
		case e.At == clock.Never:
			return f.problem("at_ms is never; an event has an instant")
		case e.At < 0:
			return f.problem("event at %v is before the start of the run", e.At)
		case e.At < last:
			return f.problem("event at %v follows one at %v; the file is not in time order", e.At, last)
		}
		last = e.At
		sink.Record(e)
	}
}

// decode maps a line that must be exactly one JSON object without unknown keys.
func decode(line []byte, into any) error {
	if !bytes.HasPrefix(line, []byte("{")) {
		return errors.New("not a JSON object; a trace has one on each line")
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return inOurWords(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more follows the JSON object; a trace has one on each line")
	}
	return nil
}

// inOurWords rewrites the messages of encoding/json that speak of Go.
func inOurWords(err error) error {
	var wrongType *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrongType):
		return fmt.Errorf("%s is a JSON %s; it must be %s", wrongType.Field, wrongType.Value, describe(wrongType.Type.Kind().String()))
	case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("not JSON: %v", err)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

func describe(goKind string) string {
	switch goKind {
	case "slice":
		return "an array"
	case "struct", "ptr":
		return "an object"
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	}
	return "a whole number in the range of " + goKind
}
