package sim

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"simulate/explain"
	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/metrics"
	"simulate/sim/random"
	"simulate/sim/records"
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
			var bare time.Duration
			for b.Loop() {
				r := runMeasured(b, s)
				events = r.Events
				if r.Heartbeats < size.heartbeats {
					b.Fatalf("%d heartbeats were handled, want at least %d", r.Heartbeats, size.heartbeats)
				}
				b.StopTimer()
				bare += bareQueue(events, 2*size.members)
				b.StartTimer()
			}
			run := b.Elapsed()
			b.ReportMetric(float64(run.Nanoseconds())/float64(b.N)/float64(events), "ns/event")
			b.ReportMetric(float64(run)/float64(bare), "x-bare-queue")
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
	r, err := RunWith(context.Background(), s, trace.Tee{fold, trace.NewDigest()}, Options{NoFastForward: true})
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

// BenchmarkDiagnosis compares, in one benchmark, a run without stuck stays with what its diagnosis takes: watching
// for stuck stays while it goes on, and finding stuck stays and anomalies at its end. How long it takes to explain all
// rebalances, which only the command of that name does, is reported beside it.
func BenchmarkDiagnosis(b *testing.B) {
	for _, file := range []string{"small", "large"} {
		b.Run(file, func(b *testing.B) {
			s := loadBench(b, file)
			var run, diagnosis, explanation time.Duration
			for b.Loop() {
				var events trace.Memory
				fold := metrics.NewFold(s.MetricsOptions())
				begin := time.Now()
				r, err := RunWith(context.Background(), s, trace.Tee{fold, trace.NewDigest(), &events}, Options{NoFastForward: true})
				if err != nil || r.Outcome != Finished {
					b.Fatalf("the run ended with %v, %v", r.Outcome, err)
				}
				run += time.Since(begin)

				begin = time.Now()
				w := newWorld(s, &trace.Memory{})
				for _, e := range events.Events {
					w.watch(e)
				}
				fold.Summary(r.At)
				diagnosis += time.Since(begin)

				begin = time.Now()
				explain.Explain(events.Events, fold)
				explanation += time.Since(begin)
			}
			share := float64(diagnosis) / float64(run)
			if share > 0.10 {
				b.Fatalf("the diagnosis takes %.1f %% of the run, want at most 10 %%", 100*share)
			}
			b.ReportMetric(100*share, "%-of-run")
			b.ReportMetric(100*float64(explanation)/float64(run), "%-of-run-to-explain")
		})
	}
}

// BenchmarkLoad compares, in one benchmark, an hour of 1,000 members with records to consume with the same hour without.
// A client that commits only what has moved is compared with an hour in which each of its commits says one record, for
// commits are requests. With more commits the more records nothing is bounded: kafkajs commits each batch, kafka-go each
// message. Nor is it with ten records a second: then the records are most of the work.
func BenchmarkLoad(b *testing.B) {
	second := func(n int64) records.Rate { return records.Rate{Records: n * 1_000, Per: time.Second} }
	for _, c := range []struct {
		client string
		quiet  records.Rate
		most   float64 // times as long as without load; 0: no limit
		load   int64   // records a second and partition
		work   time.Duration
	}{
		{"java", records.Rate{}, 1.5, 1, 50 * time.Millisecond},
		{"java", records.Rate{}, 0, 10, 20 * time.Millisecond},
		{"librdkafka", records.Rate{Records: 1_000, Per: 5 * time.Second}, 1.5, 1, 50 * time.Millisecond},
		{"librdkafka", records.Rate{Records: 1_000, Per: 5 * time.Second}, 0, 10, 20 * time.Millisecond},
		{"franz-go", records.Rate{}, 0, 1, 50 * time.Millisecond},
		{"sarama", second(1), 1.5, 2, 20 * time.Millisecond},
		{"sarama", second(1), 0, 10, 20 * time.Millisecond},
		{"kafkajs", records.Rate{}, 0, 1, 50 * time.Millisecond},
		{"kafka-python", records.Rate{}, 0, 1, 50 * time.Millisecond},
		{"kafka-go", records.Rate{}, 0, 1, 50 * time.Millisecond},
		{"aiokafka", records.Rate{}, 0, 1, 50 * time.Millisecond},
	} {
		b.Run(fmt.Sprintf("%s/%d-a-second", c.client, c.load), func(b *testing.B) {
			var quiet, loaded time.Duration
			for b.Loop() {
				quiet += takesWith(b, c.client, c.quiet, c.work)
				loaded += takesWith(b, c.client, second(c.load), c.work)
			}
			ratio := float64(loaded) / float64(quiet)
			if c.most > 0 && ratio > c.most {
				b.Fatalf("with load it takes %.2f times as long, want at most %v", ratio, c.most)
			}
			b.ReportMetric(ratio, "x-without-load")
		})
	}
}

// takesWith returns how much processor time a run of the large scenario takes, with members of a client for which
// records arrive at a rate.
func takesWith(b *testing.B, client string, rate records.Rate, work time.Duration) time.Duration {
	s := loadBench(b, "large")
	profile, _ := consumers.FindProfile(client)
	plan := &s.Fleets[0].Plan
	plan.Client, plan.Config, plan.PollTimeout = client, profile.Config, max(profile.PollTimeout, time.Second)
	if rate.Records > 0 {
		plan.PerRecord = random.Constant(work)
		for i := range s.Topics {
			s.Topics[i].Rate = rate
		}
	}
	begin := processorTime()
	runMeasured(b, s)
	return processorTime() - begin
}

// processorTime returns how long the process has computed so far, whoever else wants the processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
