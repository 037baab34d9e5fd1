// Package consumers models the client side of a group: one Process is one life of a consumer process.
//
// What all clients have is in client.go (the membership as a client knows it), network.go (connections and requests),
// request.go, subscription.go, metadata.go, positions.go; each library is a machine over that, in the files that
// begin with its name, and a Profile with its defaults.
//
// Modelled of Java, after the classic Java consumer 3.7 to 4.4, eager and cooperative: the poll thread (membership,
// subscriptions, rebalance callbacks, processing between polls), the heartbeat thread, the lock and the network
// client that they share, coordinator discovery with its back-offs, request time-outs, auto-commit as it bears on
// sessions and rebalances, close(). Each thread waits for exactly one named thing (Wait).
//
// Where topics hold records (Env.Records), poll() returns at once with at most max.poll.records of those that are there,
// else when the next one arrives or at its time-out; the application takes its time for them and polls again. That is
// all of Fetch: fetch.min.bytes is 1, nothing is fetched ahead, and records have no size. Positions move by what poll()
// returned, and commits say so. Without enable.auto.commit the application commits behind each batch (commitAsync).
// Where topics hold none, poll() returns at its time-out, and of Fetch only the rhythm counts.
//
// Not modelled: what is in records, ListOffsets (auto.offset.reset takes no time), commits by hand in other ways,
// refreshes of metadata that show nothing new, TLS and SASL round trips, access control, application threads beside
// the one that polls. rules_test.go lists the rules and where they are shown. Profiles (profile.go) say what other
// versions and frameworks do otherwise.
//
// What Java leaves to the scheduler is decided thus: a response is read by whichever thread polls the
// network next; when both threads want to act at one instant, the heartbeat thread goes first, because
// the poll thread must wait for the lock (recorded: after a freeze it is always first). Where Java spins
// because an interval is 0, a millisecond passes. What follows an exception from poll() is the application's affair:
// Plan.PollAgain says whether it ends, as the recorded ones mostly do, or polls again.
//
// A Process is a plain value without clock, goroutine or randomness of its own. The world tells it what
// reached its sockets (Receive, Connected, Closed), steps it, carries out the effects, and steps it again
// at Wake at the latest:
//
//	p := consumers.Start(now, plan, env)
//	for _, e := range p.Step(now) { ... }
//	alarm(p.Wake())
package consumers
