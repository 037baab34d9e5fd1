package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simulate/reports"
	"simulate/sim/trace"
)

// TestRecordings replays the recordings in testdata and in the folders of CONFORMANCE_DIR (a:b), and
// says how much it compared.
func TestRecordings(t *testing.T) {
	var all summary
	for _, folder := range folders() {
		for _, file := range recordings(t, folder) {
			t.Run(filepath.Base(file), func(t *testing.T) {
				s := replayFile(t, file)
				t.Log(s)
				all.add(s)
			})
		}
	}
	t.Logf("all recordings: %v", all)
}

// brokerLines renders events as the broker log of a run does.
func brokerLines(e trace.Event) []Line {
	var lines []Line
	for _, l := range reports.LogLines(e) {
		lines = append(lines, Line{l.Level, l.Text})
	}
	return lines
}

func folders() []string {
	return append([]string{"testdata"}, filepath.SplitList(os.Getenv("CONFORMANCE_DIR"))...)
}

func recordings(t *testing.T, folder string) []string {
	var files []string
	for _, pattern := range []string{"*.jsonl.gz", "*.jsonl"} {
		matches, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, matches...)
	}
	if len(files) == 0 {
		t.Errorf("%s has no recordings; give the whole path, since go test runs in the folder of the package", folder)
	}
	return files
}

func readFile(t *testing.T, file string) []*Trace {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	traces, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return traces
}

func replayFile(t *testing.T, file string) summary {
	var s summary
	for _, tr := range readFile(t, file) {
		if reason := tr.Unsupported(); reason != "" {
			s.unsupported.add(reason, 1)
			continue
		}
		result, err := Replay(tr, brokerLines)
		if err != nil {
			t.Fatal(err)
		}
		s.replayed++
		s.steps += result.Steps
		s.fields += result.Fields
		if len(result.Differences) > 0 {
			t.Errorf("%s:\n\t%s", tr.Title, strings.Join(result.Differences, "\n\t"))
			continue
		}
		s.agree++
	}
	if s.replayed > 0 && s.steps == 0 || s.replayed == 0 && len(s.unsupported.reasons) == 0 {
		t.Errorf("%s holds nothing to replay", file)
	}
	return s
}

// summary says what was compared.
type summary struct {
	agree, replayed int
	steps, fields   int
	unsupported     tally
}

func (s *summary) add(other summary) {
	s.agree += other.agree
	s.replayed += other.replayed
	s.steps += other.steps
	s.fields += other.fields
	for _, r := range other.unsupported.reasons {
		s.unsupported.add(r, other.unsupported.counts[r])
	}
}

func (s summary) String() string {
	return fmt.Sprintf("%d of %d traces agree with Kafka in %d steps and %d fields; not replayed:%v",
		s.agree, s.replayed, s.steps, s.fields, s.unsupported)
}

// tally counts reasons in the order in which they first appear.
type tally struct {
	reasons []string
	counts  map[string]int
}

func (t *tally) add(reason string, n int) {
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	if t.counts[reason] == 0 {
		t.reasons = append(t.reasons, reason)
	}
	t.counts[reason] += n
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
