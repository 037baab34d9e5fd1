package main

import (
	"io"
	"sync"
	"syscall"
	"testing"
	"time"

	"simulate/check"
	"simulate/reports"
	"simulate/scenarios"
	"simulate/sim/trace"
)

// day is a day of a large group, with 500 rebalances.
const day = `
duration = "24h"
[[topic]]
name = "orders"
partitions = 2000
[[fleet]]
name = "orders"
topics = ["orders"]
count = 1000
[[event]]
at = "10m"
do = "restart"
who = "any(orders)"
every = "170s"
times = 499
`

// BenchmarkForms compares each form of a report with the run that it is about. That run takes every step for the forms
// that need it to. Of the time of the run, "course/run" is what it takes to gather what the form shows, and "write/run" to
// write it; times are those of processors. One iteration (-benchtime 1x) of a day is enough.
func BenchmarkForms(b *testing.B) {
	forms := append(runForms[:len(runForms):len(runForms)], runForm{name: plotsForm, shows: check.Lanes, write: plain(discardPlots)})
	for _, source := range []check.Source{check.Open("rolling-restart", scenarios.Read), {Name: "day", Text: []byte(day)}} {
		b.Run(source.Name, func(b *testing.B) {
			l, err := source.Load()
			if err != nil {
				b.Fatal(err)
			}
			for _, shows := range []check.Shows{0, check.Lanes, check.Lanes | check.Clients, check.Stories, check.Lanes | check.Stories} {
				told := sync.OnceValue(func() *toldRun { return tell(b, l, shows) })
				for _, f := range forms {
					if f.shows == shows {
						b.Run(f.name, func(b *testing.B) { told().measure(b, f) })
					}
				}
			}
		})
	}
}

// toldRun is a run with its course, and how many seconds both took.
type toldRun struct {
	report      reports.Report
	run, course float64
}

func tell(b *testing.B, l check.Loaded, shows check.Shows) *toldRun {
	l.NoFastForward = shows&check.Clients != 0
	var t toldRun
	run := func(sinks ...trace.Sink) {
		var err error
		if t.report, err = check.Run(b.Context(), l, sinks...); err != nil {
			b.Fatal(err)
		}
	}
	t.run = meanTime(b, func() { run() })
	if shows != 0 {
		t.course = meanTime(b, func() {
			course := check.NewCourse(l, shows)
			run(course)
			course.Tell(&t.report)
		}) - t.run
	}
	return &t
}

// meanTime repeats what is short.
func meanTime(b *testing.B, f func()) float64 {
	begun, times := processorTime(b), 0.0
	for ; times == 0 || processorTime(b)-begun < 1; times++ {
		f()
	}
	return (processorTime(b) - begun) / times
}

// processorTime returns the seconds that this process has had of processors.
func processorTime(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

func (t *toldRun) measure(b *testing.B, f runForm) {
	var size counter
	begun := processorTime(b)
	for b.Loop() {
		size = 0
		if err := f.write(&size, t.report, reports.TextOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((processorTime(b)-begun)/float64(b.N)/t.run, "write/run")
	b.ReportMetric(t.course/t.run, "course/run")
	b.ReportMetric(t.run, "run-s")
	b.ReportMetric(float64(size)/1e6, "MB")
}

// counter counts what is written.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

func discardPlots(w io.Writer, r reports.Report) error {
	for _, p := range reports.RunPlots(r) {
		for _, kind := range []string{"png", "svg"} {
			if err := p.Write(w, kind); err != nil {
				return err
			}
		}
	}
	return nil
}
