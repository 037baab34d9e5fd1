// Package consumers models the client side of a group: one Process is one life of a consumer process.
//
// What all clients have is client.go (the membership as a client knows it) with network.go (connections and requests),
// request.go, membership.go, subscription.go, metadata.go, positions.go, records.go, stride.go, listener.go,
// application.go, orders.go and backoff.go. A library is a machine over that, in files that begin with its name:
// its profile (defaults, versions of its requests, what it does unlike Java), its costs (measured times and constants of its
// sources that no setting says), and a file for each thing that it does. Java's versions and the frameworks on it are
// profiles of one machine; python.go has what both Python clients share.
//
// Modelled of each library are its threads, goroutines, coroutines or event loop, each of which waits for exactly one
// named thing (Wait); how it looks for the coordinator, connects, times out and backs off; JoinGroup, SyncGroup, heartbeats
// and LeaveGroup with every error that answers them; the rebalance callbacks; the commits that sessions and rebalances
// depend on; how it learns of topics; and how it ends. Java is the classic consumer 3.7 to 4.4, eager and cooperative. The
// others are described by where they differ from it: Profile.Modelled has a sentence each, Profile.NotModelled what is left
// out of one library, and rules_test.go and other_rules_test.go hold that a transcript shows each rule.
//
// Where topics hold records (Env.Records), a fetch returns those that are there, at most as many as the library takes at a
// time, else when the next one arrives or at its time-out; the application takes its time for them and fetches again. That
// is all of Fetch: fetch.min.bytes is 1, records have no size, and what is fetched ahead counts only where it changes when
// an application gets records. Positions move by what the library counts as handled, and commits say so; redelivery follows
// from that. Where topics hold none, of Fetch only the rhythm counts.
//
// Not modelled of any client: what is in records, ListOffsets (auto.offset.reset takes no time), commits by hand in other
// ways than the order Commit, refreshes of metadata that show nothing new, TLS and SASL round trips, access control,
// application threads beside the one that consumes.
//
// What a client's documentation leaves open is decided by recordings, then by its source. Where that leaves it to a
// scheduler (which thread runs first, which case of a Go select, the order of a map), one order is fixed: that of the cases
// in the machine's Step, after recordings where they show one. In Java a response is read by whichever thread polls the
// network next, and when both threads want to act at one instant the heartbeat thread goes first, because the poll thread
// must wait for the lock; in librdkafka timers go before what arrived, and the main thread before the application's (after a
// freeze both are recorded so). Where a client spins because an interval is 0, a millisecond passes. What follows an
// exception, or an error that a Go application gets, is the application's affair: Plan.PollAgain says whether it ends, as the
// recorded ones mostly do, or goes on.
//
// A Process is a plain value without clock, goroutine or randomness of its own. The world tells it what
// reached its sockets (Receive, Connected, Closed), steps it, carries out the effects, and steps it again
// at Wake at the latest:
//
//	p := consumers.Start(now, plan, env)
//	for _, e := range p.Step(now) { ... }
//	alarm(p.Wake())
package consumers
