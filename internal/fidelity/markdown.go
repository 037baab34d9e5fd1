package fidelity

import (
	"fmt"
	"io"
	"strings"
)

// notModelled is what no case can agree in, because the simulator has nothing of it.
var notModelled = []string{
	"Records of the Java recordings, whose topics hold none: poll() returns at its time-out, and of Fetch only the rhythm counts.",
	"The load of the machine, but for its two cores, on which consumers and brokers queue for what they do in a rebalance. " +
		"A JVM that takes 0.3 s instead of 0.03 s for its first SyncGroup is noise.",
	"Garbage collection of brokers and consumers, unless an action pauses them.",
	"The newer consumer protocol (KIP-848): its cases are skipped.",
}

// WriteMarkdown writes the page docs/fidelity.md.
func (r Report) WriteMarkdown(w io.Writer) error {
	differences, err := Differences()
	if err != nil {
		return err
	}
	fmt.Fprint(w, `# How well whole timelines agree with reality

Real consumers, Java's and those of other libraries, and a real broker (Apache Kafka 4.4.0) were recorded under faults.
Each recording is a case: from what was given (broker, topics, members, member ids, actions) a scenario is built, run,
and compared with what the broker's log and the applications' callbacks tell. One set of constants serves all cases,
but for the delays of the machine, which was slower where JVMs ran. This page is written by `+"`make docs`"+`; the terms are
those of the package documentation of internal/fidelity.

| cases | number | recorded events | matched | in time | these and surplus ones | matched | in time | first seed: matched | in time | wrong counts | client events | matched |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
`)
	for _, s := range r.summaries() {
		f, first, name := s.figures, s.first, s.name
		if s.inPart {
			name = "– " + name
		}
		fmt.Fprintf(w, "| %s | %d | %d | %s | %s | %d | %s | %s | %s | %s | %d | %d | %s |\n", name, f.Cases,
			f.Recorded(), percent(f.Matched, f.Recorded()), percent(f.InTime, f.Recorded()),
			f.Events, percent(f.Matched, f.Events), percent(f.InTime, f.Events),
			percent(first.Matched, first.Events), percent(first.InTime, first.Events), f.Wrong, f.Callbacks, percent(f.Ran, f.Callbacks))
	}
	fmt.Fprintf(w, `
Surplus events are simulated ones that were not recorded. Client events are callbacks: assigned, revoked, lost with
their partitions, surplus ones included; kafkajs has no callback when it gives partitions up, and kafka-go none at all.

A case has wrong counts when its number of rebalances, of join phases that ended, its last generation or its last
state neither equals the recording nor lies between its repetitions. Where the broker was slow (95 %% of its answers
to heartbeats took up to more than %d ms) a number may be off by one.

An event is matched when it happens on both sides in the same order. It is in time when its span or its instant is
within %d ms, or within the range of the repetitions of the experiment, or within that of what is drawn over %d
seeds. With other clients than Java's that is %d ms, or three times as long as 95 %% of the broker's answers took.
Where two recordings of one experiment took two courses, a race, the first seed takes one of them and the other one
counts as right if it occurs under another seed; the table names that seed. Of the other clients there is one recording
of each experiment: its course counts as right if it occurs under one of the seeds.

## What differs

| case | missed | surplus | late | why |
|---|---|---|---|---|
`, noisyMs, tolerance.Milliseconds(), otherSeeds+1, toleranceOfOthers.Milliseconds())
	for _, d := range differences {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %s |\n", d.ID, d.Missed, d.Surplus, d.Late, d.Reason)
	}
	fmt.Fprint(w, "\n## What is not modelled\n\n")
	for _, text := range notModelled {
		fmt.Fprintf(w, "- %s\n", text)
	}
	r.writeCases(w)
	return nil
}

// writeCases writes a line for each case.
func (r Report) writeCases(w io.Writer) {
	fmt.Fprint(w, "\n## All cases\n\n| case | events | matched | in time | client events | matched | counts |\n|---|---|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		c := row.Figures()
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %s |\n",
			row.Case.ID, c.Events, c.Matched, c.InTime, c.Callbacks, c.Ran, strings.TrimPrefix(row.verdict(), "counts "))
	}
}
