// Package align pairs the events of two lists, such as what was recorded and what was simulated.
package align

import "time"

// Pair is one line of an alignment: indices into two lists, -1 where one side has nothing.
type Pair struct {
	Left, Right int
	Swapped     bool // the two stand in another order than their neighbours
}

// Sides is what an alignment needs to know of two lists.
type Sides struct {
	Left, Right int                          // their lengths
	Same        func(l, r int) bool          // whether the two are the same event
	Apart       func(l, r int) time.Duration // how far they lie apart, not negative
	Weight      func(l int) int64            // what a pair with the left event counts; nil: each counts 1
}

// mayChange is how far two equal events that the alignment left over may lie apart and still be the same
// one: independent events within a few milliseconds come in arbitrary order.
const mayChange = 50 * time.Millisecond

// Align pairs as many events as possible, by their weight, without changing an order; among alignments that count
// the same it takes the one whose pairs lie closest together. Of what is left over, equal events within mayChange
// are paired too. The lines come in order of the left side, its leftovers before those of the right.
func Align(s Sides) []Pair {
	lines := s.common()
	s.pairLeftovers(lines)
	var kept []Pair
	for _, p := range lines {
		if p.Left >= 0 || p.Right >= 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// weight returns what a pair with a left event counts.
func (s Sides) weight(l int) int64 {
	if s.Weight == nil {
		return 1
	}
	return s.Weight(l)
}

// common returns a heaviest common subsequence and what it leaves over.
func (s Sides) common() []Pair {
	best := s.scores()
	var lines []Pair
	l, r := 0, 0
	for l < s.Left || r < s.Right {
		switch {
		case l == s.Left:
			lines = append(lines, Pair{Left: -1, Right: r})
			r++
		case r == s.Right || best[l][r] == best[l+1][r]:
			lines = append(lines, Pair{Left: l, Right: -1})
			l++
		case best[l][r] == best[l][r+1]:
			lines = append(lines, Pair{Left: -1, Right: r})
			r++
		default:
			lines = append(lines, Pair{Left: l, Right: r})
			l, r = l+1, r+1
		}
	}
	return lines
}

// score says how good an alignment is: more pairs are better, by their weight, then less distance.
type score struct {
	weight int64
	apart  time.Duration
}

func (a score) better(b score) bool {
	return a.weight > b.weight || a.weight == b.weight && a.apart < b.apart
}

// scores returns, for each l and r, the best score of the lists from there on.
func (s Sides) scores() [][]score {
	best := make([][]score, s.Left+1)
	for l := range best {
		best[l] = make([]score, s.Right+1)
	}
	for l := s.Left - 1; l >= 0; l-- {
		for r := s.Right - 1; r >= 0; r-- {
			top := best[l+1][r]
			if other := best[l][r+1]; other.better(top) {
				top = other
			}
			if s.Same(l, r) {
				rest := best[l+1][r+1]
				if with := (score{rest.weight + s.weight(l), rest.apart + s.Apart(l, r)}); with.better(top) {
					top = with
				}
			}
			best[l][r] = top
		}
	}
	return best
}

// pairLeftovers moves right leftovers to their left counterparts; a line that loses its event is empty.
func (s Sides) pairLeftovers(lines []Pair) {
	for i := range lines {
		if lines[i].Left < 0 || lines[i].Right >= 0 {
			continue
		}
		if j := s.counterpart(lines, lines[i].Left); j >= 0 {
			lines[i] = Pair{lines[i].Left, lines[j].Right, true}
			lines[j] = Pair{Left: -1, Right: -1}
		}
	}
}

// counterpart returns the line of the closest right leftover that may be paired with l, or -1.
func (s Sides) counterpart(lines []Pair, l int) int {
	found, distance := -1, mayChange+1
	for j, p := range lines {
		if p.Left < 0 && p.Right >= 0 && s.Same(l, p.Right) && s.Apart(l, p.Right) < distance {
			found, distance = j, s.Apart(l, p.Right)
		}
	}
	return found
}
