// Package incident tells from what brokers and clients logged what happened to consumer groups: in which state each was, from
// when to when; every rebalance with its reason; who left or was evicted; what was stuck and by whom; and what the likely
// causes are, each with the lines that say so.
//
// What a log does not say is Unknown and stays so: no span is interpolated. Generations tell of rebalances that nobody
// logged, and these are counted apart.
//
//	analysis, err := incident.Analyze(ctx, reader, incident.Options{})
package incident
