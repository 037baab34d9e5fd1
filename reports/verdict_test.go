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

// TestVerdictColor holds that colour changes nothing but the verdict's look.
func TestVerdictColor(t *testing.T) {
	var plainText, colored strings.Builder
	Verdict(&plainText, "a.toml", Report{}, TextOptions{})
	Verdict(&colored, "a.toml", Report{}, TextOptions{Color: true})
	if got, want := colored.String(), strings.Replace(plainText.String(), "ok", green+"ok"+plain, 1); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
