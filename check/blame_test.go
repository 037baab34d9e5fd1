package check

import (
	"context"
	"testing"

	"simulate/explain"
	"simulate/sim/metrics"
)

// TestBlame holds that what failed knows by what, in the run with the seed in which it failed first.
func TestBlame(t *testing.T) {
	l := load(t, expecting(busy, "evictions(jobs) == 0\nrebalances(jobs) == 1\nmembers(jobs) == 3"))
	report, err := Run(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	report.Expectations[0].Seed = 9
	if err := blame(context.Background(), l, &report); err != nil {
		t.Fatal(err)
	}
	evicted, rebalanced, held := report.Expectations[0].Responsible, report.Expectations[1].Responsible, report.Expectations[2]
	if !held.Pass || held.Responsible != nil {
		t.Errorf("what holds has %+v", held)
	}
	if m := &evicted.Moment; m.Kind != metrics.MemberEvicted || m.Who != "jobs-2" || m.Nth != 1 {
		t.Errorf("the eviction: got %+v", m)
	}
	c := rebalanced.Cause.Chain
	if c == nil || c.Number != 2 || c.First().Kind != explain.Scripted || rebalanced.Moment.Rebalance.Who != "jobs-2" {
		t.Fatalf("the second rebalance: got %+v", rebalanced)
	}
	if evicted.Cause.Chain == c {
		t.Error("two seeds have one chain")
	}
	if s := rebalanced.Cause.Settings; len(s) != 1 || s[0] != (explain.Setting{Name: "session.timeout.ms", Who: "jobs-2", Value: "45s"}) {
		t.Errorf("got the settings %+v", s)
	}
}

// TestUpdateLeavesShipped holds that only files are brought up to date.
func TestUpdateLeavesShipped(t *testing.T) {
	text := []byte(expecting(busy, "generation(jobs) == 100") + "snapshot = true\n")
	for _, file := range []bool{false, true} {
		r := One(context.Background(), Source{Name: "a", Text: text, File: file})
		s, lines, err := r.Update()
		if err != nil || (len(lines) > 0) != file || (string(s.Text) != string(text)) != file {
			t.Errorf("file %t: got %v, %+v", file, err, lines)
		}
	}
}
