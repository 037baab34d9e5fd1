// Package tuning runs one scenario at many settings and compares what the settings come to.
//
// A study has parameters, each with its values; a design makes points of them, and a point put into the scenario is a
// cell. A cell runs in several replications. Replication r has the same seed in every cell (common random numbers), so
// that the difference between two cells is one of their settings, and pairs of replications tell how sure it is.
//
// Whatever the number of threads and the order in which runs end, the results are the same: each has its place, and
// what is computed of them is computed in the order of those places.
//
//	params, err := tuning.ParseParams(base, base.Scenario.Sweep.Params)
//	study := tuning.Study{Base: base, Load: read, Params: params, Metrics: tuning.Metrics(base.Scenario)}
//	points, err := tuning.Grid(params)
//	cells, err := study.Cells(points)
//	err = study.Evaluate(ctx, jobs, parallel, func(i int, v tuning.Values) { ... })
package tuning
