package tuning

import (
	"fmt"
	"strings"

	"simulate/sim/random"
	"simulate/sim/scenario"
)

// Point is one value of each parameter of a study, in their order.
type Point []string

// MostPoints bounds the points of a design.
const MostPoints = 10_000

// Grid returns every combination of the parameters' values; the last parameter changes first.
func Grid(params []Param) ([]Point, error) {
	points := []Point{{}}
	for _, p := range params {
		if len(p.Values) == 0 {
			return nil, fmt.Errorf("%s: a grid needs to know how many values there are; write a number behind the range, such as %s/10", p.place, p.place)
		}
		if n := len(points) * len(p.Values); n > MostPoints {
			return nil, fmt.Errorf("the grid has more than %d points; give fewer values, or take some of them with --design lhs --points N", MostPoints)
		}
		var more []Point
		for _, at := range points {
			for _, v := range p.Values {
				more = append(more, append(at[:len(at):len(at)], v))
			}
		}
		points = more
	}
	return points, nil
}

// Hypercube returns n points of a Latin hypercube: each parameter's range falls into n parts of one size, and each part
// has one point. Between the ends of a range a value can be any; of a list it is one, each as often as n allows. The seed
// alone decides, and one parameter's values do not depend on the others.
//
// McKay, Beckman, Conover: A Comparison of Three Methods for Selecting Values of Input Variables (Technometrics, 1979).
func Hypercube(params []Param, n int, seed random.Seed) []Point {
	points := make([]Point, n)
	for _, p := range params {
		stream := seed.Stream("sweep/"+p.Key, "lhs")
		for i, part := range permutation(stream, n) {
			points[i] = append(points[i], p.at((float64(part)+stream.Unit())/float64(n)))
		}
	}
	return points
}

// at returns the value at a place between 0 and 1, 1 excluded.
func (p *Param) at(place float64) string {
	if p.Range != nil {
		return p.Range.At(place)
	}
	return p.Values[int(place*float64(len(p.Values)))]
}

// permutation returns the numbers below n in an order that is drawn (Fisher and Yates).
func permutation(s *random.Stream, n int) []int {
	all := make([]int, n)
	for i := range all {
		j := s.Below(i + 1)
		all[i], all[j] = all[j], i
	}
	return all
}

// Label names a point by its parameters, in a text that no terminal obeys: "session.timeout.ms=6s, fleet.orders.static=true".
func Label(params []Param, at Point) string { return label(keys(params), at) }

func label(keys []string, at Point) string {
	texts := pairs(keys, at)
	for i := range texts {
		texts[i] = scenario.Brief(texts[i])
	}
	return strings.Join(texts, ", ")
}

// keys returns what parameters are called.
func keys(params []Param) []string {
	all := make([]string, len(params))
	for i := range params {
		all[i] = params[i].Key
	}
	return all
}

func pairs(keys []string, at Point) []string {
	texts := make([]string, len(at))
	for i, v := range at {
		texts[i] = keys[i] + "=" + v
	}
	return texts
}
