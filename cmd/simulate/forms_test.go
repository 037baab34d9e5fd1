package main

import (
	"context"
	"io"
	"testing"
	"time"

	"simulate/check"
	"simulate/reports"
	"simulate/scenarios"
	"simulate/sim/trace"
)

// BenchmarkForms compares each form of a report with the run that it is about: "of-run" is what the form takes of the
// time that the run takes.
func BenchmarkForms(b *testing.B) {
	loaded, err := check.Open("rolling-restart", scenarios.Read).Load()
	if err != nil {
		b.Fatal(err)
	}
	begun := time.Now()
	runs := 0
	var events trace.Memory
	var report reports.Report
	for ; runs == 0 || time.Since(begun) < time.Second; runs++ {
		events.Events = events.Events[:0]
		if report, err = check.Run(context.Background(), loaded, &events); err != nil {
			b.Fatal(err)
		}
	}
	run := time.Since(begun) / time.Duration(runs)
	check.Detail(&report, loaded, events.Events)
	for _, f := range runForms {
		b.Run(f.name, func(b *testing.B) {
			for b.Loop() {
				if err := f.write(io.Discard, report, reports.TextOptions{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/run.Seconds(), "of-run")
		})
	}
}
