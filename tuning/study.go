package tuning

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"

	"simulate/check"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// Study is a scenario, what is varied in it, and what is measured.
type Study struct {
	Base    check.Loaded                                     // without any change
	Load    func(...scenario.Override) (check.Loaded, error) // reads it again with changes
	Params  []Param
	Metrics []scenario.Metric
}

// Metrics returns what a scenario's [sweep] measures; without that, what a rebalance costs each group.
func Metrics(s *scenario.Scenario) []scenario.Metric {
	if s.Sweep != nil && len(s.Sweep.Metrics) > 0 {
		return s.Sweep.Metrics
	}
	var all []scenario.Metric
	for _, group := range s.Groups() {
		for _, name := range []string{"rebalances", "evictions", "stopped", "unassigned"} {
			d, _ := metrics.Find(name)
			q := metrics.Query{Name: name, Subject: group}
			all = append(all, scenario.Metric{Text: q.String(), Query: q, Type: d.Type})
		}
	}
	return all
}

// Cell is a point that is put into the scenario of a study.
type Cell struct {
	Point   Point
	Loaded  check.Loaded
	queries []metrics.Query
}

// Cell puts a point into the scenario, where "" leaves a parameter as it is. The error is what the scenario has against it, a *scenario.Errors as a rule.
func (s *Study) Cell(at Point) (*Cell, error) {
	var changes []scenario.Override
	for i := range s.Params {
		if at[i] == "" { // it stays as it is
			continue
		}
		more, err := s.Params[i].set(at[i])
		if err != nil {
			return nil, err
		}
		changes = append(changes, more...)
	}
	loaded, err := s.Load(changes...)
	if err != nil {
		return nil, err
	}
	return s.cell(at, loaded), nil
}

func (s *Study) cell(at Point, loaded check.Loaded) *Cell {
	c := &Cell{Point: at, Loaded: loaded}
	for _, m := range s.Metrics {
		c.queries = append(c.queries, m.Query)
	}
	return c
}

// Cells puts all points into the scenario. When some are refused, the error has each reason once, with the first of the
// points that it is true of.
func (s *Study) Cells(points []Point) ([]*Cell, error) {
	cells, problems := make([]*Cell, len(points)), make([]error, len(points))
	var loading errgroup.Group
	loading.SetLimit(runtime.GOMAXPROCS(0))
	for i, at := range points {
		loading.Go(func() error {
			cells[i], problems[i] = s.Cell(at)
			return nil
		})
	}
	loading.Wait()
	return cells, s.refused(points, problems)
}

// refused makes one error of what the scenario has against points.
func (s *Study) refused(points []Point, problems []error) error {
	count, first := map[scenario.Mistake]int{}, map[scenario.Mistake]int{}
	var mistakes []scenario.Mistake
	for i, err := range problems {
		var wrong *scenario.Errors
		switch {
		case err == nil:
			continue
		case !errors.As(err, &wrong):
			return err
		}
		for _, m := range wrong.Mistakes {
			if count[m]++; count[m] == 1 {
				first[m], mistakes = i, append(mistakes, m)
			}
		}
	}
	if mistakes == nil {
		return nil
	}
	for i, m := range mistakes {
		where := Label(s.Params, points[first[m]])
		if n := count[m] - 1; n > 0 {
			where += fmt.Sprintf(", and at %d more of the %d points", n, len(points))
		}
		mistakes[i].Text += " (at " + where + ")"
	}
	return scenario.NewErrors(s.Base.Name, mistakes)
}

// Values is what the metrics of a study came to in one run, in their order: counts as they are, times in milliseconds,
// shares from 0 to 1; NaN where a metric has no value.
type Values []float64

// Evaluate runs one replication of a cell, numbered from 0. Replication r has the same seed in all cells. The error is
// that of ctx, an invariant of the simulator that broke, or that the run spins.
func (c *Cell) Evaluate(ctx context.Context, r int) (Values, error) {
	measured, err := check.Measure(ctx, c.Loaded, r, c.queries)
	if err != nil {
		return nil, err
	}
	values := make(Values, len(measured))
	for i, v := range measured {
		values[i] = math.NaN()
		if v != nil {
			values[i] = number(*v)
		}
	}
	return values, nil
}

// number is a value as Values has it.
func number(v metrics.Value) float64 {
	switch v.Type {
	case metrics.DurationType, metrics.PartitionSeconds:
		return float64(v.Duration.Microseconds()) / 1000
	case metrics.ShareType:
		return v.Share
	case metrics.NumberType:
		return v.Number
	case metrics.StateType:
		return float64(v.State) // to be compared with one
	}
	return float64(v.Count)
}

// Job is one replication of a cell.
type Job struct {
	Cell        *Cell
	Replication int
}

// BrokenError says that a run broke an invariant of the simulator, or spins.
type BrokenError struct {
	At  string // the point and the replication
	Err error
}

func (e *BrokenError) Error() string { return e.At + ": " + e.Err.Error() }
func (e *BrokenError) Unwrap() error { return e.Err }

// Evaluate does jobs, as many at once as parallel says, and calls done with the number and the values of each that was
// finished, one after the other, in whatever order they end. The error is that of ctx, or a *BrokenError.
func (s *Study) Evaluate(ctx context.Context, jobs []Job, parallel int, done func(i int, v Values)) error {
	results := make(chan result)
	running, ctx := errgroup.WithContext(ctx)
	running.SetLimit(parallel)
	go func() {
		for i, job := range jobs {
			running.Go(func() error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				v, err := job.Cell.Evaluate(ctx, job.Replication)
				if err == nil {
					results <- result{i, v}
				} else if ctx.Err() == nil {
					err = &BrokenError{fmt.Sprintf("%s, replication %d", Label(s.Params, job.Cell.Point), job.Replication+1), err}
				}
				return err
			})
		}
		running.Wait()
		close(results)
	}()
	for r := range results {
		done(r.i, r.values)
	}
	return running.Wait()
}

type result struct {
	i      int
	values Values
}
