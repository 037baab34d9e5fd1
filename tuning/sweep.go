package tuning

import (
	"context"
	"math"

	"simulate/reports"
)

// Sweep is a plan and the runs that there are of it.
type Sweep struct {
	Head
	study *Study     // nil of what was merged
	cells []*Cell    // by point
	runs  [][]Values // by point and replication; nil: not yet
}

// batch is how many replications a sweep that stops early adds to a cell at a time.
const batch = 10

// New plans a sweep. The error says which options make no sense, or which points the scenario refuses.
func (s *Study) New(o Options) (*Sweep, error) {
	plan, err := s.plan(o)
	if err != nil {
		return nil, err
	}
	cells, err := s.Cells(plan.Points)
	if err != nil {
		return nil, err
	}
	sweep := &Sweep{Head: Head{Schema: RunsSchema, Program: o.Program, Shard: o.Shard, Plan: plan}, study: s, cells: cells}
	sweep.ScenarioDigest, sweep.CellsDigest = s.digests(&plan, cells)
	sweep.noRuns()
	return sweep, nil
}

func (s *Sweep) noRuns() {
	s.runs = make([][]Values, len(s.Plan.Points))
	for i := range s.runs {
		s.runs[i] = make([]Values, s.Plan.Replications)
	}
}

// Run is one replication of a cell, both numbered from 0, and what its metrics came to.
type Run struct {
	Cell        int    `json:"cell"`
	Replication int    `json:"replication"`
	Values      Values `json:"values"`
}

// Run does the runs of the shard that there are not yet, as many at once as parallel says, and calls done with each, one
// after the other. The error is that of ctx or of done, or a *BrokenError; the runs before it count.
func (s *Sweep) Run(ctx context.Context, parallel int, done func(Run) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	for due := s.due(); len(due) > 0; due = s.due() {
		jobs := make([]Job, len(due))
		for i, r := range due {
			jobs[i] = Job{s.cells[r.Cell], r.Replication}
		}
		err := s.study.Evaluate(ctx, jobs, parallel, func(i int, v Values) {
			r := Run{due[i].Cell, due[i].Replication, v}
			s.runs[r.Cell][r.Replication] = v
			if err := done(r); err != nil {
				stop(err)
			}
		})
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// due lists the runs of the shard that are to be next, replication by replication, so that what is interrupted is about
// all cells.
func (s *Sweep) due() []Run {
	needed, most := make([]int, len(s.runs)), 0
	for i := range s.runs {
		needed[i] = s.needed(i)
		most = max(most, needed[i])
	}
	var all []Run
	for r := range most {
		for i := range s.runs {
			if r < needed[i] && s.runs[i][r] == nil && s.owns(i, r) {
				all = append(all, Run{Cell: i, Replication: r})
			}
		}
	}
	return all
}

// needed returns how many replications a cell is to have, as far as those that it has tell. With UntilCI it is the least
// number of batches after which all intervals are narrow; what other runs there are, and in which order they came, does
// not count.
func (s *Sweep) needed(cell int) int {
	if s.Plan.UntilCI == 0 {
		return s.Plan.Replications
	}
	n := min(batch, s.Plan.Replications)
	for n < s.Plan.Replications && s.done(cell, n) == n && !s.narrow(cell, n) {
		n = min(n+batch, s.Plan.Replications)
	}
	return n
}

// done counts the runs that there are among the first n replications of a cell.
func (s *Sweep) done(cell, n int) int {
	count := 0
	for _, v := range s.runs[cell][:n] {
		if v != nil {
			count++
		}
	}
	return count
}

// narrow reports whether the first n replications of a cell tell all metrics well enough. Those without an interval, and
// those that no run has, have no say.
func (s *Sweep) narrow(cell, n int) bool {
	for i := range s.Plan.Metrics {
		over := s.Plan.Metrics[i].over()
		x := valued(s.sample(cell, i)[:n])
		if len(x) == 0 || !hasInterval(over) {
			continue
		}
		if v, interval := value(over, x); !Narrow(v, interval, s.Plan.UntilCI) {
			return false
		}
	}
	return true
}

// sample returns what a metric came to in the replications of a cell; NaN where there is nothing.
func (s *Sweep) sample(cell, metric int) []float64 {
	sample := make([]float64, len(s.runs[cell]))
	for r, v := range s.runs[cell] {
		sample[r] = math.NaN()
		if v != nil {
			sample[r] = v[metric]
		}
	}
	return sample
}

// Progress returns how many runs of the shard there are, and how many there are to be as far as is known: the most when
// cells may stop early.
func (s *Sweep) Progress() (done, planned int) {
	for i := range s.runs {
		for r, v := range s.runs[i] {
			if s.owns(i, r) {
				planned++
				if v != nil {
					done++
				}
			}
		}
	}
	return done, planned
}

// Report says what the runs came to.
func (s *Sweep) Report() reports.Sweep {
	p := &s.Plan
	r := reports.Sweep{
		Scenario: p.Scenario, Question: p.Question, Seed: p.Seed, Kafka: p.Kafka, Duration: p.Duration, Design: p.Design,
		Params: p.Params, Replications: p.Replications, UntilCI: p.UntilCI, Base: p.Base,
	}
	for _, m := range p.Metrics {
		r.Metrics = append(r.Metrics, reports.SweepMetric{Text: m.Text, Type: m.Type})
	}
	for i, at := range p.Points {
		c := reports.SweepCell{Values: at, Runs: s.done(i, p.Replications)}
		for m := range p.Metrics {
			c.Metrics = append(c.Metrics, s.estimate(i, m))
		}
		r.Cells = append(r.Cells, c)
		r.Done += c.Runs
		r.Planned += s.needed(i)
	}
	return r
}

func (s *Sweep) estimate(cell, metric int) reports.Estimate {
	over, sample := s.Plan.Metrics[metric].over(), s.sample(cell, metric)
	e := Estimate(over, sample)
	if base := s.Plan.Base; cell != base {
		e.Difference = Differ(over, sample, s.sample(base, metric))
	}
	return e
}
