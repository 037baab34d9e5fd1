package conformance

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestCoverage checks that the recordings kept here show every cell of testdata/coverage.txt: every answer
// in every state, every transition, every timer and every append error that any recording shows. What a
// folder of CONFORMANCE_DIR shows beyond that belongs into the file.
func TestCoverage(t *testing.T) {
	text, err := os.ReadFile("testdata/coverage.txt")
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
			missing[line] = true
		}
	}
	for _, folder := range folders() {
		for _, file := range recordings(t, folder) {
			for _, tr := range readFile(t, file) {
				if tr.Unsupported() == "" {
					strike(t, tr, folder == "testdata", missing)
				}
			}
		}
	}
	for _, cell := range slices.Sorted(maps.Keys(missing)) {
		if missing[cell] {
			t.Errorf("no recording in testdata shows %q", cell)
		}
	}
	t.Logf("the recordings in testdata show %d cells", len(missing))
}

func strike(t *testing.T, tr *Trace, ours bool, missing map[string]bool) {
	cells, err := Coverage(tr)
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range cells {
		if _, listed := missing[cell]; !listed {
			t.Errorf("%s shows %q, which coverage.txt does not list", tr.Title, cell)
		}
		if ours {
			missing[cell] = false
		}
	}
}
