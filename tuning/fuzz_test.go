package tuning

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"simulate/reports"
	"simulate/sim/scenario"
)

// FuzzMerge holds that no text is read as a file of runs that a report could not be made of.
func FuzzMerge(f *testing.F) {
	study, err := studyOf(f, fleet, "session.timeout.ms=10s,20s")
	if err != nil {
		f.Fatal(err)
	}
	s, err := study.New(Options{Design: GridDesign, Replications: 1})
	if err != nil {
		f.Fatal(err)
	}
	head := line(s.Head)
	runs := [][]byte{line(Run{0, 0, Values{1, 2, 0.5, 3}}), line(Run{1, 0, Values{4, 5, 0.25, 6}})}
	f.Add(bytes.Join([][]byte{head, runs[0], runs[1]}, nil))
	f.Add(bytes.Join([][]byte{head, runs[1], []byte(`{"cell":0,"rep`)}, nil))
	f.Add(bytes.Replace(bytes.Join([][]byte{head, runs[0], runs[1]}, nil), []byte(`"over":0`), []byte(`"over":4`), 1))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Merge([]File{{"a", text}})
		if err != nil {
			return
		}
		r := s.Report()
		for _, err := range []error{
			reports.SweepText(io.Discard, r, reports.TextOptions{}), reports.SweepCSV(io.Discard, r),
			reports.SweepJSON(io.Discard, r), reports.SweepMarkdown(io.Discard, r),
		} {
			if err != nil {
				t.Error(err)
			}
		}
	})
}

// FuzzParam holds that a parameter is refused, or has values that differ and that --set takes.
func FuzzParam(f *testing.F) {
	study, err := studyOf(f, fleet, "duration=1m")
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{
		"session.timeout.ms=6s..60s/10", "fleet.a.count=1,2", "duration=1s..100s/3/log", `topic.t.partitions=[1,"2"],3`, "fleet.a.pauses=1e3..2.5e300/7",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		params, err := ParseParams(study.Base, []scenario.ParamText{{Text: text, Place: "--param"}})
		if err != nil {
			if strings.Count(err.Error(), "\n") != 1 {
				t.Errorf("not one line: %v", err)
			}
			return
		}
		p := params[0]
		if p.Range == nil && len(p.Values) == 0 {
			t.Fatalf("%q has no value", text)
		}
		for i, v := range p.Values {
			if _, err := p.set(v); err != nil || i > 0 && v == p.Values[i-1] {
				t.Errorf("%q: value %q: %v", text, v, err)
			}
		}
	})
}
