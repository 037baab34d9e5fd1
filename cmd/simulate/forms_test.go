package main

import (
	"io"
	"testing"
	"time"

	"simulate/check"
	"simulate/reports"
	"simulate/scenarios"
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
// write it. One iteration (-benchtime 1x) of a day is enough.
func BenchmarkForms(b *testing.B) {
	for _, source := range []check.Source{check.Open("rolling-restart", scenarios.Read), {Name: "day", Text: []byte(day)}} {
		b.Run(source.Name, func(b *testing.B) {
			l, err := source.Load()
			if err != nil {
				b.Fatal(err)
			}
			told := map[check.Shows]*toldRun{}
			for _, f := range append(runForms, runForm{name: plotsForm, shows: check.Lanes, write: plain(discardPlots)}) {
				if told[f.shows] == nil {
					told[f.shows] = tell(b, l, f.shows)
				}
				b.Run(f.name, func(b *testing.B) { told[f.shows].measure(b, f) })
			}
		})
	}
}

// toldRun is a run with its course, and how long both took.
type toldRun struct {
	report      reports.Report
	run, course time.Duration
}

func tell(b *testing.B, l check.Loaded, shows check.Shows) *toldRun {
	l.NoFastForward = shows&check.Clients != 0
	var t toldRun
	t.run = meanTime(func() {
		if _, err := check.Run(b.Context(), l); err != nil {
			b.Fatal(err)
		}
	})
	t.course = meanTime(func() {
		course := check.NewCourse(l, shows)
		var err error
		if t.report, err = check.Run(b.Context(), l, course); err != nil {
			b.Fatal(err)
		}
		course.Tell(&t.report)
	}) - t.run
	return &t
}

// meanTime repeats what is short.
func meanTime(f func()) time.Duration {
	begun, times := time.Now(), time.Duration(0)
	for ; times == 0 || time.Since(begun) < time.Second; times++ {
		f()
	}
	return time.Since(begun) / times
}

func (t *toldRun) measure(b *testing.B, f runForm) {
	var size counter
	for b.Loop() {
		size = 0
		if err := f.write(&size, t.report, reports.TextOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/t.run.Seconds(), "write/run")
	b.ReportMetric(t.course.Seconds()/t.run.Seconds(), "course/run")
	b.ReportMetric(t.run.Seconds(), "run-s")
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
