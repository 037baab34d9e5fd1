// Package fidelity compares the simulator with recorded runs of a real Kafka broker and real clients.
//
// A recorded run is a case: what was given (broker, topics, members, member ids, actions) and what was
// observed. The given part is a [Case] and becomes a scenario; the observed part is an [Observed], which
// only the comparison gets. A test holds that the files which build scenarios use nothing else of this
// package, so that no answer can leak into a question.
//
// Modelled: classic groups of Java consumers, and the actions of the table in actions.go; every other case is
// skipped and named with the reason. One set of constants serves all cases, the two cores of the machine that recorded
// them among these, and one seed, but for what seeds.go does: the other course of a race, and ranges of draws.
//
// Two figures are kept apart. An event is matched when it happens on both sides in the same order, and in
// time when the span that leads to it, or its instant, is close enough besides. A case also has counts
// (rebalances, join phases that ended, final generation and state), which are right when they equal
// the recording or lie between repetitions of it. Differences that are the recording's own are listed in
// differences.tsv with the reason; they lower the figures all the same.
//
//	recordings, err := fidelity.Kept()
//	report := fidelity.Replay(ctx, recordings, sim.Run)
//	report.WriteRows(os.Stdout)
package fidelity
