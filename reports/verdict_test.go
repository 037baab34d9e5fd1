package reports

import (
	"strings"
	"testing"
	"time"

	"simulate/sim/clock"
)

// TestVerdict compares the lines that a check prints of a run.
func TestVerdict(t *testing.T) {
	holds := Expectation{That: "state(orders) == Stable", Pass: true, Got: "Stable", Line: 12}
	fails := Expectation{That: "rebalances(orders) == 1 at 5m", Got: "2", Line: 14}
	none := Expectation{That: "leader(orders) == orders-1 at 0s", Problem: "nobody leads orders", Line: 17}
	for _, test := range []struct {
		name    string
		file    string
		outcome Outcome
		given   []Expectation
		want    string
	}{
		{"nothing expected", "a.toml", Finished, nil, "ok    a.toml: nothing is expected\n"},
		{"all hold", "a.toml", Finished, []Expectation{holds, holds}, "ok    a.toml: 2 expectations\n"},
		{"some fail", "runs/a.toml", Finished, []Expectation{holds, fails, none}, `
FAIL  runs/a.toml: 2 of 3 expectations failed
        runs/a.toml:14: rebalances(orders) == 1 at 5m: got 2
        runs/a.toml:17: leader(orders) == orders-1 at 0s: no value: nobody leads orders
        simulate run runs/a.toml --seed 7
`},
		{"interrupted", "a.toml", Interrupted, []Expectation{holds}, `
CUT   a.toml: interrupted at 4m of 10m
        simulate run a.toml --seed 7
`},
		{"spinning", "a.toml", EventLimit, nil, `
FAIL  a.toml: the event limit was reached at 4m: something spins
        simulate run a.toml --seed 7
`},
		{"in many runs", "a.toml", Finished, []Expectation{
			{That: "members(orders) == 3", Pass: true, Got: "3", Line: 12, Replications: 20},
			{That: "rebalances(orders) == 1", Got: "2", Line: 14, Replications: 20, FailedIn: 3, Seed: 9},
			{That: "p95(settled(orders)) < 30s", Got: "1m02.4145s", Short: "1m02.414s", Line: 16, FailedIn: 1, Seed: 12},
			{That: "leader(orders) == orders-1", Problem: "nobody leads orders", Line: 17, Replications: 20, FailedIn: 20, Seed: 7},
		}, `
FAIL  a.toml: 3 of 4 expectations failed
        a.toml:14: rebalances(orders) == 1: got 2 (seed 9; fails in 3 of 20 runs)
        a.toml:16: p95(settled(orders)) < 30s: got 1m02.414s (seed 12 shows it)
        a.toml:17: leader(orders) == orders-1: no value: nobody leads orders (seed 7; fails in 20 of 20 runs)
        simulate run a.toml --seed 9
`},
		{"a name that a shell would not take", "it's $HOME\x1b.toml", Finished, []Expectation{fails}, `
FAIL  it's $HOME�.toml: 1 of 1 expectation failed
        it's $HOME�.toml:14: rebalances(orders) == 1 at 5m: got 2
        simulate run 'it'\''s $HOME�.toml' --seed 7
`},
		{"a name that begins as a flag does", "-a.toml", Finished, []Expectation{fails}, `
FAIL  -a.toml: 1 of 1 expectation failed
        -a.toml:14: rebalances(orders) == 1 at 5m: got 2
        simulate run ./-a.toml --seed 7
`},
	} {
		r := Report{
			Scenario:     Scenario{Seed: 7, Duration: 10 * time.Minute},
			Outcome:      test.outcome,
			At:           clock.At(4 * time.Minute),
			Expectations: test.given,
		}
		var got strings.Builder
		if err := Verdict(&got, test.file, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if want := strings.TrimPrefix(test.want, "\n"); got.String() != want {
			t.Errorf("%s: got\n%swant\n%s", test.name, &got, want)
		}
	}
}

// TestVerdictOfRuns compares what a check prints where more than one run of a file counts.
func TestVerdictOfRuns(t *testing.T) {
	holds := []Expectation{{That: "leader(orders) == orders-1", Pass: true, Got: "orders-1", Line: 12}}
	races := []Race{
		{That: "leader(orders) == orders-1", Line: 12, ShuffleSeed: 2, Got: "orders-\x1b3", Unshuffled: "orders-1"},
		{That: "rebalances(orders) == 1", Line: 14, ShuffleSeed: 2, Pass: true, Got: "1", Unshuffled: "2"},
		{That: "settled(orders) < 1s", Line: 15, ShuffleSeed: 3, Got: "orders never settled", Unshuffled: "0s"},
	}
	for _, test := range []struct {
		name   string
		report Report
		want   string
	}{
		{"runs", Report{Replicated: Replicated{Planned: 20, Ended: 20}, Expectations: holds}, "ok    a.toml: 1 expectation (20 runs)\n"},
		{"interrupted", Report{Replicated: Replicated{Planned: 20, Ended: 7}, Expectations: holds}, "CUT   a.toml: interrupted after 7 of 20 runs\n"},
		{"one spins", Report{Replicated: Replicated{Planned: 2, Ended: 2, Spins: &Run{Seed: 8, At: clock.At(time.Minute)}}}, `
FAIL  a.toml: the event limit was reached at 1m in one of its runs: something spins
        simulate run a.toml --seed 8
`},
		{"a race", Report{Expectations: holds, Races: races[:1]}, `
ok    a.toml: 1 expectation, 1 hangs on the order of equal instants
        a.toml:12: leader(orders) == orders-1: hangs on the order of equal instants: orders-1, but with --shuffle-ties 2 orders-�3
        simulate run a.toml --seed 7 --shuffle-ties 2
`},
		{"races that count", Report{Expectations: holds, Races: races, RacesFail: true}, `
FAIL  a.toml: 1 expectation, 3 hang on the order of equal instants
        a.toml:12: leader(orders) == orders-1: hangs on the order of equal instants: orders-1, but with --shuffle-ties 2 orders-�3
        a.toml:14: rebalances(orders) == 1: hangs on the order of equal instants: 2, but with --shuffle-ties 2 1
        a.toml:15: settled(orders) < 1s: hangs on the order of equal instants: 0s, but with --shuffle-ties 3 orders never settled
        simulate run a.toml --seed 7 --shuffle-ties 2
        simulate run a.toml --seed 7 --shuffle-ties 3
`},
		{"not all orders", Report{Expectations: holds, RacesCut: true}, "CUT   a.toml: interrupted before it had run in all orders of equal instants\n"},
	} {
		test.report.Scenario = Scenario{Seed: 7, Duration: 10 * time.Minute}
		var got strings.Builder
		if err := Verdict(&got, "a.toml", test.report, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if want := strings.TrimPrefix(test.want, "\n"); got.String() != want {
			t.Errorf("%s: got\n%swant\n%s", test.name, &got, want)
		}
	}
}

// TestVerdictColor holds that colour changes nothing but the verdict's look.
func TestVerdictColor(t *testing.T) {
	var plainText, colored strings.Builder
	Verdict(&plainText, "a.toml", Report{}, TextOptions{})
	Verdict(&colored, "a.toml", Report{}, TextOptions{Color: true})
	if got, want := colored.String(), strings.Replace(plainText.String(), "ok", green+"ok"+plain, 1); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
