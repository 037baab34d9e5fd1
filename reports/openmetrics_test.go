package reports

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

func TestOpenMetrics(t *testing.T) { golden(t, "openmetrics", OpenMetrics) }

// samplesOf reads what Prometheus reads of an exposition, and holds that each series has its samples in order of time.
func samplesOf(t *testing.T, text []byte) map[string][]float64 {
	t.Helper()
	p := textparse.NewOpenMetricsParser(text, labels.NewSymbolTable())
	all, last := map[string][]float64{}, map[string]int64{}
	for {
		entry, err := p.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if entry != textparse.EntrySeries {
			continue
		}
		_, at, value := p.Series()
		var l labels.Labels
		p.Labels(&l)
		series := l.String()
		if before, seen := last[series]; at == nil || seen && *at <= before {
			t.Fatalf("%s: a sample without a time, or not after the one before", series)
		}
		last[series] = *at
		all[series] = append(all[series], value)
	}
}

// Prometheus reads what is written, and the numbers are those of the report.
func TestPrometheusReadsOpenMetrics(t *testing.T) {
	for _, run := range handMadeRuns() {
		r := run.report()
		var b bytes.Buffer
		if err := OpenMetrics(&b, r); err != nil {
			t.Fatal(err)
		}
		all := samplesOf(t, b.Bytes())
		completed := 0.0
		for i := range r.Summary.Groups {
			g := &r.Summary.Groups[i]
			completed += float64(g.Completed)
			members := all[labels.FromStrings("__name__", "simulate_group_members", "group", visible(g.Name)).String()]
			if n := len(members); g.Members > 0 && (n == 0 || members[n-1] != float64(g.Members)) {
				t.Errorf("%s: members are %v, want %d in the end", run.name, members, g.Members)
			}
		}
		counts := all[labels.FromStrings("__name__", "kafka_server_group_coordinator_metrics_group_completed_rebalance_count").String()]
		if counts[len(counts)-1] != completed {
			t.Errorf("%s: %v rebalances are completed, want %v", run.name, counts, completed)
		}
	}
}
