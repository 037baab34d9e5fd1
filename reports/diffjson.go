package reports

import (
	"io"
	"time"

	"simulate/diff"
	"simulate/sim/metrics"
	"simulate/sim/trace"
)

// DiffSchema is the id of the form that DiffJSON writes; Schema("diff") describes it.
const DiffSchema = "simulate.diff/1"

// DiffJSON writes what two runs have in common and in what they differ, for programs, in the form of DiffSchema.
func DiffJSON(w io.Writer, r diff.Result) error {
	return encode(w, newDiffJSON(&r))
}

type diffJSON struct {
	Schema  string          `json:"schema"`
	Same    bool            `json:"same"`
	A       sideJSON        `json:"a"`
	B       sideJSON        `json:"b"`
	Parting *partingJSON    `json:"parting"`
	Groups  []groupDiffJSON `json:"groups"`
}

type sideJSON struct {
	Source            string   `json:"source"`
	Changes           []string `json:"changes"`
	Scenario          string   `json:"scenario"`
	Seed              uint64   `json:"seed"`
	Kafka             string   `json:"kafka"`
	Outcome           string   `json:"outcome"`
	DurationMs        millis   `json:"duration_ms"`
	PlannedDurationMs millis   `json:"planned_duration_ms"`
	StuckAfterMs      millis   `json:"stuck_after_ms"`
	TraceDigest       string   `json:"trace_digest"`
}

type partingJSON struct {
	EventsAlike int                `json:"events_alike"`
	A           *observedEventJSON `json:"a"`
	B           *observedEventJSON `json:"b"`
	DifferIn    []string           `json:"differ_in"`
}

type observedEventJSON struct {
	AtMs     millis `json:"at_ms"`
	Kind     string `json:"kind"`
	Sentence string `json:"sentence"`
}

type groupDiffJSON struct {
	Group      string                    `json:"group"`
	In         string                    `json:"in"`
	Numbers    []numberJSON              `json:"numbers"`
	Rebalances []pairJSON[rebalanceJSON] `json:"rebalances"`
	Stuck      []pairJSON[stuckJSON]     `json:"stuck"`
	Evictions  []pairJSON[evictionJSON]  `json:"evictions"`
}

type numberJSON struct {
	Metric     string  `json:"metric"`
	Subject    string  `json:"subject"`
	Argument   *string `json:"argument"`
	Unit       string  `json:"unit"`
	A          any     `json:"a"`
	AProblem   *string `json:"a_problem"`
	B          any     `json:"b"`
	BProblem   *string `json:"b_problem"`
	Difference any     `json:"difference"`
}

type pairJSON[J any] struct {
	A *J `json:"a"`
	B *J `json:"b"`
}

func newDiffJSON(r *diff.Result) diffJSON {
	return diffJSON{
		Schema: DiffSchema, Same: r.Same(), A: newSideJSON(&r.A), B: newSideJSON(&r.B),
		Parting: newPartingJSON(r.Parting), Groups: each(r.Groups, newGroupDiffJSON),
	}
}

func newSideJSON(s *diff.Side) sideJSON {
	return sideJSON{
		Source: s.Name, Changes: each(s.Changes, func(c *string) string { return *c }),
		Scenario: s.Header.Scenario, Seed: s.Header.Seed, Kafka: s.Header.Kafka, Outcome: outcomeOf(s).String(),
		DurationMs: at(s.Summary.To), PlannedDurationMs: millis(s.Header.Duration),
		StuckAfterMs: millis(s.Header.StuckAfter), TraceDigest: s.Digest,
	}
}

// outcomeOf reads how a run ended off its last event.
func outcomeOf(s *diff.Side) Outcome {
	switch s.Cut() {
	case "":
		return Finished
	case "event limit":
		return EventLimit
	}
	return Interrupted
}

func newPartingJSON(p *diff.Parting) *partingJSON {
	if p == nil {
		return nil
	}
	return &partingJSON{p.Alike, newObservedEventJSON(p.A), newObservedEventJSON(p.B), p.DifferIn}
}

func newObservedEventJSON(e *trace.Event) *observedEventJSON {
	if e == nil {
		return nil
	}
	return &observedEventJSON{at(e.At), e.Kind.String(), eventWords(e)}
}

func newGroupDiffJSON(g *diff.Group) groupDiffJSON {
	in := "both"
	switch {
	case !g.InB:
		in = "a"
	case !g.InA:
		in = "b"
	}
	stuck := func(s *metrics.Stuck) stuckJSON { return newStuckJSON(g.Name, s) }
	return groupDiffJSON{
		Group: g.Name, In: in, Numbers: each(g.Numbers, newNumberJSON),
		Rebalances: pairsJSON(g.Rebalances, newRebalanceJSON), Stuck: pairsJSON(g.Stuck, stuck),
		Evictions: pairsJSON(g.Evictions, newEvictionJSON),
	}
}

func pairsJSON[T, J any](pairs []diff.Pair[T], f func(*T) J) []pairJSON[J] {
	one := func(of *T) *J {
		if of == nil {
			return nil
		}
		j := f(of)
		return &j
	}
	return each(pairs, func(p *diff.Pair[T]) pairJSON[J] { return pairJSON[J]{one(p.A), one(p.B)} })
}

var units = map[metrics.Type]string{
	metrics.CountType:        "count",
	metrics.DurationType:     "ms",
	metrics.ShareType:        "share",
	metrics.StateType:        "state",
	metrics.NameType:         "name",
	metrics.PartitionSeconds: "partition-ms",
}

func newNumberJSON(n *diff.Number) numberJSON {
	j := numberJSON{
		Metric: n.Query.Name, Subject: n.Query.Subject, Argument: given(n.Query.Arg), Unit: units[n.Metric.Type],
		A: measuredJSON(n.A), AProblem: given(n.A.Problem), B: measuredJSON(n.B), BProblem: given(n.B.Problem),
	}
	if n.HasChange() {
		j.Difference = valueJSON(n.Change)
	}
	return j
}

// measuredJSON is a number or a string; nil when there is no value.
func measuredJSON(m diff.Measured) any {
	if m.Problem != "" {
		return nil
	}
	return valueJSON(m.Value)
}

func valueJSON(v metrics.Value) any {
	switch v.Type {
	case metrics.DurationType, metrics.PartitionSeconds:
		return signedMillis(v.Duration)
	case metrics.ShareType:
		return v.Share
	case metrics.NumberType:
		return v.Number
	case metrics.StateType, metrics.NameType:
		return v.String()
	}
	return v.Count
}

// signedMillis is a time, or a difference of times, in milliseconds.
type signedMillis time.Duration

// MarshalJSON writes it as millis does, after its sign.
func (m signedMillis) MarshalJSON() ([]byte, error) {
	if m >= 0 {
		return millis(m).MarshalJSON()
	}
	text, err := millis(-m).MarshalJSON()
	return append([]byte{'-'}, text...), err
}
