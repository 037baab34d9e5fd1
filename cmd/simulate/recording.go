package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// recording is a trace file that is being written. It grows beside its place and moves there when it is
// whole, so that a file of that name is never half a trace. The zero recording records nothing.
type recording struct {
	path   string
	file   *os.File
	buffer *bufio.Writer
	writer *trace.Writer
}

// startRecording begins the trace file at path; "" means none.
func startRecording(path string, s *scenario.Scenario) (*recording, error) {
	if path == "" {
		return &recording{}, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("--trace %s: that is no regular file; name one to write to", path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, traceError(path, err)
	}
	r := &recording{path: path, file: file, buffer: bufio.NewWriterSize(file, 1<<16)}
	r.writer = trace.NewWriter(r.buffer, trace.Header{
		Scenario: s.Name, Seed: uint64(s.Seed), Duration: s.Duration, Kafka: s.Broker.Kafka,
	})
	return r, nil
}

// sinks returns what the run must record to.
func (r *recording) sinks() []trace.Sink {
	if r.writer == nil {
		return nil
	}
	return []trace.Sink{r.writer}
}

// keep completes the file and moves it to its place.
func (r *recording) keep() error {
	if r.file == nil {
		return nil
	}
	err := r.writer.Err()
	if err == nil {
		err = r.buffer.Flush()
	}
	if err == nil {
		err = r.file.Chmod(0o644) // temporary files are private
	}
	if err == nil {
		err = r.file.Close()
	}
	if err == nil {
		err = os.Rename(r.file.Name(), r.path)
	}
	if err != nil {
		return traceError(r.path, err)
	}
	r.file = nil
	return nil
}

// traceError says what is wrong with the file that the user named, whatever temporary name it has.
func traceError(path string, err error) error {
	var cause syscall.Errno
	if errors.As(err, &cause) {
		err = cause
	}
	return fmt.Errorf("--trace %s: %w", path, err)
}

// discard removes what was not kept.
func (r *recording) discard() {
	if r.file != nil {
		r.file.Close()
		os.Remove(r.file.Name())
	}
}
