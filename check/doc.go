// Package check runs scenarios and judges what they expect.
//
// Run makes the finished report of one scenario. All does so for many, in parallel, and hands out the
// results in the order of the sources, so that its output never depends on timing. A source that cannot
// be read or is wrong does not stop the others.
//
// An expectation is judged after the run, from the same fold that reports are made of: at the end, at
// an instant, or over a window. A metric without a sample fails and says so; so does an expectation
// about a time that a run which ended early never reached. What fails is run once more, with all its events kept, to
// find the moment that is responsible and what is behind it.
//
// A scenario may stand for many replications, with consecutive seeds: RunAll and All judge in all of them, or over all
// of them, and Replicate reports how the metrics are spread. Whatever the number of threads, the results are the same.
// All also looks for races: it runs the first replication again with other orders of equal instants, and names the
// expectations that come out otherwise.
//
//	sources := check.Find([]string{"scenarios"}, scenarios.Read)
//	var tally check.Tally
//	check.All(ctx, sources, tally.Add)
//	err := reports.CheckText(os.Stdout, tally.Checked, reports.CheckTextOptions{})
package check
