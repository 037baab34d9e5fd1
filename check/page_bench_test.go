package check

import (
	"bytes"
	"testing"
	"time"

	"simulate/reports"
	"simulate/sim/trace"
)

// BenchmarkPage says how long the course of a run and its page take beside the run itself: a day of a large group.
func BenchmarkPage(b *testing.B) {
	l, err := Source{Name: "page", Text: []byte(`
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
`)}.Load()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		began := time.Now()
		var events trace.Memory
		r, err := Run(b.Context(), l, &events)
		if err != nil {
			b.Fatal(err)
		}
		ran := time.Now()
		Detail(&r, l, events.Events)
		detailed := time.Now()
		var page bytes.Buffer
		if err := reports.HTML(&page, r); err != nil {
			b.Fatal(err)
		}
		took := ran.Sub(began).Seconds()
		b.ReportMetric(detailed.Sub(ran).Seconds()/took, "detail/run")
		b.ReportMetric(time.Since(detailed).Seconds()/took, "page/run")
		b.ReportMetric(float64(page.Len())/1e6, "page-MB")
	}
}
