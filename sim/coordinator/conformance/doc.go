// Package conformance replays recordings of the real Apache Kafka 4.4.0 group coordinator into our shard
// and compares everything that can be seen: replies with all fields, records, timers with their deadlines
// and order, the memory of every group after every step, and what a broker logs. The log that it loads
// from holds the bytes of the records.
//
// A recording gives the real member ids, so Java's hash order decides here as it did there. Compared
// apart, because their interleaving inside one event is not a requirement: replies (by request number),
// records, log lines, and timers with states. The file differences.go lists what is not compared.
//
// testdata keeps all small recordings, and of the long random ones a spread that shows everything any of
// them shows (coverage.txt). CONFORMANCE_DIR=a:b replays the recordings of other folders, too.
//
//	traces, err := conformance.Read(file)
//	for _, t := range traces {
//		if t.Unsupported() == "" {
//			result, err := conformance.Replay(t, lines)
//			...
//		}
//	}
package conformance
