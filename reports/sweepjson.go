package reports

import "io"

// SweepSchema is the id of the form that SweepJSON writes; Schema("sweep") describes it.
const SweepSchema = "simulate.sweep/1"

// SweepJSON writes a sweep for programs, in the form of SweepSchema, followed by a line break.
func SweepJSON(w io.Writer, s Sweep) error { return encode(w, newSweepJSON(&s)) }

type sweepJSON struct {
	Schema            string            `json:"schema"`
	Scenario          string            `json:"scenario"`
	Question          *string           `json:"question"`
	Seed              uint64            `json:"seed"`
	Kafka             string            `json:"kafka"`
	PlannedDurationMs millis            `json:"planned_duration_ms"`
	Design            string            `json:"design"`
	Params            []string          `json:"params"`
	Metrics           []sweptMetricJSON `json:"metrics"`
	Replications      int               `json:"replications"`
	UntilCI           *rounded          `json:"until_ci"`
	BaseCell          int               `json:"base_cell"`
	PlannedRuns       int               `json:"planned_runs"`
	Runs              int               `json:"runs"`
	Interrupted       bool              `json:"interrupted"`
	Cells             []sweepCellJSON   `json:"cells"`
}

type sweptMetricJSON struct {
	Metric string `json:"metric"`
	Unit   string `json:"unit"`
}

type sweepCellJSON struct {
	Cell    int            `json:"cell"`
	Values  []string       `json:"values"`
	Runs    int            `json:"runs"`
	Metrics []estimateJSON `json:"metrics"`
}

type estimateJSON struct {
	Metric     string          `json:"metric"`
	Values     int             `json:"values"`
	Value      *rounded        `json:"value"`
	Low        *rounded        `json:"low"`
	High       *rounded        `json:"high"`
	Mean       *rounded        `json:"mean"`
	Min        *rounded        `json:"min"`
	P50        *rounded        `json:"p50"`
	P95        *rounded        `json:"p95"`
	Max        *rounded        `json:"max"`
	Difference *differenceJSON `json:"difference"`
}

type differenceJSON struct {
	Pairs int      `json:"pairs"`
	Value rounded  `json:"value"`
	Low   *rounded `json:"low"`
	High  *rounded `json:"high"`
}

func newSweepJSON(s *Sweep) sweepJSON {
	j := sweepJSON{
		Schema: SweepSchema, Scenario: s.Scenario, Question: given(s.Question), Seed: s.Seed, Kafka: s.Kafka,
		PlannedDurationMs: millis(s.Duration), Design: s.Design, Params: s.Params, Replications: s.Replications,
		BaseCell: s.Base + 1, PlannedRuns: s.Planned, Runs: s.Done, Interrupted: s.Cut(),
		Metrics: each(s.Metrics, func(m *SweepMetric) sweptMetricJSON { return sweptMetricJSON{m.Text, units[m.Type]} }),
	}
	if s.UntilCI > 0 {
		j.UntilCI = there(s.UntilCI)
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		cell := sweepCellJSON{Cell: i + 1, Values: c.Values, Runs: c.Runs}
		for m := range c.Metrics {
			cell.Metrics = append(cell.Metrics, newEstimateJSON(s.Metrics[m].Text, &c.Metrics[m]))
		}
		j.Cells = append(j.Cells, cell)
	}
	return j
}

func newEstimateJSON(metric string, e *Estimate) estimateJSON {
	j := estimateJSON{Metric: metric, Values: e.Runs}
	if e.Runs > 0 {
		j.Value, j.Mean, j.Min, j.P50, j.P95, j.Max = there(e.Value), there(e.Mean), there(e.Min), there(e.P50), there(e.P95), there(e.Max)
		j.Low, j.High = e.Interval.ends()
	}
	if d := e.Difference; d != nil {
		low, high := d.Interval.ends()
		j.Difference = &differenceJSON{d.Pairs, rounded(d.Value), low, high}
	}
	return j
}

func there(x float64) *rounded { return (*rounded)(&x) }

// ends are null where there is no interval.
func (i *Interval) ends() (low, high *rounded) {
	if i == nil {
		return nil, nil
	}
	return there(i.Low), there(i.High)
}
