package sim

import (
	"context"
	"strings"
	"testing"

	"simulate/sim/trace"
)

// TestShuffledTies: three processes that start in one instant send their first requests in an order that the seed
// decides, and one seed always the same; without a seed it is the order of their numbers.
func TestShuffledTies(t *testing.T) {
	starts := func(ties uint64) string {
		var all trace.Memory
		if _, err := RunWith(context.Background(), loadText(t, three), &all, Options{ShuffleTies: ties}); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range all.Events {
			if e.Kind == trace.ProcessStarted {
				names = append(names, e.Who)
			}
		}
		return strings.Join(names, " ")
	}
	if got := starts(0); got != "a-1 a-2 a-3" {
		t.Errorf("unshuffled they start as %s", got)
	}
	seen := map[string]bool{}
	for ties := uint64(1); ties <= 60; ties++ {
		order := starts(ties)
		if again := starts(ties); again != order {
			t.Errorf("seed %d: they start as %s and as %s", ties, order, again)
		}
		seen[order] = true
	}
	if len(seen) != 6 {
		t.Errorf("60 seeds give %d of the 6 orders", len(seen))
	}
}
