// Package fidelity compares the simulator with recorded runs of a real Kafka broker and real clients.
//
// A recorded run is a case: what was given (broker, topics, members, member ids, actions) and what was
// observed. The given part is a [Case] and becomes a scenario; the observed part is an [Observed], which
// only the comparison gets. A test holds that the files which build scenarios use nothing else of this
// package, so that no answer can leak into a question.
//
// Modelled: classic groups of the clients that package consumers has, and the actions of the table in actions.go; every
// other case is skipped and named with the reason. One set of constants serves all cases, the two cores of the machine
// that recorded them among these, with one exception: how long messages and appends took differs between the
// recordings with JVMs and those without. One seed serves them too, but for what seeds.go does: the other course of
// a race, and ranges of draws.
//
// Two figures are kept apart. An event is matched when it happens on both sides in the same order, and in
// time when the span that leads to it, or its instant, is close enough besides. A case also has counts
// (rebalances, join phases that ended, final generation and state), which are right when they equal
// the recording or lie between repetitions of it. How close is enough, and whether a count may be off by one, depends on
// how noisy the recording is ([Allowance]). Differences that are the recording's own are listed in differences.tsv
// with the reason; they lower the figures all the same. The figures of Java consumers, other clients and mixed groups
// are told apart, and each has to be good enough.
//
//	recordings, err := fidelity.Kept()
//	report := fidelity.Replay(ctx, recordings, sim.Run)
//	report.WriteRows(os.Stdout)
package fidelity
