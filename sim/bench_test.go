package sim

import (
	"context"
	"os"
	"testing"
	"time"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// BenchmarkScenario runs an hour of Java clients with polls, auto-commits, metrics and digest; only the
// trace file is off. Beside the time it reports how many times longer the run takes than a bare queue that
// does the same number of events, measured in the same benchmark.
func BenchmarkScenario(b *testing.B) {
	for _, size := range []struct {
		file       string
		assignor   string
		members    int
		heartbeats int64 // in an hour: one each 3.001 s a member, less the join phase
	}{
		{"small", "range", 10, 11_900},
		{"small", "cooperative-sticky", 10, 11_900},
		{"large", "range", 1_000, 1_190_000},
		{"large", "cooperative-sticky", 1_000, 1_190_000},
	} {
		b.Run(size.file+"/"+size.assignor, func(b *testing.B) {
			s := loadBench(b, size.file)
			s.Fleets[0].Plan.Config.Assignors = []string{size.assignor}
			var events int64
			for b.Loop() {
				r := runMeasured(b, s)
				events = r.Events
				if r.Heartbeats < size.heartbeats {
					b.Fatalf("%d heartbeats were handled, want at least %d", r.Heartbeats, size.heartbeats)
				}
			}
			run := b.Elapsed() / time.Duration(b.N)
			b.ReportMetric(float64(run.Nanoseconds())/float64(events), "ns/event")
			b.ReportMetric(float64(run)/float64(bareQueue(events, 2*size.members)), "x-bare-queue")
		})
	}
}

func loadBench(tb testing.TB, name string) *scenario.Scenario {
	tb.Helper()
	path := "../scenarios/bench/" + name + ".toml"
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	s, _, err := scenario.Load(path, text)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func runMeasured(tb testing.TB, s *scenario.Scenario) Result {
	tb.Helper()
	fold := metrics.NewFold(s.MetricsOptions())
	r, err := Run(context.Background(), s, trace.Tee{fold, trace.NewDigest()})
	if err != nil || r.Outcome != Finished {
		tb.Fatalf("the run ended with %v, %v", r.Outcome, err)
	}
	return r
}

// bareQueue returns how long a queue with so many events pending takes for so many events.
func bareQueue(events int64, pending int) time.Duration {
	var q clock.Queue[event]
	for i := range pending {
		q.Schedule(clock.Time(i), event{})
	}
	begin := time.Now()
	for range events {
		at, e, _ := q.Next(clock.Never)
		q.Schedule(at+clock.Time(pending), e)
	}
	return time.Since(begin)
}
