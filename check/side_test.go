package check

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simulate/diff"
	"simulate/reports"
	"simulate/scenarios"
	"simulate/sim/trace"
)

// recorded runs a shipped scenario and returns it with its report and its trace file.
func recorded(t *testing.T, name string) (Loaded, reports.Report, []byte) {
	t.Helper()
	l, err := Open(name, scenarios.Read).Load()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	report, err := Run(context.Background(), l, trace.NewWriter(&file, TraceHeader(l.Scenario)))
	if err != nil {
		t.Fatal(err)
	}
	return l, report, file.Bytes()
}

// TestSideFromFile holds for every shipped scenario that a recorded run is the run: a trace file says everything
// that metrics need.
func TestSideFromFile(t *testing.T) {
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, report, file := recorded(t, name)
			live, err := Side(context.Background(), l)
			if err != nil {
				t.Fatal(err)
			}
			s := Source{Name: name, Text: file}
			if !s.IsTrace() {
				t.Error("the trace is not recognised")
			}
			read, err := s.ReadTrace()
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(report.Summary, read.Summary); d != "" || read.Digest != report.Digest {
				t.Errorf("the report has digest %s, the file %s (-report +file):\n%s", report.Digest, read.Digest, d)
			}
			if d := cmp.Diff(live.Summary, read.Summary); d != "" {
				t.Errorf("(-live +file):\n%s", d)
			}
			if r := diff.Compare(live, read); !r.Same() || Differ(&r) != Passed {
				t.Errorf("the file differs from the run: %+v", r.Parting)
			}
		})
	}
}

func TestReadTraceErrors(t *testing.T) {
	_, _, file := recorded(t, "gc-pause-long")
	lines := strings.SplitAfter(string(file), "\n")
	header, first := lines[0], lines[1]
	whole := strings.Join(lines[:4], "")
	for _, test := range []struct{ text, want string }{
		{whole, `f.jsonl: the last line is no "run-ended", so the file is only a part of a trace; record it again, or copy it whole`},
		{header, `f.jsonl: the last line is no "run-ended", so the file is only a part of a trace; record it again, or copy it whole`},
		{whole[:len(whole)-9], `f.jsonl:4: the file ends in the middle of a line; record it again, or copy it whole`},
		{header[:40], `f.jsonl:1: the file ends in the middle of a line; record it again, or copy it whole`},
		{header + `{"at_ms":5}`, `f.jsonl:2: the event has no kind; write "kind":"group-became" or another one`},
		{header + `{"at_ms":` + "\n" + first, `f.jsonl:2: not JSON: unexpected EOF`},
		{strings.Replace(header, "trace/1", "trace/9", 1) + first, `f.jsonl:1: the schema is "simulate.trace/9"; this version reads "simulate.trace/1"`},
		{`{"schema": "simulate.run/1"}`, `f.jsonl:1: the schema is "simulate.run/1"; this version reads "simulate.trace/1"`},
		{"{\n  \"schema\": \"simulate.run/1\"\n}\n", `f.jsonl:1: no header; a trace begins with a line that names its schema, "simulate.trace/1"`},
		{`{"schema":"simulate.trace/1","scenario":"s","seed":1,"duration_ms":60000,"kafka":"4"}` + "\n" + `{"at_ms":0,"kind":"run-ended"}`,
			`f.jsonl:1: the header lacks stuck_after_ms, topics and fleets, without which nothing can be counted; record the trace again`},
	} {
		_, err := Source{Name: "f.jsonl", Text: []byte(test.text)}.ReadTrace()
		if err == nil || err.Error() != test.want {
			t.Errorf("%.80s\ngot  %v\nwant %s", test.text, err, test.want)
		}
	}
	if _, err := (Source{Name: "f", Err: context.Canceled}).ReadTrace(); err != context.Canceled {
		t.Errorf("got %v for a file that could not be read", err)
	}
}

// TestDiffer: a run that spins is a bug before it is a difference.
func TestDiffer(t *testing.T) {
	side := func(ended string) diff.Side {
		return diff.NewSide("a", trace.Header{}, []trace.Event{{Kind: trace.RunEnded, Text: ended}})
	}
	for _, test := range []struct {
		a, b string
		want Verdict
	}{
		{"", "", Passed},
		{"", "interrupted", Failed},
		{"event limit", "event limit", Broken},
		{"", "event limit", Broken},
	} {
		r := diff.Compare(side(test.a), side(test.b))
		if got := Differ(&r); got != test.want {
			t.Errorf("%q and %q: got %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

// TestSideInterrupted: what a cancelled run did so far is a side that says so.
func TestSideInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l, err := Open("bench/large", scenarios.Read).Load()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Side(ctx, l)
	if err != nil || s.Cut() != "interrupted" {
		t.Errorf("got %q, %v", s.Cut(), err)
	}
}
