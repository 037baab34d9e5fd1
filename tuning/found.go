package tuning

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// describeGoal fills the report with what is searched.
func (s *Search) describeGoal() {
	r, base := &s.report, s.Study.Base.Scenario
	r.Scenario, r.Question, r.Seed, r.Kafka, r.Duration = base.Name, s.Goal.Question, uint64(base.Seed), base.Broker.Kafka, base.Duration
	r.Days = base.Duration.Hours() / 24
	r.Objective = objectiveOf(s.Goal.Minimise)
	for i := range s.Goal.SubjectTo {
		r.Limits = append(r.Limits, limitOf(&s.Goal.SubjectTo[i]))
	}
	r.Settings, r.Sampled = len(s.race.candidates), s.Sampled
	r.Replications, r.Budget, r.Exhaustive = s.Replications, s.Budget, len(s.race.candidates)*s.Replications
	defaults := s.defaults()
	for i, p := range s.Study.Params {
		param := reports.TuneParam{Key: p.Key, Values: p.Values, Present: s.present.settings[i]}
		if defaults != nil {
			param.Default = defaults.settings[i]
		}
		r.Params = append(r.Params, param)
	}
}

// describe fills the report with what was found.
func (s *Search) describe(best *candidate) {
	r, defaults := &s.report, s.defaults()
	r.Settings = len(s.race.candidates) // with those that lay beside a winner
	r.Best = s.cell(best, best)
	r.Met = r.Best.Holds()
	r.Present, r.Defaults = s.other(s.present, best), s.other(defaults, best)
	s.describeEquals(best, defaults)
	r.Back, r.Beside = s.steps(s.back(best), best), s.steps(s.beside(best), best)
	r.Curve = s.curve(best)
}

func objectiveOf(m *scenario.Metric) reports.TuneMetric {
	return reports.TuneMetric{Text: m.Query.String(), Type: m.Type, Adds: metrics.AddsUp(m.Query.Name)}
}

func limitOf(e *scenario.Expectation) reports.TuneMetric {
	d, _ := metrics.Find(e.Query.Name)
	m := reports.TuneMetric{Text: e.That, Type: d.Type}
	if e.Over.Kind == scenario.Fraction {
		m.Type = metrics.ShareType
	}
	return m
}

// cell says what a candidate came to.
func (s *Search) cell(c, best *candidate) *reports.TuneCell {
	cell := &reports.TuneCell{Values: c.settings, Runs: len(c.runs), Objective: Estimate(s.Goal.Minimise.Over, c.sample(0))}
	if c != best {
		cell.Objective.Difference = Differ(s.Goal.Minimise.Over, c.sample(0), best.sample(0))
	}
	for i := range s.race.limits {
		cell.Limits = append(cell.Limits, s.race.limits[i].report(c.sample(1+i)))
	}
	return cell
}

func (l *limit) report(sample []float64) reports.TuneLimit {
	r := reports.TuneLimit{Holds: l.miss(sample) == 0}
	if got := l.value(sample); !math.IsNaN(got) {
		r.Value = &got
	}
	if l.over.Kind == scenario.OfMean || l.over.Kind == scenario.OfPercentile {
		r.Interval = Estimate(l.over, sample).Interval
	}
	return r
}

// other says what a candidate came to; nil when that is the best one, or was not run.
func (s *Search) other(c, best *candidate) *reports.TuneCell {
	if c == nil || c == best || len(c.runs) < fewest {
		return nil
	}
	return s.cell(c, best)
}

// describeEquals looks for those of which chance may be why they look worse than the best one, and among them for the
// one with the fewest changes of defaults.
func (s *Search) describeEquals(best, defaults *candidate) {
	if !s.report.Met || defaults == nil {
		return
	}
	nearest := best
	for _, c := range s.race.ranked() {
		if c == best || len(c.runs) < fewest || s.race.miss(c) > 0 || !mayBeEqual(Differ(s.Goal.Minimise.Over, c.sample(0), best.sample(0))) {
			continue
		}
		s.report.AsGood++
		enough := len(c.runs) >= s.Replications/more && s.cell(c, best).Holds()
		if enough && differ(c.settings, defaults.settings) < differ(nearest.settings, defaults.settings) {
			nearest = c
		}
	}
	s.report.Nearest = s.other(nearest, best)
}

// mayBeEqual reports whether the interval of a difference has 0 in it.
func mayBeEqual(d *reports.Difference) bool {
	return d != nil && d.Interval != nil && d.Interval.Low <= 0 && d.Interval.High >= 0
}

func (s *Search) steps(steps []step, best *candidate) []reports.TuneStep {
	var all []reports.TuneStep
	for _, step := range steps {
		all = append(all, reports.TuneStep{Param: step.param, Value: step.value, Cell: s.other(step.to, best), Why: step.why})
	}
	return all
}

// curve shows what noticing the dead sooner costs, over the replications that all its points have.
func (s *Search) curve(best *candidate) []reports.TunePoint {
	n := s.Replications
	for _, c := range s.curved {
		n = min(n, len(c.runs))
	}
	first := len(s.race.limits) + 1
	var all []reports.TunePoint
	most := 0.0
	for _, c := range s.curved {
		common := &candidate{cell: c.cell, settings: c.settings, runs: c.runs[:n]}
		p := reports.TunePoint{Cell: *s.cell(common, best), Best: c == best}
		p.Detection = Estimate(scenario.Aggregation{}, common.sample(first)).Mean
		p.FalseEvictions = Estimate(scenario.Aggregation{}, common.sample(first+1)).Mean / s.report.Days
		most = max(most, p.FalseEvictions)
		all = append(all, p)
	}
	for i := range all {
		if most > 0 {
			all[i].Share = all[i].FalseEvictions / most
		}
	}
	for i := range all {
		all[i].Front = !slices.ContainsFunc(all, func(other reports.TunePoint) bool { return beats(&other, &all[i]) })
	}
	slices.SortStableFunc(all, func(a, b reports.TunePoint) int { return cmp.Compare(a.Detection, b.Detection) })
	return all
}

// beats reports whether a point is better than another one in one of both, and no worse in the other.
func beats(p, other *reports.TunePoint) bool {
	return p.Detection <= other.Detection && p.FalseEvictions <= other.FalseEvictions &&
		(p.Detection < other.Detection || p.FalseEvictions < other.FalseEvictions)
}

// settings lists what to change in the file for a candidate.
func (s *Search) settings(c *candidate) Settings {
	var all Settings
	for i, p := range s.Study.Params {
		if c.settings[i] == s.present.settings[i] {
			continue
		}
		for _, path := range p.Paths {
			all = append(all, scenario.Change{Key: path, Value: c.cell.Point[i]})
		}
	}
	return all
}

// firstOf returns the first mistake of an error, without its place.
func firstOf(err error) string {
	var wrong *scenario.Errors
	if errors.As(err, &wrong) && len(wrong.Mistakes) > 0 {
		return wrong.Mistakes[0].Text
	}
	return err.Error()
}
