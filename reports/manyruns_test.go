package reports

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"simulate/sim/clock"
	"simulate/sim/metrics"
)

func count(n int64) metrics.Value { return metrics.Value{Type: metrics.CountType, Count: n} }

func lasts(d time.Duration) metrics.Value {
	return metrics.Value{Type: metrics.DurationType, Duration: d}
}

// madeRuns are five runs of which the user waited for four, and one of these spins; one group has what is long, and
// another one never was.
func madeRuns() Runs {
	mean := metrics.Value{Type: metrics.NumberType, Number: 7.0 / 3}
	long := []metrics.Value{lasts(0), lasts(400 * time.Microsecond), lasts(59*time.Minute + 59*time.Second + 999*time.Millisecond),
		lasts(100*time.Hour + 1*time.Second), lasts(12345*time.Hour + time.Minute)}
	spread := func(name, arg string, kind metrics.Type, runs int, v ...metrics.Value) Spread {
		s := Spread{Query: metrics.Query{Name: name, Arg: arg}, Type: kind, Runs: runs}
		if runs > 0 {
			s.Min, s.Mean, s.P50, s.P95, s.Max = v[0], v[1], v[2], v[3], v[4]
		}
		return s
	}
	return Runs{
		Scenario: Scenario{Name: "many \x1b[31mruns", Description: "Made by hand.", Seed: 7, Kafka: "3", Differences: []string{"VD-5 x", "VD-6 y"},
			Duration: time.Hour, StuckAfter: 30 * time.Second},
		ShuffleTies: 3, Planned: 5,
		Runs: []Run{
			{7, Finished, clock.At(time.Hour), "5e1f09c2d4b7a803"}, {8, Finished, clock.At(time.Hour), "0123456789abcdef"},
			{10, EventLimit, clock.At(61500 * time.Millisecond), "8803d4b7a05e1f9c"}, {11, Finished, clock.At(time.Hour), "b7a8035e1f09c2d4"},
		},
		Groups: []GroupSpread{
			{"never", []Spread{spread("rebalances", "", metrics.CountType, 4, count(0), metrics.Value{Type: metrics.NumberType}, count(0), count(0), count(0)),
				spread("unassigned", "", metrics.PartitionSeconds, 0)}},
			{"orders-of-a-very-long-name-that-nobody-would-read-to-its-end", []Spread{
				spread("rebalances", "", metrics.CountType, 4, count(1), mean, count(2), count(4), count(4)),
				spread("leaves", "poll-timeout", metrics.CountType, 4, count(0), mean, count(2), count(4), count(1234567890)),
				spread("longest", "PreparingRebalance", metrics.DurationType, 3, long...),
				spread("settled", "", metrics.DurationType, 1, long...),
			}},
		},
		Expectations: []Expectation{
			{That: "rebalances(orders) == 1", Got: "4", Line: 40, Replications: 4, FailedIn: 2, Seed: 8},
			{That: "p95(settled(orders)) < 1s", Problem: "3 of 4 runs (seeds 7, 8, 10) have none: orders never settled", Line: 41, FailedIn: 1, Seed: 7},
			{That: "members(orders) > 1", Pass: true, Got: "2 to 3", Line: 42, Replications: 4},
			{That: "mean(rebalances(orders)) < 3", Pass: true, Got: "2.3333333333333335", Short: "2.333", Line: 43},
		},
		Warnings:    []string{"in 2 of 4 runs: kill found nobody to act on"},
		NotModelled: []string{"TLS"},
	}
}

// TestRunsText compares the report over many runs with its golden, and holds that it is as tame as others.
func TestRunsText(t *testing.T) {
	var got bytes.Buffer
	if err := RunsText(&got, madeRuns(), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "testdata/many-runs.text", got.String())
	for line := range strings.Lines(got.String()) {
		if n := columns(strings.TrimSuffix(line, "\n")); n > width || strings.Contains(line, "\x1b") {
			t.Errorf("%d columns: %q", n, line)
		}
	}
}

// TestRunsJSON compares the report over many runs with its golden, and that with its schema.
func TestRunsJSON(t *testing.T) {
	var got bytes.Buffer
	if err := RunsJSON(&got, madeRuns()); err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "testdata/many-runs.json", got.String())
	schema := compile(t, "runs")
	decode := func(text []byte) map[string]any {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return value.(map[string]any)
	}
	if err := schema.Validate(decode(got.Bytes())); err != nil {
		t.Error(err)
	}
	var empty bytes.Buffer
	if err := RunsJSON(&empty, Runs{Scenario: Scenario{Kafka: "4"}, Planned: 3}); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(decode(empty.Bytes())); err != nil {
		t.Errorf("without a run: %v", err)
	}
	for name, damage := range map[string]func(map[string]any){
		"missing key": func(r map[string]any) { delete(r, "planned") },
		"unknown key": func(r map[string]any) { r["groups"].([]any)[0].(map[string]any)["lag"] = 1 },
		"wrong type": func(r map[string]any) {
			r["groups"].([]any)[1].(map[string]any)["metrics"].([]any)[0].(map[string]any)["mean"] = "2"
		},
		"interrupted": func(r map[string]any) { r["runs"].([]any)[0].(map[string]any)["outcome"] = "interrupted" },
	} {
		r := decode(got.Bytes())
		damage(r)
		if schema.Validate(r) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
