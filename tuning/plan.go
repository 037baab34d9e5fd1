package tuning

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"simulate/sim/metrics"
	"simulate/sim/offsetslog"
	"simulate/sim/scenario"
)

// Plan is all that is known of a sweep before it runs. It stands at the head of a file of runs, so that merging them needs
// no scenario.
type Plan struct {
	Scenario     string          `json:"scenario"`
	Question     string          `json:"question"`
	Kafka        string          `json:"kafka"`
	Duration     time.Duration   `json:"duration_ns"`
	Seed         uint64          `json:"seed"` // of the first replication
	Design       string          `json:"design"`
	Params       []string        `json:"params"` // their keys
	Points       []Point         `json:"points"`
	Metrics      []PlannedMetric `json:"metrics"`
	Replications int             `json:"replications"` // of each cell, at most
	UntilCI      float64         `json:"until_ci"`     // as Options has it
	Base         int             `json:"base"`         // the cell that differences are to
}

// PlannedMetric is what a Plan has of a scenario.Metric.
type PlannedMetric struct {
	Text       string                   `json:"metric"`
	Type       metrics.Type             `json:"type"`
	Over       scenario.AggregationKind `json:"over"`
	Percentile metrics.Percentile       `json:"percentile"`
}

// over returns what makes one value of those of many replications.
func (m *PlannedMetric) over() scenario.Aggregation {
	return scenario.Aggregation{Kind: m.Over, Percentile: m.Percentile}
}

// The designs.
const (
	GridDesign      = "grid"
	HypercubeDesign = "lhs"
)

// Options say how a study is swept.
type Options struct {
	Design       string // GridDesign, or HypercubeDesign with so many Points
	Points       int
	Replications int      // of each cell, at most
	UntilCI      float64  // a cell stops as soon as its intervals are within this share of its values; 0: never early
	Base         []string // KEY=VALUE of the cell that differences are to; none: the first
	Shard        Shard
	Program      string // what runs it, with its version: runs of two programs do not mix
}

// mostRuns bounds the runs of a sweep.
const mostRuns = 10_000_000

// plan makes the points and the plan.
func (s *Study) plan(o Options) (Plan, error) {
	base := s.Base.Scenario
	p := Plan{
		Scenario: base.Name, Kafka: base.Broker.Kafka, Duration: base.Duration, Seed: uint64(base.Seed),
		Design: o.Design, Replications: o.Replications, UntilCI: o.UntilCI,
	}
	if base.Sweep != nil {
		p.Question = base.Sweep.Question
	}
	p.Params = keys(s.Params)
	for _, m := range s.Metrics {
		p.Metrics = append(p.Metrics, PlannedMetric{m.Text, m.Type, m.Over.Kind, m.Over.Percentile})
	}
	var err error
	if o.Design == HypercubeDesign {
		p.Points = Hypercube(s.Params, o.Points, base.Seed)
	} else if p.Points, err = Grid(s.Params); err != nil {
		return p, err
	}
	if n := len(p.Points) * o.Replications; n > mostRuns {
		return p, fmt.Errorf("%d points with %d replications are %d runs; at most %d are allowed", len(p.Points), o.Replications, n, mostRuns)
	}
	p.Base, err = p.find(o.Base)
	return p, err
}

// makesSense reports whether a plan that was read is one that plan could have made, as far as a report relies on that.
func (p *Plan) makesSense() bool {
	for _, at := range p.Points {
		if len(at) != len(p.Params) {
			return false
		}
	}
	for _, m := range p.Metrics {
		ranked := m.Over != scenario.OfPercentile || m.Percentile > 0 && m.Percentile < metrics.Hundred
		if !ranked || m.Over > scenario.OfPercentile || m.Type > metrics.NumberType {
			return false
		}
	}
	n := len(p.Points)
	return n > 0 && n <= MostPoints && len(p.Params) > 0 && len(p.Metrics) > 0 && p.Base >= 0 && p.Base < n &&
		p.Replications > 0 && p.Replications <= scenario.MostReplications && n*p.Replications <= mostRuns &&
		p.UntilCI >= 0 && p.UntilCI < 1
}

// find returns the first of the points at which parameters have these values, each KEY=VALUE.
func (p *Plan) find(values []string) (int, error) {
	for i, at := range p.Points {
		if all := pairs(p.Params, at); !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(all, v) }) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("--base: no point has %s; the first one is %s", scenario.Brief(strings.Join(values, ", ")), label(p.Params, p.Points[0]))
}

// digests returns what two sweeps have in common that are of one scenario, and that also run the same cells.
func (s *Study) digests(p *Plan, cells []*Cell) (ofScenario, ofCells string) {
	hash := sha256.New()
	resolved := func(s *scenario.Scenario) {
		plain := *s
		plain.Sweep = nil
		hash.Write([]byte(plain.TOML()))
	}
	resolved(s.Base.Scenario)
	log := offsetslog.NewWriter(hash, offsetslog.Header{})
	for _, entry := range s.Base.Scenario.Log {
		log.Write(entry)
	}
	ofScenario = hex.EncodeToString(hash.Sum(nil))
	text, err := json.Marshal(p)
	if err != nil {
		panic("tuning: a plan is no JSON: " + err.Error())
	}
	hash.Write(text)
	for _, c := range cells {
		resolved(c.Loaded.Scenario)
	}
	return ofScenario, hex.EncodeToString(hash.Sum(nil))
}
