package tuning

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"simulate/sim/scenario"
)

// race finds the best of many candidates with few runs. It is successive halving, which keeps a third instead of a half:
// in each round the candidates that look best go on, with twice as many replications. Replication r has the same seed for
// all, and what is compared are differences on the same seeds, as in racing: what is clearly worse than the leader gets no
// more runs before its turn. Nobody is thrown out for good. The race ends when the candidate that ranks first has all its
// replications; where more of them speak against the leaders, those behind come back.
//
// Jamieson, Talwalkar: Non-stochastic Best Arm Identification (AISTATS 2016); Birattari, Stützle, Paquete, Varrentrapp: A
// Racing Algorithm for Configuring Metaheuristics (GECCO 2002).
type race struct {
	limits     []limit // of the values behind the objective, in their order
	most       int     // replications of a candidate
	budget     int     // runs that may still begin
	candidates []*candidate
	run        func(ctx context.Context, jobs []entry) ([]Values, error)
}

// candidate is one of those that take part.
type candidate struct {
	far  int      // how much it differs from what there is: of equals the nearest comes first
	runs []Values // by replication, without gaps: the objective, what limits are about, and what else is measured

	cell     *Cell
	settings []string // by parameter, as the resolved scenario has them
}

// entry is one replication of a candidate that is to be run.
type entry struct {
	of          *candidate
	replication int
}

// Of each round, as many go on, with so many times the replications.
const (
	goOn = 3
	more = 2

	fewest = 2 // replications: less tell nothing of chance
)

// find runs the race. The error is that of a run, or of ctx; what was run before counts all the same.
func (r *race) find(ctx context.Context) error {
	size, n := len(r.candidates), r.first()
	for ; size > 1; size, n = (size+goOn-1)/goOn, min(r.most, more*n) {
		if err := r.extend(ctx, r.chosen(size), n); err != nil {
			return err
		}
	}
	return r.decide(ctx)
}

// decide gives whoever ranks first twice as many replications, until one that ranks first has all.
func (r *race) decide(ctx context.Context) error {
	for {
		leader := r.ranked()[0]
		if len(leader.runs) >= r.most || r.budget == 0 {
			return nil
		}
		if err := r.extend(ctx, []*candidate{leader}, min(r.most, more*max(1, len(leader.runs)))); err != nil {
			return err
		}
	}
}

// winner returns the candidate that ranks first. When the budget ended before it had all its replications, doubt is not
// enough any more: then it is the first that holds all limits and has half as many as that one.
func (r *race) winner() *candidate {
	ranked := r.ranked()
	leader := ranked[0]
	if len(leader.runs) >= r.most || r.holds(leader) {
		return leader
	}
	for _, c := range ranked {
		if len(c.runs) >= (len(leader.runs)+1)/2 && r.holds(c) {
			return c
		}
	}
	return leader
}

// holds reports whether all limits hold over the replications that there are.
func (r *race) holds(c *candidate) bool {
	if slices.ContainsFunc(c.sample(0), math.IsNaN) {
		return false
	}
	for i := range r.limits {
		if r.limits[i].miss(c.sample(1+i)) > 0 {
			return false
		}
	}
	return len(c.runs) > 0
}

// payable returns the greatest number of replications that the budget pays for each of some candidates.
func (r *race) payable(candidates []*candidate) int {
	for n := r.most; ; n-- {
		runs := 0
		for _, c := range candidates {
			runs += max(0, n-len(c.runs))
		}
		if runs <= r.budget {
			return n
		}
	}
}

// first returns the greatest number of replications in the first round with which the budget pays for all rounds.
func (r *race) first() int {
	for n := r.most; n > fewest; n-- {
		if r.cost(n) <= r.budget {
			return n
		}
	}
	return min(fewest, r.most)
}

