package reports

import (
	"cmp"
	"io"

	"simulate/sim/metrics"
)

// RunsSchema is the id of the form that RunsJSON writes; Schema("runs") describes it.
const RunsSchema = "simulate.runs/1"

// RunsJSON writes several replications for programs, in the form of RunsSchema, followed by a line break.
func RunsJSON(w io.Writer, r Runs) error {
	return encode(w, newRunsJSON(&r))
}

type runsJSON struct {
	Schema            string            `json:"schema"`
	Scenario          string            `json:"scenario"`
	Description       string            `json:"description"`
	Seed              uint64            `json:"seed"`
	ShuffleTies       *uint64           `json:"shuffle_ties"`
	Kafka             string            `json:"kafka"`
	Recorded          bool              `json:"recorded"`
	Differences       []string          `json:"differences"`
	Planned           int               `json:"planned"`
	PlannedDurationMs millis            `json:"planned_duration_ms"`
	StuckAfterMs      millis            `json:"stuck_after_ms"`
	Thresholds        object[string]    `json:"anomaly_thresholds"`
	Runs              []endedRunJSON    `json:"runs"`
	Groups            []groupSpreadJSON `json:"groups"`
	Expectations      []expectationJSON `json:"expectations"`
	Warnings          []string          `json:"warnings"`
	NotModelled       []string          `json:"not_modelled"`
}

type endedRunJSON struct {
	Seed       uint64 `json:"seed"`
	Outcome    string `json:"outcome"`
	DurationMs millis `json:"duration_ms"`
	Digest     string `json:"trace_digest"`
}

type groupSpreadJSON struct {
	Group   string       `json:"group"`
	Metrics []spreadJSON `json:"metrics"`
}

type spreadJSON struct {
	Metric   string  `json:"metric"`
	Argument *string `json:"argument"`
	Unit     string  `json:"unit"`
	Runs     int     `json:"runs"`
	Mean     any     `json:"mean"`
	Min      any     `json:"min"`
	P50      any     `json:"p50"`
	P95      any     `json:"p95"`
	Max      any     `json:"max"`
}

func newRunsJSON(r *Runs) runsJSON {
	s := &r.Scenario
	return runsJSON{
		Schema: RunsSchema, Scenario: s.Name, Description: s.Description, Seed: s.Seed, ShuffleTies: numbered(r.ShuffleTies),
		Kafka: s.Kafka, Recorded: s.Kafka == "4", Differences: each(s.Differences, itself),
		Planned: r.Planned, PlannedDurationMs: millis(s.Duration), StuckAfterMs: millis(s.StuckAfter),
		Thresholds: thresholdsJSON(r.Thresholds),
		Runs: each(r.Runs, func(run *Run) endedRunJSON {
			return endedRunJSON{run.Seed, run.Outcome.String(), at(run.At), run.Digest}
		}),
		Groups: each(r.Groups, func(g *GroupSpread) groupSpreadJSON {
			return groupSpreadJSON{g.Group, each(g.Metrics, newSpreadJSON)}
		}),
		Expectations: each(r.Expectations, newExpectationJSON),
		Warnings:     each(r.Warnings, itself), NotModelled: each(r.NotModelled, itself),
	}
}

func newSpreadJSON(s *Spread) spreadJSON {
	j := spreadJSON{Metric: s.Query.Name, Argument: given(s.Query.Arg), Unit: units[s.Type], Runs: s.Runs}
	if s.Runs > 0 {
		j.Mean, j.Min, j.P50, j.P95, j.Max = valueJSON(s.Mean), valueJSON(s.Min), valueJSON(s.P50), valueJSON(s.P95), valueJSON(s.Max)
	}
	return j
}

func thresholdsJSON(t metrics.Thresholds) object[string] {
	t = cmp.Or(t, metrics.Defaults())
	return each(t.Each(), func(t *metrics.Threshold) entry[string] { return entry[string]{t.Name, t.Value()} })
}

func itself(s *string) string { return *s }
