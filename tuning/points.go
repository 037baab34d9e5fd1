package tuning

import "simulate/sim/random"

// stepsOfRange is how many values a range has for a search when it does not say.
const stepsOfRange = 10

// SearchPoints returns the points of a search: all combinations of values where there are at most so many, else a Latin
// hypercube of them. Ranges become lists.
func SearchPoints(params []Param, most int, seed random.Seed) (points []Point, sampled bool, err error) {
	n := 1
	for i := range params {
		p := &params[i]
		if len(p.Values) == 0 {
			p.Values = p.Range.steps(stepsOfRange)
		}
		p.Range = nil
		n = min(n*len(p.Values), MostPoints+1)
	}
	if n <= most {
		points, err = Grid(params)
		return points, false, err
	}
	return Hypercube(params, most, seed), true, nil
}
