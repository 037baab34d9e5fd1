package fidelity

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"simulate/internal/align"
)

// How far a span or an instant may be off. Repetitions of one recorded experiment agree within 150 ms on only four
// spans in five. With other clients than Java's it is more, or as much more as the broker was slow.
const (
	tolerance         = 250 * time.Millisecond
	toleranceOfOthers = 300 * time.Millisecond
	noisyMs           = 20 // a broker that answered one heartbeat in twenty later than that was slow
)

// Allowance is how far a simulation may be off and still agree with a recording.
type Allowance struct {
	Time  time.Duration // of a span or an instant
	Count int           // of rebalances, join phases and generations
}

// Comparison says how well a simulated run agrees with a recorded one.
type Comparison struct {
	Lines     []Line
	Wrong     []string // the counts that are wrong: "rebalances 3 (recorded 2)"
	Callbacks []CallbackLine
}

// Line is one event of a comparison; one side is nil where it happened on the other only.
type Line struct {
	Observed, Simulated *Moment
	Swapped             bool // happened in another order
	Close               bool // span or instant is within what is allowed
	InTime              bool // that, or in a range
	Drawn               bool // in time because it lies in the range of what is drawn
}

// Moment is an event and the time since the event before it on the same side.
type Moment struct {
	Event
	Span time.Duration
}

// CallbackLine is one callback of a comparison. They are figures of their own.
type CallbackLine struct {
	Observed, Simulated *Callback
	Swapped             bool
}

// Matched reports whether the event happened on both sides.
func (l Line) Matched() bool { return l.Observed != nil && l.Simulated != nil }

// Matched reports whether the callback ran on both sides.
func (l CallbackLine) Matched() bool { return l.Observed != nil && l.Simulated != nil }

// Compare compares a simulated run with a recorded one. Repetitions are all recordings of the same
// experiment, o among them.
func Compare(o *Observed, repetitions []*Observed, simulated Timeline) Comparison {
	events := settled(simulated.Events, o.Kinds, o.End)
	c := Comparison{Wrong: wrongCounts(o, repetitions, simulated.Counts)}
	c.Lines = compareEvents(o.Events, events, o.Allowed.Time, rangesOf(repetitions))
	c.Callbacks = compareCallbacks(o.Callbacks, o.heard(simulated.Callbacks))
	return c
}

func compareEvents(observed, simulated []Event, allowed time.Duration, known ranges) []Line {
	wasAdded, isAdded := additions(observed), additions(simulated)
	lines := align.Align(align.Sides{
		Left: len(observed), Right: len(simulated),
		Same: func(l, r int) bool {
			o, s := observed[l], simulated[r]
			return o.Key == s.Key && (o.Leader == s.Leader || wasAdded[l] != isAdded[r])
		},
		Apart: func(l, r int) time.Duration { return (observed[l].At - simulated[r].At).Abs() },
	})
	were, are, keys := spans(observed), spans(simulated), spanKeys(simulated)
	all := make([]Line, len(lines))
	for i, p := range lines {
		line := &all[i]
		line.Swapped = p.Swapped
		if p.Left >= 0 {
			line.Observed = &Moment{observed[p.Left], were[p.Left]}
		}
		if p.Right >= 0 {
			line.Simulated = &Moment{simulated[p.Right], are[p.Right]}
		}
		line.Close = line.Matched() && line.within(allowed)
		line.InTime = line.Close || line.Matched() && known.contain(keys[p.Right], are[p.Right])
	}
	return all
}

// within reports whether span or instant is off by no more than is allowed. Both count, because after one late
// event the span to the next action is off as well.
func (l Line) within(allowed time.Duration) bool {
	return (l.Observed.Span-l.Simulated.Span).Abs() <= allowed ||
		(l.Observed.At-l.Simulated.At).Abs() <= allowed
}

// additions returns for each event which members were added until then, in order: it decides who leads,
// so leaders are compared only where it is the same.
func additions(events []Event) []string {
	all := make([]string, len(events))
	var sofar strings.Builder
	for i, e := range events {
		if e.Kind == memberAdded {
			sofar.WriteString(e.Member + " ")
		}
		all[i] = sofar.String()
	}
	return all
}

// compareCallbacks compares process by process, for what runs in different processes has no order.
func compareCallbacks(observed, simulated []Callback) []CallbackLine {
	observed, simulated = byProcess(observed), byProcess(simulated)
	lines := align.Align(align.Sides{
		Left: len(observed), Right: len(simulated),
		Same: func(l, r int) bool {
			o, s := observed[l], simulated[r]
			return o.Who == s.Who && o.Kind == s.Kind && o.Partitions == s.Partitions
		},
		Apart: func(l, r int) time.Duration { return (observed[l].At - simulated[r].At).Abs() },
	})
	all := make([]CallbackLine, len(lines))
	for i, p := range lines {
		all[i].Swapped = p.Swapped
		if p.Left >= 0 {
			all[i].Observed = &observed[p.Left]
		}
		if p.Right >= 0 {
			all[i].Simulated = &simulated[p.Right]
		}
	}
	return all
}

func byProcess(callbacks []Callback) []Callback {
	sorted := slices.Clone(callbacks)
	slices.SortStableFunc(sorted, func(a, b Callback) int { return strings.Compare(a.Who, b.Who) })
	return sorted
}

// wrongCounts names the counts that are not as recorded, nor between the repetitions, nor as far off as allowed.
func wrongCounts(observed *Observed, repetitions []*Observed, simulated Counts) []string {
	var wrong []string
	number := func(name string, of func(Counts) int) {
		low, high := of(observed.Counts), of(observed.Counts)
		for _, r := range repetitions {
			low, high = min(low, of(r.Counts)), max(high, of(r.Counts))
		}
		if got := of(simulated); got < low-observed.Allowed.Count || got > high+observed.Allowed.Count {
			wrong = append(wrong, wrongCount(name, got, of(observed.Counts)))
		}
	}
	number("rebalances", func(c Counts) int { return c.Rebalances })
	number("joined", func(c Counts) int { return c.Joined })
	number("generation", func(c Counts) int { return c.Generation })
	ended := func(r *Observed) bool { return r.Counts.State == simulated.State }
	if simulated.State != observed.Counts.State && !slices.ContainsFunc(repetitions, ended) {
		wrong = append(wrong, wrongCount("state", simulated.State, observed.Counts.State))
	}
	return wrong
}

func wrongCount(name string, got, recorded any) string {
	return fmt.Sprintf("%s %v (recorded %v)", name, got, recorded)
}
