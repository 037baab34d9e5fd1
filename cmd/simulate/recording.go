package main

import (
	"simulate/check"
	"simulate/sim/trace"
)

// recording is a trace file that is being written. The zero recording records nothing.
type recording struct {
	output
	writer *trace.Writer
}

// startRecording begins the trace file at path; "" means none.
func startRecording(path string, l check.Loaded) (*recording, error) {
	file, err := startRecord("--trace", path)
	if err != nil || path == "" {
		return &recording{}, err
	}
	header := check.TraceHeader(l.Scenario)
	header.ShuffleTies = l.ShuffleTies
	return &recording{file, trace.NewWriter(file.buffer, header)}, nil
}

// sinks returns what the run must record to.
func (r *recording) sinks() []trace.Sink {
	if r.writer == nil {
		return nil
	}
	return []trace.Sink{r.writer}
}
