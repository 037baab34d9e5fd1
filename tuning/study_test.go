package tuning

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const fleet = `
duration = "10m"
[[topic]]
name       = "t"
partitions = 4
[[fleet]]
name   = "a"
topics = "t"
count  = 3
[[event]]
at  = "5m"
do  = "kill"
who = "any(a)"
[sweep]
metrics = ["rebalances(a)", "stopped(a)", "share(a, Stable)", "settled(a)"]
`

func evaluate(t *testing.T, s *Study, jobs []Job, parallel int) []Values {
	t.Helper()
	all := make([]Values, len(jobs))
	if err := s.Evaluate(context.Background(), jobs, parallel, func(i int, v Values) { all[i] = v }); err != nil {
		t.Fatal(err)
	}
	return all
}

func jobsOf(t *testing.T, s *Study, replications int) []Job {
	t.Helper()
	points, err := Grid(s.Params)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := s.Cells(points)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []Job
	for _, c := range cells {
		for r := range replications {
			jobs = append(jobs, Job{c, r})
		}
	}
	return jobs
}

// TestEvaluate holds that a run comes to the same beside others as alone, that replications differ, and that a cell
// whose setting changes nothing has the same numbers in each (common random numbers).
func TestEvaluate(t *testing.T) {
	s, err := studyOf(t, fleet, "session.timeout.ms=10s,30s", "default.api.timeout.ms=60s,61s")
	if err != nil {
		t.Fatal(err)
	}
	const n = 4
	jobs := jobsOf(t, s, n)
	alone, beside := evaluate(t, s, jobs, 1), evaluate(t, s, jobs, 3)
	if d := cmp.Diff(alone, beside); d != "" {
		t.Errorf("alone and beside others differ:\n%s", d)
	}
	short, same, long := alone[:n], alone[n:2*n], alone[2*n:3*n]
	if d := cmp.Diff(short, same); d != "" {
		t.Errorf("a setting without effect changes the numbers:\n%s", d)
	}
	if slices.Equal(short[0], short[1]) {
		t.Errorf("two replications are the same: %v", short[0])
	}
	for r := range n {
		if d := long[r][1] - short[r][1]; d < 0 || long[r][0] != 3 && long[r][0] != 2 {
			t.Errorf("replication %d: got %v with a short session and %v with a long one", r, short[r], long[r])
		}
	}
}

// TestEvaluateInterrupted holds that what was finished before an interrupt is handed out.
func TestEvaluateInterrupted(t *testing.T) {
	s, err := studyOf(t, fleet, "session.timeout.ms=10s,30s")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err = s.Evaluate(ctx, jobsOf(t, s, 100), 2, func(int, Values) {
		if n++; n == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || n < 3 || n > 10 {
		t.Errorf("got %d results and the error %v", n, err)
	}
}

// TestLabel holds that the name of a point, which stands in messages, does nothing to a terminal.
func TestLabel(t *testing.T) {
	params := []Param{{Key: "a"}, {Key: "fleet.b.count"}}
	if got, want := Label(params, Point{"6s\n\x1b[31m", "7"}), `a=6s\n\x1b[31m, fleet.b.count=7`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
