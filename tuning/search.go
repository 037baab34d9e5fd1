package tuning

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// Search looks for the settings of a scenario that are the best for a goal.
type Search struct {
	Study        Study // its metrics are those of the goal
	Goal         *scenario.Tune
	Points       []Point
	Sampled      bool // there are more points than Points
	Replications int  // of settings that are taken seriously, at least 2
	Budget       int  // runs in all; 0: DefaultBudget
	Parallel     int
	Progress     func(runs, budget int) // is called whenever a run has ended; nil: nobody asks

	race    *race
	report  reports.Tune
	known   map[string]*candidate // by the text of the resolved scenario
	present *candidate
	best    *candidate   // the winner, whatever its neighbours look like with the runs that they get later
	curved  []*candidate // the points of the trade-off curve
	ended   int          // runs
}

// Settings are what a search recommends to change in the scenario.
type Settings []scenario.Change

// Run searches. The report is about what was run until ctx ended. The error is a *BrokenError, or what the scenario has
// against all points, or a budget that is too small.
func (s *Search) Run(ctx context.Context) (reports.Tune, Settings, error) {
	if err := s.prepare(); err != nil {
		return s.report, nil, err
	}
	s.describeGoal()
	err := s.search(ctx)
	if err != nil && ctx.Err() == nil {
		return s.report, nil, err
	}
	s.report.Cut, s.report.Runs = ctx.Err() != nil, s.ended
	if s.best == nil {
		s.best = s.race.winner()
	}
	if len(s.best.runs) == 0 {
		return s.report, nil, nil
	}
	s.describe(s.best)
	return s.report, s.settings(s.best), nil
}

// prepare puts the points into the scenario, each combination of settings once.
func (s *Search) prepare() error {
	s.known = map[string]*candidate{}
	s.Study.Metrics = s.measured()
	s.race = &race{most: s.Replications, run: s.run}
	for i := range s.Goal.SubjectTo {
		s.race.limits = append(s.race.limits, newLimit(&s.Goal.SubjectTo[i]))
	}
	var err error
	if s.present, err = s.at(make(Point, len(s.Study.Params))); err != nil {
		return err
	}
	cells, err := s.Study.Cells(s.Points)
	for _, c := range cells {
		if c == nil {
			s.report.Refused++
			continue
		}
		if of := s.candidate(c); !slices.Contains(s.race.candidates, of) {
			s.race.candidates = append(s.race.candidates, of)
		}
	}
	if len(s.race.candidates) == 0 {
		return err
	}
	if err != nil {
		s.report.RefusedBecause = firstOf(err)
	}
	return s.afford()
}

// DefaultBudget is a fifth of what n settings take with all replications, and never less than a search needs.
func DefaultBudget(n, replications int) int {
	return max(n*replications/5, 10*replications, leastBudget(n, replications))
}

// leastBudget is what a race takes that decides by the first replications.
func leastBudget(n, replications int) int { return n*fewest + replications }

func (s *Search) afford() error {
	n := len(s.race.candidates)
	if s.Budget == 0 {
		s.Budget = DefaultBudget(n, s.Replications)
	}
	if least := leastBudget(n, s.Replications); s.Budget < least {
		return fmt.Errorf("a budget of %d runs is too small for %d settings: they take at least %d; give more, or fewer values or --points", s.Budget, n, least)
	}
	return nil
}

// What is measured beside the goal, behind it: the two sides of a session time-out.
var tradeOff = []string{"detection", "false_evictions"}

// measured lists the objective, what limits are about, and the trade-off.
func (s *Search) measured() []scenario.Metric {
	all := []scenario.Metric{*s.Goal.Minimise}
	for i := range s.Goal.SubjectTo {
		all = append(all, scenario.Metric{Query: s.Goal.SubjectTo[i].Query})
	}
	for _, name := range tradeOff {
		all = append(all, scenario.Metric{Query: metrics.Query{Name: name, Subject: s.group()}})
	}
	return all
}

// group is the one that the trade-off is about.
func (s *Search) group() string {
	q := s.Goal.Minimise.Query
	if d, _ := metrics.Find(q.Name); d.Subject == metrics.OfGroup {
		return q.Subject
	}
	return s.Study.Base.Scenario.Groups()[0]
}

// at returns the candidate at a point. The error is what the scenario has against it.
func (s *Search) at(p Point) (*candidate, error) {
	c, err := s.Study.Cell(p)
	if err != nil {
		return nil, err
	}
	return s.candidate(c), nil
}

// candidate returns the candidate with the settings of a cell.
func (s *Search) candidate(cell *Cell) *candidate {
	text := cell.Loaded.Scenario.TOML()
	if c := s.known[text]; c != nil {
		if cell.Point.whole() {
			c.cell = cell
		}
		return c
	}
	c := &candidate{cell: cell, settings: s.settingsOf(cell.Loaded.Scenario)}
	if s.present != nil {
		c.far = differ(c.settings, s.present.settings)
	}
	s.known[text] = c
	return c
}

// whole reports whether the point says of every parameter what it is.
func (p Point) whole() bool { return p != nil && !slices.Contains(p, "") }

// settingsOf returns what a scenario has for each parameter; of one for several fleets, what each of them has.
func (s *Search) settingsOf(of *scenario.Scenario) []string {
	var all []string
	for _, p := range s.Study.Params {
		values := of.Settings(p.Paths)
		slices.Sort(values)
		all = append(all, strings.Join(slices.Compact(values), " or "))
	}
	return all
}

