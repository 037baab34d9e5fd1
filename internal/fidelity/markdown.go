package fidelity

import (
	"fmt"
	"io"
	"strings"
)

// notModelled is what no case can agree in, because the simulator has nothing of it.
var notModelled = []string{
	"Records: topics hold none, in the recordings too. poll() returns at its time-out, and of Fetch only the rhythm counts.",
	"The load of the machine, but for its two cores, on which consumers and brokers queue for what they do in a rebalance. " +
		"A JVM that takes 0.3 s instead of 0.03 s for its first SyncGroup is noise.",
	"Garbage collection of brokers and consumers, unless an action pauses them.",
	"The newer consumer protocol (KIP-848) and other clients than Java: their cases are skipped.",
}

// WriteMarkdown writes the page docs/fidelity.md.
func (r Report) WriteMarkdown(w io.Writer) error {
	differences, err := Differences()
	if err != nil {
		return err
	}
	f, first := r.Figures(), r.First()
	fmt.Fprintf(w, `# How well whole timelines agree with reality

Real Java consumers and a real broker (Apache Kafka 4.4.0) were recorded under faults. Each recording is a case: from
what was given (broker, topics, members, member ids, actions) a scenario is built, run, and compared with what the
broker's log and the applications' callbacks tell. One set of constants serves all cases. This page is written by
`+"`make docs`"+`; the terms are those of the package documentation of internal/fidelity.

| figure | cases | events | matched | in time | wrong counts |
|---|---|---|---|---|---|
| of the recorded events | %d | %d | %s | %s | %d |
| of these and the simulated ones that were not recorded | %d | %d | %s | %s | %d |
| the same, under the first seed alone | %d | %d | %s | %s | %d |

Of %d client events (assigned, revoked, lost with their partitions; surplus ones included) %s are matched.

A case has wrong counts when its number of rebalances, of join phases that ended, its last generation or its last
state neither equals the recording nor lies between its repetitions.

An event is matched when it happens on both sides in the same order. It is in time when its span or its instant is
within 250 ms, or within the range of the repetitions of the experiment, or within that of what is drawn over %d
seeds. Where two recordings of one experiment took two courses, a race, the first seed takes one of them and the
other one counts as right if it occurs under another seed; the table names that seed.

## What differs

| case | missed | surplus | late | why |
|---|---|---|---|---|
`,
		f.Cases, f.Recorded(), percent(f.Matched, f.Recorded()), percent(f.InTime, f.Recorded()), f.Wrong,
		f.Cases, f.Events, percent(f.Matched, f.Events), percent(f.InTime, f.Events), f.Wrong,
		first.Cases, first.Events, percent(first.Matched, first.Events), percent(first.InTime, first.Events), first.Wrong,
		f.Callbacks, percent(f.Ran, f.Callbacks), otherSeeds+1)
	for _, d := range differences {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %s |\n", d.ID, d.Missed, d.Surplus, d.Late, d.Reason)
	}
	fmt.Fprint(w, "\n## What is not modelled\n\n")
	for _, text := range notModelled {
		fmt.Fprintf(w, "- %s\n", text)
	}
	fmt.Fprint(w, "\n## All cases\n\n| case | events | matched | in time | client events | matched | counts |\n|---|---|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		c := row.Figures()
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %s |\n",
			row.Case.ID, c.Events, c.Matched, c.InTime, c.Callbacks, c.Ran, strings.TrimPrefix(row.verdict(), "counts "))
	}
	return nil
}
