package fidelity

import (
	"context"
	"os"
	"testing"

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
}
