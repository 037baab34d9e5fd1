// Package metrics defines every number of a report, once, as a fold over trace events.
//
// A Fold is a trace.Sink that keeps the history of each group: its stays in states, and dated lists of
// what happened to its members and partitions. A Summary is a view of that history: over the run so far,
// at an earlier instant, or over a window; a Snapshot is what a Summary says of its last instant, in
// short. So the same code answers for a live run and for a recorded file, and no number depends on
// anything but the events.
//
// Modelled: all metrics of Definitions, in exact virtual time. Not modelled: lag and redelivery. Who
// holds up a group is read from Blocked events and never reconstructed.
//
// A member is shown under the name of its process. Where an event of the coordinator does not name it,
// consumer events tell which member id a process has, and before the first of them the id's prefix does:
// Kafka builds ids from client.id or group.instance.id, and a process is called by its client.id.
//
//	fold := metrics.NewFold(metrics.Options{
//		StuckAfter: 30 * time.Second,
//		Topics:     map[string]int{"orders": 12},
//		Fleets:     []metrics.Fleet{{Name: "orders", Group: "orders", Topics: []string{"orders"}}},
//	})
//	sim.Run(ctx, scenario, fold)
//	summary := fold.Summary(clock.At(30 * time.Minute))
//	value, err := summary.Value(metrics.Query{Name: "rebalances", Subject: "orders"})
package metrics
