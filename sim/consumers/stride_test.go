package consumers

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"pgregory.net/rapid"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/records"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// deed is something that happens to a process.
type deed struct {
	at time.Duration
	do func(s *script)
}

// Law: a process that makes up for its polls in strides does what one does that is stepped for each of them, at the
// same instants, and ends at the same positions.
func TestStridesChangeNothing(t *testing.T) {
	for _, client := range []string{Newest, "librdkafka", "franz-go", "sarama", "kafka-python", "aiokafka"} {
		t.Run(client, func(t *testing.T) { checkStrides(t, client) })
	}
}

func checkStrides(t *testing.T, client string) {
	defer func() { strides = true }()
	rapid.Check(t, func(rt *rapid.T) {
		plan, logs, deeds := drawLoad(rt)
		plan.runOn(client)
		run := func(in bool) (string, int) {
			strides = in
			s := newScript(t)
			s.records = logs().NewGroup()
			return consume(s, plan, deeds)
		}
		strode, few := run(true)
		stepped, many := run(false)
		if strode != stepped {
			rt.Fatalf("in %d strides:\n%s\nin %d steps:\n%s", few, strode, many, stepped)
		}
	})
}

// runOn gives the plan another client with its defaults, but for what is drawn.
func (p *Plan) runOn(client string) {
	if client == Newest {
		return
	}
	profile, _ := FindProfile(client)
	drawn := p.Config
	p.Client, p.Config = client, profile.Config
	p.Config.MaxPollInterval, p.Config.MaxPollRecords = drawn.MaxPollInterval, drawn.MaxPollRecords
	p.Config.AutoOffsetReset = drawn.AutoOffsetReset
}

func drawLoad(t *rapid.T) (Plan, func() *records.Logs, []deed) {
	between := func(name string, least, most time.Duration) time.Duration {
		return time.Duration(rapid.Int64Range(int64(least/time.Microsecond), int64(most/time.Microsecond)).Draw(t, name)) * time.Microsecond
	}
	takes := func(name string, most time.Duration) random.Distribution {
		a, b := between(name, 0, most), between(name+" more", 1, most)
		return rapid.SampledFrom([]random.Distribution{{}, random.Constant(a), random.Uniform(a, a+b), random.Exponential(a + b), {Kind: random.ExponentialKind, A: a + b, Cap: a + b}}).Draw(t, name+" shape")
	}
	plan := steadyPlan(0)
	plan.Processing, plan.PerRecord = takes("processing", 300*time.Millisecond), takes("per-record", 50*time.Millisecond)
	plan.PollTimeout = between("poll-timeout", 20*time.Millisecond, 2*time.Second)
	plan.Config.MaxPollRecords = rapid.IntRange(1, 50).Draw(t, "max.poll.records")
	plan.Config.MaxPollInterval = between("max.poll.interval.ms", 600*time.Millisecond, time.Minute)
	plan.Config.AutoOffsetReset = "earliest"
	rate := records.Rate{Records: rapid.Int64Range(0, 60).Draw(t, "rate"), Per: time.Second}
	backlog := rapid.Int64Range(0, 3000).Draw(t, "backlog")
	partitions := rapid.IntRange(2, 5).Draw(t, "partitions")
	logs := func() *records.Logs {
		l := records.NewLogs()
		l.Create("t", partitions, rate, backlog)
		return l
	}
	var deeds []deed
	at := time.Duration(0)
	for range rapid.IntRange(0, 4).Draw(t, "deeds") {
		at += between("after", 0, 8*time.Second)
		do := rapid.SampledFrom([]func(*script){
			func(s *script) { s.process.Stall(4*time.Second, false) },
			func(s *script) { s.process.Stall(4*time.Second, true) },
			func(s *script) { s.process.Commit() },
			func(s *script) { s.process.EnforceRebalance(false) },
			func(s *script) { s.process.Stop(CloseOptions{}) },
			func(s *script) { s.process.CutOff(s.at.Add(3 * time.Second)) },
			func(s *script) { s.process.Closed(NodeConn) },
			func(s *script) { s.process.LoseFetch(s.at) },
			func(s *script) {
				s.process.TopicsChanged(s.at, map[string]assignors.Topic{"t": {Partitions: 9}})
			},
			func(s *script) { s.process.Freeze(); s.frozen = true },
			func(s *script) { s.frozen = false },
		}).Draw(t, "deed")
		deeds = append(deeds, deed{at, do})
	}
	return plan, logs, deeds
}

// consume lets a process consume for some seconds, and returns what was seen of it and how often it was stepped.
func consume(s *script, plan Plan, deeds []deed) (seen string, steps int) {
	s.start(plan)
	s.joinGroup("stable", "c-1", []wire.TopicPartition{{Topic: "t"}, {Topic: "t", Partition: 1}})
	advance := func(to clock.Time) {
		for !s.frozen && s.process.Wake() <= to {
			s.at = max(s.at, s.process.Wake())
			s.step()
			steps++
		}
		s.at = max(s.at, to)
		s.step()
	}
	for _, d := range deeds {
		advance(clock.At(time.Second + d.at))
		d.do(s)
		s.step()
	}
	s.frozen = false
	advance(clock.At(20 * time.Second))
	c := clientOf(s.process)
	seen = regexp.MustCompile(`(?m)^.{8}  wait .*\n`).ReplaceAllString(s.out.String(), "")
	return seen + fmt.Sprint(c.positions.load.at, s.process.PollWait()), steps
}

// A member that consumes takes no more steps than its heartbeats and commits need.
func TestStridesAreLong(t *testing.T) {
	s := newScript(t)
	logs := records.NewLogs()
	logs.Create("t", 1, records.Rate{Records: 100, Per: time.Second}, 0)
	s.records = logs.NewGroup()
	plan := steadyPlan(0)
	plan.PerRecord = random.Constant(time.Millisecond)
	s.start(plan)
	s.joinGroup("stable", "c-1", []wire.TopicPartition{{Topic: "t"}})
	clientOf(s.process).env.Sink = trace.Discard
	steps := 0
	end := s.at.Add(time.Minute)
	for ; s.process.Wake() <= end; steps++ {
		s.at = s.process.Wake()
		answerAll(s.process, s.at)
	}
	s.process.Step(end)
	if records := clientOf(s.process).positions.load.at[0].taken; records < 5900 || steps > 150 {
		t.Errorf("%d records in a minute took %d steps", records, steps)
	}
}
