package fidelity

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// compare takes timelines: a word (observed, repetition, simulated) with the counts, then an event or a
// callback a line, as "7.074 completing gen=1 members=3" or "7.177 assigned who=c1 parts=orders-0". It
// answers with the lines of the comparison and its figures. end is the length of the recording, and
// kinds=common stands for a recording that lacks the kinds that only those of Java clients have.
func TestCompare(t *testing.T) {
	datadriven.Walk(t, "testdata/compare", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "compare" {
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			end := time.Minute
			if d.HasArg("end") {
				var text string
				d.ScanArgs(t, "end", &text)
				end = must(time.ParseDuration(text))
			}
			kinds := setOf(everywhere)
			if !d.HasArg("kinds") {
				maps.Copy(kinds, setOf(inJavaRuns))
			}
			return compareText(d.Input, end, kinds)
		})
	})
}

func compareText(input string, end time.Duration, kinds map[string]bool) string {
	var observed *Observed
	var repetitions []*Observed
	var simulated Timeline
	for _, section := range strings.Split(strings.TrimSpace(input), "\n\n") {
		head, body, _ := strings.Cut(section, "\n")
		timeline := parseTimeline(head, body)
		if strings.HasPrefix(head, "simulated") {
			simulated = timeline
			continue
		}
		o := &Observed{Timeline: timeline, End: end, Kinds: kinds, Allowed: Allowance{Time: tolerance}}
		o.trim()
		repetitions = append(repetitions, o)
		if observed == nil {
			observed = o
		}
	}
	row := Row{Case: &Case{ID: "x", Title: "written"}, Comparison: Compare(observed, repetitions, simulated)}
	var b strings.Builder
	row.WriteLines(&b)
	f := row.Figures()
	fmt.Fprintf(&b, "%d events, %d matched, %d in time", f.Events, f.Matched, f.InTime)
	if f.Callbacks > 0 {
		fmt.Fprintf(&b, "; %d callbacks, %d matched", f.Callbacks, f.Ran)
	}
	return b.String() + "\n"
}

func parseTimeline(head, body string) Timeline {
	var t Timeline
	counts := words(head)
	t.Counts = Counts{number(counts["rebalances"]), number(counts["joined"]), number(counts["generation"]), counts["state"]}
	for _, line := range strings.Split(body, "\n") {
		if line == "" {
			continue
		}
		fields := strings.Fields(line)
		at := must(time.ParseDuration(fields[0] + "s"))
		w := words(line)
		if isCallback[fields[1]] {
			t.Callbacks = append(t.Callbacks, Callback{at, w["who"], fields[1], w["parts"]})
			continue
		}
		key := Key{fields[1], w["member"], number(w["gen"]), number(w["members"]), w["reason"]}
		t.Events = append(t.Events, Event{At: at, Leader: w["leader"], Key: key})
	}
	return t
}

// words returns the values of the words of the form name=value in a line.
func words(line string) map[string]string {
	all := map[string]string{}
	for _, f := range strings.Fields(line) {
		if name, value, ok := strings.Cut(f, "="); ok {
			all[name] = value
		}
	}
	return all
}

func number(text string) int {
	if text == "" {
		return 0
	}
	return must(strconv.Atoi(text))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
