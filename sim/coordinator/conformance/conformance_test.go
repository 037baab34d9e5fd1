package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecordings replays the recordings in testdata and in the folders of CONFORMANCE_DIR (a:b).
func TestRecordings(t *testing.T) {
	for _, folder := range folders() {
		for _, pattern := range []string{"*.jsonl.gz", "*.jsonl"} {
			files, err := filepath.Glob(filepath.Join(folder, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				t.Run(filepath.Base(file), func(t *testing.T) { replayFile(t, file) })
			}
		}
	}
}

func folders() []string {
	folders := []string{"testdata"}
	if dirs := os.Getenv("CONFORMANCE_DIR"); dirs != "" {
		folders = append(folders, strings.Split(dirs, ":")...)
	}
	return folders
}

func replayFile(t *testing.T, file string) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	traces, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	var passed, steps, fields int
	var reasons tally
	for _, trace := range traces {
		if reason := trace.Unsupported(); reason != "" {
			reasons.add(reason)
			continue
		}
		result, err := Replay(trace)
		if err != nil {
			t.Fatal(err)
		}
		steps += result.Steps
		fields += result.Fields
		if len(result.Differences) > 0 {
			t.Errorf("%s:\n\t%s", trace.Title, strings.Join(result.Differences, "\n\t"))
			continue
		}
		passed++
	}
	t.Logf("%d of %d traces agree with Kafka in %d steps and %d fields; not replayed:%s",
		passed, len(traces)-reasons.total(), steps, fields, reasons)
}

// tally counts reasons in the order in which they first appear.
type tally struct {
	reasons []string
	counts  map[string]int
}

func (t *tally) add(reason string) {
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	if t.counts[reason] == 0 {
		t.reasons = append(t.reasons, reason)
	}
	t.counts[reason]++
}

func (t tally) total() int {
	n := 0
	for _, c := range t.counts {
		n += c
	}
	return n
}

func (t tally) String() string {
	if len(t.reasons) == 0 {
		return " none"
	}
	var text strings.Builder
	for _, r := range t.reasons {
		fmt.Fprintf(&text, " %d (%s)", t.counts[r], r)
	}
	return text.String()
}
