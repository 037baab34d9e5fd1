package reproduce

import (
	"context"
	"strings"
	"testing"
)

// TestRaces holds that logs in which milliseconds decide who comes first are repeated in full: members that restart faster than
// join phases end, and some that are evicted together while the network is cut.
func TestRaces(t *testing.T) {
	for name, says := range map[string][]string{
		"races": {"it takes its time to join", "the others wait for it until it leaves", "it leaves before it has read", "the leader's assignment did not come"},
		"cut":   {"it is held up, and hears of the rebalance"},
	} {
		result, err := From(context.Background(), fixture(t, name+".log"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !result.Report.Complete() {
			t.Errorf("%s: %+v", name, result.Report)
		}
		for _, want := range says {
			if !strings.Contains(string(result.Text), want) {
				t.Errorf("%s: no %q in\n%s", name, want, result.Text)
			}
		}
		holds(t, name, result.Text)
	}
}