// differ counts in how many settings two candidates differ.
func differ(a, b []string) int {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

func (s *Search) run(ctx context.Context, entries []entry) ([]Values, error) {
	values := make([]Values, len(entries))
	jobs := make([]Job, len(entries))
	for i, e := range entries {
		jobs[i] = Job{e.of.cell, e.replication}
	}
	err := s.Study.Evaluate(ctx, jobs, s.Parallel, func(i int, v Values) {
		values[i] = v
		s.ended++
		if s.Progress != nil {
			s.Progress(s.ended, s.Budget)
		}
	})
	return values, err
}

// search spends three fifths of the budget on the race, unless that is not enough, and the rest on what the report compares
// the winner with.
func (s *Search) search(ctx context.Context) error {
	s.race.budget = max(s.Budget*3/5, leastBudget(len(s.race.candidates), s.Replications))
	rest := s.Budget - s.race.budget
	if err := s.climb(ctx); err != nil {
		return err
	}
	s.race.budget += rest
	if err := s.race.decide(ctx); err != nil {
		return err
	}
	s.best = s.race.winner()
	return s.compare(ctx, s.best)
}

// compare runs what the report compares the winner with: from half of what is left first what there is and what there
// would be without any setting, and then all of it.
func (s *Search) compare(ctx context.Context, best *candidate) error {
	references := []*candidate{s.present}
	if c := s.defaults(); c != nil && c != s.present {
		references = append(references, c)
	}
	later := s.race.budget / 2
	s.race.budget -= later
	if err := s.race.extend(ctx, references, s.race.payable(references)); err != nil {
		return err
	}
	s.race.budget += later
	others := s.others(best)
	return s.race.extend(ctx, others, s.race.payable(others))
}

// climb races, and where points are only a sample goes on from the winner to what lies beside it as long as that is better.
func (s *Search) climb(ctx context.Context) error {
	if err := s.race.find(ctx); err != nil || !s.Sampled {
		return err
	}
	for s.race.budget > 0 {
		best := s.race.ranked()[0]
		before := len(s.race.candidates)
		for _, step := range s.beside(best) {
			if step.to != nil && !slices.Contains(s.race.candidates, step.to) {
				s.race.candidates = append(s.race.candidates, step.to)
			}
		}
		fresh := s.race.candidates[before:]
		if len(fresh) == 0 {
			return nil
		}
		if err := s.race.extend(ctx, fresh, max(fewest, s.Replications/more/more)); err != nil {
			return err
		}
		if err := s.race.decide(ctx); err != nil || s.race.ranked()[0] == best {
			return err
		}
	}
	return nil
}

// others lists what lies around the winner, and the points of the trade-off curve.
func (s *Search) others(best *candidate) []*candidate {
	var all []*candidate
	for _, step := range slices.Concat(s.back(best), s.beside(best)) {
		if step.to != nil {
			all = append(all, step.to)
		}
	}
	s.curved = s.front(best)
	seen := map[*candidate]bool{}
	return slices.DeleteFunc(append(all, s.curved...), func(c *candidate) bool {
		twice := seen[c]
		seen[c] = true
		return twice
	})
}

// defaults returns the candidate with what clients and coordinator have of themselves, nil when that cannot run.
func (s *Search) defaults() *candidate {
	var unset []scenario.Override
	for _, p := range s.Study.Params {
		for _, path := range p.Paths {
			unset = append(unset, scenario.OverrideDefault(path))
		}
	}
	loaded, err := s.Study.Load(unset...)
	if err != nil {
		return nil
	}
	return s.candidate(s.Study.cell(nil, loaded))
}

// step is another value of one setting of a candidate.
type step struct {
	param int
	value string
	to    *candidate // nil when it is refused
	why   string
}

// back lists the steps that put one setting back to what it is at present.
func (s *Search) back(from *candidate) []step {
	var all []step
	for i, value := range s.present.settings {
		if from.settings[i] != value {
			step := s.step(from, i, "")
			step.value = value
			all = append(all, step)
		}
	}
	return all
}

// beside lists the steps to the value before and behind of each setting.
func (s *Search) beside(from *candidate) []step {
	var all []step
	for i, p := range s.Study.Params {
		at := slices.Index(p.Values, from.cell.Point[i])
		for _, beside := range []int{at - 1, at + 1} {
			if at >= 0 && beside >= 0 && beside < len(p.Values) {
				all = append(all, s.step(from, i, p.Values[beside]))
			}
		}
	}
	return all
}

func (s *Search) step(from *candidate, param int, value string) step {
	p := slices.Clone(from.cell.Point)
	p[param] = value
	to, err := s.at(p)
	if err != nil {
		return step{param, value, nil, firstOf(err)}
	}
	return step{param, value, to, ""}
}

// mostPointsOfCurve bounds the rows of the trade-off.
const mostPointsOfCurve = 8

// front returns the candidates that nobody beats in both parts of the trade-off, by the first, evenly thinned, and the
// winner.
func (s *Search) front(best *candidate) []*candidate {
	reference := s.race.reference()
	first := len(s.race.limits) + 1
	of := func(c *candidate, i int) float64 { return c.estimate(first+i, reference) }
	all := slices.DeleteFunc(slices.Clone(s.race.candidates), func(c *candidate) bool { return len(c.runs) < fewest })
	slices.SortStableFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(of(a, 0), of(b, 0)), cmp.Compare(of(a, 1), of(b, 1)))
	})
	var front []*candidate
	for _, c := range all {
		if n := len(front); n == 0 || of(c, 1) < of(front[n-1], 1) {
			front = append(front, c)
		}
	}
	thinned := []*candidate{best}
	for i := range min(len(front), mostPointsOfCurve) {
		if c := front[i*len(front)/min(len(front), mostPointsOfCurve)]; c != best {
			thinned = append(thinned, c)
		}
	}
	return thinned
}
