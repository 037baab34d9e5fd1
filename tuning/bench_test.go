package tuning

import (
	"context"
	"os"
	"testing"
	"time"

	"simulate/sim"
	"simulate/sim/random"
	"simulate/sim/trace"
)

// BenchmarkSweep does 200 replications of the small benchmark at one point, on one thread and on two, and the same runs
// alone, of which nothing is measured. It reports how much faster two threads are, and what measuring and sweeping add.
func BenchmarkSweep(b *testing.B) {
	const replications = 200
	text, err := os.ReadFile("../scenarios/bench/small.toml")
	if err != nil {
		b.Fatal(err)
	}
	study, err := studyOf(b, string(text), "session.timeout.ms=45s")
	if err != nil {
		b.Fatal(err)
	}
	alone := func() {
		s := *study.Base.Scenario
		for r := range replications {
			s.Seed = study.Base.Scenario.Seed + random.Seed(r)
			if _, err := sim.Run(context.Background(), &s, trace.Discard); err != nil {
				b.Fatal(err)
			}
		}
	}
	swept := func(parallel int) func() {
		return func() {
			s, err := study.New(Options{Design: GridDesign, Replications: replications})
			if err == nil {
				err = s.Run(context.Background(), parallel, keepNothing)
			}
			if err != nil {
				b.Fatal(err)
			}
			s.Report()
		}
	}
	var runs, one, two time.Duration
	for b.Loop() {
		runs += timed(alone)
		one += timed(swept(1))
		two += timed(swept(2))
	}
	b.ReportMetric(one.Seconds()/two.Seconds(), "one/two-threads")
	b.ReportMetric(one.Seconds()/runs.Seconds(), "sweep/runs")
	b.ReportMetric(one.Seconds()/float64(b.N), "s/sweep")
}

func timed(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}
