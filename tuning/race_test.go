package tuning

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// problem is a function of two numbers with noise, of which all candidates see the same at one replication, and some of
// their own. The objective falls with the first number, as what a limit is about rises.
type problem struct {
	seed          uint64
	shared, alone float64 // deviations
	points        [][2]float64
	runs          int
}

func (p *problem) values(candidate, replication int) Values {
	common := rand.New(rand.NewPCG(p.seed, uint64(replication)))
	own := rand.New(rand.NewPCG(p.seed+uint64(candidate)<<32, uint64(replication)))
	at := p.points[candidate]
	objective := 10 - at[0]/2 + math.Abs(at[1]-3)/2
	rare := 0.0
	if own.Float64() < at[0]/20 { // happens now and then
		rare = 1
	}
	return Values{objective + p.shared*common.NormFloat64() + p.alone*own.NormFloat64(), 5 + at[0], rare}
}

// race returns the race of the problem, over a grid of 10 by 8.
func (p *problem) race(most, budget int, limits ...limit) *race {
	r := &race{limits: limits, most: most, budget: budget}
	index := map[*candidate]int{}
	for a := range 10 {
		for b := range 8 {
			c := &candidate{far: a + b, settings: []string{fmt.Sprint(a), fmt.Sprint(b)}}
			index[c] = len(p.points)
			p.points = append(p.points, [2]float64{float64(a), float64(b)})
			r.candidates = append(r.candidates, c)
		}
	}
	r.run = func(ctx context.Context, jobs []entry) ([]Values, error) {
		all := make([]Values, len(jobs))
		for i, job := range jobs {
			if ctx.Err() != nil {
				return all, ctx.Err()
			}
			p.runs++
			all[i] = p.values(index[job.of], job.replication)
		}
		return all, nil
	}
	return r
}

func atMost(kind scenario.AggregationKind, bound float64) limit {
	return limit{over: scenario.Aggregation{Kind: kind, Percentile: 95_000}, op: scenario.LessOrEqual, bound: bound}
}

// exhaustive runs everything and returns the candidate with the least mean of those that hold the limits.
func (p *problem) exhaustive(r *race) *candidate {
	best, least := (*candidate)(nil), math.Inf(1)
	for i := range r.candidates {
		c := &candidate{}
		for replication := range r.most {
			c.runs = append(c.runs, p.values(i, replication))
		}
		if m := stat.Mean(c.sample(0), nil); r.miss(c) == 0 && m < least {
			best, least = c, m
		}
	}
	return best
}

// The race finds candidates that are no worse than the best of all, pair by pair, with a fifth of the runs. One that
// compares plain means, or goes by limits without any doubt, fails here.
func TestRaceFindsTheBest(t *testing.T) {
	const most, fifth = 30, 80 * 30 / 5
	for _, limits := range [][]limit{nil, {atMost(scenario.OfMax, 11)}, {atMost(scenario.OfMax, 12), atMost(scenario.OfMean, 0.25)}} {
		missed := 0
		for seed := range uint64(60) {
			p := &problem{seed: seed + 1, shared: 3, alone: 1}
			r := p.race(most, fifth, limits...)
			if err := r.find(context.Background()); err != nil {
				t.Fatal(err)
			}
			best, found := p.exhaustive(r), r.ranked()[0]
			if p.runs > fifth {
				t.Fatalf("%d runs, not %d", p.runs, fifth)
			}
			if r.miss(found) > 0 || r.clearlyWorse(found, best) {
				missed++
			}
		}
		if missed > 3 { // a twentieth: so much is outside of the interval
			t.Errorf("with %d limits, %d of 60 races end with what is not as good as the best", len(limits), missed)
		}
	}
}

// Where nothing holds the limits the race ends with what misses them least.
func TestRaceFindsTheNearestMiss(t *testing.T) {
	p := &problem{seed: 1, shared: 1, alone: 0.1}
	r := p.race(20, 2000, atMost(scenario.OfMax, 4))
	if err := r.find(context.Background()); err != nil {
		t.Fatal(err)
	}
	if found := r.ranked()[0]; found.settings[0] != "0" || math.Abs(r.miss(found)-0.25) > 1e-9 {
		t.Errorf("found %v, which misses by %v", found.settings, r.miss(found))
	}
}

