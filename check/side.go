package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"simulate/diff"
	"simulate/sim"
	"simulate/sim/trace"
)

// Side runs a scenario for a comparison with another run. A run that ctx ends, or that spins, is a side as far as
// it came. The error is an invariant of the simulator that broke.
func Side(ctx context.Context, l Loaded) (diff.Side, error) {
	var events trace.Memory
	if _, err := sim.Run(ctx, l.Scenario, &events); err != nil {
		return diff.Side{}, err
	}
	return diff.NewSide(l.Name, TraceHeader(l.Scenario), events.Events), nil
}

// Differ returns the verdict on a comparison. It fails when the runs differ.
func Differ(r *diff.Result) Verdict {
	switch {
	case r.A.Cut() == sim.EventLimit.String() || r.B.Cut() == sim.EventLimit.String():
		return Broken
	case !r.Same():
		return Failed
	}
	return Passed
}

// IsTrace reports whether the text is meant to be a recorded trace. No scenario begins with a brace, and no
// trace with anything else.
func (s Source) IsTrace() bool { return bytes.HasPrefix(s.Text, []byte("{")) }

// ReadTrace reads a recorded run for a comparison. The error begins with where the mistake is.
func (s Source) ReadTrace() (diff.Side, error) {
	if s.Err != nil {
		return diff.Side{}, s.Err
	}
	var events trace.Memory
	h, err := trace.Read(named{bytes.NewReader(s.Text), s.Name}, &events)
	var wrong *trace.ReadError
	switch n := len(events.Events); {
	case errors.As(err, &wrong) && s.cut(wrong.Line):
		return diff.Side{}, fmt.Errorf("%s:%d: the file ends in the middle of a line; record it again, or copy it whole", s.Name, wrong.Line)
	case err != nil:
		return diff.Side{}, err
	case h.StuckAfter == 0:
		return diff.Side{}, fmt.Errorf("%s:1: the header lacks stuck_after_ms, topics and fleets, without which nothing can be counted; "+
			"record the trace again", s.Name)
	case n == 0 || events.Events[n-1].Kind != trace.RunEnded:
		return diff.Side{}, fmt.Errorf("%s: the last line is no \"run-ended\", so the file is only a part of a trace; "+
			"record it again, or copy it whole", s.Name)
	}
	return diff.NewSide(s.Name, h, events.Events), nil
}

// cut reports whether a line is the last one and lacks its end.
func (s Source) cut(line int) bool {
	last := s.Text[bytes.LastIndexByte(s.Text, '\n')+1:]
	return bytes.Count(s.Text, []byte("\n")) == line-1 && !json.Valid(last)
}

// named is a reader that messages call by a name.
type named struct {
	*bytes.Reader
	name string
}

func (n named) Name() string { return n.name }
