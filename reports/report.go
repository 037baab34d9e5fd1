// Package reports renders finished runs. Each renderer is one file and only formats: every number comes
// from metrics, every event from the trace.
//
// Text is for people, at 80 columns, and makes sense read aloud to somebody who has not read the manual.
// JSON is for programs; its schema is published by Schema. BrokerLog is the run as a Kafka 4 broker would
// have logged it; TimelineText, MermaidStates, MermaidRebalance, Perfetto, OpenMetrics and RunPlots show its course, which
// check.Course adds to the report. RunsText and RunsJSON report over replications, Explain and Diff over causes and differences.
//
// What a check of many files came to is a Checked: CheckText, CheckJSON, CheckTAP, CheckJUnit, CheckAnnotations and
// CheckSummary write it, and functions that begin with Lint what lint found. Names from files are hostile: what they
// hold is inert on a terminal, and in what a CI system shows also in its log and in Markdown.
//
//	report := reports.Report{Scenario: header, At: result.At, Digest: digest.Sum(), Summary: summary}
//	err := reports.Text(os.Stdout, report, reports.TextOptions{})
package reports

import (
	"fmt"
	"slices"
	"time"

	"simulate/explain"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
	"simulate/timeline"
)

// Report is everything that is known of one run.
type Report struct {
	Scenario     Scenario
	Outcome      Outcome
	At           clock.Time // the last instant that was simulated
	Digest       string     // of the trace
	Summary      metrics.Summary
	Thresholds   metrics.Thresholds // of the anomalies in the Summary; zero: metrics.Defaults()
	Expectations []Expectation
	Replicated   Replicated // the runs in which the expectations were judged, unless this is the only one
	ShuffleTies  uint64     // the seed that decided the order of equal instants; 0: nothing did
	Races        []Race     // expectations that another order of equal instants decides otherwise
	RacesFail    bool       // whether these count as failures
	RacesCut     bool       // the user did not wait for all orders that were to be tried
	Warnings     []string   // of the scenario; those of the run are in the Summary
	NotModelled  []string   // what Kafka has and this run has not
	Advice       *Advice    // nil when nothing was tried

	// What Text and JSON do without: check.Course adds it.

	Events   []trace.Event
	Chains   []explain.Group // why the groups rebalanced
	Timeline timeline.Timeline
	Curves   []metrics.Curves         // of the groups, sorted by name
	Clients  []*metrics.ClientCurves  // of the Java consumers
	Names    map[wire.MemberID]string // the processes behind members; "" for one without
}

// Scenario is what a report says about its input.
type Scenario struct {
	Name              string
	Description       string
	Seed              uint64
	Kafka             string        // behaviour of the coordinator: "4", which recordings prove, or "3"
	Differences       []string      // in what the coordinator is not the recorded one, "VD-5 leave-one-by-one"; none for "4"
	Duration          time.Duration // as planned
	StuckAfter        time.Duration
	OffsetsPartitions int // offsets.topic.num.partitions; 0 means 50
}

// Outcome says how the run ended.
type Outcome uint8

// The outcomes.
const (
	Finished    Outcome = iota
	Interrupted         // by the user; everything up to At is true
	EventLimit          // the run made more events than any honest scenario; everything up to At is true
)

var outcomes = [...]string{"finished", "interrupted", "event-limit"}

func (o Outcome) String() string { return outcomes[o] }

// Expectation is one comparison of the scenario and how it came out.
type Expectation struct {
	That    string // as written, with "at" or "from" and "to" where they are given
	Pass    bool
	Got     string // the value
	Short   string // Got to the millisecond, for people; "" when it says enough or would mislead
	Problem string // why there is no value; "" when there is one
	Line    int    // in the scenario file, 0 when unknown

	Replications int    // in how many runs it was judged; 0 and 1: once, for an aggregation over all of them
	FailedIn     int    // of these
	Seed         uint64 // of the first run in which it failed, if FailedIn > 0; of an aggregation: of a run that shows why

	Snapshot    bool         // its value is one that "check --update" writes
	Responsible *Responsible // what it failed by; nil when it holds, or when nobody looked
}

// Race is an expectation whose outcome hangs on the order of equal instants.
type Race struct {
	That        string // as Expectation has it
	Line        int
	ShuffleSeed uint64 // of the first order in which it comes out otherwise than in that of a run without a shuffle
	Pass        bool   // whether it holds in that order
	Got         string // the value in that order, or why there is none
	Unshuffled  string // the value, or why there is none, without a shuffle
}

// Replicated is about the runs that a scenario stands for, the first included.
type Replicated struct {
	Planned int
	Ended   int  // how many of them were not interrupted
	Spins   *Run // the first one that reached the event limit, nil when none did
}

// Cut reports whether the user did not wait for all runs.
func (r *Replicated) Cut() bool { return r.Ended < r.Planned }

// Failed counts the expectations that do not hold.
func (r *Report) Failed() int { return failed(r.Expectations) }

func failed(all []Expectation) int {
	n := 0
	for _, e := range all {
		if !e.Pass {
			n++
		}
	}
	return n
}

// Fails reports whether an expectation does not hold, or one hangs on the order of equal instants where that counts.
func (r *Report) Fails() bool { return r.Failed() > 0 || r.RacesFail && len(r.Races) > 0 }

// cutShort is what a title says of a run that ended early, "" for one that did not.
func (r *Report) cutShort() string {
	if r.Outcome == Finished {
		return ""
	}
	return fmt.Sprintf(" (the run was cut short, %v, at %s)", r.Outcome, instant(r.At))
}

// allWarnings lists the warnings of the scenario and then those of the run, with their instants.
func (r *Report) allWarnings() []string {
	all := slices.Clone(r.Warnings)
	for _, w := range r.Summary.Warnings {
		all = append(all, "at "+instant(w.At)+": "+w.Text)
	}
	return all
}
