// Package conformance replays recordings of the real Apache Kafka 4.4.0 group coordinator into our shard
// and compares everything that can be seen: replies with all fields, records, timers with their
// deadlines and order, and the memory of every group after every step.
//
// A recording gives the real member ids, so Java's hash order decides here as it did there. Compared
// apart, because their interleaving inside one event is not a requirement: replies (by request number),
// records, and timers with states. Not compared: log lines, subscribed topics, the retention run, and
// the instants at which a waiting write times out while nothing can be seen of it.
//
//	traces, err := conformance.Read(file)
//	for _, t := range traces {
//		if reason := t.Unsupported(); reason == "" {
//			result := conformance.Replay(t)
//			...
//		}
//	}
package conformance