// cost returns how many runs a race takes at most that begins with n replications each, when nobody comes back.
func (r *race) cost(n int) int {
	runs, had := 0, 0
	for size := len(r.candidates); ; size = (size + goOn - 1) / goOn {
		if size == 1 {
			n = r.most
		}
		runs += size * (n - had)
		if size == 1 {
			return runs
		}
		had, n = n, min(r.most, more*n)
	}
}

// chosen returns those of the first candidates that get more runs.
func (r *race) chosen(size int) []*candidate {
	ranked := r.ranked()
	leader := ranked[0]
	return slices.DeleteFunc(ranked[:size], func(c *candidate) bool { return c != leader && r.clearlyWorse(c, leader) })
}

// clearlyWorse reports whether another candidate that holds the limits beats c, chance aside.
func (r *race) clearlyWorse(c, leader *candidate) bool {
	const pairs = 5 // of fewer, Student's t says little
	if min(len(c.runs), len(leader.runs)) < pairs || r.miss(leader) > 0 {
		return false
	}
	d := Differ(scenario.Aggregation{}, c.sample(0), leader.sample(0))
	return d != nil && d.Interval != nil && d.Interval.Low > 0
}

// extend gives each candidate n replications, or fewer where the budget ends: all of them the same.
func (r *race) extend(ctx context.Context, candidates []*candidate, n int) error {
	var jobs []entry
	for replication := range n {
		for _, c := range candidates {
			if replication >= len(c.runs) {
				jobs = append(jobs, entry{c, replication})
			}
		}
	}
	jobs = jobs[:min(len(jobs), r.budget)]
	r.budget -= len(jobs)
	values, err := r.run(ctx, jobs)
	for i, job := range jobs {
		if values[i] != nil && len(job.of.runs) == job.replication {
			job.of.runs = append(job.of.runs, values[i])
		}
	}
	return err
}

// ranked returns the candidates, the best first; those of which nothing is known come last.
func (r *race) ranked() []*candidate {
	reference := r.reference()
	type place struct {
		*candidate
		miss, score float64
	}
	var all []place
	for _, c := range r.candidates {
		all = append(all, place{c, r.miss(c), c.estimate(0, reference)})
	}
	slices.SortStableFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(min(len(b.runs), 1), min(len(a.runs), 1)), cmp.Compare(a.miss, b.miss), cmp.Compare(a.score, b.score), cmp.Compare(a.far, b.far))
	})
	list := make([]*candidate, len(all))
	for i := range all {
		list[i] = all[i].candidate
	}
	return list
}

// miss says by how much a candidate misses its limits in sum, each as a share of its bound. Until it has all its
// replications it has the benefit of the doubt.
func (r *race) miss(c *candidate) float64 {
	sum := 0.0
	if slices.ContainsFunc(c.sample(0), math.IsNaN) {
		sum = worst
	}
	for i := range r.limits {
		sample := c.sample(1 + i)
		switch {
		case len(sample) == 0:
		case len(sample) < r.most:
			sum += r.limits[i].likelyMiss(sample)
		default:
			sum += r.limits[i].miss(sample)
		}
	}
	return sum
}

// reference returns the candidate with the most replications, with which all others are compared.
func (r *race) reference() *candidate {
	return slices.MaxFunc(r.candidates, func(a, b *candidate) int {
		return cmp.Compare(len(a.runs), len(b.runs))
	})
}

// sample returns one of the values in all replications.
func (c *candidate) sample(value int) []float64 {
	x := make([]float64, len(c.runs))
	for i, v := range c.runs {
		x[i] = v[value]
	}
	return x
}

// estimate estimates the mean of a value over as many replications as the reference has: its mean there, and how far that
// of c lies above it on the seeds that both have seen. So nobody is better for having had easier seeds.
func (c *candidate) estimate(value int, reference *candidate) float64 {
	if len(c.runs) == 0 {
		return 0
	}
	x, y := c.sample(value), reference.sample(value)
	return stat.Mean(x, nil) + stat.Mean(y, nil) - stat.Mean(y[:len(x)], nil)
}
