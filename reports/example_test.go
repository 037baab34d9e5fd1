package reports_test

import (
	"os"
	"time"

	"simulate/sim/clock"
	"simulate/sim/metrics"

	"simulate/reports"
)

func Example() {
	end := clock.At(time.Minute)
	fold := metrics.NewFold(metrics.Options{Fleets: []metrics.Fleet{{Name: "orders", Group: "orders"}}})
	report := reports.Report{
		Scenario:    reports.Scenario{Name: "nothing happens", Seed: 1, Kafka: "4", Duration: time.Minute},
		At:          end,
		Digest:      "cbf29ce484222325",
		Summary:     fold.Summary(end),
		NotModelled: []string{"transactions"},
	}
	if err := reports.Text(os.Stdout, report, reports.TextOptions{}); err != nil {
		panic(err)
	}
	// Output:
	// nothing happens  seed 1  Kafka 4  1m  trace cbf29ce484222325
	//
	// Group orders never came to exist: no JoinGroup of its consumers reached the
	// broker
	//
	// Not modelled
	//   - transactions
}
