// Package coordinator is Kafka's classic group coordinator: the shard of one partition of the offsets
// topic, as a value that takes inputs and answers with effects. It agrees with Apache Kafka 4.4.0 event
// for event; package conformance replays recordings of it.
//
// Modelled: JoinGroup 0-9, SyncGroup 0-5, Heartbeat 0-4, LeaveGroup 0-5, OffsetCommit 2-10,
// TxnOffsetCommit 0-6 and the end of its transaction, OffsetFetch 1-10, OffsetDelete 0, DeleteGroups 0-3,
// DescribeGroups 0-6 and ListGroups 0-5 of one shard; the session, join, sync and retention timers; static
// members; the append pipeline with replies that wait behind writes, write time-outs, and what a refused
// append undoes and what it does not; loading, resigning, and leader epochs (Term); the bytes of records.
// Config.Kafka = "3" switches to the older coordinator (Switches), which is not recorded.
// Not modelled: metrics; groups of newer types; the moments between the states of a log that grows while it
// is read; what the broker checks before the coordinator (authorization, unknown topics, the protocol name
// that SyncGroup 5 must carry). The state Dead belongs to a shard that resigned, so no request sees it.
//
// A group moves between four states:
//
//	Empty                no members; the first one begins a rebalance, which waits for the initial
//	                     delay, extended while members keep coming
//	PreparingRebalance   the join phase: JoinGroups are parked until every member has joined and every
//	                     id that was handed out is used, or the join timer ends it; heartbeats are
//	                     answered REBALANCE_IN_PROGRESS
//	CompletingRebalance  the sync phase of a new generation: SyncGroups are parked until the leader's
//	                     assignments are committed; heartbeats are answered NONE
//	Stable               every member has its assignment, or gets it with its SyncGroup
//
// What Kafka leaves open is decided here so that runs repeat: everything that walks over members, votes
// or ids follows a java.util.HashMap over the real member ids, as Kafka does (rule M-20); a timer fires
// once, at its instant, and the host orders those of one instant; an append is committed in order. Groups
// and offsets are walked in the order of Kafka's own hash tables (rule A-9), except where Kafka promises no
// order and recordings sort: lists, and fetches of everything, are sorted.
//
// Memory has two layers. Which groups exist, and all offsets, are versioned by batch: reads see the
// committed offset, and a refused batch is taken back. What a group is like is not: only the callbacks of
// refused records make good what they can.
//
// The anchors in comments (J-33, R-60, TC-87) are rules of the written specification of the coordinator;
// transcripts in testdata mirror them.
//
//	shard := coordinator.New(coordinator.Defaults(), ids, sink)
//	for _, e := range shard.Handle(now, &request) {
//		switch e.Kind {
//		case coordinator.Reply:
//			send(e.Response)
//		case coordinator.SetTimer:
//			timers.set(e.Timer, e.At) // later: shard.Expire(at, key)
//		case coordinator.StopTimer:
//			timers.stop(e.Timer)
//		case coordinator.Append:
//			log.append(e.Append, e.Records) // Encode has their bytes; later: shard.Appended(at, id, wire.None), and Reuse
//		}
//	}
package coordinator
