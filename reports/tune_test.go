package reports

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"simulate/sim/metrics"
)

// handMadeSearches have what a search can find: a goal that is met, one that is not, and an interrupt before and behind
// the first runs; refused settings, values that are missing, and names that mean something elsewhere.
func handMadeSearches() map[string]Tune {
	met := Tune{
		Scenario: "payments", Question: "Which session time-out?", Seed: 7, Kafka: "4", Duration: 4 * time.Hour, Days: 1.0 / 6,
		Objective: TuneMetric{"stopped(payments)", metrics.DurationType, true},
		Limits: []TuneMetric{
			{"max(detection(payments)) < 30s", metrics.DurationType, false}, {"mean(false_evictions(payments)) <= 0.5", metrics.CountType, true},
			{"fraction(state(payments) == Stable) >= 99%", metrics.ShareType, false},
		},
		Params: []TuneParam{
			{"session.timeout.ms", []string{"6s", "12s", "45s"}, "45s", "45s"}, {"heartbeat.interval.ms", []string{"1s", "3s"}, "2s", "3s"},
			{"fleet.payments.static", []string{"false", "true"}, "false", "false"}, {"fleet.payments.client", []string{"java"}, "java", "java"},
		},
		Settings: 12, Refused: 2, RefusedBecause: "heartbeat.interval.ms is 6s; the Java client requires less than session.timeout.ms (6s)",
		Replications: 30, Budget: 300, Runs: 288, Exhaustive: 360, Met: true, AsGood: 3,
	}
	met.Best = tuned(30, 2500, nil, []float64{14900, 0.2, 1}, "12s", "3s", "true", "java")
	met.Present = tuned(20, 31000, &Difference{20, 28500, &Interval{20000, 37000}}, []float64{44800, 0, 1}, "45s", "2s", "false", "java")
	met.Present.Limits[0].Holds = false
	met.Defaults = tuned(20, 30500, &Difference{20, 28000, &Interval{20000, 36000}}, []float64{44900, 0, 1}, "45s", "3s", "false", "java")
	met.Defaults.Limits[0].Holds = false
	met.Nearest = tuned(30, 2600, &Difference{30, 100, &Interval{-300, 500}}, []float64{14900, 0.3, 1}, "12s", "3s", "false", "java")
	met.Back = []TuneStep{{0, "45s", met.Present, ""}, {1, "2s", tuned(20, 2500, &Difference{20, 0, &Interval{0, 0}}, []float64{14900, 0.2, 1}, "12s", "2s", "true", "java"), ""}}
	met.Beside = []TuneStep{
		{0, "6s", tuned(20, 1500, &Difference{20, -1000, &Interval{-1500, -500}}, []float64{8900, 4, 0.9}, "6s", "3s", "true", "java"), ""},
		{1, "12s", nil, "heartbeat.interval.ms is 12s; the Java client requires less than session.timeout.ms (12s)"},
		{2, "false", nil, ""},
		{3, "java", tuned(2, 2600, nil, []float64{14900, 0.3, 1}, "12s", "3s", "false", "java"), ""},
	}
	met.Beside[0].Cell.Limits[1].Holds, met.Beside[0].Cell.Limits[2].Holds = false, false
	met.Curve = []TunePoint{
		{*met.Beside[0].Cell, false, true, 8100.4, 24, 1}, {*met.Beside[3].Cell, false, false, 13300, 25, 1},
		{*met.Best, true, true, 13400, 0.5, 0.02}, {*met.Present, false, true, 41000, 0, 0},
	}

	missed := Tune{
		Scenario: "a `b` <c> @d\x1b[31m", Seed: 1, Kafka: "3", Duration: time.Hour, Days: 1.0 / 24,
		Objective: TuneMetric{"share(orders, Stable)", metrics.ShareType, false},
		Limits:    []TuneMetric{{"state(orders) == Stable", metrics.StateType, false}, {"settled(orders) < 1s", metrics.DurationType, false}},
		Params:    []TuneParam{{"fleet.\x1b[31m.config.partition.assignment.strategy", []string{`["range", "roundrobin"]`}, "", ""}},
		Settings:  200, Sampled: true, Replications: 10, Budget: 500, Runs: 410, Exhaustive: 2000, Cut: true,
	}
	missed.Best = tuned(4, 0.12, nil, []float64{4, 0}, `["range", "roundrobin"]`)
	missed.Best.Objective.Interval, missed.Best.Limits[0].Holds = nil, false
	missed.Best.Limits[1] = TuneLimit{}
	missed.Present = tuned(4, 0.12, nil, []float64{4, 0}, "range")
	missed.Present.Objective.Runs = 3

	unused := missed
	unused.Best, unused.Present, unused.Runs = nil, nil, 0
	return map[string]Tune{"tune-met": met, "tune-missed": missed, "tune-nothing": unused}
}

// tuned is a cell whose limits all hold.
func tuned(runs int, objective float64, d *Difference, limits []float64, values ...string) *TuneCell {
	c := &TuneCell{Values: values, Runs: runs}
	c.Objective = estimated(runs, objective, &Interval{objective * 0.9, objective * 1.1}, objective/2, objective, 2*objective, 2*objective)
	c.Objective.Difference = d
	for _, x := range limits {
		c.Limits = append(c.Limits, TuneLimit{Value: &x, Interval: &Interval{x * 0.9, x * 1.1}, Holds: true})
	}
	return c
}

// TestTuneReports compares the reports of searches with what is in testdata: no line of text is wider than a terminal,
// and no name means anything to it.
func TestTuneReports(t *testing.T) {
	forms := map[string]func(io.Writer, Tune) error{
		"text": func(w io.Writer, s Tune) error { return TuneText(w, s, TextOptions{}) }, "json": TuneJSON,
	}
	for name, s := range handMadeSearches() {
		for form, write := range forms {
			t.Run(name+"."+form, func(t *testing.T) {
				var got bytes.Buffer
				if err := write(&got, s); err != nil {
					t.Fatal(err)
				}
				compareGolden(t, "testdata/"+name+"."+form, got.String())
				for line := range strings.Lines(got.String()) {
					if n := columns(strings.TrimSuffix(line, "\n")); form == "text" && n > width {
						t.Errorf("%d columns: %s", n, line)
					}
				}
				if strings.Contains(got.String(), "\x1b") {
					t.Error("a terminal would obey what a name says")
				}
			})
		}
	}
}

// TestTunePlot holds that a search has a picture of its trade-off where it has one, the same bytes each time, and nothing
// in it that a name put there.
func TestTunePlot(t *testing.T) {
	for name, s := range handMadeSearches() {
		p, ok := TunePlot(s)
		if ok != (len(s.Curve) > 1) {
			t.Errorf("%s: there is a plot: %v", name, ok)
		}
		if !ok {
			continue
		}
		again, _ := TunePlot(s)
		var picture, same, svg bytes.Buffer
		for _, err := range []error{p.Write(&picture, "png"), again.Write(&same, "png"), p.Write(&svg, "svg")} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(picture.Bytes(), same.Bytes()) {
			t.Errorf("%s: two pictures of one search differ", name)
		}
		compareGolden(t, "testdata/"+name+".trade-off.svg", svg.String())
	}
}

// TestTuneKeepsItsSchema holds that what TuneJSON writes is what the published schema promises, and not a key more.
func TestTuneKeepsItsSchema(t *testing.T) {
	schema := compile(t, "tune")
	for name, s := range handMadeSearches() {
		keepsSchema(t, schema, name, func(w io.Writer) error { return TuneJSON(w, s) })
	}
}
