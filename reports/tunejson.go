package reports

import "io"

// TuneSchema is the id of the form that TuneJSON writes; Schema("tune") describes it.
const TuneSchema = "simulate.tune/1"

// TuneJSON writes what a search for settings found for programs, in the form of TuneSchema, followed by a line break.
func TuneJSON(w io.Writer, t Tune) error { return encode(w, newTuneJSON(&t)) }

type tuneJSON struct {
	Schema            string          `json:"schema"`
	Scenario          string          `json:"scenario"`
	Question          *string         `json:"question"`
	Seed              uint64          `json:"seed"`
	Kafka             string          `json:"kafka"`
	PlannedDurationMs millis          `json:"planned_duration_ms"`
	Objective         sweptMetricJSON `json:"objective"`
	Limits            []tuneLimitOf   `json:"limits"`
	Params            []tuneParamJSON `json:"params"`
	Settings          int             `json:"settings"`
	Sampled           bool            `json:"sampled"`
	Refused           int             `json:"refused"`
	RefusedBecause    *string         `json:"refused_because"`
	Replications      int             `json:"replications"`
	Budget            int             `json:"budget"`
	Runs              int             `json:"runs"`
	ExhaustiveRuns    int             `json:"exhaustive_runs"`
	Interrupted       bool            `json:"interrupted"`
	Met               bool            `json:"met"`
	Best              *tuneCellJSON   `json:"best"`
	Present           *tuneCellJSON   `json:"present"`
	Defaults          *tuneCellJSON   `json:"defaults"`
	Nearest           *tuneCellJSON   `json:"nearest_to_defaults"`
	AsGood            int             `json:"as_good"`
	Back              []tuneStepJSON  `json:"back"`
	Beside            []tuneStepJSON  `json:"beside"`
	Curve             []tunePointJSON `json:"curve"`
}

type tuneLimitOf struct {
	Expectation string `json:"expectation"`
	Unit        string `json:"unit"`
}

type tuneParamJSON struct {
	Key     string   `json:"key"`
	Values  []string `json:"values"`
	Present string   `json:"present"`
	Default string   `json:"default"`
}

type tuneCellJSON struct {
	Values    []string        `json:"values"`
	Runs      int             `json:"runs"`
	Objective estimateJSON    `json:"objective"`
	PerDay    *rounded        `json:"objective_per_day"`
	Limits    []tuneLimitJSON `json:"limits"`
}

type tuneLimitJSON struct {
	Value *rounded `json:"value"`
	Low   *rounded `json:"low"`
	High  *rounded `json:"high"`
	Holds bool     `json:"holds"`
}

type tuneStepJSON struct {
	Key            string        `json:"key"`
	Value          string        `json:"value"`
	RefusedBecause *string       `json:"refused_because"`
	Cell           *tuneCellJSON `json:"cell"`
}

type tunePointJSON struct {
	Cell           tuneCellJSON `json:"cell"`
	Best           bool         `json:"best"`
	Front          bool         `json:"front"`
	DetectionMs    rounded      `json:"detection_ms"`
	FalseEvictions rounded      `json:"false_evictions_per_day"`
}

func newTuneJSON(t *Tune) tuneJSON {
	steps := func(s *TuneStep) tuneStepJSON {
		return tuneStepJSON{t.Params[s.Param].Key, s.Value, given(s.Why), t.cellJSON(s.Cell)}
	}
	return tuneJSON{
		Schema: TuneSchema, Scenario: t.Scenario, Question: given(t.Question), Seed: t.Seed, Kafka: t.Kafka,
		PlannedDurationMs: millis(t.Duration), Objective: sweptMetricJSON{t.Objective.Text, units[t.Objective.Type]},
		Limits:   each(t.Limits, func(m *TuneMetric) tuneLimitOf { return tuneLimitOf{m.Text, units[m.Type]} }),
		Params:   each(t.Params, func(p *TuneParam) tuneParamJSON { return tuneParamJSON{p.Key, p.Values, p.Present, p.Default} }),
		Settings: t.Settings, Sampled: t.Sampled, Refused: t.Refused, RefusedBecause: given(t.RefusedBecause),
		Replications: t.Replications, Budget: t.Budget, Runs: t.Runs, ExhaustiveRuns: t.Exhaustive, Interrupted: t.Cut, Met: t.Met,
		Best: t.cellJSON(t.Best), Present: t.cellJSON(t.Present), Defaults: t.cellJSON(t.Defaults), Nearest: t.cellJSON(t.Nearest),
		AsGood: t.AsGood, Back: each(t.Back, steps), Beside: each(t.Beside, steps),
		Curve: each(t.Curve, func(p *TunePoint) tunePointJSON {
			return tunePointJSON{*t.cellJSON(&p.Cell), p.Best, p.Front, rounded(p.Detection), rounded(p.FalseEvictions)}
		}),
	}
}

// cellJSON is nil where there is no cell.
func (t *Tune) cellJSON(c *TuneCell) *tuneCellJSON {
	if c == nil {
		return nil
	}
	j := &tuneCellJSON{Values: c.Values, Runs: c.Runs, Objective: newEstimateJSON(t.Objective.Text, &c.Objective)}
	if t.Objective.Adds && c.Objective.Runs > 0 {
		j.PerDay = there(t.scaled(c.Objective.Value))
	}
	j.Limits = each(c.Limits, func(l *TuneLimit) tuneLimitJSON {
		low, high := l.Interval.ends()
		return tuneLimitJSON{(*rounded)(l.Value), low, high, l.Holds}
	})
	return j
}
