package reproduce

import (
	"context"
	"strings"
	"testing"
	"time"

	"simulate/sim/scenario"
)

// TestRaces holds that logs in which milliseconds decide who comes first are repeated in full: members that restart faster than
// join phases end, and some that are evicted together while the network is cut.
func TestRaces(t *testing.T) {
	for name, says := range map[string][]string{
		"races": {"it takes its time to join", "the others wait for it until it leaves", "it leaves before it has read"},
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

// TestThin holds that what a draft can do without is dropped, and what it cannot is kept.
func TestThin(t *testing.T) {
	log := fixture(t, "orders.log")
	s := &search{ctx: context.Background(), budget: DefaultBudget, story: tell("orders", log.of(&log.Analysis.Groups[0]))}
	s.run(choices{})
	want := string(s.best.text)
	if !strings.Contains(want, `do  = "stall"`) {
		t.Fatalf("nobody stalls in\n%s", want)
	}
	d := s.best.draft.clone()
	d.add(act{at: 30 * time.Second, do: scenario.Pause, who: "orders-1", aims: -1, ends: -1, lasts: 50 * time.Millisecond})
	best, err := d.try(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s.best = best
	if s.thin(); string(s.best.text) != want {
		t.Errorf("got\n%s\nwant\n%s", s.best.text, want)
	}
}
