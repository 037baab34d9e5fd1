package sim

import (
	"context"
	"slices"
	"strings"
	"testing"

	"simulate/sim/scenario"
	"simulate/sim/trace"
)

const loggedText = `
duration = "2m"
[[topic]]
name       = "t"
partitions = 6
[[fleet]]
name   = "a"
group  = "g"
topics = ["t"]
count  = 3
`

// TestLogContinues: the log of a run that starts from a log begins with that, byte for byte, and can be
// started from in turn.
func TestLogContinues(t *testing.T) {
	lines := strings.SplitAfter(offsetsLogOf(t, loadText(t, loggedText)), "\n")
	first := strings.Join(slices.Delete(lines, 1, 2), "") // as if it had been cleaned: offsets go on after the last one
	files := func(string) ([]byte, error) { return []byte(first), nil }
	s, _, err := scenario.LoadWith(files, "scenario", []byte(loggedText+"[broker]\noffsets-log = 'first'\n"))
	if err != nil {
		t.Fatal(err)
	}
	second := offsetsLogOf(t, s)
	if !strings.HasPrefix(second, first) || len(second) == len(first) {
		t.Errorf("the second log does not continue the first:\n%s\n%s", first, second)
	}
	files = func(string) ([]byte, error) { return []byte(second), nil }
	if _, _, err := scenario.LoadWith(files, "scenario", []byte(loggedText+"[broker]\noffsets-log = 'second'\n")); err != nil {
		t.Error(err)
	}
}

// TestLogOfCoordinators: what a run commits can be loaded, whatever happens to its brokers: the offsets of a
// partition have no gaps.
func TestLogOfCoordinators(t *testing.T) {
	s := loadText(t, loggedText+`
[brokers]
count = 3
[[event]]
at     = "8s"
do     = "broker-restart"
broker = "coordinator(g)"
down   = "5s"
[[event]]
at    = "15s"
do    = "fail-append"
error = "NOT_ENOUGH_REPLICAS"
for   = "2s"
`)
	log := offsetsLogOf(t, s)
	files := func(string) ([]byte, error) { return []byte(log), nil }
	again, _, err := scenario.LoadWith(files, "scenario", []byte(loggedText+"[broker]\noffsets-log = 'log'\n"))
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range again.Log {
		if e.Offset != int64(i) {
			t.Fatalf("record %d has offset %d", i, e.Offset)
		}
	}
	if len(again.Log) == 0 {
		t.Error("the log is empty")
	}
	if _, err := Run(context.Background(), again, trace.Discard); err != nil {
		t.Error(err)
	}
}
