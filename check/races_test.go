package check

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simulate/reports"
)

// tied has three members that start in one instant: who joins first, and leads, is an accident.
const tied = `
duration = "1m"
topic = [{ name = "jobs", partitions = 6 }]
fleet = [{ name = "jobs", topics = ["jobs"], count = 3 }]
`

func checkOne(ctx context.Context, s Source) (result Result) {
	All(ctx, []Source{s}, func(r Result) { result = r })
	return result
}

// TestRaces holds that an expectation that hangs on the order of equal instants is found, whether it holds or not, and
// no other one; and that it counts only where it is to count.
func TestRaces(t *testing.T) {
	s := Source{Name: "tied", ShuffleTies: []uint64{1, 2, 3, 4}, Text: []byte(expecting(tied, `
leader(jobs) == jobs-1
leader(jobs) != jobs-1 | at 30s
rebalances(jobs) == 1
state(jobs) == Stable | at 10s`[1:]))}
	got := checkOne(context.Background(), s)
	want := []reports.Race{
		{That: "leader(jobs) == jobs-1", Line: 5, ShuffleSeed: 1, Got: "jobs-2", Unshuffled: "jobs-1"},
		{That: "leader(jobs) != jobs-1 at 30s", Line: 7, ShuffleSeed: 1, Pass: true, Got: "jobs-2", Unshuffled: "jobs-1"},
	}
	if diff := cmp.Diff(want, got.Report.Races); diff != "" {
		t.Errorf("races (-want +got):\n%s", diff)
	}
	if got.Verdict != Failed { // by what does not hold
		t.Errorf("got the verdict %d", got.Verdict)
	}

	s.Text = []byte(expecting(tied, "leader(jobs) == jobs-1"))
	if got := checkOne(context.Background(), s); got.Verdict != Passed || len(got.Report.Races) != 1 {
		t.Errorf("got the verdict %d with %d races", got.Verdict, len(got.Report.Races))
	}
	s.Strict = true
	if got := checkOne(context.Background(), s); got.Verdict != Failed {
		t.Errorf("strictly, got the verdict %d", got.Verdict)
	}
	s.ShuffleTies = nil
	if got := checkOne(context.Background(), s); got.Verdict != Passed {
		t.Errorf("without other orders, got the verdict %d", got.Verdict)
	}
}

// TestRacesOfReplications holds that other orders are those of the first replication, and that what is about all of them
// takes no part.
func TestRacesOfReplications(t *testing.T) {
	s := Source{Name: "tied", ShuffleTies: []uint64{1}, Text: []byte("replications = 3\n" +
		expecting(tied, "leader(jobs) == jobs-1\nfraction(leader(jobs) == jobs-1) == 100%"))}
	got := checkOne(context.Background(), s)
	if len(got.Report.Races) != 1 || got.Report.Races[0].Line != 6 || got.Verdict != Passed {
		t.Errorf("got the verdict %d and %+v", got.Verdict, got.Report.Races)
	}
}

// TestRacesInterrupted holds that a check that is cut short does not call itself whole.
func TestRacesInterrupted(t *testing.T) {
	c := newChecking(Source{Name: "tied", Text: []byte(expecting(tied, "members(jobs) == 3")), ShuffleTies: []uint64{1}})
	ctx, cancel := context.WithCancel(context.Background())
	c.run(ctx, 0)
	cancel()
	c.run(ctx, 1)
	if got := c.result(ctx); got.Verdict != Interrupted || !got.Report.RacesCut || got.Report.Failed() != 0 {
		t.Errorf("got the verdict %d, %+v", got.Verdict, got.Report.Expectations)
	}
}
