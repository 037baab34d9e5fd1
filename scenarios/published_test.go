package scenarios

import (
	"context"
	"testing"
	"time"

	"simulate/check"
	"simulate/sim/clock"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// refusals notes, of each JoinGroup that is refused because its member is not known any more, how long before its
// process heard that the group rebalances: each time since it was last refused.
type refusals struct {
	heard map[string][]clock.Time
	after [][]time.Duration
}

func (r *refusals) Record(e trace.Event) {
	switch {
	case e.Kind == trace.HeartbeatAnswered && e.Err == wire.RebalanceInProgress:
		r.heard[e.Who] = append(r.heard[e.Who], e.At)
	case e.Kind == trace.MembershipReset && e.Err == wire.UnknownMemberID && e.Text == "JoinGroup":
		var after []time.Duration
		for _, at := range r.heard[e.Who] {
			after = append(after, e.At.Sub(at).Round(100*time.Millisecond))
		}
		r.after = append(r.after, after)
		delete(r.heard, e.Who)
	}
}

// TestBatchFirstIntervals holds that the time from "the group is rebalancing" to "not aware of this member" is the one
// of both reports of I-35, in each round of the loop.
func TestBatchFirstIntervals(t *testing.T) {
	for _, test := range []struct {
		want    time.Duration
		batches int // since then
		set     []string
	}{
		{16300 * time.Millisecond, 1, nil},
		{40 * time.Second, 2, []string{"fleet.worker.per-record=20ms", "event.1.at=2m45s"}},
	} {
		text, _ := Read("incidents/i-35-batch-first")
		loaded, err := check.Source{Name: "i-35-batch-first", Text: text}.Load(overrides(t, test.set)...)
		if err != nil {
			t.Fatal(err)
		}
		seen := refusals{heard: map[string][]clock.Time{}}
		if _, err := check.Run(context.Background(), loaded, &seen); err != nil {
			t.Fatal(err)
		}
		if len(seen.after) < 4 {
			t.Errorf("want a loop, got %v", seen.after)
		}
		for _, after := range seen.after {
			if len(after) < test.batches || after[len(after)-test.batches] != test.want {
				t.Errorf("want %v, %d batches later, got %v", test.want, test.batches, after)
			}
		}
	}
}

func overrides(t *testing.T, set []string) []scenario.Override {
	t.Helper()
	var all []scenario.Override
	for _, s := range set {
		o, err := scenario.ParseOverride(s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	return all
}
