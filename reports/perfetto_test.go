package reports

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestPerfetto(t *testing.T) { golden(t, "perfetto", Perfetto) }

// readTrace reads a trace as a viewer does.
func readTrace(t *testing.T, text []byte) []traceEvent {
	t.Helper()
	var file struct {
		TraceEvents []traceEvent `json:"traceEvents"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.TraceEvents
}

// The slices of a thread follow each other, and both ends of an arrow are at one that lasts then, as viewers need it.
func TestPerfettoIsDrawn(t *testing.T) {
	for _, run := range handMadeRuns() {
		var b bytes.Buffer
		if err := Perfetto(&b, run.report()); err != nil {
			t.Fatal(err)
		}
		all := readTrace(t, b.Bytes())
		slices := map[place][]traceEvent{}
		for _, e := range all {
			if at := (place{e.PID, e.TID}); e.Phase == "X" {
				if n := len(slices[at]); n > 0 && e.At < slices[at][n-1].At+slices[at][n-1].For-0.001 {
					t.Errorf("%s: slices of thread %v overlap at %v", run.name, at, e.At)
				}
				slices[at] = append(slices[at], e)
			}
		}
		open := map[int]float64{}
		for _, e := range all {
			if e.Phase != "s" && e.Phase != "f" {
				continue
			}
			if !covered(slices[place{e.PID, e.TID}], e.At) {
				t.Errorf("%s: the %s of arrow %d is at no slice", run.name, e.Phase, e.ID)
			}
			if begun, known := open[e.ID]; e.Phase == "f" && (!known || e.At < begun) {
				t.Errorf("%s: arrow %d ends before it begins", run.name, e.ID)
			}
			open[e.ID] = e.At
		}
		if run.name == "quiet-start" && len(open) != 9 {
			t.Errorf("%d arrows, want two JoinGroups and an assignment of each of three members", len(open))
		}
	}
}

func covered(slices []traceEvent, at float64) bool {
	for _, s := range slices {
		if s.At <= at && at <= s.At+s.For {
			return true
		}
	}
	return false
}