// Those that were left behind come back when all replications speak against those that led.
func TestRaceCallsBack(t *testing.T) {
	r := &race{most: 16, budget: 1000, limits: []limit{atMost(scenario.OfMax, 0)}}
	for range 9 {
		r.candidates = append(r.candidates, &candidate{})
	}
	right := r.candidates[8] // the worst objective, and the only one that never fails
	r.run = func(_ context.Context, jobs []entry) ([]Values, error) {
		var all []Values
		for _, job := range jobs {
			v := Values{1, 0}
			switch {
			case job.of == right:
				v[0] = 2
			case job.replication == 15:
				v[1] = 1
			}
			all = append(all, v)
		}
		return all, nil
	}
	if err := r.find(context.Background()); err != nil || r.ranked()[0] != right {
		t.Errorf("%v; the race did not find the one that holds", err)
	}
}

// An interrupt leaves what was run, and budgets are kept to the run.
func TestRaceEndsEarly(t *testing.T) {
	p := &problem{seed: 1, shared: 1, alone: 0.1}
	r := p.race(20, 200)
	ctx, stop := context.WithCancel(context.Background())
	run := r.run
	r.run = func(ctx context.Context, jobs []entry) ([]Values, error) {
		if p.runs >= 160 {
			stop()
		}
		return run(ctx, jobs)
	}
	if err := r.find(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the race ends with %v", err)
	}
	if n := len(r.ranked()[0].runs); n != 2 {
		t.Errorf("there are %d replications of the leader, not 2", n)
	}
	p = &problem{seed: 1}
	if err := p.race(20, 203).find(context.Background()); err != nil || p.runs != 203 {
		t.Errorf("%v; %d runs of 203", err, p.runs)
	}
}

// What a limit is missed by is a share of its bound; with few replications chance counts in favour.
func TestLimit(t *testing.T) {
	mean := func(op scenario.Op, bound float64) limit {
		return limit{over: scenario.Aggregation{Kind: scenario.OfMean}, op: op, bound: bound}
	}
	each := limit{op: scenario.Less, bound: 10}
	p50 := limit{over: scenario.Aggregation{Kind: scenario.OfPercentile, Percentile: metrics.Hundred / 2}, op: scenario.Less, bound: 10}
	most := limit{over: scenario.Aggregation{Kind: scenario.Fraction, Op: scenario.Equal}, op: scenario.GreaterOrEqual, bound: 0.9, inside: 1}
	for _, c := range []struct {
		name         string
		limit        limit
		sample       []float64
		miss, likely float64
	}{
		{"mean holds", mean(scenario.Less, 10), []float64{9, 10}, 0, 0},
		{"mean misses", mean(scenario.Less, 10), []float64{12, 12}, 0.2, 0.2},
		{"mean misses by chance", mean(scenario.Less, 10), []float64{8, 14}, 0.1, 0},
		{"mean is equal", mean(scenario.Less, 10), []float64{10, 10}, 1e-9, 1e-9},
		{"mean is too low", mean(scenario.Greater, 10), []float64{5, 5}, 0.5, 0.5},
		{"no value", mean(scenario.Less, 10), []float64{5, math.NaN()}, worst, worst},
		{"a bound of 0", mean(scenario.LessOrEqual, 0), []float64{3, 3}, 3, 3},
		{"other than", mean(scenario.NotEqual, 3), []float64{3, 3}, 1e-9, 1e-9},
		{"each", each, []float64{9, 15, 12}, 0.5, 0.5},
		{"p50 holds", p50, []float64{9, 9, 50}, 0, 0},
		{"p50 misses by chance", p50, []float64{9, 15, 50}, 0.5, 0},
		{"p50 misses", p50, []float64{15, 15, 15, 15, 15}, 0.5, 0.5},
		{"a fraction holds", most, []float64{1, 1}, 0, 0},
		{"a fraction misses by chance", most, []float64{1, 1, 0}, (0.9 - 2.0/3) * 1, 0},
		{"a fraction misses", most, []float64{0, 0, math.NaN()}, 0.9, 0.9},
	} {
		if got, likely := c.limit.miss(c.sample), c.limit.likelyMiss(c.sample); math.Abs(got-c.miss) > 1e-12 || math.Abs(likely-c.likely) > 1e-12 {
			t.Errorf("%s: %v and %v, not %v and %v", c.name, got, likely, c.miss, c.likely)
		}
	}
}
