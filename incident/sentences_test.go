package incident

import "testing"

// TestErrorsOf holds that each error is named once, also one whose name is part of another one's.
func TestErrorsOf(t *testing.T) {
	var g Group
	for _, why := range []string{"NOT_ENOUGH_REPLICAS_AFTER_APPEND", "", "NOT_ENOUGH_REPLICAS", "NOT_ENOUGH_REPLICAS"} {
		g.Rebalances = append(g.Rebalances, Rebalance{Rare: &Rare{Error: why}})
	}
	if got, want := errorsOf(&g), " (NOT_ENOUGH_REPLICAS_AFTER_APPEND, NOT_ENOUGH_REPLICAS)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
