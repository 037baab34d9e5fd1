// Package records says which records topics hold at an instant.
//
// Modelled: how many records arrive in a topic, evenly over time and over its partitions, and which of them a group's
// applications were handed already. A record is its offset: when it arrived follows by arithmetic, so a million
// records cost what one costs. Not modelled: what is in a record, its size, keys that load one partition more than
// others, retention and compaction, offsets that transactions take.
//
//	logs := records.NewLogs()
//	logs.Create("orders", 12, records.Rate{Records: 200, Per: time.Second}, 0)
//	end := logs.End(wire.TopicPartition{Topic: "orders"}, clock.At(time.Minute)) // 1000
package records
