package reports

import (
	"bytes"
	"image/png"
	"io"
	"strings"
	"testing"
	"time"

	"simulate/sim/metrics"
)

// handMadeSweeps have what a sweep can have: one parameter and two, an interrupt, an early stop, metrics without a value
// or an interval, names that mean something elsewhere, and values of every size.
func handMadeSweeps() map[string]Sweep {
	return map[string]Sweep{
		"sweep-sessions": {
			Scenario: "flapping", Question: "How short may the session be?", Seed: 7, Kafka: "4", Duration: time.Hour, Design: "grid",
			Params: []string{"session.timeout.ms"}, Replications: 30, Planned: 90, Done: 90,
			Metrics: []SweepMetric{
				{"rebalances(orders)", metrics.CountType}, {"p95(stopped(orders))", metrics.DurationType},
				{"share(orders, Stable)", metrics.ShareType}, {"settled(orders)", metrics.DurationType},
				{"unassigned(orders)", metrics.PartitionSeconds},
			},
			Cells: []SweepCell{
				{[]string{"6s"}, 30, []Estimate{
					estimated(30, 20.6, &Interval{16.78, 24.42}, 12, 19, 34, 41), estimated(30, 23390, &Interval{15300, 24000}, 15000, 15300, 23390, 24000),
					estimated(30, 0.9883, &Interval{0.9868, 0.9898}, 0.97, 0.9885, 0.991, 0.992), {},
					estimated(30, 5.7e6, &Interval{3.26e6, 8.14e6}, 0, 4.56e6, 15.05e6, 16e6),
				}},
				{[]string{"45s"}, 30, []Estimate{
					differing(estimated(30, 3.2, &Interval{1.49, 4.91}, 1, 3, 7, 7), &Difference{30, -17.4, &Interval{-20.85, -13.95}}),
					differing(estimated(30, 15140, nil, 15000, 15070, 15140, 15140), &Difference{Pairs: 30, Value: -8250}),
					differing(estimated(30, 0.9946, &Interval{0.9937, 0.9955}, 0.99, 0.9947, 0.9958, 0.9958), &Difference{30, 0.0063, &Interval{-0.0001, 0.0127}}),
					estimated(1, 12, nil, 12, 12, 12, 12),
					differing(estimated(30, 0, &Interval{0, 0}, 0, 0, 0, 0), &Difference{30, -5.7e6, &Interval{-8.14e6, -3.26e6}}),
				}},
			},
		},
		"sweep-interrupted": {
			Scenario: "a `b` <c> @d\x1b[31m", Seed: 1, Kafka: "3", Duration: 90 * time.Second, Design: "lhs",
			Params:       []string{"fleet.orders.config.partition.assignment.strategy", "fleet.orders.count"},
			Replications: 1000, UntilCI: 0.05, Base: 1, Planned: 30, Done: 11,
			Metrics: []SweepMetric{{"max_lag(orders)", metrics.CountType}},
			Cells: []SweepCell{
				{[]string{`["cooperative-sticky", "range", "roundrobin"]`, "3"}, 10, []Estimate{
					differing(estimated(10, 123456789.5, &Interval{1.1e8, 1.35e8}, 1e8, 1.2e8, 1.5e8, 2e8), &Difference{Pairs: 1, Value: 12}),
				}},
				{[]string{"=HYPERLINK(\"x\"),|y|", "4"}, 1, []Estimate{estimated(1, 2, nil, 2, 2, 2, 2)}},
				{[]string{"range", "5"}, 0, []Estimate{{}}},
			},
		},
		"sweep-grid": {
			Scenario: "two parameters", Seed: 1, Kafka: "4", Duration: time.Hour, Design: "grid",
			Params: []string{"session.timeout.ms", "fleet.orders.static"}, Replications: 1, Planned: 4, Done: 4,
			Metrics: []SweepMetric{{"rebalances(orders)", metrics.CountType}},
			Cells: []SweepCell{
				{[]string{"6s", "true"}, 1, []Estimate{estimated(1, 3, nil, 3, 3, 3, 3)}},
				{[]string{"6s", "false"}, 1, []Estimate{differing(estimated(1, 9, nil, 9, 9, 9, 9), &Difference{Pairs: 1, Value: 6})}},
				{[]string{"1m", "true"}, 1, []Estimate{differing(estimated(1, 1, nil, 1, 1, 1, 1), &Difference{Pairs: 1, Value: -2})}},
				{[]string{"1m", "false"}, 1, []Estimate{differing(estimated(1, 4, nil, 4, 4, 4, 4), &Difference{Pairs: 1, Value: 1})}},
			},
		},
	}
}

func estimated(runs int, value float64, i *Interval, least, p50, p95, most float64) Estimate {
	return Estimate{Runs: runs, Value: value, Interval: i, Mean: value, Min: least, P50: p50, P95: p95, Max: most}
}

func differing(e Estimate, d *Difference) Estimate {
	e.Difference = d
	return e
}

// TestSweep holds what each form of a sweep looks like.
func TestSweep(t *testing.T) {
	forms := map[string]func(io.Writer, Sweep) error{
		"text": func(w io.Writer, s Sweep) error { return SweepText(w, s, TextOptions{}) },
		"csv":  SweepCSV, "json": SweepJSON, "md": SweepMarkdown,
	}
	for name, s := range handMadeSweeps() {
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
				if strings.Contains(got.String(), "\x1b") && form != "csv" {
					t.Error("a terminal would obey what a name says")
				}
			})
		}
	}
}

// TestSweepKeepsItsSchema holds that what SweepJSON writes is what the published schema promises, and not a key more.
func TestSweepKeepsItsSchema(t *testing.T) {
	schema := compile(t, "sweep")
	for name, s := range handMadeSweeps() {
		keepsSchema(t, schema, name, func(w io.Writer) error { return SweepJSON(w, s) })
	}
}

// TestSweepPlots holds that there is a picture of each metric, the same bytes each time, with the values in it, and
// nothing in an SVG that a name put there.
func TestSweepPlots(t *testing.T) {
	for name, s := range handMadeSweeps() {
		plots := SweepPlots(s)
		if len(plots) != len(s.Metrics) {
			t.Fatalf("%s: got %d plots", name, len(plots))
		}
		for i, p := range plots {
			var picture, again, svg bytes.Buffer
			again2 := SweepPlots(s)[i]
			for _, err := range []error{p.Write(&picture, "png"), again2.Write(&again, "png"), p.Write(&svg, "svg")} {
				if err != nil {
					t.Fatalf("%s: %v", p.Name, err)
				}
			}
			if !bytes.Equal(picture.Bytes(), again.Bytes()) {
				t.Errorf("%s: two pictures of one sweep differ", p.Name)
			}
			if _, err := png.Decode(&picture); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
			for _, key := range s.Params {
				if !strings.Contains(svg.String(), key) {
					t.Errorf("%s: no axis is called %s", p.Name, key)
				}
			}
			if name != "sweep-sessions" {
				compareGolden(t, "testdata/"+name+".svg", svg.String())
			}
		}
	}
	three := handMadeSweeps()["sweep-grid"]
	three.Params = append(three.Params, "duration")
	if got := SweepPlots(three); got != nil {
		t.Errorf("got %d plots of three parameters", len(got))
	}
}
