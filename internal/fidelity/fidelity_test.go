package fidelity

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simulate/sim"
)

// The kept cases agree with the recordings as far as they must, and every difference is explained.
func TestFidelity(t *testing.T) {
	report := Replay(context.Background(), keptRecordings(t), sim.Run)
	if testing.Verbose() {
		report.WriteRows(os.Stdout)
	}
	problems, err := report.Problems()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	var page strings.Builder
	if err := report.WriteMarkdown(&page); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../../docs/fidelity.md")
	if diff := cmp.Diff(string(kept), page.String()); err != nil || diff != "" {
		t.Errorf("docs/fidelity.md is not up to date (make docs): %v\n%s", err, diff)
	}
}
