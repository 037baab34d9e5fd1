package check

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// TestJudge runs the scenario below with expectations from testdata/judge.txt, one a line: what must hold,
// and after a bar the time that it is about.
func TestJudge(t *testing.T) {
	datadriven.RunTest(t, "testdata/judge.txt", func(t *testing.T, d *datadriven.TestData) string {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if d.HasArg("interrupted") {
			cancel()
		}
		l := load(t, expecting(busy, d.Input))
		l.NoFastForward = true // so that the run notices in its midst
		report, err := Run(ctx, l)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, e := range report.Expectations {
			word := "FAIL"
			if e.Pass {
				word = "ok"
			}
			fmt.Fprintf(&b, "%-4s  %s  %s%s\n", word, e.That, e.Got, e.Problem)
		}
		fmt.Fprintf(&b, "%s\n", report.Outcome)
		return b.String()
	})
}

// busy has three members from the start; one of them is frozen from 1m to 3m. It has enough events for a
// run to notice that it is interrupted.
const busy = `
duration = "5m"
[[topic]]
name       = "jobs"
partitions = 6
[[fleet]]
name   = "jobs"
topics = ["jobs"]
count  = 3
[[event]]
at  = "1m"
do  = "pause"
who = "jobs-2"
for = "2m"
`

// expecting adds expectations to a scenario: "state(jobs) == Stable | at 1m".
func expecting(text, lines string) string {
	var b strings.Builder
	b.WriteString(text)
	for line := range strings.Lines(lines) {
		that, when, _ := strings.Cut(strings.TrimSpace(line), "|")
		fmt.Fprintf(&b, "[[expect]]\nthat = %q\n", that)
		words := strings.Fields(when)
		for i := 0; i+1 < len(words); i += 2 {
			fmt.Fprintf(&b, "%s = %q\n", words[i], words[i+1])
		}
	}
	return b.String()
}

func load(t *testing.T, text string) Loaded {
	t.Helper()
	loaded, err := Source{Name: "busy", Text: []byte(text)}.Load()
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// TestHolds compares each operator with values below, at and above the one that is wanted.
func TestHolds(t *testing.T) {
	for op, want := range map[scenario.Op]string{
		scenario.Less: "+--", scenario.LessOrEqual: "++-", scenario.Equal: "-+-",
		scenario.NotEqual: "+-+", scenario.GreaterOrEqual: "-++", scenario.Greater: "--+",
	} {
		got := ""
		for n := int64(1); n <= 3; n++ {
			sign := "-"
			if holds(metrics.Value{Count: n}, op, metrics.Value{Count: 2}) {
				sign = "+"
			}
			got += sign
		}
		if got != want {
			t.Errorf("1, 2, 3 %s 2: got %s, want %s", op, got, want)
		}
	}
}

// TestShort cuts a time for people, except where they would take it for the one it is compared with.
func TestShort(t *testing.T) {
	for _, test := range []struct {
		got, limit time.Duration
		want       string
	}{
		{5*time.Second + 1500*time.Microsecond, 4 * time.Second, "5.001s"},
		{5*time.Second + 400*time.Microsecond, 5 * time.Second, ""},
		{5 * time.Second, 4 * time.Second, ""},
		{400 * time.Microsecond, time.Second, "<1ms"},
		{0, time.Second, ""},
	} {
		value := metrics.Value{Type: metrics.DurationType, Duration: test.got}
		if got := short(value, metrics.Value{Type: metrics.DurationType, Duration: test.limit}); got != test.want {
			t.Errorf("%v against %v: %q, want %q", test.got, test.limit, got, test.want)
		}
	}
}

// TestVerdicts holds that the worst of several verdicts is the one that the program exits with.
func TestVerdicts(t *testing.T) {
	failed := []reports.Expectation{{Pass: true}, {Pass: false}}
	for _, test := range []struct {
		report reports.Report
		want   Verdict
	}{
		{reports.Report{}, Passed},
		{reports.Report{Expectations: failed[:1]}, Passed},
		{reports.Report{Expectations: failed}, Failed},
		{reports.Report{Expectations: failed, Outcome: reports.Interrupted}, Interrupted},
		{reports.Report{Expectations: failed, Outcome: reports.EventLimit}, Broken},
	} {
		if got := Of(&test.report); got != test.want {
			t.Errorf("%v with %d failed: got %d, want %d", test.report.Outcome, test.report.Failed(), got, test.want)
		}
	}
	var tally Tally
	for _, v := range []Verdict{Wrong, Passed, Interrupted, Broken, Failed, Passed} {
		tally.Add(Result{Verdict: v})
	}
	if got, want := tally.Tally(), "1 interrupted, 2 passed, 3 failed"; got != want || tally.Worst != Broken {
		t.Errorf("got %q and %d, want %q and %d", got, tally.Worst, want, Broken)
	}
}
