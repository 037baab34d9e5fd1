// Package explain follows each rebalance of a run back to what began it: an event of the scenario, a time that
// was drawn, or the first start of a process.
//
// It is a fold over the trace, as metrics are, that keeps for each thing that happens the one before it that made
// it happen. Which that is follows from what the protocol says: why a member was removed, what a client gives as
// the reason of its JoinGroup, which process was frozen, cut off or gone while the coordinator heard nothing. Where
// several things would do, it is the latest. Ablate tells whether the answer holds: it runs the scenario without
// one of its events after the other.
//
// Behind does the same for any moment of a run that metrics find responsible for a value, and names the settings of Kafka
// that the run itself shows to be behind it: whose timer ran out, who had no id to come back with. What another value
// would have changed, it does not say.
//
// Not modelled: several causes of one rebalance. When two members leave at one instant, the chain follows the last.
//
//	explanation := explain.Fold(events, fold, summary)
package explain
